// Settles live reports: the second transaction of a generate or of a right code, the end of a challenge, and a sweep
// for a worker that is gone. It takes a list, so that concurrent requests share one transaction; each still gets its
// own exact balance. Locks: reports, numbers, wallets, audit heads, always in this order
// (docs/decisions/0120-lock-order.md).
import assert from 'node:assert/strict';
import type { BureauResult, GenerateData, SubmitOtpData } from '@trefoil/contract';
import type { AuditEntry } from '../../audit/append-audit.ts';
import { appendEvents, type NewEvent } from '../../events/append-events.ts';
import { keepAnswers } from '../../idempotency/claim-keys.ts';
import { HELD } from '../../lib/batch/batch.ts';
import { unreachable } from '../../lib/errors.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import type { HoldKey, LedgerSession } from '../../wallet/open-ledger.ts';
import { generateData, type Reference, submitData, type Told } from '../answer.ts';
import { type ChallengeOrder, type Deliveries, openDeliveries } from '../messages/allow-delivery.ts';
import type { Refusal } from '../rules/delivery.ts';
import type { EventType } from '../rules/event-type.ts';
import type { Money } from '../rules/failure-message.ts';
import { effectsOf, type Failure, type OpenStatus, priceOfAnswered } from '../rules/settlement.ts';
import type { ReportKey } from '../store.ts';
import { emptyStep, runSteps, type TransactionStep } from '../transaction-steps.ts';
import {
  type LockedLiveReport,
  listUnexpiredIds,
  lockFreeReports,
  lockReports,
  type SettledReport,
  updateChallengesEnded,
  updateSettledReports,
} from './live-store.ts';

export type Outcome =
  | { readonly kind: 'complete'; readonly sealedReport: Buffer; readonly bureauResults: readonly BureauResult[] }
  | ({ readonly kind: 'challenge' } & ChallengeOrder)
  | { readonly kind: 'blocked' }
  | { readonly kind: 'failed'; readonly failure: Failure; readonly because?: Refusal }
  | { readonly kind: 'expired' };

/** The first message's hold is keyed by its id. The ledger needs that id before the report's row is read. */
type From =
  | { readonly from: 'pending'; readonly firstSendId: string | null }
  | { readonly from: Exclude<OpenStatus, 'pending'>; readonly firstSendId?: undefined };

export type Settlement = ReportKey &
  From & {
    /** The fence of the caller's lease; absent where the report's lock is enough, as in a sweep for a dead worker. */
    readonly fence?: number;
    /** What caused it: a caller's id, or `system`. */
    readonly actor: string;
    readonly outcome: Outcome;
    /** False when no idempotency key can be waiting for the answer: saves a statement. */
    readonly mayHaveKey: boolean;
    /** Screening's reason codes, only for the audit log. */
    readonly reasons?: readonly string[];
  };

export type Settled =
  | {
      readonly kind: 'settled';
      readonly reference: Reference<GenerateData | SubmitOtpData>;
      readonly sendId?: string;
      readonly failure?: Failure;
      readonly because?: Refusal | undefined;
    }
  /** Another transaction has settled it: a sweep, after our lease expired. */
  | { readonly kind: 'superseded' };

const keyOf = ({ tenantId, creditReportId }: ReportKey) => `${tenantId}/${creditReportId}`;
const reportHold = ({ tenantId, creditReportId }: ReportKey) =>
  ({ tenantId, kind: 'report', sourceId: creditReportId }) as const;
const chargeLine = ({ tenantId, creditReportId }: ReportKey) =>
  ({ tenantId, kind: 'report-charge', sourceId: creditReportId }) as const;

function holdsOf(settlement: Settlement): HoldKey[] {
  const { tenantId, firstSendId } = settlement;
  const sms = firstSendId ? [{ tenantId, kind: 'sms', sourceId: firstSendId } as const] : [];
  return [reportHold(settlement), ...sms];
}

type Ready = { readonly settlement: Settlement; readonly report: LockedLiveReport };

/** The settlements whose report is still in the state they start from. */
function stillOpen(settlements: readonly Settlement[], locked: readonly LockedLiveReport[]): Map<Settlement, Ready> {
  const reports = new Map(locked.map((report) => [keyOf(report), report]));
  const ready = new Map<Settlement, Ready>();
  for (const settlement of settlements) {
    const report = reports.get(keyOf(settlement));
    assert(report && !report.isTest, 'a settlement without a live report');
    assert(settlement.from !== 'pending' || report.firstSendId === settlement.firstSendId, 'another first message');
    const isOurs = settlement.fence === undefined || settlement.fence === report.fence;
    if (!isOurs || report.status !== settlement.from) continue;
    ready.set(settlement, { settlement, report });
    // If a list settles a report twice, the first settlement wins.
    reports.set(keyOf(settlement), { ...report, status: effectsOf(settlement.from, settlement.outcome.kind).status });
  }
  return ready;
}

/** In credits. */
type Moved = {
  /** What the caller of this operation is told; a refund is not in it. */
  readonly cost: number;
  /** What the report costs from now on. */
  readonly reportCost: number;
  /** Undefined where there was nothing to refund. */
  readonly refunded?: number;
};

/** Moves the report's credits as the table says. */
function settleReportMoney(ledger: LedgerSession, { settlement, report }: Ready, outcome: Outcome): Moved {
  const { tenantId, creditReportId } = settlement;
  const { money, firstSend } = effectsOf(settlement.from, outcome.kind);
  const hold = ledger.findHold(reportHold(settlement));
  assert(hold && hold.perBureau !== null, 'a live report has no hold');
  const unanswered =
    outcome.kind === 'complete' ? outcome.bureauResults.filter((each) => each.outcome === 'unavailable').length : 0;
  const price = priceOfAnswered({ amount: hold.amount, perBureau: hold.perBureau }, unanswered);
  if (firstSend === 'void' && report.firstSendId !== null) {
    ledger.void({ tenantId, kind: 'sms', sourceId: report.firstSendId });
  }
  const { capturedAmount } = hold;
  const refund = (amount: number): Moved => {
    const charge = ledger.findLine(chargeLine(settlement));
    assert(charge, 'a refund without a charge');
    ledger.post({
      tenantId,
      kind: 'report-refund',
      sourceId: creditReportId,
      amount,
      creditReportId,
      reversesSeq: charge.seq,
    });
    return { cost: 0, reportCost: capturedAmount - amount, refunded: amount };
  };
  switch (money) {
    case 'capture':
      assert(ledger.capture(reportHold(settlement), price, creditReportId), 'the hold of an open report is settled');
      return { cost: price, reportCost: price };
    case 'void':
      assert(ledger.void(reportHold(settlement)), 'the hold of an open report is settled');
      return { cost: 0, reportCost: 0 };
    case 'refund-all':
      return refund(capturedAmount);
    case 'refund-unanswered':
      // Where bureaus cost nothing, one that did not answer leaves nothing to refund.
      return capturedAmount > price ? refund(capturedAmount - price) : { cost: 0, reportCost: capturedAmount };
    default:
      return unreachable(money);
  }
}

function toldOf(outcome: Outcome, money: Money): Told {
  switch (outcome.kind) {
    case 'complete':
    case 'blocked':
      return { kind: outcome.kind };
    case 'challenge':
      return { kind: 'challenge', challengeId: outcome.challengeId };
    case 'failed':
      // Also stored with the request's key, in clear text, so it does not name the number's country.
      return { kind: 'failed', failure: outcome.failure, because: outcome.because, money };
    case 'expired':
      return { kind: 'failed', failure: 'expired', money };
    default:
      return unreachable(outcome);
  }
}

function dataOf(
  { creditReportId, from }: Settlement,
  outcome: Outcome,
): Reference<GenerateData | SubmitOtpData>['data'] {
  if (from === 'pending') return generateData(creditReportId, toldOf(outcome, 'not-charged'));
  const told = toldOf(outcome, 'refunded');
  assert(told.kind === 'complete' || told.kind === 'failed', 'a challenge ends complete or failed');
  return submitData(creditReportId, told);
}

/** A challenge that cannot be delivered is a failure, and only under the locks is that known. */
function judge({ settlement }: Ready, deliveries: Deliveries, ledger: LedgerSession, smsPrice: number): Outcome {
  const { outcome, tenantId, creditReportId } = settlement;
  if (outcome.kind !== 'challenge') return outcome;
  const because = deliveries.take({ tenantId, creditReportId, order: outcome }, ledger, smsPrice);
  return because ? { kind: 'failed', failure: 'not-deliverable', because } : outcome;
}

function auditOf({ settlement }: Ready, outcome: Outcome, action: EventType, cost: number): AuditEntry {
  const { tenantId, creditReportId, actor, reasons } = settlement;
  return {
    tenantId,
    actor,
    action,
    subjectId: creditReportId,
    details: {
      cost,
      ...(outcome.kind === 'failed' && { failure: outcome.failure }),
      ...(reasons && reasons.length > 0 && { reasons }),
    },
  };
}

function eventsOf(
  { tenantId, creditReportId }: ReportKey,
  outcome: Outcome,
  told: readonly EventType[],
  { cost, reportCost, refunded }: Moved,
): NewEvent<EventType>[] {
  const isUntold = refunded !== undefined && !told.includes('wallet.refunded');
  const { challengeId, sendId } = outcome.kind === 'challenge' ? outcome : {};
  const key = { tenantId, subjectId: creditReportId, creditReportId };
  return [...told, ...(isUntold ? (['wallet.refunded'] as const) : [])].map((type) => {
    // The subject of a message's event is the message, for the first message as for later ones.
    if (type === 'challenge.sent') return { ...key, type, challengeId, subjectId: sendId ?? creditReportId };
    if (type === 'wallet.charged') return { ...key, type, amount: cost };
    if (type === 'wallet.refunded') return { ...key, type, amount: refunded ?? 0 };
    return { ...key, type, challengeId, amount: reportCost };
  });
}

function toSettledReport(key: ReportKey, from: OpenStatus, outcome: Outcome): SettledReport {
  return {
    tenantId: key.tenantId,
    creditReportId: key.creditReportId,
    status: effectsOf(from, outcome.kind).status,
    failure: outcome.kind === 'failed' ? outcome.failure : outcome.kind === 'expired' ? 'expired' : null,
    because: (outcome.kind === 'failed' && outcome.because) || null,
    sealedReport: outcome.kind === 'complete' ? outcome.sealedReport : null,
    bureauResults: outcome.kind === 'complete' ? JSON.stringify(outcome.bureauResults) : null,
  };
}

/** A job finds a challenge due and locks it later; a message sent in between extends it by five minutes. */
async function listRevived(tx: Tx, settlements: readonly Settlement[]): Promise<Set<Settlement>> {
  const expiring = settlements.filter(({ outcome }) => outcome.kind === 'expired');
  if (expiring.length === 0) return new Set();
  const unexpired = await listUnexpiredIds(tx, expiring);
  return new Set(expiring.filter(({ creditReportId }) => unexpired.has(creditReportId)));
}

/** One transaction may settle some reports and reserve others: see transaction-steps.ts. */
export function openSettlements(tx: Tx, settlements: readonly Settlement[], mayWait = true): TransactionStep<Settled> {
  if (settlements.length === 0) return emptyStep();
  let open: readonly Ready[] = [];
  let deliveries: Deliveries;
  const results = new Map<Settlement, Settled | typeof HELD>();
  // Pipelined: PostgreSQL runs them in this order. It locks the reports first, then the numbers.
  const ready = Promise.all([
    mayWait ? lockReports(tx, settlements) : lockFreeReports(tx, settlements),
    listRevived(tx, settlements),
    openDeliveries(
      tx,
      settlements.flatMap(({ tenantId, creditReportId, outcome }) =>
        outcome.kind === 'challenge' ? [{ tenantId, creditReportId, order: outcome }] : [],
      ),
    ),
  ]).then(([locked, revived, opened]) => {
    const free = new Set(locked.map(keyOf));
    // Another transaction holds the lock, perhaps to judge a code: the report is neither open nor superseded.
    if (!mayWait) for (const each of settlements) if (!free.has(keyOf(each))) results.set(each, HELD);
    const known = settlements.filter((each) => !results.has(each));
    open = [...stillOpen(known, locked).values()].filter(({ settlement }) => !revived.has(settlement));
    deliveries = opened;
  });
  const settled: SettledReport[] = [];
  const events: NewEvent<EventType>[] = [];
  const audit: AuditEntry[] = [];

  function applyOne(each: Ready, ledger: LedgerSession): void {
    const { settlement, report } = each;
    const { tenantId, creditReportId, from } = settlement;
    const firstHold = ledger.findHold({ tenantId, kind: 'sms', sourceId: report.firstSendId ?? '' });
    const outcome = judge(each, deliveries, ledger, firstHold?.amount ?? 0);
    const moved = settleReportMoney(ledger, each, outcome);
    const { cost } = moved;
    const effects = effectsOf(from, outcome.kind);
    settled.push(toSettledReport(settlement, from, outcome));
    events.push(...eventsOf(settlement, outcome, effects.events, moved));
    audit.push(auditOf(each, outcome, effects.events[0] ?? 'report.failed', cost));
    results.set(settlement, {
      kind: 'settled',
      reference: {
        wallet: { balance: ledger.balance(tenantId), cost },
        data: dataOf(settlement, outcome),
        ...(outcome.kind === 'complete' && { reportOf: creditReportId }),
      },
      ...(outcome.kind === 'challenge' && outcome.sendId !== undefined && { sendId: outcome.sendId }),
      ...(outcome.kind === 'failed' && { failure: outcome.failure, because: outcome.because }),
    });
  }

  async function answerKeys(): Promise<void> {
    const answers = open.flatMap(({ settlement }) => {
      const result = results.get(settlement);
      const { tenantId, creditReportId } = settlement;
      if (!settlement.mayHaveKey || result === HELD || result?.kind !== 'settled') return [];
      return [{ tenantId, subjectId: creditReportId, answer: result.reference }];
    });
    await keepAnswers(tx, answers);
  }

  return {
    order: {
      tenantIds: settlements.map(({ tenantId }) => tenantId),
      holds: settlements.flatMap(holdsOf),
      lines: settlements.flatMap((settlement) => (settlement.from === 'pending' ? [] : [chargeLine(settlement)])),
    },
    audited: settlements.map(({ tenantId }) => tenantId),
    ready,
    apply(ledger) {
      for (const { settlement } of open) if (!ledger.isOpen(settlement.tenantId)) results.set(settlement, HELD);
      open = open.filter(({ settlement }) => !results.has(settlement));
      for (const each of open) applyOne(each, ledger);
      return audit;
    },
    async write() {
      if (open.length > 0) {
        const ended = open.flatMap(({ settlement }) => (settlement.from === 'pending' ? [] : [settlement]));
        await Promise.all([
          updateSettledReports(tx, settled),
          deliveries.write(),
          ended.length > 0 && updateChallengesEnded(tx, ended),
          answerKeys(),
          appendEvents(tx, events),
        ]);
      }
      return settlements.map((settlement) => results.get(settlement) ?? { kind: 'superseded' });
    },
  };
}

/** Settles inside an open transaction. */
export async function settleReports(tx: Tx, settlements: readonly Settlement[]): Promise<readonly Settled[]> {
  const [settled] = await runSteps(tx, [openSettlements(tx, settlements)]);
  return settled as readonly Settled[];
}
