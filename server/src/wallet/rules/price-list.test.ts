import { expect, test } from 'vitest';
import { type PriceRow, priceSteps } from './price-list.ts';

const at = (day: number) => new Date(Date.UTC(2026, 0, day));
const row = (source: 'list' | 'tenant', credits: number | null, day: number): PriceRow => ({
  source,
  credits,
  effectiveFrom: at(day),
  hasBegun: day <= 10,
});
const steps = (...rows: PriceRow[]) =>
  priceSteps(rows).map(({ source, credits, effectiveFrom }) => [source, credits, effectiveFrom.getUTCDate()]);

test('without a price of its own a tenant pays the list', () => {
  expect(steps(row('list', 600, 1), row('list', 650, 20))).toEqual([
    ['list', 600, 1],
    ['list', 650, 20],
  ]);
});

test('a price of its own hides what the list does meanwhile', () => {
  expect(steps(row('list', 600, 1), row('tenant', 500, 2), row('list', 650, 3), row('tenant', null, 4))).toEqual([
    ['list', 600, 1],
    ['tenant', 500, 2],
    ['list', 650, 4],
  ]);
});

test('a price of 0 is a price', () => {
  expect(steps(row('list', 600, 1), row('tenant', 0, 2))).toEqual([
    ['list', 600, 1],
    ['tenant', 0, 2],
  ]);
});

test('a row that changes nothing is no step; the same price from another list is one', () => {
  expect(steps(row('list', 600, 1), row('tenant', null, 2), row('list', 600, 3), row('tenant', 600, 4))).toEqual([
    ['list', 600, 1],
    ['tenant', 600, 4],
  ]);
});

test('two rows at one instant make one step, whichever comes first', () => {
  const start = [row('list', 600, 1), row('tenant', 500, 2)];
  for (const both of [
    [row('tenant', null, 3), row('list', 700, 3)],
    [row('list', 700, 3), row('tenant', null, 3)],
  ]) {
    expect(steps(...start, ...both)).toEqual([
      ['list', 600, 1],
      ['tenant', 500, 2],
      ['list', 700, 3],
    ]);
  }
});

test('nothing costs anything before it has a price', () => {
  expect(steps(row('tenant', null, 1))).toEqual([]);
});
