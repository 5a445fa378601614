// Days and instants in words. A day may be a month alone: a bureau may know no more. Instants are in United Kingdom time.

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
];

function inWords(date: string, monthOf: (name: string) => string): string {
  const [year, month, day] = date.slice(0, 10).split('-').map(Number);
  const name = monthOf(MONTHS[(month ?? 1) - 1] ?? '');
  return day === undefined ? `${name} ${year}` : `${day} ${name} ${year}`;
}

/** 21 August 2023. */
export const longDay = (date: string) => inWords(date, (name) => name);
/** 21 Aug 2023, for tables. */
export const shortDay = (date: string) => inWords(date, (name) => name.slice(0, 3));

const LONDON = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/London',
  ...({ year: 'numeric', month: '2-digit', day: '2-digit' } as const),
  ...({ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const),
});

/** An instant as people in the United Kingdom would write it down. */
export function atLondon(at: Date): { readonly day: string; readonly time: string; readonly seconds: string } {
  const parts = Object.fromEntries(LONDON.formatToParts(at).map(({ type, value }) => [type, value]));
  const { year, month, day, hour, minute, second } = parts;
  return { day: `${year}-${month}-${day}`, time: `${hour}:${minute}`, seconds: `${hour}:${minute}:${second}` };
}

const YEARS_KEPT = 6;

/** Agencies normally keep an agreement for six years after its end: one that ended before this day has left the files. */
export function sixYearsBefore(day: string): string {
  const before = `${Number(day.slice(0, 4)) - YEARS_KEPT}${day.slice(4)}`;
  // Six years before a leap year is none: its 29 February is the 28th.
  return before.replace(/-02-29$/, '-02-28');
}

/** How long a person lived at an address. */
export function durationWords(years: number | null, months: number | null): string | null {
  if (years === null && months === null) return null;
  const part = (number: number | null, one: string) =>
    number === null || number === 0 ? [] : [`${number} ${number === 1 ? one : `${one}s`}`];
  return [...part(years, 'year'), ...part(months, 'month')].join(', ') || 'less than a month';
}
