// Cygnet's dates: a day, a month, or an instant with a zone, whose date as written is the day in London.
const FORM =
  /^(\d{4}-\d{2}(?:-\d{2})?)$|^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;

export function fromCygnetDate(text: string): string | undefined {
  const parts = text.length <= 40 ? FORM.exec(text) : null;
  return parts?.[1] ?? parts?.[2];
}

/** Whole months between two parsed dates; a month counts as its first day. Null when `to` is before `from`. */
export function wholeMonths(from: string, to: string): number | null {
  const [y1 = 0, m1 = 1, d1 = 1] = from.split('-').map(Number);
  const [y2 = 0, m2 = 1, d2 = 1] = to.split('-').map(Number);
  const months = (y2 - y1) * 12 + (m2 - m1) - (d2 < d1 ? 1 : 0);
  return months < 0 ? null : months;
}
