import { expect, test } from 'vitest';
import { clockOffsetMs } from './clock-watch.ts';

test.each([
  // asked, the database's time, answered, offset
  [1_000, 1_005, 1_010, 0],
  [1_000, 1_000, 1_000, 0],
  // A slow answer says less, and does not count as a wrong clock.
  [1_000, 40_000, 61_000, 0],
  [100_000, 50_000, 100_010, 50_000],
  [100_000, 150_010, 100_010, -50_000],
])('asked at %d, told %d, answered at %d: %d ms ahead', (asked, database, answered, expected) => {
  expect(clockOffsetMs(asked, database, answered)).toBe(expected);
});
