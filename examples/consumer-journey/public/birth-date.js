// A date of birth typed as day, month and year. The month may be a number or a name: "3", "03", "Mar", "march".
const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
const PARTS = ['day', 'month', 'year'];

/** From 1, or NaN. */
function monthOf(typed) {
  if (/^\d{1,2}$/.test(typed)) return Number(typed);
  const name = typed.toLowerCase().replace(/\.$/, '');
  const index = name.length < 3 ? -1 : MONTHS.findIndex((month) => month.startsWith(name));
  return index === -1 ? Number.NaN : index + 1;
}

const fault = (text, ...parts) => ({ fault: { text, parts } });
const twoDigits = (number) => String(number).padStart(2, '0');

/** `date` as YYYY-MM-DD, or `fault`: what is wrong, and in which of the three fields. */
export function readBirthDate(typed, today = new Date()) {
  const given = Object.fromEntries(PARTS.map((part) => [part, (typed[part] ?? '').trim()]));
  const missing = PARTS.filter((part) => given[part] === '');
  if (missing.length === PARTS.length) return fault('Enter your date of birth', ...PARTS);
  if (missing.length > 0) {
    return fault(`Date of birth must include a ${missing.join(' and a ')}`, ...missing);
  }
  if (!/^\d{4}$/.test(given.year)) return fault('Year must include 4 numbers', 'year');
  const [day, month, year] = [
    /^\d{1,2}$/.test(given.day) ? Number(given.day) : 0,
    monthOf(given.month),
    Number(given.year),
  ];
  if (!(month >= 1 && month <= 12)) return fault('Date of birth must be a real date', 'month');
  // The day 0 of the next month is the last day of this one.
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  if (day < 1 || day > days) return fault('Date of birth must be a real date', 'day');
  const date = `${given.year}-${twoDigits(month)}-${twoDigits(day)}`;
  const now = `${today.getFullYear()}-${twoDigits(today.getMonth() + 1)}-${twoDigits(today.getDate())}`;
  if (date > now) return fault('Date of birth must be in the past', ...PARTS);
  // A person born on 29 February comes of age on 1 March.
  const age = today.getFullYear() - year - (now.slice(5) < date.slice(5) ? 1 : 0);
  if (age < 18) return fault('You must be 18 or over', ...PARTS);
  if (age > 120) return fault('Check the year of your date of birth', 'year');
  return { date };
}
