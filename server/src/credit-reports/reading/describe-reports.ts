// What events say of reports besides the outbox: why they failed, and their references (docs/decisions/0278-reasons-and-references.md).
// The rules are those of a list: no reference once the report is erased.
import type { DescribeReports, ReportFacts } from '../../events/describe-events.ts';
import type { Caller } from '../../http/authenticate.ts';
import type { Database } from '../../lib/postgres/database.ts';
import type { ReportQueue } from '../dependencies.ts';
import { failureOf, failureReason } from '../rules/failure-reason.ts';
import { maySeeReference } from '../rules/reader.ts';
import { shownStatus } from '../rules/shown-status.ts';
import type { OpenReferences } from './read-references.ts';
import { type ListedReport, listReadableReports } from './reading-store.ts';

type DescribeDependencies = {
  readonly database: Database;
  /** Undefined: the references are not shown. */
  readonly openReferences: OpenReferences | undefined;
};

const NONE: ReadonlyMap<string, string> = new Map();

const reasonOf = (report: ListedReport) =>
  shownStatus(report) === 'failed' ? failureReason(failureOf(report), report.because) : null;

async function describe(
  { database, openReferences }: DescribeDependencies,
  tenantId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ReportFacts>> {
  const reports = await database.forTenants([tenantId], (tx) => listReadableReports(tx, tenantId, ids));
  const named = reports.filter(({ hasReference, isPurged }) => hasReference && !isPurged).map(({ id }) => id);
  const references = openReferences && named.length > 0 ? await openReferences(tenantId, named) : NONE;
  return new Map(
    reports.map((report) => [
      report.id,
      { failureReason: reasonOf(report), externalReference: references.get(report.id) },
    ]),
  );
}

/** For webhooks, without references: who may make an endpoint need not be a reader of reports. */
export const createReportDescriber =
  (database: Database) =>
  (tenantId: string): DescribeReports =>
  (ids) =>
    describe({ database, openReferences: undefined }, tenantId, ids);

/** For a reader of the feed. As with lists, the audit row is committed before a reference is shown. */
export const createReaderDescriber =
  ({ database, openReferences }: DescribeDependencies, queue: Pick<ReportQueue, 'note'>) =>
  ({ tenantId, id: actor, ...reader }: Caller): DescribeReports =>
  async (ids) => {
    const shown = { database, openReferences: maySeeReference(reader) ? openReferences : undefined };
    const reports = await describe(shown, tenantId, ids);
    const count = [...reports.values()].filter(({ externalReference }) => externalReference !== undefined).length;
    if (count > 0) {
      await queue.note({ tenantId, actor, action: 'report.references-read', subjectId: tenantId, details: { count } });
    }
    return reports;
  };
