// Times as people in the UK read them: always London's, whatever zone the machine has. The hint over a time has UTC.
const ZONE = 'Europe/London';
const inZone = (options: Intl.DateTimeFormatOptions, timeZone = ZONE) =>
  new Intl.DateTimeFormat('en-GB', { timeZone, ...options });

const MINUTES = { hour: '2-digit', minute: '2-digit' } as const;
const SECONDS = { ...MINUTES, second: '2-digit' } as const;
const DAY = { day: 'numeric', month: 'short' } as const;
const YEAR = { ...DAY, year: 'numeric' } as const;

const clock = inZone(MINUTES);
const clockSeconds = inZone(SECONDS);
const dayMonth = inZone(DAY);
const dayMonthYear = inZone(YEAR);
const longDay = inZone({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
const monthYear = inZone({ month: 'long', year: 'numeric' });
const withZone = inZone({ weekday: 'short', ...YEAR, ...SECONDS, timeZoneName: 'short' });
const utc = inZone(SECONDS, 'UTC');
/** Canada writes a date as ISO 8601 does. */
const isoDay = new Intl.DateTimeFormat('en-CA', { timeZone: ZONE, year: 'numeric', month: '2-digit', day: '2-digit' });

const DAY_MS = 86_400_000;

/** `2026-09-17`, the day in London. */
export const londonDay = (at: string | Date) => isoDay.format(new Date(at));

/** A day in the middle of itself, so that no zone moves it. */
const noonOf = (day: string) => new Date(`${day.slice(0, 10)}T12:00:00Z`);

/** `14:32` today, `Yesterday, 14:32`, `3 Sept, 14:32` this year, else with the year. */
export function formatTime(at: string, now = new Date()): string {
  const [instant, day, today] = [new Date(at), londonDay(at), londonDay(now)];
  const time = clock.format(instant);
  if (day === today) return time;
  // From noon: the hour that a change of the clocks adds or takes does not matter.
  if (day === londonDay(new Date(noonOf(today).getTime() - DAY_MS))) return `Yesterday, ${time}`;
  return `${(day.slice(0, 4) === today.slice(0, 4) ? dayMonth : dayMonthYear).format(instant)}, ${time}`;
}

export const formatFull = (at: string) => `${dayMonthYear.format(new Date(at))}, ${clock.format(new Date(at))}`;
export const formatClock = (at: string) => clockSeconds.format(new Date(at));
/** Of a date without a time, such as a birth date. */
export const formatDate = (day: string) => dayMonthYear.format(noonOf(day));
/** `5 Sept`, of a day of this year. */
export const formatDay = (day: string) => dayMonth.format(noonOf(day));
export const formatLongDay = (day: string) => longDay.format(noonOf(day));
/** Of `2026-09`. */
export const formatMonth = (month: string) => monthYear.format(noonOf(`${month}-15`));

const UNITS = [
  [60, 1, 'second'],
  [3_600, 60, 'minute'],
  [86_400, 3_600, 'hour'],
  [Number.POSITIVE_INFINITY, 86_400, 'day'],
] as const;

/** `3 minutes ago`, `in 2 days`: whole units, rounded down. */
export function formatAgo(at: string, now = new Date()): string {
  const seconds = Math.round((now.getTime() - new Date(at).getTime()) / 1_000);
  const size = Math.abs(seconds);
  const [, length, unit] = UNITS.find(([below]) => size < below) ?? UNITS[3];
  const count = Math.floor(size / length);
  const words = `${count} ${unit}${count === 1 ? '' : 's'}`;
  return seconds < 0 ? `in ${words}` : `${words} ago`;
}

/** For the hint over a time: London's with its zone, UTC, and how long ago. */
export const describeTime = (at: string, now = new Date()) =>
  `${withZone.format(new Date(at))}\n${utc.format(new Date(at))} UTC · ${formatAgo(at, now)}`;

/** The instant at which a day begins in London, which is an hour before UTC's in summer. */
function startOfDay(day: string): string {
  const midnight = new Date(`${day}T00:00:00Z`);
  const isHourEarly = londonDay(new Date(midnight.getTime() - 1)) === day;
  return new Date(midnight.getTime() - (isHourEarly ? 3_600_000 : 0)).toISOString();
}

/** `2026-09` and −1 is `2026-08`. */
export function shiftMonth(month: string, by: number): string {
  const date = noonOf(`${month}-15`);
  date.setUTCMonth(date.getUTCMonth() + by);
  return date.toISOString().slice(0, 7);
}

/** A month of London's calendar; the end is the first instant after it. */
export const monthPeriod = (month: string) => ({
  from: startOfDay(`${month}-01`),
  to: startOfDay(`${shiftMonth(month, 1)}-01`),
});

/** `2026-09-17T14:30` on London's clocks, as an input for a time has it. */
export const londonMinute = (at: Date) => `${londonDay(at)}T${clock.format(at)}`;

/** The instant of such a text; in the hour that autumn has twice, the first. Undefined when it is none. */
export function londonInstant(minute: string): string | undefined {
  const asUtc = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(minute) ? Date.parse(`${minute}:00Z`) : Number.NaN;
  if (Number.isNaN(asUtc)) return undefined;
  const summer = new Date(asUtc - 3_600_000);
  return (londonMinute(summer) === minute ? summer : new Date(asUtc)).toISOString();
}
