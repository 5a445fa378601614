import { describe, expect, test } from 'vitest';
import { fromBeaconDate } from './beacon/accounts.ts';
import { decimalToPence } from './cygnet/accounts.ts';
import { fromCygnetDate, wholeMonths } from './cygnet/dates.ts';
import {
  createNotes,
  createRefs,
  isoDay,
  monthsOf,
  readCode,
  readCount,
  readDate,
  readPence,
  readText,
  splitName,
} from './reply-values.ts';

const UNREADABLE = [{ field: 'f', kind: 'unreadable-value', count: 1 }];

describe('money', () => {
  const rows = [
    ['289.14', 28_914],
    ['289.1', 28_910],
    ['0.00', 0],
    ['-12.50', -1_250],
    ['14250', 1_425_000],
    ['0.29', 29],
    ['10000000000.00', 1_000_000_000_000],
    ['10000000000.01', null],
    ['9223372036854775808', null],
    ['1e5', null],
    ['12.345', null],
    ['1,000.00', null],
    [' 1', null],
    ['NaN', null],
    [289.14, null],
  ] as const;
  for (const [sent, pence] of rows) {
    test(`${JSON.stringify(sent)} is ${pence} pence`, () => {
      const notes = createNotes();
      expect(readPence(notes, 'f', sent, decimalToPence)).toBe(pence);
      expect(notes.warnings).toEqual(pence === null ? UNREADABLE : []);
    });
  }
});

describe('dates', () => {
  const rows = [
    [isoDay, '2019-02-18', '2019-02-18'],
    [isoDay, '2019-02-30', null],
    [isoDay, '2019-02', null],
    [isoDay, '1899-12-31', null],
    [fromBeaconDate, '18022019', '2019-02-18'],
    [fromBeaconDate, '00022019', '2019-02'],
    [fromBeaconDate, '29022019', null],
    [fromBeaconDate, '29022020', '2020-02-29'],
    [fromBeaconDate, '00132019', null],
    [fromBeaconDate, '1802201', null],
    [fromCygnetDate, '2019-02', '2019-02'],
    [fromCygnetDate, '2019-07-18T00:00:00+01:00', '2019-07-18'],
    [fromCygnetDate, '2019-07-18T23:30:00Z', '2019-07-18'],
    [fromCygnetDate, '2019-07-18T00:00:00', null],
    [fromCygnetDate, '2019-02-29T00:00:00Z', null],
    [fromCygnetDate, 20190718, null],
  ] as const;
  for (const [form, sent, date] of rows) {
    test(`${JSON.stringify(sent)} is ${date}`, () => {
      const notes = createNotes();
      expect(readDate(notes, 'f', sent, form)).toBe(date);
      expect(notes.warnings).toEqual(date === null ? UNREADABLE : []);
    });
  }

  test('whole months between two of them', () => {
    expect(wholeMonths('2020-01-20', '2026-06-01')).toBe(76);
    expect(wholeMonths('2020-01-20', '2020-02-20')).toBe(1);
    expect(wholeMonths('2020-01', '2020-02-01')).toBe(1);
    expect(wholeMonths('2020-02-20', '2020-01-20')).toBeNull();
  });
});

test('texts are one line, composed, and cut', () => {
  const read = (value: unknown) => readText(createNotes(), 'f', value, 10);
  expect(read('  JON \n\t ALDEN ')).toBe('JON ALDEN');
  expect(read('\u202eNEDLA')).toBe('NEDLA');
  expect(read('e\u0301')).toBe('é');
  expect(read('😀'.repeat(20))).toBe('😀'.repeat(10));
  expect(read('\ud800x')).toBe('\ufffdx');
  expect(read('\u0000')).toBeNull();
  expect(read(7)).toBeNull();
});

test('an unknown code is the fallback and counted; a word of the language is unknown too', () => {
  const table = new Map([['A', 'open' as const]]);
  for (const code of ['B', 'constructor', '', undefined, 7]) {
    const notes = createNotes();
    expect(readCode<'open' | 'unknown'>(notes, 'f', code, { table, fallback: 'unknown' })).toBe('unknown');
    expect(notes.warnings).toEqual([{ field: 'f', kind: 'unknown-code', count: 1 }]);
  }
});

test('counts are whole, and within reason', () => {
  const read = (value: unknown) => readCount(createNotes(), 'f', value, 999);
  expect(['049', 49, '0', '1000', 49.5, -1, '-1', 'x'].map(read)).toEqual([49, 49, 0, null, null, null, null, null]);
});

test('every row gets a reference of its own', () => {
  const notes = createNotes();
  const next = createRefs(notes);
  const refs = ['A', 'A', 'A#2', 'A', undefined, '', 7, 'row-5', 'B'].map(next);
  expect(refs).toEqual(['A', 'A#2', 'A#2#2', 'A#3', 'row-5', 'row-6', 'row-7', 'row-5#2', 'B']);
  expect(notes.warnings).toContainEqual({ field: 'account.ref', kind: 'duplicate-ref', count: 4 });
});

test('warnings are counted by field and kind', () => {
  const notes = createNotes();
  for (let count = 0; count < 1_000; count++) notes.warn('f', 'unknown-code');
  notes.warn('f', 'unreadable-value');
  notes.warn('g', 'unknown-code');
  expect(notes.warnings).toEqual([
    { field: 'f', kind: 'unknown-code', count: 1_000 },
    { field: 'f', kind: 'unreadable-value', count: 1 },
    { field: 'g', kind: 'unknown-code', count: 1 },
  ]);
});

test('a name in one text: title, one first name, the rest', () => {
  expect(splitName('MRS ANNE VAN DER BERG')).toEqual({ title: 'MRS', firstName: 'ANNE', lastName: 'VAN DER BERG' });
  expect(splitName('JON ALDEN')).toEqual({ title: null, firstName: 'JON', lastName: 'ALDEN' });
  expect(splitName('MR ALDEN')).toEqual({ title: 'MR', firstName: null, lastName: 'ALDEN' });
  expect(splitName(null)).toEqual({ title: null, firstName: null, lastName: null });
});

test('payments to months, to the nearest', () => {
  expect([monthsOf(49, [1, 1]), monthsOf(52, [12, 52]), monthsOf(26, [12, 26]), monthsOf(8, [3, 1])]).toEqual([
    49, 12, 12, 24,
  ]);
});
