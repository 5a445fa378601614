// How long the wallet lasts if each week is like the last seven days.

const WEEK_DAYS = 7;
/** Beyond this, days would say more than anyone knows. */
const DAYS_MAX = 31;
const WEEKS_MAX = 52;

/** Undefined where nothing was spent, or where refunds prevailed. */
export function runwayDays(availableCredits: number, weekCredits: number): number | undefined {
  return weekCredits > 0 ? (Math.max(0, availableCredits) * WEEK_DAYS) / weekCredits : undefined;
}

/** Whole days up to a month, then weeks, rounded down: better too early than too late. */
export function formatRunway(days: number): string {
  if (days < 1) return 'Less than a day';
  if (days < 2) return 'About 1 day';
  if (days < DAYS_MAX + 1) return `About ${Math.floor(days)} days`;
  const weeks = Math.floor(days / WEEK_DAYS);
  return weeks < WEEKS_MAX ? `About ${weeks} weeks` : 'A year or more';
}
