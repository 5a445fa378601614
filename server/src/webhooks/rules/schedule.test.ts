import { expect, test } from 'vitest';
import { ATTEMPTS_MAX, isHopeless, nextDelaySeconds, pauseSeconds } from './schedule.ts';

const after = (attempts: number, retryAfter?: number, chance = 0.5) =>
  nextDelaySeconds({ attempts, attemptsMax: ATTEMPTS_MAX }, retryAfter, chance);

const delays: [number, number | undefined][] = [
  [1, 5],
  [2, 60],
  [3, 300],
  [4, 1_800],
  [5, 7_200],
  [6, 21_600],
  [7, 43_200],
  [8, 86_400],
  [9, 97_200],
  [10, undefined],
];
for (const [attempts, expected] of delays) {
  test(`after attempt ${attempts}: ${expected === undefined ? 'given up' : `again in ${expected} s`}`, () => {
    expect(after(attempts)).toEqual(expected === undefined ? undefined : expect.closeTo(expected, 6));
  });
}

test('ten attempts take three days, give or take the tenth that chance adds', () => {
  for (const chance of [0, 0.5, 1]) {
    const days = Array.from({ length: 9 }, (_, index) => after(index + 1, undefined, chance) ?? 0);
    const sum = days.reduce((all, each) => all + each, 0) / 86_400;
    expect(sum).toBeGreaterThan(2.6);
    expect(sum).toBeLessThan(3.4);
  }
});

test('chance moves a delay by a tenth at most, to both sides', () => {
  expect([after(2, undefined, 0), after(2, undefined, 1)]).toEqual([expect.closeTo(54, 6), expect.closeTo(66, 6)]);
});

const asked: [number, number | undefined, number][] = [
  [1, 0, 5],
  [1, 4, 5],
  [1, 120, 120],
  [1, 86_400, 86_400],
  [1, 86_401, 86_400],
  [9, 60, 97_200],
];
for (const [attempts, retryAfter, expected] of asked) {
  test(`after attempt ${attempts} with Retry-After ${retryAfter}: ${expected} s`, () => {
    expect(after(attempts, retryAfter)).toBeCloseTo(expected, 6);
  });
}

test('a last attempt is not repeated, whatever the receiver asks for', () => {
  expect(nextDelaySeconds({ attempts: 1, attemptsMax: 1 }, 60, 0.5)).toBeUndefined();
});

const pauses: [number, number | undefined, number][] = [
  [1, undefined, 0],
  [4, undefined, 0],
  [5, undefined, 1],
  [6, undefined, 2],
  [9, undefined, 16],
  [10, undefined, 30],
  [5_000, undefined, 30],
  [1, 90, 90],
  [1, 3_601, 3_600],
  [10, 5, 30],
];
for (const [failures, retryAfter, expected] of pauses) {
  test(`${failures} failures in a row, Retry-After ${retryAfter}: a pause of ${expected} s`, () => {
    expect(pauseSeconds(failures, retryAfter)).toBe(expected);
  });
}

test('an endpoint is hopeless when it has only failed for five days', () => {
  const now = new Date('2026-03-10T12:00:00Z');
  const since = (ms: number) => new Date(now.getTime() - ms);
  expect([isHopeless(since(432_000_000 - 1), now), isHopeless(since(432_000_000), now)]).toEqual([false, true]);
});
