import { expect, test } from 'vitest';
import { formatRunway, runwayDays } from './runway.ts';

const rows = [
  // available, spent in the last seven days, what is said
  [5_187_560, 1_981_960, 'About 18 days'],
  [1_890_000, 700_000, 'About 18 days'], // rounded down
  [0, 700_000, 'Less than a day'],
  [-5_000, 700_000, 'Less than a day'],
  [99_999, 700_000, 'Less than a day'],
  [100_000, 700_000, 'About 1 day'],
  [199_999, 700_000, 'About 1 day'],
  [200_000, 700_000, 'About 2 days'],
  [3_100_000, 700_000, 'About 31 days'],
  [3_200_000, 700_000, 'About 4 weeks'],
  [36_399_999, 700_000, 'About 51 weeks'],
  [36_400_000, 700_000, 'A year or more'],
  [1, 0, undefined],
  [1, -2_000, undefined],
] as const;
for (const [available, week, words] of rows) {
  test(`${available} credits at ${week} a week: ${words}`, () => {
    const days = runwayDays(available, week);
    expect(days === undefined ? undefined : formatRunway(days)).toBe(words);
  });
}
