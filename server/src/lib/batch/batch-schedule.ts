// Starts the runs of the group-commit queue, and decides what happens to their calls afterwards. A shared run takes waiting
// calls of many groups. A parked group has runs of its own, which may wait for its lock.
import { setTimeout } from 'node:timers/promises';
import { busy } from '../errors.ts';
import { isUnknownCommit } from '../postgres/unavailable.ts';
import { outsideScope } from '../request-scope.ts';
import { type Call, move } from './batch-call.ts';
import { type Queue, refuse } from './batch-queue.ts';
import { runOnce } from './batch-run.ts';

/** Concurrent shared runs: while one waits for the database, this process prepares the other. */
const RUNS_MAX = 2;
/** A run with more calls keeps the database busy alone; a second one at the same time would only make both smaller. */
const SMALL_RUN = 32;
/** The pause after a run of a parked group that did not get its lock. */
const HELD_REST_MS = 20;
/** How often the queue checks the deadlines of waiting and parked calls. */
const TICK_MS = 100;

/** Adds a new call. If its group is parked, the call is parked too; otherwise it waits. */
export function enter<Item, Result>(queue: Queue<Item, Result>, call: Call<Item, Result>): void {
  const isParked = call.state === 'parked';
  queue.room.count(call, 1);
  if (isParked) queue.parking.add(call);
  else queue.waiting.add(call);
  // A run serves many requests, so the deadline of the current request must not apply to it.
  outsideScope(() => {
    watchDeadlines(queue);
    if (queue.isWoken || isParked || queue.runs.size === RUNS_MAX) return;
    queue.isWoken = true;
    // After this event-loop tick, so that requests that arrived together share a run.
    setImmediate(beginRuns, queue);
  });
}

function beginRuns<Item, Result>(queue: Queue<Item, Result>): void {
  queue.isWoken = false;
  if (queue.rest.isResting()) return;
  beginSharedRuns(queue);
  beginParkedRuns(queue);
}

function beginSharedRuns<Item, Result>(queue: Queue<Item, Result>): void {
  const { waiting, runs, itemsMax, limitOf } = queue;
  while (waiting.size > 0 && runs.size < RUNS_MAX && [...runs].every(({ size }) => size <= SMALL_RUN)) {
    const calls = waiting.take(itemsMax, (group) => ![...runs].some(({ groups }) => groups.has(group)), limitOf);
    if (calls.length === 0) return;
    for (const call of calls) move(call, 'running');
    const groups = new Set(calls.map(({ group }) => group));
    const current = { groups, size: calls.length, startedMs: performance.now() };
    runs.add(current);
    void runShared(queue, calls).finally(() => {
      runs.delete(current);
      beginRuns(queue);
    });
  }
}

function beginParkedRuns<Item, Result>(queue: Queue<Item, Result>): void {
  const { parking, rest, itemsMax } = queue;
  while (!rest.isResting()) {
    const started = parking.start(itemsMax);
    if (!started) return;
    const { group, calls } = started;
    for (const call of calls) move(call, 'running');
    void runParked(queue, calls).then((end) => {
      if (end === 'held') parking.endHeld(group);
      // The remaining calls wait with all others again and can share a run.
      else for (const call of parking.endFree(group).reverse()) waitAgain(queue, call);
      beginRuns(queue);
    });
  }
}

async function runShared<Item, Result>(
  queue: Queue<Item, Result>,
  calls: readonly Call<Item, Result>[],
): Promise<void> {
  const outcome = await runOnce(queue, calls, false);
  switch (outcome.kind) {
    case 'done':
      return park(queue, outcome.held);
    case 'held-up':
      return park(queue, calls);
    case 'unknown':
      return restAndRetry(queue, calls, outcome.error);
    case 'impossible':
      if (calls.length === 1) refuseAll(queue, calls, outcome.error);
      else await separate(queue, calls, outcome.error, runShared);
      return;
  }
}

/** `held`: another transaction may still hold the group's lock. */
type EndOfParkedRun = 'free' | 'held';

async function runParked<Item, Result>(
  queue: Queue<Item, Result>,
  calls: readonly Call<Item, Result>[],
): Promise<EndOfParkedRun> {
  const outcome = await runOnce(queue, calls, true);
  switch (outcome.kind) {
    case 'done':
      // The other calls have their results and must not run again.
      for (const call of outcome.held) refuse(queue, call, new Error('a run that may wait for locks returned HELD'));
      return 'free';
    case 'held-up':
      retry(queue, calls, outcome.error);
      await setTimeout(HELD_REST_MS);
      return 'held';
    case 'unknown':
      restAndRetry(queue, calls, outcome.error);
      return 'held';
    case 'impossible':
      if (calls.length === 1) refuseAll(queue, calls, outcome.error);
      else await separate(queue, calls, outcome.error, runParked);
      return 'held';
  }
}

function refuseAll<Item, Result>(
  queue: Queue<Item, Result>,
  calls: readonly Call<Item, Result>[],
  error: unknown,
): void {
  for (const call of calls) refuse(queue, call, error);
}

/** Runs each call alone. The call that can never succeed is refused, and the others get their results. */
async function separate<Item, Result>(
  queue: Queue<Item, Result>,
  calls: readonly Call<Item, Result>[],
  error: unknown,
  run: (queue: Queue<Item, Result>, calls: readonly Call<Item, Result>[]) => Promise<unknown>,
): Promise<void> {
  // One after another: they may share a wallet, and concurrent runs would only wait for each other.
  for (const [place, call] of calls.entries()) {
    // The database has become unreachable: the remaining calls wait for it like all others.
    if (queue.rest.isResting()) return retry(queue, calls.slice(place), error);
    await run(queue, [call]);
  }
}

function park<Item, Result>(queue: Queue<Item, Result>, calls: readonly Call<Item, Result>[]): void {
  if (calls.length > 0) watchDeadlines(queue);
  for (const call of calls) {
    move(call, 'parked');
    queue.parking.add(call);
  }
  beginParkedRuns(queue);
}

function waitAgain<Item, Result>({ waiting }: Queue<Item, Result>, call: Call<Item, Result>): void {
  move(call, 'waiting');
  waiting.putBack(call);
}

/** Puts each call back where it came from, or refuses it if its deadline is over. */
function retry<Item, Result>(queue: Queue<Item, Result>, calls: readonly Call<Item, Result>[], error: unknown): void {
  watchDeadlines(queue);
  for (const call of [...calls].reverse()) {
    // Once an attempt may have been committed, the caller must learn that, whatever error a later attempt has.
    if (!isUnknownCommit(call.cause)) call.cause = error;
    if (performance.now() > call.deadlineMs) refuse(queue, call, call.cause);
    else if (queue.parking.has(call.group)) {
      move(call, 'parked');
      queue.parking.putBack(call);
    } else waitAgain(queue, call);
  }
}

function restAndRetry<Item, Result>(
  queue: Queue<Item, Result>,
  calls: readonly Call<Item, Result>[],
  error: unknown,
): void {
  void setTimeout(queue.rest.begin() + 1).then(() => beginRuns(queue));
  retry(queue, calls, error);
}

function watchDeadlines<Item, Result>(queue: Queue<Item, Result>): void {
  queue.ticker ??= setInterval(() => refuseLate(queue), TICK_MS);
}

/** Refuses calls whose deadline is over, even while no run starts or ends. */
function refuseLate<Item, Result>(queue: Queue<Item, Result>): void {
  const { waiting, parking } = queue;
  const nowMs = performance.now();
  const isLate = ({ deadlineMs }: Call<Item, Result>) => nowMs > deadlineMs;
  const late = [...waiting.remove(isLate), ...parking.remove(isLate)];
  queue.oldestMs = 0;
  for (const { addedMs } of waiting) queue.oldestMs = Math.max(queue.oldestMs, nowMs - addedMs);
  for (const call of late) refuse(queue, call, call.cause ?? busy());
  if (waiting.size > 0 || parking.size > 0) return;
  clearInterval(queue.ticker);
  queue.ticker = undefined;
}
