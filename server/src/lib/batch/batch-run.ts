// One run of the group-commit queue: many calls, one transaction. It answers the calls that have results and returns how
// the run ended. batch-schedule.ts decides what happens to the other calls.
import assert from 'node:assert/strict';
import { isHeldUp, isUnavailable } from '../postgres/unavailable.ts';
import { type Call, HELD } from './batch-call.ts';
import { answer, type Queue } from './batch-queue.ts';

export type RunOutcome<Item, Result> =
  /** Committed. The run did nothing for the calls in `held`. */
  | { readonly kind: 'done'; readonly held: readonly Call<Item, Result>[] }
  /** The run waited too long for a lock. It is unknown which group needed that lock. */
  | { readonly kind: 'held-up'; readonly error: unknown }
  /** The database is unreachable, or a connection broke: the run may have been committed. */
  | { readonly kind: 'unknown'; readonly error: unknown }
  /** At least one of the items can never succeed. */
  | { readonly kind: 'impossible'; readonly error: unknown };

/** How many callers get their result in one event-loop tick. */
const SLICE = 8;

/**
 * Answers in small groups, beginning with the next event-loop tick. So the statements of the next run are sent before the
 * callers continue, and its replies are read while they do.
 */
function inSlices(answers: readonly (() => void)[]): void {
  let place = 0;
  const next = () => {
    for (const each of answers.slice(place, place + SLICE)) each();
    place += SLICE;
    if (place < answers.length) setImmediate(next);
  };
  setImmediate(next);
}

/** Returns the calls whose result is HELD. */
function answerAll<Item, Result>(
  queue: Queue<Item, Result>,
  calls: readonly Call<Item, Result>[],
  results: readonly (Result | typeof HELD)[],
): Call<Item, Result>[] {
  const held: Call<Item, Result>[] = [];
  const answers: (() => void)[] = [];
  for (const [place, call] of calls.entries()) {
    const result = results[place] as Result | typeof HELD;
    if (result === HELD) held.push(Object.assign(call, { unknowns: call.unknowns - 1 }));
    else answers.push(() => answer(queue, call, result));
  }
  inSlices(answers);
  return held;
}

function outcomeOf(error: unknown): Exclude<RunOutcome<never, never>, { kind: 'done' }> {
  if (isHeldUp(error)) return { kind: 'held-up', error };
  return { kind: isUnavailable(error) ? 'unknown' : 'impossible', error };
}

export async function runOnce<Item, Result>(
  queue: Queue<Item, Result>,
  calls: readonly Call<Item, Result>[],
  mayWait: boolean,
): Promise<RunOutcome<Item, Result>> {
  const attempt = 1 + Math.max(...calls.map(({ unknowns }) => unknowns));
  for (const call of calls) call.unknowns += 1;
  try {
    const results = await queue.run(
      calls.map(({ item }) => item),
      { attempt, mayWait },
    );
    queue.rest.end();
    // Without this check a caller whose result is missing would receive undefined.
    assert.equal(results.length, calls.length, 'a run returned another number of results than it had items');
    return { kind: 'done', held: answerAll(queue, calls, results) };
  } catch (error) {
    return outcomeOf(error);
  }
}
