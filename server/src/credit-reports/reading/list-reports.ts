// Lists a tenant's reports, newest first, without their contents (docs/decisions/0230-what-a-list-of-reports-says.md).
// Each page writes one row to the audit log.
import {
  type CreditReportItem,
  type CreditReportPage,
  type CreditReportsQuery,
  REPORT_STATUSES,
} from '@trefoil/contract';
import type { RingHash } from '../../lib/crypto/hash-ring.ts';
import { isUuid } from '../../lib/ids.ts';
import type { Database } from '../../lib/postgres/database.ts';
import { walkInKeyOrder } from '../../lib/postgres/key-order.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import { readCursor, writeCursor } from '../../lib/values/cursor.ts';
import { listTestCosts } from '../../wallet/test-mode/read-test-wallet.ts';
import type { ReportQueue } from '../dependencies.ts';
import { failureOf, failureReason } from '../rules/failure-reason.ts';
import { mayOpen } from '../rules/reader.ts';
import { shownStatus, statusesBehind } from '../rules/shown-status.ts';
import type { OpenReferences } from './read-references.ts';
import type { Reader } from './read-report.ts';
import {
  findWindowEnd,
  type ListedReport,
  listNewest,
  listNewestOfReference,
  listReadableReports,
  listReportCosts,
  type ReportFilter,
} from './reading-store.ts';
import { HIGHEST_ID, idsAround, modesOf, type TimeRange, timeRangeOf } from './report-range.ts';

export type ListDependencies = {
  readonly database: Database;
  readonly hashReference: RingHash;
  readonly openReferences: OpenReferences;
  readonly queue: Pick<ReportQueue, 'note'>;
};

const PAGE_FALLBACK = 50;
/** Reports scanned for one page with a filter; the page may then be short, and its cursor continues from there. */
const WINDOW = 10_000;
const ALL_STATUSES = [...new Set(REPORT_STATUSES.flatMap(statusesBehind))];

type Listed = { readonly report: ListedReport; readonly costCredits: number };

function toItem({ report, costCredits }: Listed, references: ReadonlyMap<string, string>): CreditReportItem {
  const { id, isTest, createdAt, source, isPurged, because } = report;
  const status = shownStatus(report);
  return {
    creditReportId: id,
    status,
    test: isTest,
    createdAt: createdAt.toISOString(),
    externalReference: references.get(id) ?? null,
    costCredits,
    source,
    isPurged,
    failureReason: status === 'failed' ? failureReason(failureOf(report), because) : null,
  };
}

type Search = { readonly hashes: readonly Buffer[] | undefined; readonly limit: number; readonly isFiltered: boolean };

async function findIds(tx: Tx, tenantId: string, filter: ReportFilter, search: Search) {
  const { hashes, limit, isFiltered } = search;
  if (hashes) {
    return { ids: await listNewestOfReference(tx, tenantId, hashes, filter, limit + 1), windowEnd: undefined };
  }
  await walkInKeyOrder(tx);
  const ids = await listNewest(tx, tenantId, filter, limit + 1);
  const mayGoOn = isFiltered && ids.length <= limit;
  return { ids, windowEnd: mayGoOn ? await findWindowEnd(tx, tenantId, filter) : undefined };
}

/** In the order of the ids. */
async function listWithCosts(tx: Tx, tenantId: string, ids: readonly string[]): Promise<Listed[]> {
  if (ids.length === 0) return [];
  const found = await listReadableReports(tx, tenantId, ids);
  const idsOf = (isTest: boolean) => found.filter((report) => report.isTest === isTest).map(({ id }) => id);
  const [liveIds, testIds] = [idsOf(false), idsOf(true)];
  const costs = [
    ...(liveIds.length > 0 ? await listReportCosts(tx, tenantId, liveIds) : []),
    ...(testIds.length > 0 ? await listTestCosts(tx, tenantId, testIds) : []),
  ];
  const costOf = new Map(costs.map(({ id, costCredits }) => [id, costCredits]));
  const byId = new Map(found.map((report) => [report.id, { report, costCredits: costOf.get(report.id) ?? 0 }]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

function toFilter(query: CreditReportsQuery, range: TimeRange, isTestOnly: boolean) {
  const { limit = PAGE_FALLBACK, cursor, status, test } = query;
  const around = idsAround(range);
  const cursorId = cursor === undefined ? HIGHEST_ID : readCursor(cursor, isUuid);
  const isFiltered =
    status !== undefined || test !== undefined || isTestOnly || query.from !== undefined || query.to !== undefined;
  const filter: ReportFilter = {
    afterId: around.afterId,
    beforeId: cursorId < around.beforeId ? cursorId : around.beforeId,
    statuses: status === undefined ? ALL_STATUSES : statusesBehind(status),
    modes: modesOf(test, isTestOnly),
    ...range,
    window: isFiltered ? WINDOW : limit + 1,
  };
  return { filter, isFiltered, limit };
}

export async function listReports(
  { database, hashReference, openReferences, queue }: ListDependencies,
  reader: Reader,
  query: CreditReportsQuery,
): Promise<CreditReportPage> {
  const { tenantId, id: actor, isTestOnly } = reader;
  const { status, externalReference } = query;
  const { filter, isFiltered, limit } = toFilter(query, timeRangeOf(query), isTestOnly);
  const hashes = externalReference === undefined ? undefined : hashReference.every(tenantId, externalReference);
  const { listed, next } = await database.forTenants([tenantId], async (tx) => {
    const { ids, windowEnd } = await findIds(tx, tenantId, filter, { hashes, limit, isFiltered });
    const page = ids.slice(0, limit).map(({ id }) => id);
    // Only here is it known whether a challenge has expired, so a page filtered by state can be short.
    const found = (await listWithCosts(tx, tenantId, page)).filter(
      ({ report }) => status === undefined || shownStatus(report) === status,
    );
    return { listed: found, next: ids.length > limit ? page.at(-1) : windowEnd };
  });
  const named = listed.filter(({ report }) => report.hasReference && !report.isPurged).map(({ report }) => report.id);
  const references =
    mayOpen(reader) && named.length > 0 ? await openReferences(tenantId, named) : new Map<string, string>();
  const details = { count: listed.length, ...(references.size > 0 && { references: references.size }) };
  await queue.note({ tenantId, actor, action: 'report.listed', subjectId: tenantId, details });
  return {
    items: listed.map((each) => toItem(each, references)),
    nextCursor: next === undefined ? null : writeCursor(next),
  };
}
