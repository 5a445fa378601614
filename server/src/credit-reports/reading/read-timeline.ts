// Reads what happened to a report (docs/decisions/0231-the-timeline-of-a-report.md). It costs nothing and asks no bureau; the
// audit row is committed before anything is shown.
import type { GenerateRequest, TimelineBureau, TimelineData } from '@trefoil/contract';
import { findExpectedRows } from '../../audit/find-audit-rows.ts';
import type { Vault } from '../../lib/crypto/vault.ts';
import { ServiceError } from '../../lib/errors.ts';
import { isUuid } from '../../lib/ids.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import { listTestCourse } from '../../wallet/test-mode/read-test-wallet.ts';
import { unpackProvenance } from '../provenance/pack-provenance.ts';
import { resultsInTestMode } from '../rules/coverage.ts';
import { failureOf, failureReason } from '../rules/failure-reason.ts';
import { mayOpen } from '../rules/reader.ts';
import { shownStatus } from '../rules/shown-status.ts';
import { type TimelineLine, type TimelineSend, timelineOf } from '../rules/timeline.ts';
import { testCourse } from '../sandbox/rules/test-course.ts';
import { messageNumberOf } from '../sandbox/test-events.ts';
import { openRequest } from '../seal-report.ts';
import type { ReadDependencies, Reader } from './read-report.ts';
import { findReadableReport, type ReadableReport } from './reading-store.ts';
import { type CourseRow, findCourse, listCourseLines, listCourseSends } from './timeline-store.ts';

const ENDING_DIGITS = 3;

/** What the sealed columns say; undefined where they are erased or the reader may not open them. */
type Opened = {
  readonly request: GenerateRequest;
  readonly answeredAt: ReadonlyMap<string, string | null>;
};

async function open(
  tx: Tx,
  vault: Vault,
  tenantId: string,
  { id, sealedProvenance }: { readonly id: string; readonly sealedProvenance: Buffer | null },
): Promise<Opened> {
  const { dataKey, request } = await openRequest(tx, vault, tenantId, id);
  const replies = sealedProvenance
    ? unpackProvenance(dataKey.openBytes('provenance', sealedProvenance)).provenance.bureaus
    : [];
  return { request, answeredAt: new Map(replies.map(({ bureau, answeredAt }) => [bureau, answeredAt])) };
}

type Course = { readonly sends: readonly TimelineSend[]; readonly lines: readonly TimelineLine[] };

async function liveCourse(tx: Tx, tenantId: string, creditReportId: string): Promise<Course> {
  const sends = await listCourseSends(tx, tenantId, creditReportId);
  const placeOf = new Map(sends.map(({ id }, index) => [id, index + 1]));
  const lines = await listCourseLines(tx, tenantId, [creditReportId, ...placeOf.keys()]);
  return { sends, lines: lines.map(({ sourceId, ...line }) => ({ ...line, message: placeOf.get(sourceId) })) };
}

function rehearsed(
  report: ReadableReport & Pick<CourseRow, 'settledAt'>,
  opened: Opened | undefined,
  found: Awaited<ReturnType<typeof listTestCourse>>,
): Course {
  const { challengeId } = report;
  const lines = found.map(({ sourceId, ...line }) => ({
    ...line,
    message: challengeId === null ? undefined : messageNumberOf(challengeId, sourceId),
  }));
  const asked = opened && { receipt: opened.request.testOptions?.receipt };
  return testCourse({ ...report, hasChallenge: challengeId !== null }, asked, lines);
}

/** When the right code came. Of a live report the audit log knows: the message with the right code says that there is a row. */
async function findVerifiedAt(
  tx: Tx,
  tenantId: string,
  report: ReadableReport,
  { settledAt, completingSendId }: CourseRow,
): Promise<Date | undefined> {
  const { id: subjectId, isTest, status, failure, challengeId, createdAt } = report;
  if (isTest) {
    const isAfterCode = status === 'complete' || failure === 'no-bureau-answered' || failure === 'interrupted';
    return challengeId !== null && isAfterCode ? (settledAt ?? undefined) : undefined;
  }
  if (completingSendId === null) return undefined;
  const sought = { actions: ['challenge.verified'], subjectId, since: createdAt, until: settledAt ?? new Date() };
  const [found] = await findExpectedRows(tx, tenantId, sought);
  return found?.occurredAt;
}

/** Of reports whose bureaus were asked: those that are complete, and those that none answered. */
function bureausOf(
  { isTest, status, failure }: ReadableReport,
  row: CourseRow,
  opened: Opened | undefined,
): TimelineBureau[] {
  if (status !== 'complete' && failure !== 'no-bureau-answered') return [];
  const inTest = isTest && opened ? resultsInTestMode(opened.request.bureaus) : [];
  return (row.bureauResults ?? inTest).map(({ bureau, outcome }) => ({
    bureau,
    outcome,
    answeredAt: opened?.answeredAt.get(bureau) ?? null,
  }));
}

async function show(tx: Tx, vault: Vault, caller: Reader, report: ReadableReport): Promise<TimelineData> {
  const { tenantId } = caller;
  const { id, isTest, isPurged, createdAt, source, because } = report;
  const row = await findCourse(tx, tenantId, id);
  if (!row) throw new Error('a report no longer exists');
  const isOpenable = mayOpen(caller) && !isPurged;
  const opened = isOpenable ? await open(tx, vault, tenantId, { id, ...row }) : undefined;
  const { settledAt } = row;
  const course = isTest
    ? rehearsed({ ...report, settledAt }, opened, await listTestCourse(tx, tenantId, id))
    : await liveCourse(tx, tenantId, id);
  const status = shownStatus(report);
  return {
    creditReportId: id,
    status,
    test: isTest,
    source,
    isPurged,
    mobileEnding: opened?.request.mobileNumber?.slice(-ENDING_DIGITS) ?? null,
    ...(mayOpen(caller) && { bureaus: bureausOf(report, row, opened) }),
    items: timelineOf({
      ...course,
      createdAt,
      status: report.status,
      settledAt,
      purgedAt: row.purgedAt,
      failureReason: status === 'failed' ? failureReason(failureOf(report), because) : undefined,
      verifiedAt: await findVerifiedAt(tx, tenantId, report, row),
    }),
  };
}

export async function readTimeline(
  { database, vault, queue }: ReadDependencies,
  caller: Reader,
  creditReportId: string,
): Promise<TimelineData> {
  const { tenantId, id: actor, isTestOnly } = caller;
  const shown = await database.forTenants([tenantId], async (tx) => {
    const report = isUuid(creditReportId) ? await findReadableReport(tx, tenantId, creditReportId) : undefined;
    if (!report || (isTestOnly && !report.isTest)) throw new ServiceError('credit-report-not-found');
    return show(tx, vault, caller, report);
  });
  const details = { status: shown.status };
  await queue.note({ tenantId, actor, action: 'report.timeline-read', subjectId: creditReportId, details });
  return shown;
}
