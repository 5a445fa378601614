// Keeps one provider's trouble to itself: a deadline, a bulkhead (so many at once, a few waiting, no more) and a circuit
// breaker. There is deliberately no retry: after a failure nobody can tell whether the first call had its effect.
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
import { OutsideFault, toFault } from './outside-fault.ts';

export type GuardOptions = {
  /** From the moment of asking, waiting for a place included. */
  readonly timeoutMs: number;
  readonly maxConcurrent: number;
  /** How many may wait for a place; a quarter of `maxConcurrent` unless told. */
  readonly maxWaiting?: number;
  /** Failures in a row that open the breaker. */
  readonly breakAfter?: number;
  /** How long it stays open before one call may try. */
  readonly halfOpenAfterMs?: number;
};

/** How the guard speaks the outcomes of a port. */
export type GuardWords<Outcome> = {
  /** A call that was not made, or did not end well. */
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
/** A call that has waited away more than this much of its time is not begun: it would be made and not be answered. */
const WAIT_MAX = 0.75;
/** What a call may take to end after its signal aborted, before we stop listening to it. */
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
    // While one call tries, the library would let the others wait for its fate. They have no time for that.
    if (breaker.state === CircuitState.HalfOpen) throw new BrokenCircuitError();
    return breaker.execute(call);
  }

  return async (call, callerSignal) => {
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
      // The breaker is asked last, when a place is free: it may have opened while we waited.
      const answer = places.execute(async () => {
        if (performance.now() > beginByMs) throw new OutsideFault('overloaded', 'waited too long');
        return callThroughBreaker(begin);
      }, signal);
      return await untilDeadline(answer, signal);
    } catch (error) {
      if (error instanceof BrokenCircuitError) return words.toOutcome(new OutsideFault('breaker-open', 'not asked'));
      // Nobody was asked, so this is our shortage and not the provider's slowness.
      if (!hasBegun || error instanceof BulkheadRejectedError)
        return words.toOutcome(new OutsideFault('overloaded', 'not asked'));
      return words.toOutcome(toFault(error, signal));
    }
  };
}

/** The refusal of one odd request is no failure: it says that the provider works. */
function isFailure(fault: unknown): boolean {
  return fault !== undefined && !(fault instanceof OutsideFault && fault.blame === 'request');
}

/** What the call said; or, when it does not end by itself soon after the abort, that time is up. */
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
