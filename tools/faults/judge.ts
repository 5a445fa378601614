// What is wrong with a generate, given all its client's answers and what the database says of its report. Pure, so
// that every rule can be shown to fail (judge.test.ts).
import type { Operation, Told } from './records.ts';

/** A report as the database has it. */
export type ReportRow = {
  readonly id: string;
  readonly status: string;
  readonly failure: string | null;
  readonly charges: number;
  readonly chargedCredits: number;
  readonly refundedCredits: number;
};

const UNSETTLED = ['pending', 'fetching'];

/** The generate was refused before anything was written: such an answer promises that there is no report. */
const isRefusal = ({ status, code, creditReportId }: Told) =>
  creditReportId === undefined && (status === 503 || (status >= 400 && status < 500 && code !== 'request-in-progress'));

function* faultsOfAnswer({ status, code, hasRetryAfter }: Told): Generator<string> {
  if (status >= 500 && status !== 503) yield `answered ${status} ${code}`;
  if (status === 503 && !hasRetryAfter) yield 'answered 503 without Retry-After';
}

/** A 200 against the report it is about. */
function* faultsOfReport({ reportStatus, cost }: Told, row: ReportRow): Generator<string> {
  const { status, charges, chargedCredits, refundedCredits } = row;
  if (reportStatus === 'authentication-required') {
    // What happened later belongs to the challenge.
    if (charges !== 1 || chargedCredits !== cost) {
      yield `told ${reportStatus} for ${cost} credits, ${charges} charges of ${chargedCredits}`;
    }
    return;
  }
  if (status !== reportStatus) yield `told ${reportStatus}, is ${status}`;
  const kept = chargedCredits - refundedCredits;
  const isRight = reportStatus === 'complete' ? charges === 1 && kept === cost : kept === 0 && cost === 0;
  if (!isRight) yield `told ${reportStatus} for ${cost} credits, ${charges} charges, ${kept} kept`;
}

/** Its key is free again, so the same request may have started another run (docs/decisions/0056-idempotency.md). */
const endedUnasked = ({ status, failure, charges }: ReportRow) =>
  status === 'failed' && (failure === 'screening-unavailable' || failure === 'reservation-late') && charges === 0;

/** Of all runs of one request, the one that counts; if each ended before a bureau was asked, one that the client knows. */
export function reportAmong<Row extends ReportRow>(rows: readonly Row[], { answers }: Operation): Row | undefined {
  const isTold = ({ id }: Row) => answers.some((told) => told.status !== 503 && told.creditReportId === id);
  return rows.find((row) => !endedUnasked(row)) ?? rows.find(isTold) ?? rows[0];
}

export function* faultsOf(operation: Operation, rows: readonly ReportRow[]): Generator<string> {
  const { answers } = operation;
  for (const told of answers) yield* faultsOfAnswer(told);
  const row = reportAmong(rows, operation);
  const asked = rows.filter((each) => !endedUnasked(each)).length;
  if (asked > 1) yield `${asked} reports for one request`;
  if (row && UNSETTLED.includes(row.status)) yield `is still ${row.status}`;
  // A 503 names a report that may have been begun: its commit was in progress when the connection broke
  // (docs/decisions/0139-deadlines.md). Every other answer is definite.
  const definite = answers.filter(({ status }) => status !== 503);
  const ids = new Set(definite.flatMap(({ creditReportId }) => creditReportId ?? []));
  if (ids.size > 1) yield `told of ${ids.size} reports`;
  for (const id of ids) if (id !== row?.id) yield 'told of a report that is not there';
  if (row && answers.length > 0 && answers.every(isRefusal)) yield `refused, and yet there is a report: ${row.status}`;
  for (const told of answers) if (told.status === 200 && row) yield* faultsOfReport(told, row);
}
