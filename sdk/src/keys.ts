// A call that must have one effect: it has a key, and if the connection breaks before the answer, the library sends it
// again with that key. It throws refusals at once: the caller decides whether to try again.
import { TrefoilError } from './error.ts';

/** How long to wait before each repeat of a call whose connection broke. */
const PAUSES_MS = [200, 1_000];
/** The service answers a request within 20 seconds; if the connection was lost, the first request may still be running. */
const RUNNING_MS = 30_000;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** `fetch` throws this when no answer, or an incomplete one, arrived. */
const isLost = (error: unknown) => error instanceof TypeError;

export async function sendOnce<T>(key: string = crypto.randomUUID(), send: (key: string) => Promise<T>): Promise<T> {
  const pauses = PAUSES_MS.values();
  let lostAtMs: number | undefined;
  for (;;) {
    try {
      return await send(key);
    } catch (error) {
      const waitMs = isLost(error) ? pauses.next().value : stillRunning(error, lostAtMs);
      if (waitMs === undefined) throw error;
      lostAtMs ??= Date.now();
      await pause(waitMs);
    }
  }
}

/** Only after a lost connection: otherwise another call holds the key, and its caller should know. */
function stillRunning(error: unknown, lostAtMs: number | undefined): number | undefined {
  if (lostAtMs === undefined || Date.now() - lostAtMs > RUNNING_MS) return undefined;
  if (!(error instanceof TrefoilError) || error.code !== 'request-in-progress') return undefined;
  return (error.retryAfterSeconds ?? 1) * 1_000;
}
