import { expect, test } from 'vitest';
import { type AccountRecord, divideRecords, numberEnding, paymentWords, tenureOf } from './report-parts.ts';

const record = (changes: Partial<AccountRecord>): AccountRecord => ({
  title: null,
  firstName: null,
  lastName: null,
  accountNumber: null,
  accountType: 'credit-card',
  accountStatus: 'open',
  companyType: 'bank',
  companyName: 'Kestrel Bank',
  numberOfPayments: null,
  repaymentPeriod: null,
  payment: null,
  startBalance: null,
  balance: { amount: 100, currency: 'GBP' },
  startDate: null,
  bureaus: [{ id: 'equifax', ref: 'a' }],
  ...changes,
});

test('car finance comes first, whether it runs or has ended; the rest is divided by that', () => {
  const [hire, lease, open, settled] = [
    record({ accountType: 'hire-purchase', accountStatus: 'settled' }),
    record({ accountType: 'lease' }),
    record({}),
    record({ accountStatus: 'settled' }),
  ];
  expect(divideRecords([open, hire, settled, lease])).toEqual({
    cars: [hire, lease],
    open: [open],
    closed: [settled],
    owedPence: 200,
  });
});

test.each([
  ['£289.14 a month', 49, 49],
  // Fewer months than payments, or no months that a bureau gives: how often is not known.
  ['£289.14 × 208', 208, 48],
  ['£289.14 × 49', 49, null],
  ['£289.14', null, 48],
])('a payment is %s, with %j payments in %j months', (words, numberOfPayments, repaymentPeriod) => {
  const payment = { amount: 28_914, currency: 'GBP' } as const;
  expect(paymentWords(record({ payment, numberOfPayments, repaymentPeriod }))).toBe(words);
});

test('a balance that no bureau gives leaves the sum unknown', () => {
  expect(divideRecords([record({ accountType: 'lease', balance: null })]).owedPence).toBeUndefined();
  expect(divideRecords([]).owedPence).toBe(0);
});

test('the time at an address, as far as it is known', () => {
  const at = (yearsAtAddress: number | null, monthsAtAddress: number | null, isCurrent: boolean) =>
    tenureOf({ yearsAtAddress, monthsAtAddress, isCurrent } as Parameters<typeof tenureOf>[0]);
  expect(at(6, 8, true)).toBe('For 6 years and 8 months');
  expect(at(1, 0, false)).toBe('Lived here for 1 year');
  expect(at(0, 1, true)).toBe('For 1 month');
  expect(at(null, null, true)).toBe('Lives here now');
  expect(at(null, null, false)).toBe('Lived here before');
});

test('only the end of an account number is shown', () => {
  expect(numberEnding('****4821')).toBe('ending 4821');
  expect(numberEnding('12345678')).toBe('ending 5678');
  expect(numberEnding(null)).toBe('number not given');
});
