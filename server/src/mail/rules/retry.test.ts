import { expect, test } from 'vitest';
import { isStale, retryAfterSeconds } from './retry.ts';

const retries: [number, number, number | undefined][] = [
  [1, 0, 60],
  [2, 60, 300],
  [3, 360, 1_500],
  [4, 1_860, 7_500],
  [5, 9_360, 21_600],
  [6, 30_960, 21_600],
  [9, 86_400 - 21_600, 21_600],
  [9, 86_400 - 21_600 + 1, undefined],
];
for (const [attempts, age, expected] of retries) {
  test(`after attempt ${attempts} at ${age} s: ${expected === undefined ? 'given up' : `again in ${expected} s`}`, () => {
    expect(retryAfterSeconds(attempts, age)).toBe(expected);
  });
}

test('a mail that came too late to be of use is not sent', () => {
  expect([isStale('password-reset', 1_800), isStale('password-reset', 1_801)]).toEqual([false, true]);
  expect([isStale('password-changed', 86_400), isStale('factor-changed', 86_401)]).toEqual([false, true]);
  expect(isStale('invitation', 9 * 86_400)).toBe(false);
});
