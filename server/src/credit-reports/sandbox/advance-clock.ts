// Moves the clock of one test report forward, so that an expiry needs no waiting. Under the report's lock, as codes and
// resends: a code is judged entirely before the clock moves or entirely after (docs/decisions/0207-a-sandbox-that-can-fail.md).
import type { TestClockData } from '@trefoil/contract';
import type { Caller } from '../../http/authenticate.ts';
import type { IdempotentRequest } from '../../http/operations.ts';
import { answerOnce, type KeyedOutcome } from '../../idempotency/answer-once.ts';
import { ServiceError } from '../../lib/errors.ts';
import { isUuid } from '../../lib/ids.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import { keyedRequest, orThrow, type Reference, type Rendered, render } from '../answer.ts';
import type { ReportDependencies } from '../dependencies.ts';
import { LIFETIME_US } from '../rules/challenge.ts';
import { shownStatus } from '../rules/shown-status.ts';
import { lockReport } from '../store.ts';
import { findTestCharge } from './charge-in-sandbox.ts';
import { endExpired } from './expire-in-sandbox.ts';
import { updateClock } from './sandbox-store.ts';

type ClockReference = Reference<TestClockData>;
type Advance = { readonly creditReportId: string; readonly advanceSeconds: number };

async function advanceLocked(
  tx: Tx,
  tenantId: string,
  { creditReportId, advanceSeconds }: Advance,
): Promise<KeyedOutcome<ClockReference, undefined>> {
  const report = isUuid(creditReportId) ? await lockReport(tx, tenantId, creditReportId) : undefined;
  // A live report has no such clock: the answer is that of an unknown id.
  if (!report?.isTest) throw new ServiceError('credit-report-not-found', 'No test report with this id.');
  const key = { tenantId, creditReportId };
  const sinceLastSendUs = await updateClock(tx, key, advanceSeconds);
  if (sinceLastSendUs === null) {
    return {
      kind: 'refused',
      refusal: new ServiceError('conflict', 'The report has no challenge, so it has no clock.'),
    };
  }
  const isPast = report.status === 'challenged' && sinceLastSendUs > LIFETIME_US;
  // The refund is there when the clock has moved. A challenge that was not charged waits for the job: its age shows that it has expired.
  if (isPast && (await findTestCharge(tx, key))) await endExpired(tx, tenantId, [key]);
  const status = shownStatus({ ...report, sinceLastSendUs });
  const isOpen = status === 'authentication-required';
  const expiresInSeconds = isOpen ? Math.ceil((LIFETIME_US - sinceLastSendUs) / 1_000_000) : null;
  const reference = { data: { creditReportId, status, expiresInSeconds } };
  return { kind: 'answered', subjectId: creditReportId, reference, result: undefined };
}

export function advanceTestClock(
  { database, vault, hashIdempotency }: Pick<ReportDependencies, 'database' | 'vault' | 'hashIdempotency'>,
  caller: Caller,
  advance: Advance,
  idempotency: IdempotentRequest | undefined,
): Promise<Rendered<TestClockData>> {
  const { tenantId } = caller;
  const { creditReportId } = advance;
  return database.forTenants([tenantId], async (tx) => {
    const keyed = keyedRequest(caller, idempotency, { creditReportId });
    const once = await answerOnce(tx, hashIdempotency, keyed, () => advanceLocked(tx, tenantId, advance));
    return orThrow(await render<TestClockData>(tx, vault, tenantId, once));
  });
}
