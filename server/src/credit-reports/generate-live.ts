// A live generate: reserve, screen, ask the bureaus or challenge, settle. No network call happens inside a transaction,
// nobody is asked before the credits are held, and the caller hears nothing before the settlement is committed.
import type { GenerateData, GenerateRequest } from '@trefoil/contract';
import type { Caller } from '../http/authenticate.ts';
import type { IdempotentRequest } from '../http/operations.ts';
import { identify, requestInProgress } from '../idempotency/claim-keys.ts';
import { ServiceError, unreachable } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import { describeError } from '../lib/log.ts';
import type { DataKey } from '../lib/vault.ts';
import type { ScreeningOutcome } from '../screening/port.ts';
import { keyedRequest, orThrow, type Reference, type Rendered, render, sealRequest, withReport } from './answer.ts';
import type { ReportDependencies } from './dependencies.ts';
import { fetchAndSeal } from './fetch-report.ts';
import { findSettled } from './find-settled.ts';
import { type LiveDependencies, mobileOf, personOf, subjectsOf } from './live.ts';
import type { Reservation, Reserved } from './reserve-reports.ts';
import type { Outcome } from './settle-reports.ts';

/** The first holder of a report's lease; a right code takes the next number. */
const FIRST_FENCE = 0;

export type LiveOrder = {
  readonly caller: Caller;
  /** As it came, which is what an idempotency key is about. */
  readonly request: GenerateRequest;
  /** As it is kept: the fields we know, normalised. */
  readonly kept: GenerateRequest;
  readonly idempotency: IdempotentRequest | undefined;
};

type Work = {
  readonly caller: Caller;
  readonly request: GenerateRequest;
  readonly creditReportId: string;
  readonly dataKey: DataKey;
  readonly reservation: Reservation;
  readonly reserved: Extract<Reserved, { kind: 'reserved' }>;
};

type Decided = { readonly outcome: Outcome; readonly reportText?: string; readonly reasons?: readonly string[] };

function refuse(reserved: Exclude<Reserved, { kind: 'reserved' | 'replayed' }>): ServiceError {
  switch (reserved.kind) {
    case 'short':
      return new ServiceError('insufficient-funds', undefined, reserved);
    case 'in-progress':
      return requestInProgress();
    case 'reused':
      return new ServiceError('idempotency-key-reused');
    default:
      return unreachable(reserved);
  }
}

function challengeOrFail(live: LiveDependencies, work: Work): Outcome {
  // The interface says that such a challenge always fails: it is not sent, and nobody pays (docs/decisions/0034).
  if (!work.reserved.isSessionOurs) return { kind: 'failed', failure: 'device-not-verified' };
  return {
    kind: 'challenge',
    challengeId: newId(),
    sendId: work.reservation.report.firstSendId ?? undefined,
    mobile: mobileOf(live, work.request),
  };
}

async function decide(live: LiveDependencies, work: Work, verdict: ScreeningOutcome): Promise<Decided> {
  const { creditReportId, request, dataKey } = work;
  switch (verdict.kind) {
    case 'allow':
      return { ...(await fetchAndSeal(live, creditReportId, request, dataKey)), reasons: verdict.reasons };
    case 'challenge':
      return { outcome: challengeOrFail(live, work), reasons: verdict.reasons };
    case 'block':
      return { outcome: { kind: 'blocked' }, reasons: verdict.reasons };
    case 'unavailable':
      return { outcome: { kind: 'failed', failure: 'screening-unavailable' } };
    default:
      return unreachable(verdict);
  }
}

/** Everything between the two transactions. A fault of ours ends the report at once instead of after its lease. */
async function workOn(dependencies: ReportDependencies, live: LiveDependencies, work: Work): Promise<Decided> {
  const { creditReportId, request } = work;
  try {
    const { isSessionOurs, velocity, screening } = work.reserved;
    const device = isSessionOurs ? live.openSession(request.sessionId)?.facts : undefined;
    const { ipAddress, searchType } = request;
    const asked = { reference: creditReportId, consumer: request, ipAddress, searchType, device, velocity };
    const verdict = await live.decide(asked, screening);
    const reason = verdict.kind === 'unavailable' ? verdict.reason : '';
    dependencies.metrics.screenings.inc({ outcome: verdict.kind, reason });
    return await decide(live, work, verdict);
  } catch (error) {
    dependencies.log.error('live report failed', describeError(error));
    return { outcome: { kind: 'failed', failure: 'interrupted' } };
  }
}

export async function generateLive(
  dependencies: ReportDependencies,
  live: LiveDependencies,
  { caller, request, kept, idempotency }: LiveOrder,
): Promise<Rendered<GenerateData>> {
  const { tenantId } = caller;
  const creditReportId = newId();
  const keyed = keyedRequest(caller, idempotency, request);
  const identified = keyed && identify(dependencies.hashIdempotency, keyed);
  const { dataKey, wrapped } = dependencies.vault.createDataKey({ tenantId, creditReportId });
  const session = live.openSession(kept.sessionId);
  const reservation: Reservation = {
    report: {
      tenantId,
      id: creditReportId,
      isTest: false,
      callerId: caller.id,
      status: 'pending',
      externalReferenceHash:
        kept.externalReference === undefined ? null : dependencies.hashReference(tenantId, kept.externalReference),
      sealedRequest: sealRequest(dataKey, kept),
      sealedReport: null,
      wrapped,
      firstSendId: kept.mobileNumber === undefined ? null : newId(),
    },
    bureaus: kept.bureaus.length,
    key: identified && { ...identified.scope, fingerprint: identified.fingerprint, creditReportId },
    session: session && { sessionHash: session.sessionHash, boundTo: personOf(live, tenantId, kept) },
    subjects: subjectsOf(live, kept, session?.facts),
  };
  const reserved = await live.reserve(reservation);
  if (reserved.kind === 'replayed') {
    return dependencies.database.forTenants([tenantId], async (tx) =>
      orThrow(
        await render<GenerateData>(tx, dependencies.vault, tenantId, {
          kind: 'replayed',
          reference: reserved.reference as Reference<GenerateData>,
        }),
      ),
    );
  }
  if (reserved.kind !== 'reserved') throw refuse(reserved);
  live.failpoint('after-reserve');

  const work = { caller, request: kept, creditReportId, dataKey, reservation, reserved };
  const { outcome, reportText, reasons } = await workOn(dependencies, live, work);
  const settled = await live.settle({
    tenantId,
    creditReportId,
    from: 'pending',
    firstSendId: reservation.report.firstSendId,
    fence: FIRST_FENCE,
    actor: caller.id,
    outcome,
    mayHaveKey: keyed !== undefined,
    ...(reasons && { reasons }),
  });
  live.failpoint('after-settle-before-reply');
  // Our lease ran out and a sweep was quicker: what it decided holds.
  if (settled.kind === 'superseded')
    return findSettled<GenerateData>(dependencies, { tenantId, creditReportId }, 'generate', keyed);
  if (settled.failure) dependencies.metrics.failures.inc({ failure: settled.failure });
  if (settled.sendId !== undefined) live.dispatch(tenantId, settled.sendId);
  return withReport(settled.reference as Reference<GenerateData>, reportText);
}
