import { expect, test } from 'vitest';
import {
  describeTime,
  formatAgo,
  formatDate,
  formatTime,
  londonDay,
  londonInstant,
  londonMinute,
  monthPeriod,
  shiftMonth,
} from './time.ts';

const now = new Date('2026-09-17T13:32:08Z');

test('times are London’s, whatever zone the machine has', () => {
  expect(formatTime('2026-09-17T13:22:22Z', now)).toBe('14:22');
  expect(formatTime('2026-09-16T22:30:00Z', now)).toBe('Yesterday, 23:30');
  expect(formatTime('2026-09-16T23:30:00Z', now)).toBe('00:30');
  expect(formatTime('2026-01-03T09:14:00Z', now)).toBe('3 Jan, 09:14');
  expect(formatTime('2025-12-31T09:14:00Z', now)).toBe('31 Dec 2025, 09:14');
});

test('yesterday is yesterday on the days of 25 and of 23 hours too', () => {
  const afterLongDay = new Date('2026-10-26T00:10:00Z');
  expect(formatTime('2026-10-25T00:30:00Z', afterLongDay)).toBe('Yesterday, 01:30');
  const afterShortDay = new Date('2026-03-29T23:30:00Z');
  expect(formatTime('2026-03-29T12:00:00Z', afterShortDay)).toBe('Yesterday, 13:00');
  expect(formatTime('2026-03-28T23:30:00Z', afterShortDay)).toBe('28 Mar, 23:30');
});

test('the hint names the zone, UTC and the age', () => {
  expect(describeTime('2026-09-17T13:22:22Z', now)).toBe(
    'Thu, 17 Sept 2026, 14:22:22 BST\n13:22:22 UTC · 9 minutes ago',
  );
});

test('ages are whole units', () => {
  expect(formatAgo('2026-09-17T13:32:07Z', now)).toBe('1 second ago');
  expect(formatAgo('2026-09-17T11:33:00Z', now)).toBe('1 hour ago');
  expect(formatAgo('2026-09-19T14:00:00Z', now)).toBe('in 2 days');
});

test('a date has no zone', () => {
  expect(formatDate('1984-03-09')).toBe('9 Mar 1984');
  expect(londonDay('2026-06-30T23:30:00Z')).toBe('2026-07-01');
});

test('a month is London’s, from its first instant to the next month’s', () => {
  expect(monthPeriod('2026-01')).toEqual({ from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' });
  expect(monthPeriod('2026-07')).toEqual({ from: '2026-06-30T23:00:00.000Z', to: '2026-07-31T23:00:00.000Z' });
  // The clocks change inside these two.
  expect(monthPeriod('2026-03')).toEqual({ from: '2026-03-01T00:00:00.000Z', to: '2026-03-31T23:00:00.000Z' });
  expect(monthPeriod('2026-10')).toEqual({ from: '2026-09-30T23:00:00.000Z', to: '2026-11-01T00:00:00.000Z' });
  expect([shiftMonth('2026-01', -1), shiftMonth('2026-12', 1)]).toEqual(['2025-12', '2027-01']);
});

test('a time that was typed is one of London’s clocks', () => {
  expect(londonInstant('2026-09-17T14:30')).toBe('2026-09-17T13:30:00.000Z');
  expect(londonInstant('2026-01-03T09:14')).toBe('2026-01-03T09:14:00.000Z');
  // The clocks go back at two on 25 October: this hour comes twice.
  expect(londonInstant('2026-10-25T01:30')).toBe('2026-10-25T00:30:00.000Z');
  expect(londonInstant('')).toBeUndefined();
  expect(londonMinute(new Date('2026-09-17T23:30:00Z'))).toBe('2026-09-18T00:30');
});
