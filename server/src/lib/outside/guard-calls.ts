// Isolates one provider's failures: a deadline, a bulkhead (a limited number at once, a few waiting) and a circuit
// breaker. There is deliberately no retry: after a failure we cannot tell whether the first call had its effect.
import {
  BrokenCircuitError,
  type BulkheadPolicy,
  BulkheadRejectedError,
  bulkhead,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhenResult,
} from 'cockatiel';
import { Type } from 'typebox';
import { keepContext } from '../request-scope.ts';
import { wholeNumber } from '../setting-schema.ts';
import { OutsideFault, toFault } from './outside-fault.ts';

export type GuardOptions = {
  /** From the start of the call, including the wait for a place. */
  readonly timeoutMs: number;
  readonly maxConcurrent: number;
  /** How many may wait for a place; a quarter of `maxConcurrent` by default. */
  readonly maxWaiting?: number;
  /** Consecutive failures that open the breaker. */
  readonly breakAfter?: number;
  /** How long it stays open before one call may try. */
  readonly halfOpenAfterMs?: number;
};

const durationMs = wholeNumber(1, 3_600_000);
const count = wholeNumber(1, 100_000);

/** The same as an operator may set them. */
export const GUARD_SETTINGS = {
  timeoutMs: Type.Optional(durationMs),
  maxConcurrent: Type.Optional(count),
  maxWaiting: Type.Optional(wholeNumber(0, 100_000)),
  breakAfter: Type.Optional(count),
  halfOpenAfterMs: Type.Optional(durationMs),
};

/** Translates between the guard and a port's outcomes. */
export type GuardWords<Outcome> = {
  /** For a call that was not made, or that failed. */
  toOutcome(fault: OutsideFault): Outcome;
  /** The fault behind an outcome; undefined when it is an answer. */
  faultOf(outcome: Outcome): unknown;
};

/** Ends by the deadline and never rejects. */
export type Guard<Outcome> = (
  call: (signal: AbortSignal) => Promise<Outcome>,
  callerSignal?: AbortSignal,
) => Promise<Outcome>;

const BREAK_AFTER = 5;
const HALF_OPEN_AFTER_MS = 10_000;
/** A call that has spent more than this part of its time waiting is not made: it would time out before its answer. */
const WAIT_MAX = 0.75;
/** How long a call may take to end after its signal aborts, before we stop waiting for it. */
const GRACE_MS = 50;

export function createGuard<Outcome>(options: GuardOptions, words: GuardWords<Outcome>): Guard<Outcome> {
  const { timeoutMs, maxConcurrent, maxWaiting = Math.ceil(maxConcurrent / 4) } = options;
  const places: BulkheadPolicy = bulkhead(maxConcurrent, maxWaiting);
  const breaker = circuitBreaker(
    handleWhenResult((outcome) => isFailure(words.faultOf(outcome as Outcome))),
    {
      halfOpenAfter: options.halfOpenAfterMs ?? HALF_OPEN_AFTER_MS,
      breaker: new ConsecutiveBreaker(options.breakAfter ?? BREAK_AFTER),
    },
  );

  async function callThroughBreaker(call: () => Promise<Outcome>): Promise<Outcome> {
    // While one call tries, the library would make the other calls wait for its result. They have no time for that.
    if (breaker.state === CircuitState.HalfOpen) throw new BrokenCircuitError();
    return breaker.execute(call);
  }

  return async (ask, callerSignal) => {
    // A call that waited is begun by the one that made room, in its context.
    const call = keepContext(ask);
    const deadline = AbortSignal.timeout(timeoutMs);
    const signal = callerSignal ? AbortSignal.any([callerSignal, deadline]) : deadline;
    const beginByMs = performance.now() + timeoutMs * WAIT_MAX;
    let hasBegun = false;
    const begin = () => {
      hasBegun = true;
      // As an outcome and not as an error, which the breaker would not count.
      return untilDeadline(call(signal), signal).catch((error) => words.toOutcome(toFault(error, signal)));
    };
    try {
      // The breaker is checked last, when a place is free: it may have opened while we waited.
      const answer = places.execute(async () => {
        if (performance.now() > beginByMs) throw new OutsideFault('overloaded', 'waited too long');
        return callThroughBreaker(begin);
      }, signal);
      return await untilDeadline(answer, signal);
    } catch (error) {
      if (error instanceof BrokenCircuitError) return words.toOutcome(new OutsideFault('breaker-open', 'not asked'));
      // No call was made, so we lack capacity; the provider is not slow.
      if (!hasBegun || error instanceof BulkheadRejectedError)
        return words.toOutcome(new OutsideFault('overloaded', 'not asked'));
      return words.toOutcome(toFault(error, signal));
    }
  };
}

/** A provider that refuses one odd request works: that is no failure. */
function isFailure(fault: unknown): boolean {
  return fault !== undefined && !(fault instanceof OutsideFault && fault.blame === 'request');
}

/** The call's result or, when the call does not end soon after the abort, a timeout. */
function untilDeadline<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const giveUp = () => {
      timer = setTimeout(() => reject(new OutsideFault('timeout', 'no end after the deadline')), GRACE_MS);
    };
    if (signal.aborted) giveUp();
    else signal.addEventListener('abort', giveUp, { once: true });
    void promise.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
    });
  });
}
