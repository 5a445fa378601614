// Settles live reports: the second transaction of a generate or of a right code, the end of a challenge, and what a
// sweep does for whoever is gone. Takes a list, so that concurrent requests share one transaction; each still gets its
// own exact balance. Locks: reports, numbers, wallets, audit heads, always in this order (docs/decisions/0120).
import assert from 'node:assert/strict';
import type { BureauResult, GenerateData, SubmitOtpData } from '@trefoil/contract';
import type { AuditEntry } from '../audit/append-audit.ts';
import { appendEvents, type EventType, type NewEvent } from '../events/append-events.ts';
import { keepAnswers } from '../idempotency/claim-keys.ts';
import { unreachable } from '../lib/errors.ts';
import type { Tx } from '../lib/sql.ts';
import type { Book, HoldKey } from '../wallet/open-book.ts';
import { type ChallengeOrder, type Deliveries, openDeliveries } from './allow-delivery.ts';
import type { Reference } from './answer.ts';
import {
  type LockedLiveReport,
  listUnexpiredIds,
  lockReports,
  type ReportKey,
  type SettledReport,
  updateChallengesEnded,
  updateSettledReports,
} from './live-store.ts';
import { failureMessage } from './rules/failure-message.ts';
import { effectsOf, type Failure, type OpenStatus, priceOfAnswered } from './rules/settlement.ts';
import { emptyPart, type Part, runParts } from './share-transaction.ts';

export type Outcome =
  | { readonly kind: 'complete'; readonly sealedReport: Buffer; readonly bureauResults: readonly BureauResult[] }
  | ({ readonly kind: 'challenge' } & ChallengeOrder)
  | { readonly kind: 'blocked' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'expired' };

/** The first message's credits are held under its id; the books are opened for it before the report can be read. */
type From =
  | { readonly from: 'pending'; readonly firstSendId: string | null }
  | { readonly from: Exclude<OpenStatus, 'pending'>; readonly firstSendId?: undefined };

export type Settlement = ReportKey &
  From & {
    /** The lease this is done under; absent where the lock on the report is enough, as for whoever is gone. */
    readonly fence?: number;
    /** Who brought it about: a caller's id, or `system`. */
    readonly actor: string;
    readonly outcome: Outcome;
    /** False when no key can be waiting for the answer: saves a statement. */
    readonly mayHaveKey: boolean;
    /** Codes of the screening, for the audit log alone. */
    readonly reasons?: readonly string[];
  };

export type Settled =
  | {
      readonly kind: 'settled';
      readonly reference: Reference<GenerateData | SubmitOtpData>;
      readonly sendId?: string;
      readonly failure?: Failure;
    }
  /** Somebody else has settled it: a sweep, after our lease ran out. */
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

/** The settlements whose report is still as they left it. */
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
    // Twice in one list: the first one wins.
    reports.set(keyOf(settlement), { ...report, status: effectsOf(settlement.from, settlement.outcome.kind).status });
  }
  return ready;
}

/** Moves the report's credits as the table says; returns what this operation costs its caller. */
function moveMoney(book: Book, { settlement, report }: Ready, outcome: Outcome): { cost: number; isRefund: boolean } {
  const { tenantId, creditReportId } = settlement;
  const { money, firstSend } = effectsOf(settlement.from, outcome.kind);
  const hold = book.findHold(reportHold(settlement));
  assert(hold && hold.perBureau !== null, 'a live report has no hold');
  const unanswered =
    outcome.kind === 'complete' ? outcome.bureauResults.filter((each) => each.outcome === 'unavailable').length : 0;
  const price = priceOfAnswered({ amount: hold.amount, perBureau: hold.perBureau }, unanswered);
  if (firstSend === 'void' && report.firstSendId !== null) {
    book.void({ tenantId, kind: 'sms', sourceId: report.firstSendId });
  }
  const refund = (amount: number) => {
    const charge = book.findLine(chargeLine(settlement));
    assert(charge, 'a refund without a charge');
    book.post({
      tenantId,
      kind: 'report-refund',
      sourceId: creditReportId,
      amount,
      creditReportId,
      reversesSeq: charge.seq,
    });
    return { cost: 0, isRefund: true };
  };
  switch (money) {
    case 'capture':
      assert(book.capture(reportHold(settlement), price, creditReportId), 'the hold of an open report is settled');
      return { cost: price, isRefund: false };
    case 'void':
      assert(book.void(reportHold(settlement)), 'the hold of an open report is settled');
      return { cost: 0, isRefund: false };
    case 'refund-all':
      return refund(hold.capturedAmount);
    case 'refund-unanswered':
      // Where bureaus are free of charge, one that did not answer leaves nothing to give back.
      return hold.capturedAmount > price ? refund(hold.capturedAmount - price) : { cost: 0, isRefund: false };
    default:
      return unreachable(money);
  }
}

function describe(settlement: Settlement, outcome: Outcome): Reference<GenerateData | SubmitOtpData>['data'] {
  const { creditReportId, from } = settlement;
  const isGenerate = from === 'pending';
  switch (outcome.kind) {
    case 'complete':
      return {
        status: 'complete',
        ...(isGenerate && { challengeType: 'none' as const }),
        creditReportId,
        bureauResults: [...outcome.bureauResults],
      };
    case 'challenge': {
      const { challengeId } = outcome;
      return {
        status: 'authentication-required',
        challengeType: 'otp',
        creditReportId,
        challenge: { challengeId },
      };
    }
    case 'blocked':
      return { status: 'blocked', creditReportId };
    case 'failed':
      return { status: 'failed', creditReportId, errorMessage: failureMessage(outcome.failure) };
    case 'expired':
      return { status: 'failed', creditReportId, errorMessage: failureMessage('expired') };
    default:
      return unreachable(outcome);
  }
}

/** A challenge that cannot be delivered is a failure, and only the locks show whether it can. */
function judge({ settlement }: Ready, deliveries: Deliveries, book: Book, smsPrice: number): Outcome {
  const { outcome, tenantId, creditReportId } = settlement;
  if (outcome.kind !== 'challenge') return outcome;
  const isTaken = deliveries.take({ tenantId, creditReportId, order: outcome }, book, smsPrice);
  return isTaken ? outcome : { kind: 'failed', failure: 'not-deliverable' };
}

function auditOf(
  { settlement }: Ready,
  outcome: Outcome,
  action: EventType | 'report.challenged',
  cost: number,
): AuditEntry {
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

function toSettledReport(key: ReportKey, from: OpenStatus, outcome: Outcome): SettledReport {
  return {
    tenantId: key.tenantId,
    creditReportId: key.creditReportId,
    status: effectsOf(from, outcome.kind).status,
    failure: outcome.kind === 'failed' ? outcome.failure : outcome.kind === 'expired' ? 'expired' : null,
    sealedReport: outcome.kind === 'complete' ? outcome.sealedReport : null,
    bureauResults: outcome.kind === 'complete' ? JSON.stringify(outcome.bureauResults) : null,
  };
}

/** A job finds a challenge due and locks it later; a message sent in between has given it five minutes more. */
async function listRevived(tx: Tx, settlements: readonly Settlement[]): Promise<Set<Settlement>> {
  const expiring = settlements.filter(({ outcome }) => outcome.kind === 'expired');
  if (expiring.length === 0) return new Set();
  const unexpired = await listUnexpiredIds(tx, expiring);
  return new Set(expiring.filter(({ creditReportId }) => unexpired.has(creditReportId)));
}

/** One transaction may settle some reports and reserve others: see share-transaction.ts. */
export function openSettlements(tx: Tx, settlements: readonly Settlement[]): Part<Settled> {
  if (settlements.length === 0) return emptyPart();
  let open: readonly Ready[] = [];
  let deliveries: Deliveries;
  // Sent together, run in this order: reports are locked first, then numbers.
  const ready = Promise.all([
    lockReports(tx, settlements),
    listRevived(tx, settlements),
    openDeliveries(
      tx,
      settlements.flatMap(({ tenantId, creditReportId, outcome }) =>
        outcome.kind === 'challenge' ? [{ tenantId, creditReportId, order: outcome }] : [],
      ),
    ),
  ]).then(([locked, revived, opened]) => {
    open = [...stillOpen(settlements, locked).values()].filter(({ settlement }) => !revived.has(settlement));
    deliveries = opened;
  });
  const results = new Map<Settlement, Settled>();
  const settled: SettledReport[] = [];
  const events: NewEvent[] = [];
  const audit: AuditEntry[] = [];

  function applyOne(each: Ready, book: Book): void {
    const { settlement, report } = each;
    const { tenantId, creditReportId, from } = settlement;
    const firstHold = book.findHold({ tenantId, kind: 'sms', sourceId: report.firstSendId ?? '' });
    const outcome = judge(each, deliveries, book, firstHold?.amount ?? 0);
    const { cost, isRefund } = moveMoney(book, each, outcome);
    const effects = effectsOf(from, outcome.kind);
    settled.push(toSettledReport(settlement, from, outcome));
    const isUntold = isRefund && !effects.events.includes('wallet.refunded');
    const types: readonly EventType[] = isUntold ? [...effects.events, 'wallet.refunded'] : effects.events;
    // A message's event is about the message, the first one's like every later one's.
    const sendId = outcome.kind === 'challenge' ? outcome.sendId : undefined;
    for (const type of types) {
      const subjectId = type === 'challenge.sent' ? (sendId ?? creditReportId) : creditReportId;
      events.push({ tenantId, type, subjectId, creditReportId });
    }
    const action = outcome.kind === 'challenge' ? 'report.challenged' : (effects.events[0] ?? 'report.failed');
    audit.push(auditOf(each, outcome, action, cost));
    results.set(settlement, {
      kind: 'settled',
      reference: {
        wallet: { balance: book.balance(tenantId), cost },
        data: describe(settlement, outcome),
        ...(outcome.kind === 'complete' && { reportOf: creditReportId }),
      },
      ...(outcome.kind === 'challenge' && outcome.sendId !== undefined && { sendId: outcome.sendId }),
      ...(outcome.kind === 'failed' && { failure: outcome.failure }),
    });
  }

  async function answerKeys(): Promise<void> {
    const answers = open.flatMap(({ settlement }) => {
      const result = results.get(settlement);
      const { tenantId, creditReportId } = settlement;
      if (!settlement.mayHaveKey || result?.kind !== 'settled') return [];
      return [{ tenantId, creditReportId, answer: result.reference }];
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
    apply(book) {
      for (const each of open) applyOne(each, book);
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

/** Settles inside a transaction that is open already. */
export async function settleReports(tx: Tx, settlements: readonly Settlement[]): Promise<readonly Settled[]> {
  const [settled] = await runParts(tx, [openSettlements(tx, settlements)]);
  return settled;
}
