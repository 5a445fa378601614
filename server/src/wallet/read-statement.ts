// A month's statement for people: its totals, and its lines, oldest first. The totals count every line; of a long month only
// the first lines are listed (docs/decisions/0241-a-month-as-a-document.md).
import { ENTRY_KINDS, STATEMENT_LINES_MAX, type WalletEntry, type WalletMonth } from '@trefoil/contract';
import { ServiceError } from '../lib/errors.ts';
import type { Database } from '../lib/postgres/database.ts';
import { walkByKey, walkInKeyOrder } from '../lib/postgres/key-order.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { listMonthSums } from './days/day-store.ts';
import { requireCounted } from './days/require-counted.ts';
import { type ListReportFacts, type ReadReferences, toEntries } from './describe-lines.ts';
import { toMonths } from './rules/months.ts';
import { DISORDER_MARGIN, findPlaceAt, listFirstLines, type StatementLine } from './statement-store.ts';

/** The wallet does not know tenants: `app.ts` passes this in. */
export type FindTenant = (tx: Tx, tenantId: string) => Promise<{ readonly name: string } | undefined>;

export type WalletStatement = {
  readonly tenantName: string;
  readonly month: WalletMonth;
  /** False for the current month: its closing is the balance after its last line. */
  readonly isOver: boolean;
  /** Oldest first: all of the month, or as many as a statement may have. */
  readonly lines: readonly WalletEntry[];
};

type Reading = {
  readonly database: Database;
  readonly listReportFacts: ListReportFacts;
  readonly findTenant: FindTenant;
};

const noMonth = (months: readonly WalletMonth[]) =>
  new ServiceError(
    'not-found',
    `The wallet has no such month: its first is ${months.at(-1)?.month} and its last ${months[0]?.month}.`,
  );

/** Of the lines that the totals count, and no others: one that was posted since has a higher place, so it comes after them. */
async function listOwnLines(
  tx: Tx,
  tenantId: string,
  { startsAt, endsAt, count }: WalletMonth,
): Promise<StatementLine[]> {
  const { low } = await findPlaceAt(tx, tenantId, startsAt);
  const { high } = await findPlaceAt(tx, tenantId, endsAt);
  const filter = {
    ...{ kinds: ENTRY_KINDS, from: startsAt, to: endsAt },
    ...{ seqFrom: Math.max(1, low - DISORDER_MARGIN), seqTo: high + DISORDER_MARGIN },
  };
  return listFirstLines(tx, tenantId, filter, Math.min(count, STATEMENT_LINES_MAX));
}

/** Without a month: of the current one. */
export async function readStatement(
  { database, listReportFacts, findTenant }: Reading,
  tenantId: string,
  month: string | undefined,
  readReferences: ReadReferences,
): Promise<WalletStatement> {
  const found = await database.forTenants([tenantId], async (tx) => {
    await requireCounted(tx, tenantId);
    await walkByKey(tx);
    const months = toMonths(await listMonthSums(tx, tenantId));
    const own = month === undefined ? months[0] : months.find((each) => each.month === month);
    if (!own) throw noMonth(months);
    const tenant = await findTenant(tx, tenantId);
    if (!tenant) throw new Error('a wallet has no tenant');
    await walkInKeyOrder(tx);
    return { own, isOver: own !== months[0], tenant, lines: await listOwnLines(tx, tenantId, own) };
  });
  return {
    tenantName: found.tenant.name,
    month: found.own,
    isOver: found.isOver,
    lines: await toEntries(found.lines, { database, listReportFacts, tenantId, readReferences }),
  };
}
