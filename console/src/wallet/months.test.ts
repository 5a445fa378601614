import { expect, test } from 'vitest';
import { monthsToOffer, neighboursOf } from './months.ts';

test('the months that there are, newest first, and the one that the address names', () => {
  expect(monthsToOffer(['2026-09', '2026-08'], '2026-09', '2026-08')).toEqual(['2026-09', '2026-08']);
  expect(monthsToOffer([], '2026-01', '2026-01')).toEqual(['2026-01']);
  expect(monthsToOffer(['2026-09', '2026-08'], '2026-10', '2025-12')).toEqual([
    ...['2026-10', '2026-09', '2026-08', '2025-12'],
  ]);
});

test('there is nothing before the first month and nothing after the last', () => {
  const offered = ['2026-09', '2026-08', '2026-07'];
  expect(neighboursOf(offered, '2026-09')).toEqual({ before: '2026-08', after: undefined });
  expect(neighboursOf(offered, '2026-08')).toEqual({ before: '2026-07', after: '2026-09' });
  expect(neighboursOf(offered, '2026-07')).toEqual({ before: undefined, after: '2026-08' });
});
