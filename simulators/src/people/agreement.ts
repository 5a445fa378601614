// One true agreement, and the small calculations that every kind of agreement needs.
import { addDays, dayNumber } from '../dates.ts';
import type { Random } from '../random.ts';
import type { Lender, Product } from './lenders.ts';

export type State =
  | 'open'
  | 'behind'
  | 'settled'
  | 'closed'
  | 'default'
  | 'arrangement'
  | 'dormant'
  | 'sold'
  | 'voluntary-termination'
  | 'repossessed'
  | 'partially-settled'
  | 'query'
  | 'unclassified';

export type MonthStatus =
  | 'current'
  | 'late-1'
  | 'late-2'
  | 'late-3'
  | 'late-4'
  | 'late-5'
  | 'late-6'
  | 'default'
  | 'settled'
  | 'arrangement'
  | 'terminated'
  | 'repossessed'
  | 'dormant'
  | 'query'
  | 'unclassified'
  | 'not-reported';

export type Month = { readonly month: string; readonly status: MonthStatus; readonly balancePence: number };

export type Schedule = {
  readonly count: number;
  readonly every: 'W' | 'M';
  readonly pence: number;
  readonly lastPence: number | null;
};

export type Agreement = {
  readonly lender: Lender;
  readonly product: Product;
  readonly number: string;
  readonly isJoint: boolean;
  readonly holder: 'self' | 'partner' | 'former-name';
  readonly opened: string;
  readonly ended: string | null;
  readonly state: State;
  /** The number of months, when `behind`. */
  readonly behind: number;
  readonly creditPence: number | null;
  readonly limitPence: number | null;
  readonly schedule: Schedule | null;
  readonly termMonths: number | null;
  readonly balancePence: number;
  readonly default: { readonly on: string; readonly pence: number } | null;
  readonly months: readonly Month[];
};

export type Terms = Omit<Agreement, 'months'>;

export function blank(random: Random, lender: Lender, product: Product, opened: string): Terms {
  const holder = random.weighted([
    ['self', 92],
    ['partner', 3],
    ['former-name', 5],
  ] as const);
  return {
    lender,
    product,
    number: '',
    isJoint: false,
    holder,
    opened,
    ended: null,
    state: 'open',
    behind: 0,
    creditPence: null,
    limitPence: null,
    schedule: null,
    termMonths: null,
    balancePence: 0,
    default: null,
  };
}

export function openState(random: Random): State {
  return random.weighted([
    ['open', 91],
    ['behind', 5],
    ['arrangement', 2],
    ['query', 1],
    ['unclassified', 1],
  ] as const);
}

export function between(random: Random, from: string, to: string): string {
  if (from >= to) return to;
  return addDays(from, random.int(0, dayNumber(to) - dayNumber(from)));
}

/** The level payment for the credit minus its last payment. `aprTenths`: 99 is 9.9 %. */
export function instalment(creditPence: number, lastPence: number, months: number, aprTenths: number): number {
  const rate = aprTenths / 12_000;
  let growth = 1;
  for (let month = 0; month < months; month++) growth *= 1 + rate;
  return Math.round(((creditPence * growth - lastPence) * rate) / (growth - 1));
}
