// How many wrong second factors a person may give (docs/decisions/0129-second-factors.md): five in a quarter of an hour,
// over all their sign-ins and all kinds of codes together.
export const GUESSES_MAX = 5;
export const GUESSES_WINDOW_MS = 15 * 60_000;

export type Guesses = { readonly failures: number; readonly since: Date };

export type Allowance =
  | { readonly kind: 'open'; readonly guesses: Guesses }
  | { readonly kind: 'locked'; readonly retryAfterSeconds: number };

/** Whether one more guess may be judged now. The window begins with the first wrong guess. */
export function allowGuess({ failures, since }: Guesses, now: Date): Allowance {
  const ageMs = now.getTime() - since.getTime();
  if (failures === 0 || ageMs >= GUESSES_WINDOW_MS) return { kind: 'open', guesses: { failures: 0, since: now } };
  if (failures < GUESSES_MAX) return { kind: 'open', guesses: { failures, since } };
  return { kind: 'locked', retryAfterSeconds: Math.ceil((GUESSES_WINDOW_MS - ageMs) / 1_000) };
}

/** A guesser can stay below five in a quarter of an hour: from this many in a day, the person gets a warning too. */
export const DAY_GUESSES_MAX = 10;
const DAY_MS = 24 * 60 * 60_000;

export type DayOfGuesses = { readonly failures: number; readonly since: Date | null };

const isOver = (since: Date | null, now: Date) => since === null || now.getTime() - since.getTime() >= DAY_MS;

/** Counts one more wrong guess. The day begins with its first, and a right code does not end it. */
export function countOfDay({ failures, since }: DayOfGuesses, now: Date): DayOfGuesses {
  return isOver(since, now) ? { failures: 1, since: now } : { failures: failures + 1, since };
}

/** Whether to warn the person now: once a day at most, or a guesser who knows the password could fill a mailbox. */
export function isWarningDue(
  counted: { readonly failures: number; readonly dayFailures: number; readonly warnedAt: Date | null },
  now: Date,
): boolean {
  const isGuessing = counted.failures >= GUESSES_MAX || counted.dayFailures >= DAY_GUESSES_MAX;
  return isGuessing && isOver(counted.warnedAt, now);
}
