// Decides who judges a limit: Redis for all nodes together (SHARED), or this node without Redis (ALONE). A node judges alone
// for a second after Redis has failed, and then asks Redis again. So a Redis that hangs costs one timeout a second, not one
// per request.

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
