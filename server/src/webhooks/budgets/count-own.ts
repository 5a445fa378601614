// What a company may do only so often in any 24 hours. Runs as its app role.
import { ServiceError } from '../../lib/errors.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import { isRoomFor } from '../rules/budgets.ts';
import { insertUses, lockUses, readUses } from './use-store.ts';

const DAY_SECONDS = 24 * 3_600;

export type Counted = 'replay' | 'creation' | 'move';

const COUNTED = { windowSeconds: DAY_SECONDS, allMax: 1, ownMax: 1 };

/** The company stands in it, so that nobody waits for the lock of another. */
const targetsOf = (what: Counted, tenantId: string) => [`${what} ${tenantId}`];

/** Throws when the company has had its share. What its transaction undoes does not count. */
export async function countOwn(
  tx: Tx,
  tenantId: string,
  what: Counted,
  { max, sentence }: { readonly max: number; readonly sentence: string },
): Promise<void> {
  const counted = { tenantId, windowSeconds: DAY_SECONDS, allMax: max, ownMax: max };
  const targets = targetsOf(what, tenantId);
  const [uses] = await lockUses(tx, targets, counted);
  if (uses && !isRoomFor(uses, counted)) {
    throw new ServiceError('rate-limited', sentence, {
      retryAfterSeconds: Math.max(1, Math.ceil(uses.freeInSeconds ?? 0)),
    });
  }
  await insertUses(tx, targets, counted);
}

export async function readOwn(
  tx: Tx,
  tenantId: string,
  what: Counted,
): Promise<{ readonly used: number; readonly resetsAt: Date | null }> {
  const [uses] = await readUses(tx, targetsOf(what, tenantId), { ...COUNTED, tenantId });
  return { used: uses?.own ?? 0, resetsAt: uses?.oldestEndsAt ?? null };
}
