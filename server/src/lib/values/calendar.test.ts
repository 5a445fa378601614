import { expect, test } from 'vitest';
import { costGrowth, GROWTH_MAX } from '../../../../tools/testing/cost-growth.ts';
import { ageOn, isAdultDate, isCalendarDate } from './calendar.ts';

const dates = [
  // text, is a calendar date
  ['1984-03-09', true],
  ['2024-02-29', true],
  ['2023-02-29', false],
  ['2000-02-29', true], // a century divisible by 400
  ['1900-02-29', false], // and one that is not
  ['1984-02-30', false],
  ['1984-01-31', true],
  ['1984-01-32', false],
  ['1984-04-30', true],
  ['1984-04-31', false],
  ['1984-06-31', false],
  ['1984-09-31', false],
  ['1984-11-31', false],
  ['1984-12-31', true],
  ['1984-13-01', false],
  ['1984-00-01', false],
  ['1984-01-00', false],
  ['0000-01-01', false], // there was no year 0
  ['0001-01-01', true],
  ['9999-12-31', true],
  ['1984-3-9', false],
  ['84-03-09', false],
  ['1984/03/09', false],
  ['19840309', false],
  ['09-03-1984', false],
  ['1984-03-09T00:00:00Z', false],
  ['1984-03-09 ', false],
  [' 1984-03-09', false],
  ['1984-03-09\n', false],
  ['+01984-03-09', false],
  ['-1984-03-09', false],
  ['198\uff14-03-09', false], // a full-width digit
  ['', false],
] as const;
for (const [text, expected] of dates) {
  test(`${JSON.stringify(text)} is ${expected ? '' : 'not '}a calendar date`, () => {
    expect(isCalendarDate(text)).toBe(expected);
  });
}

const ages = [
  // born, today, whole years
  ['1984-03-09', '2026-03-08', 41],
  ['1984-03-09', '2026-03-09', 42],
  ['1984-03-09', '2026-12-31', 42],
  ['1984-12-31', '2026-01-01', 41],
  ['2008-02-29', '2026-02-28', 17], // a leap-day birth comes of age on 1 March
  ['2008-02-29', '2026-03-01', 18],
  ['2008-02-29', '2028-02-28', 19],
  ['2008-02-29', '2028-02-29', 20], // and has its own day in a leap year
  ['2026-03-09', '2026-03-09', 0],
  ['2026-03-10', '2026-03-09', -1],
] as const;
for (const [born, today, years] of ages) {
  test(`born ${born}, on ${today}: ${years}`, () => {
    expect(ageOn(born, today)).toBe(years);
  });
}

const adults = [
  // born, now, accepted
  ['2008-06-15', '2026-06-14T23:59:59.999Z', false], // the last instant of 17
  ['2008-06-15', '2026-06-15T00:00:00.000Z', true],
  ['2008-06-15', '2026-06-15T00:30:00.000+01:00', false], // still the 14th in UTC
  ['2008-02-29', '2026-02-28T12:00:00Z', false],
  ['2008-02-29', '2026-03-01T00:00:00Z', true],
  ['1906-06-15', '2026-06-15T00:00:00Z', true], // exactly 120
  ['1905-06-16', '2026-06-15T23:59:59.999Z', true], // the last day of 120
  ['1905-06-15', '2026-06-15T00:00:00Z', false], // 121
  ['2026-06-15', '2026-06-15T00:00:00Z', false],
  ['2030-01-01', '2026-06-15T00:00:00Z', false],
  ['1984-02-30', '2026-06-15T00:00:00Z', false],
  ['not a date', '2026-06-15T00:00:00Z', false],
] as const;
for (const [born, now, expected] of adults) {
  test(`born ${born}, at ${now}: ${expected ? 'accepted' : 'refused'} as an adult`, () => {
    expect(isAdultDate(born, new Date(now))).toBe(expected);
  });
}

const hostile = ['1'.repeat(1e5), '-'.repeat(1e5), `1984-03-09${' '.repeat(1e5)}`, '1984-'.repeat(2e4)];
for (const text of hostile) {
  test(`100 kB of ${JSON.stringify(text.slice(0, 12))} is refused, at a cost that grows with its length`, async () => {
    const now = new Date('2026-06-15T00:00:00Z');
    expect(isAdultDate(text, now)).toBe(false);
    expect(await costGrowth(text, (given) => isAdultDate(given, now))).toBeLessThanOrEqual(GROWTH_MAX);
  });
}
