// A node's one queue, whose items share transactions: settlements and reservations of reports, audit rows of reads, and
// proofs about messages. There is one queue for all, because separate queues would wait for each other at every busy
// wallet (docs/decisions/0119-group-commit.md). Work that finishes a report always comes before work that begins one.
import type { AuditEntry } from '../audit/append-audit.ts';
import { createBatch, type HELD, type RunOrder } from '../lib/batch/batch.ts';
import type { Failpoint } from '../lib/failpoints.ts';
import type { OpenDatabase } from '../lib/postgres/database.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { unknownCommit } from '../lib/postgres/unavailable.ts';
import { tracedSpan } from '../lib/traces/span.ts';
import { traceRun, type Waiting, waitIn } from '../lib/traces/trace-run.ts';
import { NO_TRACES, type Tracer } from '../lib/traces/tracer.ts';
import type { ReportQueue } from './dependencies.ts';
import type { FailpointName } from './failpoints.ts';
import { shortenLockWaits } from './live/live-store.ts';
import { openReservations, type Reservation, type Reserved } from './live/reserve-reports.ts';
import { openSettlements, type Settled, type Settlement } from './live/settle-reports.ts';
import { openProofs, type ProvedSend, type SendProof } from './messages/settle-sends.ts';
import { openNotes, runSteps } from './transaction-steps.ts';

type Item = Waiting &
  (
    | { readonly kind: 'settle'; readonly settlement: Settlement }
    | { readonly kind: 'reserve'; readonly reservation: Reservation }
    | { readonly kind: 'note'; readonly entry: AuditEntry }
    | { readonly kind: 'prove'; readonly proof: SendProof }
  );

type Result = Reserved | Settled | ProvedSend | 'noted';

const RANKS = { settle: 0, reserve: 1, note: 2, prove: 3 } as const;
/** Keeps a run full of reads or receipts short. */
const OF_ONE_RUN = [250, 250, 100, 8] as const;

/** Longer than any failover: a report whose bureaus were asked is settled when the database is back. */
const SETTLE_MS = 10 * 60_000;
const PROVE_MS = 60_000;
const NOTE_MS = 5_000;
const PARKED_RUNS_MIN = 1;
/** Connections of the queue that parked groups do not use. */
const SHARED_RUNS = 2;

function tenantOf(item: Item): string {
  switch (item.kind) {
    case 'settle':
      return item.settlement.tenantId;
    case 'reserve':
      return item.reservation.report.tenantId;
    case 'note':
      return item.entry.tenantId;
    case 'prove':
      return item.proof.tenantId;
  }
}

/** By wallet. An audit row needs no wallet, so reads of a tenant whose wallet is locked continue. */
const groupOf = (item: Item) => (item.kind === 'note' ? `audit ${item.entry.tenantId}` : tenantOf(item));

const UNIQUE_VIOLATION = '23505';

/**
 * A retry looks for what the earlier attempt wrote. If it finds nothing and then hits a unique violation, PostgreSQL
 * had not finished that commit: the queue retries, and nothing is wrong.
 */
function asUnfinished(error: unknown): never {
  const isOurs = error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION;
  throw isOurs ? unknownCommit('an earlier attempt is being committed', error) : error;
}

type Sorted = {
  readonly settlements: readonly Settlement[];
  readonly reservations: readonly Reservation[];
  readonly entries: readonly AuditEntry[];
  readonly proofs: readonly SendProof[];
};

function sort(items: readonly Item[]): Sorted {
  return {
    settlements: items.flatMap((item) => (item.kind === 'settle' ? [item.settlement] : [])),
    reservations: items.flatMap((item) => (item.kind === 'reserve' ? [item.reservation] : [])),
    entries: items.flatMap((item) => (item.kind === 'note' ? [item.entry] : [])),
    proofs: items.flatMap((item) => (item.kind === 'prove' ? [item.proof] : [])),
  };
}

export function createReportQueue(
  database: OpenDatabase['queue'],
  failpoint: Failpoint<FailpointName>,
  tracer: Tracer = NO_TRACES,
  patience = 1,
): ReportQueue {
  function announceCommit({ settlements, reservations, proofs }: Sorted): void {
    if (settlements.length > 0) failpoint('before-settle-commit');
    if (reservations.length > 0) failpoint('before-reserve-commit');
    if (proofs.length > 0) failpoint('before-receipt-commit');
  }

  async function work(tx: Tx, items: readonly Item[], order: RunOrder, commitNow: () => void) {
    const sorted = sort(items);
    // A run of audit rows alone keeps its turn for the head of the chain: each time it gave up, it would stand behind all
    // transactions that came meanwhile, and reads would be refused while the chain moves.
    const isAuditOnly = items.every(({ kind }) => kind === 'note');
    const eased = order.mayWait && !isAuditOnly ? shortenLockWaits(tx) : undefined;
    // Awaited below. If the connection breaks before that, the claim of the keys fails this run; a failure of this promise
    // that nobody looks at would end the process.
    eased?.catch(() => undefined);
    // Claims keys before it locks reports.
    const reserving = await openReservations(tx, sorted.reservations, order.attempt);
    // Settling and proving can run again safely: whatever an earlier attempt settled is no longer open. PostgreSQL
    // takes the locks in the order of these lines: reports, numbers, messages, then wallets
    // (docs/decisions/0120-lock-order.md).
    const settling = openSettlements(tx, sorted.settlements, order.mayWait);
    const proving = openProofs(tx, sorted.proofs, order.mayWait);
    const noting = openNotes(sorted.entries);
    const sent = () => {
      announceCommit(sorted);
      commitNow();
    };
    // Settlements first: the credits they release can be held again.
    const steps = [settling, proving, reserving, noting] as const;
    const running = runSteps(tx, steps, { sent, mayWait: order.mayWait });
    const [[settled, proved, reserved, noted]] = await Promise.all([running, eased]);
    const results = {
      settle: settled.values(),
      prove: proved.values(),
      reserve: reserved.values(),
      note: noted.values(),
    };
    return items.map(({ kind }) => results[kind].next().value as Result | typeof HELD);
  }

  const runOnce = (items: readonly Item[], order: RunOrder) =>
    traceRun(items, () =>
      database.forTenants([...new Set(items.map(tenantOf))], (tx, commitNow) => work(tx, items, order, commitNow)),
    );

  const batch = createBatch<Item, Result>({
    groupOf,
    rankOf: ({ kind }) => RANKS[kind],
    limitOf: (rank) => OF_ONE_RUN[rank] ?? 0,
    parkedRunsMax: Math.max(PARKED_RUNS_MIN, database.connections - SHARED_RUNS),
    run: (items, order) =>
      order.attempt > 1 && items.length === 1 ? runOnce(items, order).catch(asUnfinished) : runOnce(items, order),
  });
  const settling = new Set<Promise<unknown>>();
  const within = (ms: number) => ({ deadlineMs: performance.now() + ms });

  return {
    reserve: (reservation, deadlineMs) =>
      batch.add(
        { kind: 'reserve', reservation, ...waitIn(tracedSpan()) },
        { deadlineMs, bytes: reservation.report.sealedRequest.length },
      ) as Promise<Reserved>,
    settle(settlement, withinMs = SETTLE_MS) {
      // A job that settles what was abandoned has no request's span.
      const wait = waitIn(tracedSpan() ?? tracer.placeOf(settlement.creditReportId));
      const settled = batch.add({ kind: 'settle', settlement, ...wait }, within(withinMs)) as Promise<Settled>;
      settling.add(settled);
      const forget = () => void settling.delete(settled);
      settled.then(forget, forget);
      return settled;
    },
    prove: (proof) =>
      batch.add({ kind: 'prove', proof, ...waitIn(tracedSpan()) }, within(PROVE_MS)) as Promise<ProvedSend>,
    async note(entry) {
      await batch.add({ kind: 'note', entry, ...waitIn(tracedSpan()) }, within(patience * NOTE_MS));
    },
    state: batch.state,
    async idle() {
      while (settling.size > 0) await Promise.allSettled(settling);
    },
  };
}
