import { expect, test } from 'vitest';
import { countOf, formatAxis, formatCount, formatCredits, formatPence, formatSigned } from './money.ts';

test('credits become pounds, and a tenth of a penny is never rounded away', () => {
  expect(formatCredits(2_040)).toBe('£2.04');
  expect(formatCredits(-40)).toBe('−£0.04');
  expect(formatCredits(1_234)).toBe('£1.234');
  expect(formatCredits(-1)).toBe('−£0.001');
  expect(formatCredits(0)).toBe('£0.00');
  expect(formatCredits(5_187_560)).toBe('£5,187.56');
});

test('only money that comes in has a sign of its own', () => {
  expect(formatSigned(4_000_000)).toBe('+£4,000.00');
  expect(formatSigned(-2_000)).toBe('−£2.00');
  expect(formatSigned(0)).toBe('£0.00');
});

test('pounds along an axis have pence only where they need them', () => {
  expect([0, 500_000, 2_500, 1_250_000].map(formatAxis)).toEqual(['£0', '£500', '£2.50', '£1,250']);
});

test('pence and counts', () => {
  expect(formatPence(720_411)).toBe('£7,204.11');
  expect(formatPence(-5)).toBe('−£0.05');
  expect(formatCount(-2_000)).toBe('−2,000');
  expect([0, 1, 1_234].map((count) => countOf(count, 'line'))).toEqual(['0 lines', '1 line', '1,234 lines']);
});
