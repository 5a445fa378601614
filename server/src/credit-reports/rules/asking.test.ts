import { expect, test } from 'vitest';
import { nextAskAfterSeconds } from './asking.ts';

const HOUR = 3_600;
const rows = [
  // asked so often, age, answered, seconds until the next ask
  [1, 600, true, HOUR],
  [1, 600, false, HOUR],
  [2, 2 * HOUR, true, 2 * HOUR],
  [3, 4 * HOUR, true, 4 * HOUR],
  [4, 8 * HOUR, true, 8 * HOUR],
  [5, 16 * HOUR, true, 12 * HOUR],
  [500, 16 * HOUR, true, 12 * HOUR],
  // Never past the last query.
  [9, 63 * HOUR, true, 8 * HOUR],
  [1, 71 * HOUR - 1, false, 1],
  // At the last query: once the carrier answers, it is not asked again; until then it is asked soon.
  [2, 71 * HOUR, true, undefined],
  [2, 71 * HOUR, false, 900],
  [40, 77 * HOUR, false, 900],
  [40, 500 * HOUR, true, undefined],
] as const;
for (const [askedCount, ageSeconds, isAnswered, expected] of rows) {
  const when = `asked ${askedCount} times, ${ageSeconds / HOUR} h old, ${isAnswered ? 'no word yet' : 'no answer'}`;
  test(`${when}: ${expected === undefined ? 'never again' : `again after ${expected} s`}`, () => {
    expect(nextAskAfterSeconds({ askedCount, ageSeconds, isAnswered })).toBe(expected);
  });
}

test('a message that stays silent is asked about ten times before it is given up, the last time at 71 hours', () => {
  const ages: number[] = [];
  let age: number | undefined = 600;
  while (age !== undefined) {
    ages.push(age);
    const after = nextAskAfterSeconds({ askedCount: ages.length, ageSeconds: age, isAnswered: true });
    age = after === undefined ? undefined : age + after;
  }
  expect(ages).toHaveLength(10);
  expect(ages.at(-1)).toBe(71 * HOUR);
});
