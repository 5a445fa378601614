// A live generate: admit, reserve, screen, ask the bureaus or challenge, settle. No network call happens inside a
// transaction. No provider is asked before the credits are held, and the caller gets no answer before the settlement is
// committed. Work that has begun continues after its request was answered at its deadline.
import type { GenerateData, GenerateRequest } from '@trefoil/contract';
import type { Caller } from '../../http/authenticate.ts';
import { identify, type KeyedRequest, requestInProgress } from '../../idempotency/claim-keys.ts';
import { nowOrWithKeys } from '../../lib/crypto/key-not-at-hand.ts';
import type { DataKey } from '../../lib/crypto/vault.ts';
import { ServiceError, tooLate, unreachable } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Release } from '../../lib/limits/places.ts';
import { describeError } from '../../lib/log.ts';
import { isUnknownCommit } from '../../lib/postgres/unavailable.ts';
import { currentScope, remainingMs, timeOutside } from '../../lib/request-scope.ts';
import { followReport, inSpan } from '../../lib/traces/span.ts';
import type { ScreeningOutcome } from '../../screening/port.ts';
import { generateData, keyedRequest, orThrow, type Reference, type Rendered, render, withReport } from '../answer.ts';
import type { GenerateOrder, LiveDependencies, ReportDependencies } from '../dependencies.ts';
import type { Mobile } from '../messages/allow-delivery.ts';
import { sourceOf } from '../rules/report-source.ts';
import { type OpenedReport, sealRequest } from '../seal-report.ts';
import { admitReport, SCREENING_PLACE } from './admit-report.ts';
import { fetchAndSeal } from './fetch-report.ts';
import { findSettled } from './find-settled.ts';
import { hashSignals, mobileOf, personOf } from './request-signals.ts';
import { requireConfigured } from './require-live.ts';
import type { Reservation, Reserved } from './reserve-reports.ts';
import type { Outcome } from './settle-reports.ts';

/** The fence of a report's first lease; a right code takes the next number. */
const FIRST_FENCE = 0;
/** The longest time from a request's arrival to its reservation: later, too little is left for screening and bureaus. */
const RESERVE_MS = 2_000;
/** The longest that screening (2 s) and bureaus (15 s) may take, and the settlement after them. */
const OUTSIDE_MS = 17_500;

type Work = {
  readonly caller: Caller;
  readonly request: GenerateRequest;
  readonly creditReportId: string;
  readonly dataKey: DataKey;
  readonly reservation: Reservation;
  readonly reserved: Extract<Reserved, { kind: 'reserved' }>;
  readonly release: Release;
};

type Decided = { readonly outcome: Outcome; readonly opened?: OpenedReport; readonly reasons?: readonly string[] };

function reservationError(reserved: Exclude<Reserved, { kind: 'reserved' | 'replayed' }>): ServiceError {
  switch (reserved.kind) {
    case 'short':
      return new ServiceError('insufficient-funds', undefined, {
        fields: { required: reserved.required, available: reserved.available },
      });
    case 'in-progress':
      return requestInProgress();
    case 'reused':
      return new ServiceError('idempotency-key-reused');
    default:
      return unreachable(reserved);
  }
}

function challengeOrFail(live: LiveDependencies, work: Work): Outcome {
  // By the interface such a challenge always fails: no message is sent and nothing is charged
  // (docs/decisions/0034-device-sessions.md).
  if (!work.reserved.isSessionOurs) return { kind: 'failed', failure: 'device-not-verified' };
  return {
    kind: 'challenge',
    challengeId: newId(),
    sendId: work.reservation.report.firstSendId ?? undefined,
    codeKeyId: live.codes.keyId,
    mobile: mobileOf(live, work.request),
  };
}

async function followVerdict(live: LiveDependencies, work: Work, verdict: ScreeningOutcome): Promise<Decided> {
  switch (verdict.kind) {
    case 'allow':
      return { ...(await fetchAndSeal(live, work)), reasons: verdict.reasons };
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

/** Everything between the two transactions. A fault of ours ends the report at once instead of when its lease expires. */
async function workOn(dependencies: ReportDependencies, live: LiveDependencies, work: Work): Promise<Decided> {
  const { creditReportId, request } = work;
  try {
    const { isSessionOurs, velocity, screening } = work.reserved;
    const device = isSessionOurs ? live.openSession(request.sessionId)?.facts : undefined;
    const { ipAddress, searchType } = request;
    const asked = { reference: creditReportId, consumer: request, ipAddress, searchType, device, velocity };
    const verdict = await inSpan('screening', { peer: 'screening' }, async (span) => {
      const decided = await timeOutside(live.decide(asked, screening));
      if (span) span.attributes['trefoil.outcome'] = decided.kind;
      return decided;
    });
    work.release(SCREENING_PLACE);
    const reason = verdict.kind === 'unavailable' ? verdict.reason : '';
    dependencies.metrics.screenings.inc({ outcome: verdict.kind, reason });
    return await followVerdict(live, work, verdict);
  } catch (error) {
    dependencies.log.error('live report failed', describeError(error));
    return { outcome: { kind: 'failed', failure: 'interrupted' } };
  } finally {
    work.release(SCREENING_PLACE, ...request.bureaus);
  }
}

/**
 * The reservation was committed too late for the rest: release it, ask no provider, and free its key. The report keeps its
 * place at the node until the settlement is committed.
 */
async function giveBack(
  { queue, metrics }: ReportDependencies,
  { leases }: LiveDependencies,
  { reservation, caller, release, request }: Pick<Work, 'reservation' | 'caller' | 'release' | 'request'>,
): Promise<never> {
  release(SCREENING_PLACE, ...request.bureaus);
  const { tenantId, id: creditReportId, firstSendId } = reservation.report;
  const key = { tenantId, creditReportId, from: 'pending', fence: FIRST_FENCE } as const;
  const outcome = { kind: 'failed', failure: 'reservation-late' } as const;
  const settling = queue.settle({ ...key, firstSendId, actor: caller.id, outcome, mayHaveKey: true });
  const settled = await leases.keep(key, settling);
  if (settled.kind === 'settled') metrics.failures.inc({ failure: outcome.failure });
  throw tooLate();
}

async function reserve(
  { queue }: ReportDependencies,
  { patience }: LiveDependencies,
  reservation: Reservation,
): Promise<Reserved> {
  const scope = currentScope();
  const waitMs = Math.min(patience * RESERVE_MS, remainingMs() - patience * OUTSIDE_MS);
  if (waitMs <= 0) throw tooLate();
  const deadlineMs = performance.now() + waitMs;
  const creditReportId = reservation.report.id;
  // Not before: a retry with the same key is answered with another report, and a refused request has none.
  const noteBegun = () => {
    if (scope) scope.begun = { creditReportId };
    followReport(creditReportId, true);
  };
  try {
    const reserved = await queue.reserve(reservation, deadlineMs);
    if (reserved.kind === 'reserved') noteBegun();
    return reserved;
  } catch (error) {
    // The reservation may be committed; a sweep then releases it. The error carries the report's id, so the caller can
    // look it up.
    if (isUnknownCommit(error)) noteBegun();
    throw error;
  }
}

/** The report as it is reserved, when only the request is known. */
function prepare(
  dependencies: ReportDependencies,
  live: LiveDependencies,
  { caller, kept }: GenerateOrder,
  keyed: KeyedRequest | undefined,
): { readonly reservation: Reservation; readonly dataKey: DataKey } {
  const { tenantId } = caller;
  const creditReportId = newId();
  const identified = keyed && identify(dependencies.hashIdempotency, keyed);
  const { dataKey, wrapped } = dependencies.vault.createDataKey({ tenantId, subjectId: creditReportId });
  const session = live.openSession(kept.sessionId);
  const reservation: Reservation = {
    report: {
      tenantId,
      id: creditReportId,
      isTest: false,
      callerId: caller.id,
      source: sourceOf(caller),
      status: 'pending',
      externalReferenceHash:
        kept.externalReference === undefined ? null : dependencies.hashReference(tenantId, kept.externalReference),
      sealedRequest: sealRequest(dataKey, kept),
      sealedReport: null,
      sealedProvenance: null,
      wrapped,
      firstSendId: kept.mobileNumber === undefined ? null : newId(),
    },
    bureaus: kept.bureaus.length,
    key: identified && { rows: identified, subjectId: creditReportId },
    session: session && { sessionHash: session.sessionHash, boundTo: personOf(live, tenantId, kept) },
    subjects: hashSignals(live, kept, session?.facts),
  };
  return { reservation, dataKey };
}

function replay({ database, vault }: ReportDependencies, tenantId: string, reference: object) {
  return database.forTenants([tenantId], async (tx) =>
    orThrow(
      await render<GenerateData>(tx, vault, tenantId, {
        kind: 'replayed',
        reference: reference as Reference<GenerateData>,
      }),
    ),
  );
}

/** Only this answer and a read name the country: the stored answer is in clear text and does not. */
function nameCountry(reference: Reference<GenerateData>, { country }: Mobile): Reference<GenerateData> {
  const failure = {
    failure: 'not-deliverable',
    because: 'country-not-allowed',
    money: 'not-charged',
    country,
  } as const;
  return { ...reference, data: generateData(reference.data.creditReportId, { kind: 'failed', ...failure }) };
}

async function finish(
  dependencies: ReportDependencies,
  live: LiveDependencies,
  work: Work,
  keyed: KeyedRequest | undefined,
): Promise<Rendered<GenerateData>> {
  const { creditReportId, caller, reservation } = work;
  const { tenantId } = caller;
  const { outcome, opened, reasons } = await workOn(dependencies, live, work);
  const settling = dependencies.queue.settle({
    ...{ tenantId, creditReportId, outcome },
    from: 'pending',
    firstSendId: reservation.report.firstSendId,
    fence: FIRST_FENCE,
    actor: caller.id,
    mayHaveKey: keyed !== undefined,
    ...(reasons && { reasons }),
  });
  const settled = await live.leases.keep({ tenantId, creditReportId, from: 'pending', fence: FIRST_FENCE }, settling);
  live.failpoint('after-settle-before-reply');
  // Our lease ran out and a sweep settled the report first: its decision holds.
  if (settled.kind === 'superseded')
    return findSettled<GenerateData>(dependencies, { tenantId, creditReportId }, 'generate', keyed);
  if (settled.failure) dependencies.metrics.failures.inc({ failure: settled.failure });
  if (settled.sendId !== undefined) live.dispatch(tenantId, settled.sendId);
  const reference = settled.reference as Reference<GenerateData>;
  const mobile = settled.because === 'country-not-allowed' ? mobileOf(live, work.request) : undefined;
  return withReport(mobile ? nameCountry(reference, mobile) : reference, opened);
}

export async function generateLive(
  dependencies: ReportDependencies,
  live: LiveDependencies,
  order: GenerateOrder,
): Promise<Rendered<GenerateData>> {
  const { caller, kept, idempotency } = order;
  const { tenantId } = caller;
  requireConfigured(live, kept.bureaus);
  const keyed = keyedRequest(caller, idempotency);
  const release = await admitReport({ ...dependencies, live }, tenantId, kept.bureaus);
  try {
    const preparing = nowOrWithKeys(() => prepare(dependencies, live, order, keyed));
    // The working key is in memory, as a rule: nothing waits then.
    const { reservation, dataKey } = preparing instanceof Promise ? await preparing : preparing;
    const reserved = await reserve(dependencies, live, reservation);
    if (reserved.kind === 'replayed') return await replay(dependencies, tenantId, reserved.reference);
    if (reserved.kind !== 'reserved') throw reservationError(reserved);
    live.failpoint('after-reserve');
    const { id: creditReportId } = reservation.report;
    if (remainingMs() < live.patience * OUTSIDE_MS)
      return await giveBack(dependencies, live, { reservation, caller, release, request: kept });
    return await finish(
      dependencies,
      live,
      { caller, request: kept, creditReportId, dataKey, reservation, reserved, release },
      keyed,
    );
  } finally {
    release();
  }
}
