import { expect, test } from 'vitest';
import { destroyableFrom, endOfMonth, isMonth, mayDestroy, monthOf, monthsNeeded } from './month.ts';

test('a month is that of UTC, whatever the zone of the machine', () => {
  expect(monthOf(new Date('2026-11-30T23:59:59.999Z'))).toBe('2026-11');
  expect(monthOf(new Date('2026-12-01T00:00:00Z'))).toBe('2026-12');
  expect(new Date(endOfMonth('2026-12')).toISOString()).toBe('2027-01-01T00:00:00.000Z');
});

test.each([
  ['2026-11', true],
  ['2026-00', false],
  ['2026-13', false],
  ['2026-1', false],
  ['2026-11-01', false],
  ['../2026-11', false],
])('%s is a month: %s', (text, expected) => expect(isMonth(text)).toBe(expected));

test('the next month is needed in the last seven days', () => {
  expect(monthsNeeded(new Date('2026-11-23T23:59:59Z'))).toEqual(['2026-11']);
  expect(monthsNeeded(new Date('2026-11-24T00:00:00Z'))).toEqual(['2026-11', '2026-12']);
  expect(monthsNeeded(new Date('2026-12-31T12:00:00Z'))).toEqual(['2026-12', '2027-01']);
});

const rows = [
  // live rows, longest retention, now, expected
  [0, 90, '2026-12-01T23:59:59Z', 'too-young'],
  [0, 90, '2026-12-02T00:00:00Z', true],
  [1, 90, '2026-12-02T00:00:00Z', 'live-rows'],
  [1, 90, '2026-09-01T00:00:00Z', 'too-young'],
  [0, 0, '2026-09-02T23:59:59Z', 'too-young'],
  [0, 0, '2026-09-03T00:00:00Z', true],
] as const;
test.each(rows)('2026-08 with %i live rows, %i days, at %s: %s', (liveRows, days, now, expected) => {
  const judged = mayDestroy({ month: '2026-08', liveRows }, days, new Date(now));
  expect(judged.may ? true : judged.because).toBe(expected);
});

test('a month may go when the longest retention after its end and two days are over', () => {
  expect(destroyableFrom('2026-08', 90).toISOString()).toBe('2026-12-02T00:00:00.000Z');
});
