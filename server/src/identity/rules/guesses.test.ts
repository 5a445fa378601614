import { expect, test } from 'vitest';
import { allowGuess, countOfDay, GUESSES_MAX, GUESSES_WINDOW_MS, isWarningDue } from './guesses.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const ago = (ms: number) => new Date(NOW.getTime() - ms);

const rows = [
  // wrong guesses so far, since when, expected
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

const at = (hours: number) => new Date(Date.UTC(2026, 2, 1) + hours * 3_600_000);

for (const [failures, since, counted] of [
  [0, null, { failures: 1, since: at(48) }],
  [3, at(24.001), { failures: 4, since: at(24.001) }],
  [9, at(24), { failures: 1, since: at(48) }],
] as const) {
  test(`${failures} wrong ones since ${since?.toISOString()} and one more`, () => {
    expect(countOfDay({ failures, since }, at(48))).toEqual(counted);
  });
}

for (const [failures, dayFailures, warnedAt, isDue] of [
  [4, 9, null, false],
  [5, 5, null, true],
  [1, 10, null, true],
  [5, 50, at(24.001), false],
  [5, 50, at(24), true],
  [4, 9, at(1), false],
] as const) {
  test(`${failures} of a quarter of an hour, ${dayFailures} of a day, warned ${warnedAt?.toISOString()}: ${isDue}`, () => {
    expect(isWarningDue({ failures, dayFailures, warnedAt }, at(48))).toBe(isDue);
  });
}
