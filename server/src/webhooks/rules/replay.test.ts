import { expect, test } from 'vitest';
import { findTimeFaults, isWithin, reachedOf } from './replay.ts';

const at = (seconds: number) => new Date(Date.UTC(2026, 2, 2, 10) + seconds * 1_000);
const now = at(0);

const rows = [
  // since, until, paths of the faults
  [-60, undefined, []],
  [60, undefined, []], // the last instant that counts as now
  [61, undefined, ['/since']],
  [-60, 60, []],
  [-60, 61, ['/until']],
  [-60, -60, ['/until']], // nothing is in between
  [-60, -59, []],
  [90, 80, ['/since', '/until', '/until']],
] as const;
for (const [since, until, paths] of rows) {
  test(`since ${since} s, until ${until} s: ${paths.length} faults`, () => {
    const times = { since: at(since), until: until === undefined ? undefined : at(until) };
    expect(findTimeFaults(times, now).map(({ path }) => path)).toEqual(paths);
  });
}

test('since is inclusive, until is exclusive, and what was reached stays between them', () => {
  const times = { since: at(0), until: at(10) };
  expect([-1, 0, 9, 10].map((seconds) => isWithin(times, at(seconds)))).toEqual([false, true, true, false]);
  expect(isWithin({ since: at(0) }, at(1_000))).toBe(true);
  expect([-1, 0, 9, 20].map((seconds) => reachedOf(times, at(seconds)))).toEqual([undefined, at(0), at(9), at(10)]);
  expect(reachedOf({ since: at(0), until: null }, at(20))).toEqual(at(20));
  expect(reachedOf(times, undefined)).toBeUndefined();
});
