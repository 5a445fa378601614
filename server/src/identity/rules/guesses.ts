// How many wrong second factors a person may give (docs/decisions/0129): five in a quarter of an hour, over all their
// sign-ins and all kinds of codes together.
export const GUESSES_MAX = 5;
export const GUESSES_WINDOW_MS = 15 * 60_000;

export type Guesses = { readonly failures: number; readonly since: Date };

export type Allowance =
  | { readonly kind: 'open'; readonly guesses: Guesses }
  | { readonly kind: 'locked'; readonly retryAfterSeconds: number };

/** Whether one more may be judged now. The window begins with the first wrong one. */
export function allowGuess({ failures, since }: Guesses, now: Date): Allowance {
  const ageMs = now.getTime() - since.getTime();
  if (failures === 0 || ageMs >= GUESSES_WINDOW_MS) return { kind: 'open', guesses: { failures: 0, since: now } };
  if (failures < GUESSES_MAX) return { kind: 'open', guesses: { failures, since } };
  return { kind: 'locked', retryAfterSeconds: Math.ceil((GUESSES_WINDOW_MS - ageMs) / 1_000) };
}
