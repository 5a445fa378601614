// When runs of the group-commit queue begin, and what becomes of the calls of a run that has ended. Shared runs take
// waiting calls of many groups; a parked group has runs of its own, which may wait for its lock.
import { setTimeout } from 'node:timers/promises';
import { busy } from '../errors.ts';
import { isUnknownCommit } from '../postgres/unavailable.ts';
import { outsideScope } from '../request-scope.ts';
import { type Call, move } from './batch-call.ts';
import { type Queue, refuse } from './batch-queue.ts';
import { runOnce } from './batch-run.ts';

/** Shared runs at the same time: while one waits for the database, the other is prepared. */
const RUNS_MAX = 2;
/** A run of more than this keeps the database busy by itself; another beside it would only make both smaller. */
const SMALL_RUN = 32;
/** After a run of a parked group that waited for its lock in vain. */
const HELD_REST_MS = 20;
/** How often the deadlines of waiting and parked calls are looked at. */
const TICK_MS = 100;

/** A new call waits, or is parked because its group is. */
export function enter<Item, Result>(queue: Queue<Item, Result>, call: Call<Item, Result>): void {
  const isParked = call.state === 'parked';
  queue.room.count(call, 1);
  if (isParked) queue.parking.add(call);
  else queue.waiting.add(call);
  // Runs serve many requests: none of them may pass its own deadline on.
  outsideScope(() => {
    watchDeadlines(queue);
    if (queue.isWoken || isParked || queue.runs.size === RUNS_MAX) return;
    queue.isWoken = true;
    // After this event-loop tick, so that requests that arrived together go together.
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
      // Its calls go back to the others, where many groups share a run.
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

/** `held`: something may still hold the group up. */
type EndOfParkedRun = 'free' | 'held';

async function runParked<Item, Result>(
  queue: Queue<Item, Result>,
  calls: readonly Call<Item, Result>[],
): Promise<EndOfParkedRun> {
  const outcome = await runOnce(queue, calls, true);
  switch (outcome.kind) {
    case 'done':
      // The others have their results and must not be run again.
      for (const call of outcome.held) refuse(queue, call, new Error('a run that may wait left a call undone'));
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

/** What makes one item impossible does not pass by itself: that item is refused alone, and the others have their runs. */
async function separate<Item, Result>(
  queue: Queue<Item, Result>,
  calls: readonly Call<Item, Result>[],
  error: unknown,
  run: (queue: Queue<Item, Result>, calls: readonly Call<Item, Result>[]) => Promise<unknown>,
): Promise<void> {
  // One after another: they share a wallet, and would only wait for each other.
  for (const [place, call] of calls.entries()) {
    // The database has gone away: the remaining calls wait for it as all others do.
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

/** Back to where it came from, unless it is too late for that. */
function retry<Item, Result>(queue: Queue<Item, Result>, calls: readonly Call<Item, Result>[], error: unknown): void {
  watchDeadlines(queue);
  for (const call of [...calls].reverse()) {
    // What may have been committed stays so, whatever later attempts meet.
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

/** Calls that wait too long are refused, also while no run begins or ends. */
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
