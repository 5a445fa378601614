// Finds the rows of a tenant's chain about one subject, for a feature that refers to them.
import { walkInKeyOrder } from '../lib/postgres/key-order.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { type FoundAudit, findAuditPlace, findLastPlace, listRowsAbout } from './audit-read-store.ts';

/** Rows are in time order but for the clocks of the nodes. */
const DISORDER_MARGIN = 10_000;
/** Before and after the time that is sought; read at first. */
const NEAR_ROWS = 200;

export type Sought = {
  readonly actions: readonly string[];
  readonly subjectId: string;
  /** The rows are neither older nor newer: only this part of the chain is read. */
  readonly since: Date;
  readonly until: Date;
};

/** Oldest first. */
export async function findAuditRows(
  tx: Tx,
  tenantId: string,
  { since, until, ...sought }: Sought,
  disorderMargin = DISORDER_MARGIN,
): Promise<FoundAudit[]> {
  const last = await findLastPlace(tx, tenantId);
  const { low } = await findAuditPlace(tx, tenantId, since.toISOString(), last);
  const { high } = await findAuditPlace(tx, tenantId, until.toISOString(), last);
  await walkInKeyOrder(tx);
  const span = { seqFrom: Math.max(1, low - disorderMargin), seqTo: high + disorderMargin };
  return listRowsAbout(tx, tenantId, sought, span);
}

/** The same for rows that must be there: where none is near, clocks of nodes differ by more. */
export async function findExpectedRows(tx: Tx, tenantId: string, sought: Sought): Promise<FoundAudit[]> {
  const near = await findAuditRows(tx, tenantId, sought, NEAR_ROWS);
  return near.length > 0 ? near : findAuditRows(tx, tenantId, sought);
}
