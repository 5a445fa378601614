// Keeps one bureau's trouble to itself: a deadline, a bulkhead (so many at once, a few waiting, no more) and a circuit
// breaker. There is deliberately no retry here or anywhere below: a second enquiry leaves a second search on the
// consumer's file and costs twice, and after a failure nobody can tell whether the first was made.
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
import { BureauFault, toUnavailable, type Unavailable, unavailable } from './bureau-fault.ts';
import type { BureauAdapter, BureauOutcome } from './port.ts';

export type GuardOptions = {
  /** From the moment of asking, waiting for a place included. */
  readonly timeoutMs: number;
  readonly maxConcurrent: number;
  /** How many may wait for a place; a quarter of `maxConcurrent` unless told. */
  readonly maxWaiting?: number;
  /** Failures in a row that open the breaker. */
  readonly breakAfter?: number;
  /** How long it stays open before one enquiry may try. */
  readonly halfOpenAfterMs?: number;
};

const BREAK_AFTER = 5;
const HALF_OPEN_AFTER_MS = 10_000;
/** An enquiry that has waited away more than this much of its time is not begun: it would be made and not be answered. */
const WAIT_MAX = 0.75;
/** What an adapter may take to end after its signal aborted, before we stop listening to it. */
const GRACE_MS = 50;

/** `ok` and `no-trace` are answers. So is the refusal of one odd request: it says that the bureau works. */
function isFailure(outcome: unknown): boolean {
  const { kind, cause } = outcome as Partial<Unavailable>;
  return kind === 'unavailable' && !(cause instanceof BureauFault && cause.blame === 'request');
}

/** The same adapter, guarded: it always ends by the deadline and never rejects. */
export function guardBureau(adapter: BureauAdapter, options: GuardOptions): BureauAdapter {
  const { timeoutMs, maxConcurrent, maxWaiting = Math.ceil(maxConcurrent / 4) } = options;
  const places: BulkheadPolicy = bulkhead(maxConcurrent, maxWaiting);
  const breaker = circuitBreaker(handleWhenResult(isFailure), {
    halfOpenAfter: options.halfOpenAfterMs ?? HALF_OPEN_AFTER_MS,
    breaker: new ConsecutiveBreaker(options.breakAfter ?? BREAK_AFTER),
  });

  async function askThroughBreaker(ask: () => Promise<BureauOutcome>): Promise<BureauOutcome> {
    // While one enquiry tries, the library would let the others wait for its fate. They have no time for that.
    if (breaker.state === CircuitState.HalfOpen) throw new BrokenCircuitError();
    return breaker.execute(ask);
  }

  return {
    async ask(enquiry, callerSignal) {
      const signal = AbortSignal.any([callerSignal, AbortSignal.timeout(timeoutMs)]);
      const beginByMs = performance.now() + timeoutMs * WAIT_MAX;
      let hasBegun = false;
      const begin = () => {
        hasBegun = true;
        // As an outcome and not as an error, which the breaker would not count.
        return untilDeadline(adapter.ask(enquiry, signal), signal).catch((error) => toUnavailable(error, signal));
      };
      try {
        // The breaker is asked last, when a place is free: it may have opened while we waited.
        const answer = places.execute(async () => {
          if (performance.now() > beginByMs) throw new BureauFault('overloaded', 'waited too long');
          return askThroughBreaker(begin);
        }, signal);
        return await untilDeadline(answer, signal);
      } catch (error) {
        if (error instanceof BrokenCircuitError) return unavailable(new BureauFault('breaker-open', 'not asked'));
        // Nobody was asked, so this is our shortage and not the bureau's slowness.
        if (!hasBegun || error instanceof BulkheadRejectedError)
          return unavailable(new BureauFault('overloaded', 'not asked'));
        return toUnavailable(error, signal);
      }
    },
  };
}

/** What the adapter said; or, when it does not end by itself soon after the abort, that time is up. */
function untilDeadline<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const giveUp = () => {
      timer = setTimeout(() => reject(new BureauFault('timeout', 'no end after the deadline')), GRACE_MS);
    };
    if (signal.aborted) giveUp();
    else signal.addEventListener('abort', giveUp, { once: true });
    void promise.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
    });
  });
}
