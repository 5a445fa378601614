// Calendar dates as text, and ages in whole years. Dates stay text here: a Date object would add a time zone and
// would silently turn 31 February into 3 March.
const ADULT_AGE = 18;
const OLDEST_AGE = 120;

/** Strictly YYYY-MM-DD, and a day that exists. */
export function isCalendarDate(text: string): boolean {
  const parts = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(text);
  if (!parts) return false;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  return year >= 1 && day >= 1 && day <= daysInMonth(year, month);
}

/** Whole years from birth to `today`, both calendar dates; negative before birth. */
export function ageOn(dateOfBirth: string, today: string): number {
  const years = Number(today.slice(0, 4)) - Number(dateOfBirth.slice(0, 4));
  // Comparing month and day as text gives a 29 February birth its birthday on 1 March in common years, as UK law does.
  return today.slice(5) < dateOfBirth.slice(5) ? years - 1 : years;
}

/** A real date of birth of a person aged 18 to 120, on the UTC date of `now`. */
export function isAdultDate(text: string, now: Date): boolean {
  if (!isCalendarDate(text)) return false;
  const age = ageOn(text, now.toISOString().slice(0, 10));
  return age >= ADULT_AGE && age <= OLDEST_AGE;
}

/** Zero for a month that does not exist, so that it has no valid day. */
function daysInMonth(year: number, month: number): number {
  const isLeapYear = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
}
