// Calendar arithmetic on `YYYY-MM-DD` text. No clock.
const DAY_MS = 86_400_000;

export const dayNumber = (date: string) => Math.round(Date.parse(`${date}T00:00:00Z`) / DAY_MS);

export const dateOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);

export const addDays = (date: string, days: number) => dateOf(dayNumber(date) + days);

/** Months since year 0. */
export const monthNumber = (date: string) => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1;

export const monthOf = (month: number) =>
  `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}`;

/** The same day of a later month, or that month's last day. */
export function addMonths(date: string, months: number): string {
  const month = monthOf(monthNumber(date) + months);
  const last = dayNumber(`${monthOf(monthNumber(date) + months + 1)}-01`) - 1;
  const wanted = dayNumber(`${month}-01`) + Number(date.slice(8, 10)) - 1;
  return dateOf(Math.min(wanted, last));
}

/** Whole months from one date to a later one. */
export function wholeMonths(from: string, to: string): number {
  const months = monthNumber(to) - monthNumber(from) - (to.slice(8, 10) < from.slice(8, 10) ? 1 : 0);
  return Math.max(0, months);
}

export const lastDayOfMonth = (month: number) => addDays(`${monthOf(month + 1)}-01`, -1);

export function isDate(text: string): boolean {
  return (
    /^\d{4}-\d{2}-\d{2}$/.test(text) &&
    !Number.isNaN(Date.parse(`${text}T00:00:00Z`)) &&
    dateOf(dayNumber(text)) === text
  );
}

/** London's offset at midnight of that day: summer time from the last Sunday of March to the last of October. */
export function londonOffset(date: string): '+00:00' | '+01:00' {
  const year = date.slice(0, 4);
  const lastSunday = (month: string) => {
    const end = dayNumber(`${year}-${month}-31`);
    return end - ((end + 4) % 7); // day 0 was a Thursday
  };
  const day = dayNumber(date);
  return day > lastSunday('03') && day <= lastSunday('10') ? '+01:00' : '+00:00';
}
