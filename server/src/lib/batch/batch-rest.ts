// Whether the group-commit queue may begin a run. The database is REACHABLE, or it is DOUBTFUL since a run whose outcome
// is not known: then the queue rests, and tries again afterwards. Each rest is twice as long as the one before, until a run
// ends with results.

type Reach =
  | { readonly kind: 'reachable' }
  | { readonly kind: 'doubtful'; readonly restMs: number; readonly untilMs: number };

export interface Rest {
  /** False again when the rest is over, also while the database is still doubtful. */
  isResting(): boolean;
  /** A run's outcome is not known. Returns how long the queue rests. */
  begin(): number;
  /** A run has ended with results: a rest under way is over, too. */
  end(): void;
}

const REST_MS = { first: 100, last: 1_000 };
const REACHABLE: Reach = { kind: 'reachable' };

export function createRest(): Rest {
  let reach = REACHABLE;
  return {
    isResting: () => reach.kind === 'doubtful' && performance.now() < reach.untilMs,
    begin() {
      const restMs = reach.kind === 'doubtful' ? Math.min(REST_MS.last, reach.restMs * 2) : REST_MS.first;
      reach = { kind: 'doubtful', restMs, untilMs: performance.now() + restMs };
      return restMs;
    },
    end() {
      reach = REACHABLE;
    },
  };
}
