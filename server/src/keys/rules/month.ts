// Months of working keys, in UTC: which one wraps at an instant, and from when on one may be destroyed.

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;
const DAY_MS = 86_400_000;
/** After the retention: a code that can still be replayed, the run of the job that deletes, and clocks that differ. */
const GRACE_DAYS = 2;
/** The next month's key is made this long before it is needed: longer than a key service is away. */
const AHEAD_MS = 7 * DAY_MS;

export const isMonth = (text: string) => MONTH.test(text);

export const monthOf = (at: Date) => at.toISOString().slice(0, 7);

/** The first instant after it, in milliseconds. */
export function endOfMonth(month: string): number {
  return Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 1);
}

/** The months whose keys must be at hand: this one, and near its end the next. */
export function monthsNeeded(now: Date): readonly string[] {
  const month = monthOf(now);
  const endMs = endOfMonth(month);
  return endMs - now.getTime() > AHEAD_MS ? [month] : [month, monthOf(new Date(endMs))];
}

/** From when on no tenant may still need a report of this month, with the longest retention of any. */
export function destroyableFrom(month: string, longestRetentionDays: number): Date {
  return new Date(endOfMonth(month) + (longestRetentionDays + GRACE_DAYS) * DAY_MS);
}

/** Only a key that no row needs, of a month that is old enough. */
export function mayDestroy(
  { month, liveRows }: { readonly month: string; readonly liveRows: number },
  longestRetentionDays: number,
  now: Date,
): { readonly may: true } | { readonly may: false; readonly because: 'live-rows' | 'too-young'; readonly from: Date } {
  const from = destroyableFrom(month, longestRetentionDays);
  if (now < from) return { may: false, because: 'too-young', from };
  if (liveRows > 0) return { may: false, because: 'live-rows', from };
  return { may: true };
}
