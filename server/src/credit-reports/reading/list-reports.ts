// Lists a tenant's reports, newest first, without their contents. Each page writes one row to the audit log.
import {
  type CreditReportItem,
  type CreditReportPage,
  type CreditReportsQuery,
  REPORT_STATUSES,
} from '@trefoil/contract';
import type { Caller } from '../../http/authenticate.ts';
import type { KeyedHash } from '../../lib/crypto/keyed-hash.ts';
import { isUuid } from '../../lib/ids.ts';
import type { Database } from '../../lib/postgres/database.ts';
import { walkInKeyOrder } from '../../lib/postgres/key-order.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import { readCursor, writeCursor } from '../../lib/values/cursor.ts';
import type { ReportQueue } from '../dependencies.ts';
import { shownStatus, statusesBehind } from '../rules/shown-status.ts';
import {
  findWindowEnd,
  type ListedReport,
  listNewest,
  listNewestOfReference,
  listReadableReports,
  type ReportFilter,
} from './reading-store.ts';

export type ListDependencies = {
  readonly database: Database;
  readonly hashReference: KeyedHash;
  readonly queue: Pick<ReportQueue, 'note'>;
};

const PAGE_FALLBACK = 50;
/** Reports scanned for one page of a rare state; the page is then short and its cursor continues from there. */
const WINDOW = 10_000;
const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const ALL_STATUSES = [...new Set(REPORT_STATUSES.flatMap(statusesBehind))];

function toItem(report: ListedReport): CreditReportItem {
  const { id, isTest, createdAt, isPurged } = report;
  return {
    creditReportId: id,
    status: shownStatus(report),
    test: isTest,
    createdAt: createdAt.toISOString(),
    isPurged,
  };
}

async function findIds(tx: Tx, tenantId: string, filter: ReportFilter, search: Search) {
  const { hash, limit, isFiltered } = search;
  if (hash) {
    return { ids: await listNewestOfReference(tx, tenantId, hash, filter, limit + 1), windowEnd: undefined };
  }
  await walkInKeyOrder(tx);
  const ids = await listNewest(tx, tenantId, filter, limit + 1);
  const mayGoOn = isFiltered && ids.length <= limit;
  return { ids, windowEnd: mayGoOn ? await findWindowEnd(tx, tenantId, filter) : undefined };
}

type Search = { readonly hash: Buffer | undefined; readonly limit: number; readonly isFiltered: boolean };

export async function listReports(
  { database, hashReference, queue }: ListDependencies,
  { tenantId, id: actor, isTestOnly }: Pick<Caller, 'id' | 'tenantId' | 'isTestOnly'>,
  query: CreditReportsQuery,
): Promise<CreditReportPage> {
  const { limit = PAGE_FALLBACK, cursor, status, externalReference } = query;
  const isFiltered = status !== undefined || isTestOnly;
  const filter: ReportFilter = {
    beforeId: cursor === undefined ? HIGHEST_ID : readCursor(cursor, isUuid),
    statuses: status === undefined ? ALL_STATUSES : statusesBehind(status),
    isTestOnly,
    window: isFiltered ? WINDOW : limit + 1,
  };
  const hash = externalReference === undefined ? undefined : hashReference(tenantId, externalReference);
  const listed = await database.forTenants([tenantId], async (tx) => {
    const search = { hash, limit, isFiltered };
    const { ids, windowEnd } = await findIds(tx, tenantId, filter, search);
    const page = ids.slice(0, limit).map(({ id }) => id);
    const found = page.length > 0 ? await listReadableReports(tx, tenantId, page) : [];
    const byId = new Map(found.map((report) => [report.id, report]));
    const reports = page.flatMap((id) => byId.get(id) ?? []);
    const next = ids.length > limit ? page.at(-1) : windowEnd;
    // Only here is it known whether a challenge has expired, so a page filtered by state can be short.
    const items = reports.map(toItem).filter((item) => status === undefined || item.status === status);
    return { items, nextCursor: next === undefined ? null : writeCursor(next) };
  });
  const details = { count: listed.items.length };
  await queue.note({ tenantId, actor, action: 'report.listed', subjectId: tenantId, details });
  return listed;
}
