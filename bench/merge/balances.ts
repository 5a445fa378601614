// What is owed on a day, and the monthly cost of an agreement. Sums and products only: the same pence on every machine.
import { monthsBetween } from './calendar.ts';
import { Random } from './random.ts';

export type BalanceShape =
  | { readonly kind: 'instalment'; readonly aprTenths: number }
  /** Spent and paid back: each month has its own figure, the same for every bureau in that month. */
  | { readonly kind: 'revolving'; readonly levelPence: number; readonly swingPercent: number; readonly salt: number }
  | { readonly kind: 'fixed'; readonly pence: number };

export type Loan = {
  readonly startDay: number;
  readonly startBalancePence: number | null;
  readonly paymentPence: number | null;
  readonly termMonths: number | null;
  readonly balloonPence: number | null;
  readonly balance: BalanceShape;
};

function growth(aprTenths: number, months: number): number {
  let factor = 1;
  for (let month = 0; month < months; month += 1) factor *= 1 + aprTenths / 12_000;
  return factor;
}

/** The regular instalment of a loan with an optional final payment in its last month. */
export function instalmentPence(amountPence: number, balloonPence: number, months: number, aprTenths: number): number {
  const grown = growth(aprTenths, months);
  return Math.round(((amountPence * grown - balloonPence) * (aprTenths / 12_000)) / (grown - 1));
}

/** The amount that a given instalment pays for when the final payment is a share of that amount. */
export function amountFor(paymentPence: number, balloonPercent: number, months: number, aprTenths: number): number {
  const grown = growth(aprTenths, months);
  return Math.round((paymentPence * (grown - 1)) / (aprTenths / 12_000) / (grown - balloonPercent / 100));
}

export function balanceOn(loan: Loan, day: number): number {
  const { balance } = loan;
  switch (balance.kind) {
    case 'fixed':
      return balance.pence;
    case 'revolving': {
      const month = Math.floor(day / 30.4375);
      const swing = new Random(balance.salt, month).between(-balance.swingPercent, balance.swingPercent);
      return Math.max(0, Math.round((balance.levelPence * (100 + swing)) / 100));
    }
    case 'instalment': {
      const months = Math.min(monthsBetween(loan.startDay, day), loan.termMonths ?? 0);
      const grown = growth(balance.aprTenths, months);
      const paid = ((loan.paymentPence ?? 0) * (grown - 1)) / (balance.aprTenths / 12_000);
      return Math.max(0, Math.round((loan.startBalancePence ?? 0) * grown - paid));
    }
    default:
      return balance satisfies never;
  }
}
