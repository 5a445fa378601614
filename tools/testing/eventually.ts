// The one way in which a test waits for something to become true.
import { setTimeout as sleep } from 'node:timers/promises';

/** Of the time between two looks, no more counts: while this process, or the machine, stood still, nothing is used up. */
const COUNTED_MS_MAX = 250;

// Taken once: a test with a clock of its own still waits in real time.
const now = performance.now.bind(performance);

export type Wait = { readonly limitMs?: number; readonly everyMs?: number };

/** Looks until `look` throws no more, and returns its result; throws its last error when the limit is used up. */
export async function eventually<T>(
  look: () => T | Promise<T>,
  { limitMs = 20_000, everyMs = 20 }: Wait = {},
): Promise<T> {
  let leftMs = limitMs;
  for (;;) {
    const fromMs = now();
    try {
      return await look();
    } catch (error) {
      if (leftMs <= 0) throw error;
    }
    await sleep(everyMs);
    leftMs -= Math.min(now() - fromMs, COUNTED_MS_MAX);
  }
}
