// Lists a tenant's reports, newest first, without their contents. Each page is a row of the audit log.
import {
  type CreditReportItem,
  type CreditReportPage,
  type CreditReportsQuery,
  REPORT_STATUSES,
} from '@trefoil/contract';
import { appendAudit } from '../audit/append-audit.ts';
import type { Caller } from '../http/authenticate.ts';
import { readCursor, writeCursor } from '../lib/cursor.ts';
import type { Database } from '../lib/database.ts';
import { isUuid } from '../lib/ids.ts';
import { walkInKeyOrder } from '../lib/key-order.ts';
import type { KeyedHash } from '../lib/keyed-hash.ts';
import type { Tx } from '../lib/sql.ts';
import {
  findWindowEnd,
  type ListedReport,
  listNewest,
  listNewestOfReference,
  listReadableReports,
  type ReportFilter,
} from './reading-store.ts';
import { shownStatus, statusesBehind } from './rules/shown-status.ts';

export type ListDependencies = { readonly database: Database; readonly hashReference: KeyedHash };

const PAGE_FALLBACK = 50;
/** Reports looked at for one page of a rare state; the page is then short and its cursor goes on from there. */
const WINDOW = 10_000;
const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const ALL_STATUSES = [...new Set(REPORT_STATUSES.flatMap(statusesBehind))];

function toItem({ id, isTest, status, createdAt, isPurged, sinceLastSendUs }: ListedReport): CreditReportItem {
  return {
    creditReportId: id,
    status: shownStatus(status, sinceLastSendUs),
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
  { database, hashReference }: ListDependencies,
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
  return database.forTenants([tenantId], async (tx) => {
    const search = { hash, limit, isFiltered };
    const { ids, windowEnd } = await findIds(tx, tenantId, filter, search);
    const page = ids.slice(0, limit).map(({ id }) => id);
    const found = page.length > 0 ? await listReadableReports(tx, tenantId, page) : [];
    const byId = new Map(found.map((report) => [report.id, report]));
    const reports = page.flatMap((id) => byId.get(id) ?? []);
    const next = ids.length > limit ? page.at(-1) : windowEnd;
    // Whether a challenge has expired is seen only here, so a page of a state can be short.
    const items = reports.map(toItem).filter((item) => status === undefined || item.status === status);
    const details = { count: items.length };
    await appendAudit(tx, [{ tenantId, actor, action: 'report.listed', subjectId: tenantId, details }]);
    return { items, nextCursor: next === undefined ? null : writeCursor(next) };
  });
}
