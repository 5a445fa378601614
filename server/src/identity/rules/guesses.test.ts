import { expect, test } from 'vitest';
import { allowGuess, GUESSES_MAX, GUESSES_WINDOW_MS } from './guesses.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const ago = (ms: number) => new Date(NOW.getTime() - ms);

const rows = [
  // wrong ones so far, since when, what is said
  [0, 0, { kind: 'open', guesses: { failures: 0, since: NOW } }],
  [0, GUESSES_WINDOW_MS * 9, { kind: 'open', guesses: { failures: 0, since: NOW } }],
  [GUESSES_MAX - 1, 1_000, { kind: 'open', guesses: { failures: GUESSES_MAX - 1, since: ago(1_000) } }],
  [GUESSES_MAX, 0, { kind: 'locked', retryAfterSeconds: GUESSES_WINDOW_MS / 1_000 }],
  [GUESSES_MAX, GUESSES_WINDOW_MS - 1, { kind: 'locked', retryAfterSeconds: 1 }],
  [GUESSES_MAX, GUESSES_WINDOW_MS, { kind: 'open', guesses: { failures: 0, since: NOW } }],
] as const;
for (const [failures, ageMs, expected] of rows) {
  test(`${failures} wrong since ${ageMs} ms: ${expected.kind}`, () => {
    expect(allowGuess({ failures, since: ago(ageMs) }, NOW)).toEqual(expected);
  });
}
