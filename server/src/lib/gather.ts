// Collects single look-ups for a moment and sends them together: for work where a short wait does no harm.
import { setTimeout } from 'node:timers/promises';

export function createGather<T>(
  windowMs: number,
  askAll: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>,
): (key: string) => Promise<T | undefined> {
  let keys = new Set<string>();
  let answers: Promise<ReadonlyMap<string, T>> | undefined;

  async function askLater(): Promise<ReadonlyMap<string, T>> {
    // The timer must not keep a stopping process alive.
    await setTimeout(windowMs, undefined, { ref: false });
    const asked = [...keys];
    keys = new Set();
    answers = undefined;
    return askAll(asked);
  }

  return async (key) => {
    keys.add(key);
    answers ??= askLater();
    return (await answers).get(key);
  };
}
