// The rules of documents as tables: disagreement, names, letters, dates, money, and the places on the chart.
import { describe, expect, test } from 'vitest';
import { atLondon, durationWords, longDay, shortDay, sixYearsBefore } from './dates.ts';
import { datesDiffer, eitherDiffers, statusesDiffer, sumsDiffer, wordsDiffer } from './disagreement.ts';
import { drawnLetter, plainLetters } from './letters.ts';
import { money } from './money.ts';
import { calmName, holderName } from './names.ts';
import { type Span, timelineOf } from './timeline.ts';

describe('amounts differ only beyond rounding', () => {
  const pounds = (pence: number) => ({ pence, stepPence: 100 as const });
  const exact = (pence: number) => ({ pence, stepPence: 1 as const });
  for (const [told, expected] of [
    [[], null],
    [[exact(1)], null],
    [[exact(840_599), exact(840_599)], false],
    [[exact(840_599), exact(840_600)], true],
    [[pounds(840_500), exact(840_599)], false], // cut
    [[pounds(840_600), exact(840_599)], false], // rounded
    [[pounds(840_500), pounds(840_600)], false], // one cut it, the other rounded it
    [[pounds(840_500), pounds(840_700)], true],
    [[pounds(840_700), exact(840_599)], true],
    [[pounds(840_500), exact(840_599), pounds(840_700)], true],
  ] as const) {
    test(`${JSON.stringify(told.map(({ pence }) => pence))}: ${expected}`, () =>
      expect(sumsDiffer(told)).toBe(expected));
  }
});

describe('a month agrees with every day of it', () => {
  for (const [told, expected] of [
    [['2023-04'], null],
    [['2023-04', '2023-04-05'], false],
    [['2023-04-05', '2023-04'], false],
    [['2023-04-05', '2023-04-06'], true],
    [['2023-04', '2023-05-01'], true],
    [['2023-04', '2023-04-05', '2023-04-06'], true],
  ] as const) {
    test(`${told}: ${expected}`, () => expect(datesDiffer(told)).toBe(expected));
  }
});

describe('a status that is not known or is looked into contradicts no other', () => {
  for (const [told, expected] of [
    [['open', 'open'], false],
    [['open', 'settled'], true],
    [['open', 'unknown'], null],
    [['query', 'settled'], null],
    [['unknown', 'query'], null],
    [['open', 'unknown', 'open'], false],
    [['open', 'query', 'settled'], true],
  ] as const) {
    test(`${told}: ${expected}`, () => expect(statusesDiffer(told)).toBe(expected));
  }
});

test('words differ where they are not the same, and two comparisons differ if either does', () => {
  expect(wordsDiffer(['open', 'open'])).toBe(false);
  expect(wordsDiffer(['open', 'settled'])).toBe(true);
  for (const [a, b, expected] of [
    [null, null, null],
    [null, false, false],
    [true, null, true],
    [false, true, true],
  ] as const) {
    expect(eitherDiffers(a, b)).toBe(expected);
  }
});

describe('names', () => {
  for (const [text, own, expected] of [
    ['NIA', 'Nia', 'Nia'],
    ['MACDONALD', 'MacDonald', 'MacDonald'], // the consumer's own spelling
    ['MACDONALD', 'Shaw', 'Macdonald'],
    ['MCGREGOR', null, 'McGregor'],
    ["O'DOWD", null, "O'Dowd"],
    ['O’DOWD', null, 'O’Dowd'],
    ["JAMES'S", null, "James's"],
    ['LLOYD-PARRY', null, 'Lloyd-Parry'],
    ['ŴYN', null, 'Ŵyn'],
    ['Nia', 'NIA', 'NIA'],
    ['de Souza', null, 'de Souza'],
    ['J', null, 'J'],
  ] as const) {
    test(`${text} beside ${own}: ${expected}`, () => expect(calmName(text, own)).toBe(expected));
  }
  test('a name without parts is no name', () => {
    const own = { title: 'Ms', firstName: 'Nia', lastName: 'Shaw' };
    expect(holderName({ title: null, firstName: null, lastName: null }, own)).toBeNull();
    expect(holderName({ title: 'MS', firstName: 'N', lastName: 'SHAW' }, own)).toBe('Ms N Shaw');
  });
});

describe('letters', () => {
  for (const [text, expected] of [
    ['e\u0301', 'é'],
    ['a\u202Eb\u202Cc', 'abc'],
    ['zero\u200Bwidth\u0000', 'zerowidth'],
    ['two\nlines\u2028three', 'two lines three'],
    ['half \uD800 pair', 'half \uFFFD pair'],
    [`x${'\u0323'.repeat(9)}`, 'x\u0323\u0323'],
    ['Tŷ ŁÓDŹ Şahin £5', 'Tŷ ŁÓDŹ Şahin £5'],
  ] as const) {
    test(JSON.stringify(text), () => expect(plainLetters(text)).toBe(expected));
  }
  const has = (code: number) => code < 0x180;
  for (const [letter, expected] of [
    ['ŵ', 'ŵ'],
    ['ǎ', 'a'],
    ['ﬁ', 'fi'],
    ['Ⅳ', 'IV'],
    ['王', '?'],
    ['😀', '?'],
    ['\u0323', ''],
  ] as const) {
    test(`${letter} in a font of Latin letters: ${expected}`, () => expect(drawnLetter(letter, has)).toBe(expected));
  }
});

test('days and times', () => {
  expect(longDay('2023-08-21')).toBe('21 August 2023');
  expect(shortDay('2023-08')).toBe('Aug 2023');
  expect(longDay('2026-05-04T00:00:00.000Z')).toBe('4 May 2026');
  expect(atLondon(new Date('2026-06-30T23:30:00Z'))).toEqual({ day: '2026-07-01', time: '00:30', seconds: '00:30:00' });
  expect(sixYearsBefore('2026-06-01')).toBe('2020-06-01');
  expect(sixYearsBefore('2028-02-29')).toBe('2022-02-28');
  expect(sixYearsBefore('2028-12-29')).toBe('2022-12-29');
  for (const [years, months, expected] of [
    [null, null, null],
    [0, 0, 'less than a month'],
    [1, 0, '1 year'],
    [4, 3, '4 years, 3 months'],
    [null, 1, '1 month'],
  ] as const) {
    expect(durationWords(years, months)).toBe(expected);
  }
  expect([money(840_600, 100), money(840_650, 100), money(5), money(0)]).toEqual([
    '£8,406',
    '£8,406.50',
    '£0.05',
    '£0.00',
  ]);
});

describe('the chart', () => {
  const at = { day: '2026-06-01', limitDay: '2020-06-01', limitWords: '1 June 2020', carFinanceInAll: 1 };
  const span = (changes: Partial<Span>): Span => ({
    ...{ number: 1, lender: 'Kestrel', from: '2020-01-01', to: '2023-01-01', isRunning: false },
    ...changes,
  });
  const barOf = (changes: Partial<Span>) => timelineOf([span(changes)], at).chart?.bars[0];
  test('an agreement that runs ends today with an arrow; one without an end shows only its start', () => {
    expect(barOf({ to: null, isRunning: true })).toMatchObject({ end: 'running', to: 0.9707 });
    const unknown = barOf({ to: null });
    expect(unknown).toMatchObject({ end: 'unknown', label: '1  Kestrel (end not given)' });
    expect((unknown?.to ?? 0) - (unknown?.from ?? 0)).toBeLessThan(0.01);
  });
  test('an agreement from before 2007 begins at the edge with an arrow', () => {
    expect(barOf({ from: '2001-05-01' })).toMatchObject({ from: 0, beganEarlier: true });
  });
  test('a label stands where there is room', () => {
    expect(barOf({})).toMatchObject({ labelAt: 'before' });
    expect(barOf({ from: '2007-03-01', to: '2010-01-01' })).toMatchObject({ labelAt: 'after' });
    expect(barOf({ from: '2007-03-01', to: '2026-01-01' })).toMatchObject({ labelAt: 'inside' });
  });
  test('an agreement without a start is named beside it, and more than twenty are said to be left out', () => {
    const undated = timelineOf([span({ from: null, number: 7 })], at);
    expect(undated.chart).toBeUndefined();
    expect(undated.notes[0]?.text).toBe('Not on the chart, because no agency says when it started: 7.');
    const many = timelineOf(
      Array.from({ length: 21 }, () => span({})),
      { ...at, carFinanceInAll: 22 },
    );
    expect(many.chart?.bars).toHaveLength(20);
    expect(many.notes[0]?.text).toBe('The chart shows the 20 newest of 22 agreements.');
  });
});
