import { expect, test } from 'vitest';
import { lowAfter } from './low-balance.ts';

const THRESHOLD = 1_000;
const rows = [
  // threshold, told for, balance after, effect, by hand; told for, news
  ['no threshold', null, null, 0, -2_000, false, null, false],
  ['a threshold that was removed', null, 1_000, 0, -2_000, false, null, false],
  ['exactly the threshold left', THRESHOLD, null, 1_000, -2_000, false, null, false],
  ['one credit below it', THRESHOLD, null, 999, -1, false, 1_000, true],
  ['a further charge below it', THRESHOLD, 1_000, 500, -499, false, 1_000, false],
  ['a refund above it', THRESHOLD, 1_000, 2_500, 2_000, false, 1_000, false],
  ['a charge below it after a refund above it', THRESHOLD, 1_000, 500, -2_000, false, 1_000, false],
  ['a top-up above it', THRESHOLD, 1_000, 5_000, 4_500, true, null, false],
  ['a top-up that does not reach it', THRESHOLD, 1_000, 900, 400, true, 1_000, false],
  ['a charge below it after a top-up above it', THRESHOLD, null, 999, -4_001, false, 1_000, true],
  ['a correction by hand below it', THRESHOLD, null, 10, -990, true, 1_000, true],
  ['a higher threshold, at the next charge', 5_000, 1_000, 900, -40, false, 5_000, true],
  ['a lower threshold that the balance is above', 500, 1_000, 900, -40, false, null, false],
  ['a threshold set on a wallet below it, at a top-up', THRESHOLD, null, 900, 400, true, null, false],
  ['a charge of nothing', THRESHOLD, null, 900, -0, false, null, false],
] as const;
for (const [name, threshold, toldFor, balance, effect, isByHand, nextToldFor, isNews] of rows) {
  test(`${name}: ${isNews ? 'told' : 'not told'}`, () => {
    expect(lowAfter({ threshold, toldFor }, { balance, effect, isByHand })).toEqual({ toldFor: nextToldFor, isNews });
  });
}
