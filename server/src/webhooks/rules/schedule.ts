// When a delivery is attempted again, and what a failing endpoint is spared (docs/decisions/0203-webhook-deliveries.md).
// Pure: chance comes in as a number from 0 to 1.

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Seconds after each failed attempt. Ten attempts in all, the last one three days after the first. */
const DELAYS_SECONDS = [5, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR, 27 * HOUR];
export const ATTEMPTS_MAX = DELAYS_SECONDS.length + 1;
export const TEST_ATTEMPTS_MAX = 1;

/** Up to a tenth less or more, so that what failed together does not come back together. */
const JITTER = 0.1;
/** A receiver may ask for less haste, but not for days. */
const RETRY_AFTER_MAX_SECONDS = 24 * HOUR;

export type Attempted = { readonly attempts: number; readonly attemptsMax: number };

/** Seconds until the next attempt; undefined when there is none. */
export function nextDelaySeconds(
  { attempts, attemptsMax }: Attempted,
  retryAfterSeconds: number | undefined,
  chance: number,
): number | undefined {
  if (attempts >= attemptsMax) return undefined;
  const delay = DELAYS_SECONDS[attempts - 1] ?? DELAYS_SECONDS.at(-1) ?? 0;
  const own = delay * (1 - JITTER + 2 * JITTER * chance);
  return Math.max(own, Math.min(retryAfterSeconds ?? 0, RETRY_AFTER_MAX_SECONDS));
}

/** Fewer failures in a row are not held against an endpoint. */
const FAILURES_FREE = 5;
const PAUSE_MAX_SECONDS = 30;
const PAUSE_ASKED_MAX_SECONDS = HOUR;

/** How long the receiver asks for nothing at all; it is heard for an hour at most. */
export const askedPauseSeconds = (retryAfterSeconds: number | undefined): number =>
  Math.min(retryAfterSeconds ?? 0, PAUSE_ASKED_MAX_SECONDS);

/** How long nothing is sent to the endpoint at all, after so many failures in a row. */
export function pauseSeconds(failures: number, retryAfterSeconds: number | undefined): number {
  const own = failures < FAILURES_FREE ? 0 : Math.min(2 ** (failures - FAILURES_FREE), PAUSE_MAX_SECONDS);
  return Math.max(own, askedPauseSeconds(retryAfterSeconds));
}

/** An endpoint that has only failed for this long is disabled. */
const HOPELESS_MS = 5 * 24 * HOUR * 1_000;

export function isHopeless(failingSince: Date, now: Date): boolean {
  return now.getTime() - failingSince.getTime() >= HOPELESS_MS;
}
