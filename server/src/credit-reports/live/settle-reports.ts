// Settles live reports: the second transaction of a generate or of a right code, the end of a challenge, and a sweep
// for a worker that is gone. It takes a list, so that concurrent requests share one transaction; each still gets its
// own exact balance. Locks: reports, numbers, wallets, audit heads, always in this order
// (docs/decisions/0120-lock-order.md).
import assert from 'node:assert/strict';
import type { AuditEntry } from '../../audit/append-audit.ts';
import { appendEvents, type NewEvent } from '../../events/append-events.ts';
import { keepAnswers } from '../../idempotency/claim-keys.ts';
import { HELD } from '../../lib/batch/batch.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import type { LedgerSession } from '../../wallet/open-ledger.ts';
import { type Deliveries, openDeliveries } from '../messages/allow-delivery.ts';
import type { EventType } from '../rules/event-type.ts';
import { effectsOf } from '../rules/settlement.ts';
import { emptyStep, runSteps, type TransactionStep } from '../transaction-steps.ts';
import { auditOf, eventsOf, settledData, toSettledReport } from './describe-settled.ts';
import {
  type LockedLiveReport,
  listUnexpiredIds,
  lockFreeReports,
  lockReports,
  type SettledReport,
  updateChallengesEnded,
  updateSettledReports,
} from './live-store.ts';
import { settleReportMoney } from './settle-money.ts';
import {
  chargeLine,
  holdsOf,
  keyOf,
  type OpenSettlement,
  type Outcome,
  type Settled,
  type Settlement,
} from './settlement.ts';

export type { Outcome, Settled, Settlement } from './settlement.ts';

/** With the reports and numbers locked. */
type Locked = {
  readonly open: readonly OpenSettlement[];
  /** Another transaction holds the report's lock, perhaps to judge a code: the report is neither open nor superseded. */
  readonly held: readonly Settlement[];
  readonly deliveries: Deliveries;
};

/** With the credits moved in the ledger. Everything about one settlement that is still to be written. */
type Applied = {
  readonly settlement: Settlement;
  readonly settled: Extract<Settled, { kind: 'settled' }>;
  readonly row: SettledReport;
  readonly events: readonly NewEvent<EventType>[];
  readonly audit: AuditEntry;
};

/** The settlements whose report is still in the state they start from. */
function stillOpen(
  settlements: readonly Settlement[],
  locked: readonly LockedLiveReport[],
): Map<Settlement, OpenSettlement> {
  const reports = new Map(locked.map((report) => [keyOf(report), report]));
  const open = new Map<Settlement, OpenSettlement>();
  for (const settlement of settlements) {
    const report = reports.get(keyOf(settlement));
    assert(report && !report.isTest, 'a settlement has no live report');
    assert(
      settlement.from !== 'pending' || report.firstSendId === settlement.firstSendId,
      'the settlement and its report name different first messages',
    );
    const isOurs = settlement.fence === undefined || settlement.fence === report.fence;
    if (!isOurs || report.status !== settlement.from) continue;
    open.set(settlement, { settlement, report });
    // If a list settles a report twice, the first settlement wins.
    reports.set(keyOf(settlement), { ...report, status: effectsOf(settlement.from, settlement.outcome.kind).status });
  }
  return open;
}

/** A job finds a challenge due and locks it later; a message sent in between extends it by five minutes. */
async function listRevived(tx: Tx, settlements: readonly Settlement[]): Promise<Set<Settlement>> {
  const expiring = settlements.filter(({ outcome }) => outcome.kind === 'expired');
  if (expiring.length === 0) return new Set();
  const unexpired = await listUnexpiredIds(tx, expiring);
  return new Set(expiring.filter(({ creditReportId }) => unexpired.has(creditReportId)));
}

/** Sends everything before it awaits any answer. */
async function lockSettlements(tx: Tx, settlements: readonly Settlement[], mayWait: boolean): Promise<Locked> {
  // Pipelined: PostgreSQL runs them in this order. It locks the reports first, then the numbers.
  const [locked, revived, deliveries] = await Promise.all([
    mayWait ? lockReports(tx, settlements) : lockFreeReports(tx, settlements),
    listRevived(tx, settlements),
    openDeliveries(
      tx,
      settlements.flatMap(({ tenantId, creditReportId, outcome }) =>
        outcome.kind === 'challenge' ? [{ tenantId, creditReportId, order: outcome }] : [],
      ),
    ),
  ]);
  const free = new Set(locked.map(keyOf));
  const held = mayWait ? [] : settlements.filter((each) => !free.has(keyOf(each)));
  const known = mayWait ? settlements : settlements.filter((each) => free.has(keyOf(each)));
  const open = [...stillOpen(known, locked).values()].filter(({ settlement }) => !revived.has(settlement));
  return { open, held, deliveries };
}

/** A challenge that cannot be delivered is a failure, and only under the locks is that known. */
function checkDelivery({ settlement, report }: OpenSettlement, deliveries: Deliveries, ledger: LedgerSession): Outcome {
  const { outcome, tenantId, creditReportId } = settlement;
  if (outcome.kind !== 'challenge') return outcome;
  const firstHold = ledger.findHold({ tenantId, kind: 'sms', sourceId: report.firstSendId ?? '' });
  const because = deliveries.take({ tenantId, creditReportId, order: outcome }, ledger, firstHold?.amount ?? 0);
  return because ? { kind: 'failed', failure: 'not-deliverable', because } : outcome;
}

function applyOne(each: OpenSettlement, deliveries: Deliveries, ledger: LedgerSession): Applied {
  const { settlement } = each;
  const { tenantId, creditReportId } = settlement;
  const outcome = checkDelivery(each, deliveries, ledger);
  const moved = settleReportMoney(ledger, each, outcome);
  const { cost } = moved;
  return {
    settlement,
    settled: {
      kind: 'settled',
      reference: {
        wallet: { balance: ledger.balance(tenantId), cost },
        data: settledData(settlement, outcome),
        ...(outcome.kind === 'complete' && { reportOf: creditReportId }),
      },
      ...(outcome.kind === 'challenge' && outcome.sendId !== undefined && { sendId: outcome.sendId }),
      ...(outcome.kind === 'failed' && { failure: outcome.failure, because: outcome.because }),
    },
    row: toSettledReport(settlement, outcome),
    events: eventsOf(settlement, outcome, moved),
    audit: auditOf(each, outcome, cost),
  };
}

/** Sends everything before it awaits any answer. */
async function writeApplied(tx: Tx, applied: readonly Applied[], deliveries: Deliveries): Promise<void> {
  if (applied.length === 0) return;
  const ended = applied.flatMap(({ settlement }) => (settlement.from === 'pending' ? [] : [settlement]));
  const answers = applied.flatMap(({ settlement: { tenantId, creditReportId, mayHaveKey }, settled }) =>
    mayHaveKey ? [{ tenantId, subjectId: creditReportId, answer: settled.reference }] : [],
  );
  await Promise.all([
    updateSettledReports(
      tx,
      applied.map(({ row }) => row),
    ),
    deliveries.write(),
    ended.length > 0 && updateChallengesEnded(tx, ended),
    keepAnswers(tx, answers),
    appendEvents(
      tx,
      applied.flatMap(({ events }) => events),
    ),
  ]);
}

/** One transaction may settle some reports and reserve others: see transaction-steps.ts. */
export function openSettlements(tx: Tx, settlements: readonly Settlement[], mayWait = true): TransactionStep<Settled> {
  if (settlements.length === 0) return emptyStep();
  let locked: Locked;
  let applied: readonly Applied[];
  const results = new Map<Settlement, Settled | typeof HELD>();
  return {
    order: {
      tenantIds: settlements.map(({ tenantId }) => tenantId),
      holds: settlements.flatMap(holdsOf),
      lines: settlements.flatMap((settlement) => (settlement.from === 'pending' ? [] : [chargeLine(settlement)])),
    },
    audited: settlements.map(({ tenantId }) => tenantId),
    ready: lockSettlements(tx, settlements, mayWait).then((found) => {
      locked = found;
    }),
    apply(ledger) {
      const isWalletOpen = ({ settlement }: OpenSettlement) => ledger.isOpen(settlement.tenantId);
      const { held, deliveries, open } = locked;
      for (const settlement of held) results.set(settlement, HELD);
      for (const each of open) if (!isWalletOpen(each)) results.set(each.settlement, HELD);
      applied = open.filter(isWalletOpen).map((each) => applyOne(each, deliveries, ledger));
      for (const { settlement, settled } of applied) results.set(settlement, settled);
      return applied.map(({ audit }) => audit);
    },
    async write() {
      await writeApplied(tx, applied, locked.deliveries);
      return settlements.map((settlement) => results.get(settlement) ?? { kind: 'superseded' });
    },
  };
}

/** Settles inside an open transaction. */
export async function settleReports(tx: Tx, settlements: readonly Settlement[]): Promise<readonly Settled[]> {
  const [settled] = await runSteps(tx, [openSettlements(tx, settlements)]);
  return settled as readonly Settled[];
}
