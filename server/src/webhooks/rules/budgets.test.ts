// What a receiver gets (docs/decisions/0273-what-a-receiver-gets.md).
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  AHEAD_MAX_SECONDS,
  BUDGETS,
  choosePlace,
  holdSeconds,
  isRateFull,
  isRoomFor,
  ratePerMinute,
  roomOf,
} from './budgets.ts';

test.each([
  [0, 60],
  [99, 60],
  [100, 120],
  [200, 240],
  [600, 3_840],
  [700, 6_000],
  [1_000_000, 6_000],
])('after %i accepted messages a host gets %i a minute', (accepted, expected) => {
  expect(ratePerMinute(accepted, BUDGETS)).toBe(expected);
  expect(isRateFull(accepted, BUDGETS)).toBe(accepted >= 700);
});

test('no minute has more than eleven tenths of the rate, however often room is asked for', () => {
  const looks = fc.array(fc.double({ min: 0, max: 5, noNaN: true }), { minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(fc.constantFrom(60, 120, 3_840, 6_000), looks, (rate, pauses) => {
      let [now, nextFree] = [0, 0];
      const sent: [at: number, count: number][] = [];
      for (const pause of pauses) {
        now += pause;
        const count = roomOf(nextFree - now, rate);
        nextFree = Math.max(nextFree, now) + (count * 60) / rate;
        sent.push([now, count]);
      }
      for (const [from] of sent) {
        const inMinute = sent.filter(([at]) => at >= from && at < from + 60).reduce((sum, [, count]) => sum + count, 0);
        expect(inMinute).toBeLessThanOrEqual(rate * 1.1 + 1e-6);
      }
    }),
  );
});

test('a host that a claim does not skip has room for a message at least', () => {
  for (const rate of [60, 120, 6_000]) expect(roomOf(AHEAD_MAX_SECONDS, rate)).toBeGreaterThanOrEqual(1);
  expect(roomOf(6, 60)).toBe(0);
  expect(roomOf(-100, 60)).toBe(6);
});

test.each([
  [59, 59, true],
  [60, 10, false],
  [60, 9, true],
  [1_000, 9, true],
  [1_000, 10, false],
])('%i attempts of all companies, %i of this one: allowed is %s', (all, own, expected) => {
  expect(isRoomFor({ all, own }, { allMax: 60, ownMax: 10 })).toBe(expected);
});

test('of several places a proven one is chosen, and otherwise the first', () => {
  const found = ['192.0.2.1 443', '192.0.2.2 443'].map((place) => ({ place }));
  expect(choosePlace(found, ['192.0.2.9 443', '192.0.2.2 443'])).toBe(found[1]);
  expect(choosePlace(found, ['192.0.2.2 8443'])).toBe(found[0]);
  expect(choosePlace([], ['192.0.2.2 443'])).toBeUndefined();
});

test('a host that is proven elsewhere is held for a minute at most', () => {
  expect([holdSeconds(3_000, []), holdSeconds(3_000, ['192.0.2.2 443']), holdSeconds(5, ['192.0.2.2 443'])]).toEqual([
    3_000, 60, 5,
  ]);
});
