// Gathers single questions for a moment and asks them together: for work that nobody waits for.
import { setTimeout } from 'node:timers/promises';

export function createGather<T>(
  windowMs: number,
  askAll: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>,
): (key: string) => Promise<T | undefined> {
  let keys = new Set<string>();
  let answers: Promise<ReadonlyMap<string, T>> | undefined;

  async function askLater(): Promise<ReadonlyMap<string, T>> {
    // Nobody waits for it, a process that ends least of all.
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
