// Why reports failed. A report whose bureaus were asked is finished, however busy the node is; one whose bureaus cannot be asked is
// refused before anything is written, so that it does not fail for want of a place.
import type { ReportRow } from './judge.ts';
import type { Told } from './records.ts';
import type { Scenario } from './scenario.ts';

type Judged = Pick<ReportRow, 'status' | 'failure'> & { readonly isAsked: boolean };

/** Screening or all bureaus were asked and did not answer in time, or the reservation was too late to ask. */
const isLate = ({ failure, isAsked }: Judged) =>
  failure === 'screening-unavailable' ||
  failure === 'reservation-late' ||
  (failure === 'no-bureau-answered' && isAsked);

/** What is to be found about one report: the promise, and what was seen. */
export function* failuresOf(answers: readonly Told[], report: Judged): Generator<readonly [string, string]> {
  // A 503 with the report's id asks the client to try again; a 200 does not.
  const isTold = answers.some(({ status, reportStatus }) => status === 200 && reportStatus === 'failed');
  if (report.status === 'failed' && !isLate(report)) yield ['no report fails unasked', String(report.failure)];
  else if (isTold) yield ['no report fails', String(report.failure)];
  const lacking = answers.flatMap((told) => told.outcomes ?? []).filter((outcome) => outcome !== 'ok');
  if (lacking.length === 0) return;
  const isBureauLate = report.isAsked && lacking.every((outcome) => outcome === 'unavailable');
  yield [
    isBureauLate ? 'every bureau answers in time' : 'no report lacks a bureau that was not asked',
    lacking.join(', '),
  ];
}

export const judgeFailures: NonNullable<Scenario['judge']> = async ({ tally }, { reportOf, interruptedAfterAsked }) => {
  if (interruptedAfterAsked > 0) {
    tally.find('no report is interrupted after its bureaus were asked', `${interruptedAfterAsked} are`);
  }
  for (const [{ answers }, report] of reportOf) {
    for (const [about, what] of failuresOf(answers, report)) tally.find(about, what);
  }
  return {};
};
