// The monthly record of an agreement: what the lender would have reported at the end of each month.
import { monthNumber, monthOf } from '../dates.ts';
import type { Random } from '../random.ts';
import type { Agreement, Month, MonthStatus } from './agreement.ts';

const HISTORY_MAX = 72;

const LAST_STATUS: Partial<Record<Agreement['state'], MonthStatus>> = {
  settled: 'settled',
  closed: 'settled',
  'partially-settled': 'settled',
  sold: 'default',
  default: 'default',
  'voluntary-termination': 'terminated',
  repossessed: 'repossessed',
  dormant: 'dormant',
  arrangement: 'arrangement',
  query: 'query',
};

/** Oldest first, at most six years. */
export function monthsOf(random: Random, terms: Omit<Agreement, 'months'>, asOf: string): readonly Month[] {
  const first = monthNumber(terms.opened) + 1;
  // The newest report is a month old.
  const last = Math.min(monthNumber(asOf) - 1, terms.ended ? monthNumber(terms.ended) : Number.POSITIVE_INFINITY);
  const defaulted = terms.default ? monthNumber(terms.default.on) : Number.POSITIVE_INFINITY;
  const months: Month[] = [];
  let late = 0;
  for (let month = first; month <= last; month++) {
    late = late > 0 ? (random.chance(0.6) ? 0 : Math.min(6, late + 1)) : random.chance(0.012) ? 1 : 0;
    const status = statusIn(terms, { month, first, last, defaulted, late }, random);
    months.push({ month: monthOf(month), status, balancePence: balanceIn(terms, month, first, last, random) });
  }
  return months.slice(-HISTORY_MAX);
}

type Place = { month: number; first: number; last: number; defaulted: number; late: number };

function statusIn(terms: Omit<Agreement, 'months'>, place: Place, random: Random): MonthStatus {
  const { month, first, last, defaulted, late } = place;
  if (month >= defaulted && !(month === last && terms.ended)) return 'default';
  // Before a default the arrears grow by one month each month.
  if (month > defaulted - 7) return lateness(7 - (defaulted - month));
  if (month === last && LAST_STATUS[terms.state]) return LAST_STATUS[terms.state] ?? 'current';
  if (terms.state === 'behind' && month > last - terms.behind) return lateness(terms.behind - (last - month));
  if (terms.state === 'arrangement' && month > last - 6) return 'arrangement';
  if (terms.state === 'dormant' && month > last - 12) return 'dormant';
  if (month === first && random.chance(0.1)) return 'unclassified';
  if (random.chance(0.01)) return 'not-reported';
  return lateness(late);
}

function lateness(months: number): MonthStatus {
  const level = Math.max(0, Math.min(6, months));
  return level === 0 ? 'current' : (`late-${level}` as MonthStatus);
}

function balanceIn(
  terms: Omit<Agreement, 'months'>,
  month: number,
  first: number,
  last: number,
  random: Random,
): number {
  if (month === last) return terms.balancePence;
  if (terms.creditPence !== null && terms.termMonths) {
    const left = terms.creditPence - (terms.schedule?.lastPence ?? 0);
    return Math.max(0, terms.creditPence - Math.round((left * (month - first + 1)) / terms.termMonths));
  }
  return terms.limitPence ? random.int(0, terms.limitPence) : random.int(0, 15_000);
}
