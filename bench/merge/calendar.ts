// Days as whole numbers since 1970-01-01, so that the generator adds and compares without a clock or a time zone.
const DAY_MS = 86_400_000;

/** The day of every synthetic report. */
export const REPORT_DAY = dayOf('2026-06-01');

export function dayOf(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / DAY_MS;
}

export function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

export function monthOf(day: number): string {
  return dateOf(day).slice(0, 7);
}

export function firstOfMonth(day: number): number {
  return dayOf(`${monthOf(day)}-01`);
}

/** The same day of a later month, or that month's last day where it is shorter. */
export function addMonths(day: number, months: number): number {
  const [year = 0, month = 0, dayOfMonth = 0] = dateOf(day).split('-').map(Number);
  const target = new Date(Date.UTC(year, month - 1 + months, 1));
  const last = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0)).getUTCDate();
  return target.getTime() / DAY_MS + Math.min(dayOfMonth, last) - 1;
}

/** Whole months from one day to a later one; never negative. */
export function monthsBetween(from: number, to: number): number {
  const [fromYear = 0, fromMonth = 0, fromDay = 0] = dateOf(from).split('-').map(Number);
  const [toYear = 0, toMonth = 0, toDay = 0] = dateOf(to).split('-').map(Number);
  return Math.max(0, (toYear - fromYear) * 12 + toMonth - fromMonth - (toDay < fromDay ? 1 : 0));
}
