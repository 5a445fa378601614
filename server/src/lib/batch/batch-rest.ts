// Decides whether the group-commit queue may start a run. The database is REACHABLE, or DOUBTFUL after a run with an unknown
// outcome. When it becomes doubtful, the queue pauses and then tries again. Each pause is twice as long as the one before,
// up to a second, until a run ends with results.

type Reach =
  | { readonly kind: 'reachable' }
  | { readonly kind: 'doubtful'; readonly restMs: number; readonly untilMs: number };

export interface Rest {
  /** False once the pause is over, even if the database is still doubtful. */
  isResting(): boolean;
  /** Call it when a run's outcome is unknown. Returns the length of the pause. */
  begin(): number;
  /** Call it when a run has ended with results. It also ends a pause. */
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
