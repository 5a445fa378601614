// Who judges a limit: Redis for all nodes together (SHARED), or this node by itself (ALONE) for a second after Redis has
// failed, so that a hung Redis costs one timeout and not one per request. Then Redis is asked again.

type Judging = { readonly kind: 'shared' } | { readonly kind: 'alone'; readonly untilMs: number };

const ALONE_MS = 1_000;

export type Judge = <T>(ask: () => Promise<T>, fallback: () => Promise<T>) => Promise<T>;

export function createJudge(onFallback: (error: Error) => void): Judge {
  let judging: Judging = { kind: 'shared' };

  const isAlone = () => judging.kind === 'alone' && Date.now() < judging.untilMs;

  return async (ask, fallback) => {
    if (isAlone()) return fallback();
    try {
      return await ask();
    } catch (error) {
      judging = { kind: 'alone', untilMs: Date.now() + ALONE_MS };
      onFallback(error as Error);
      return fallback();
    }
  };
}
