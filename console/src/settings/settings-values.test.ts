import { expect, test } from 'vitest';
import { countryName, poundsText, readLimit, readPounds, readWhole } from './settings-values.ts';

const days = { min: 0, max: 90 };

test.each([
  ['0', 0],
  [' 90 ', 90],
  ['91', undefined],
  ['-1', undefined],
  ['1.5', undefined],
  ['', undefined],
  ['1e1', undefined],
])('%j days: %s', (text, expected) => {
  const read = readWhole(text, days);
  expect('value' in read ? read.value : undefined).toBe(expected);
});

test('an empty limit is the agreed one; a higher one is a fault', () => {
  expect(readLimit('', 1_000)).toEqual({ value: null });
  expect(readLimit('1,000', 1_000)).toEqual({ value: 1_000 });
  expect(readLimit('1001', 1_000)).toEqual({ fault: 'Enter a whole number, at most 1,000 as agreed.' });
});

test.each([
  ['50', 50_000],
  ['£1,250.50', 1_250_500],
  ['0.001', 1],
  ['0.0001', undefined],
  ['fifty', undefined],
])('%j in credits: %s', (text, credits) => {
  expect(readPounds(text)).toBe(credits);
});

test('credits in a field are pounds, with tenths of a penny where there are any', () => {
  expect([poundsText(50_000), poundsText(50_001), poundsText(null)]).toEqual(['50.00', '50.001', '']);
});

test('countries have names', () => {
  expect(countryName('IE')).toBe('Ireland');
});
