// What is typed into the settings, as the API wants it. Pure. A text that is no value comes back as its fault.

export type Read<Value> = { readonly value: Value } | { readonly fault: string };
type Range = { readonly min: number; readonly max: number };

const WHOLE = /^\d{1,10}$/;
/** Up to tenths of a penny, which are single credits. */
const POUNDS = /^£?\s?(\d{1,7})(?:\.(\d{1,3}))?$/;
const CREDITS_PER_POUND = 1_000;
const shown = new Intl.NumberFormat('en-GB');

export function readWhole(text: string, { min, max }: Range): Read<number> {
  const plain = text.trim().replaceAll(',', '');
  const value = WHOLE.test(plain) ? Number(plain) : Number.NaN;
  return value >= min && value <= max
    ? { value }
    : { fault: `Enter a whole number from ${shown.format(min)} to ${shown.format(max)}.` };
}

/** Empty is null: the agreed limit holds. */
export function readLimit(text: string, max: number): Read<number | null> {
  if (text.trim() === '') return { value: null };
  const read = readWhole(text, { min: 0, max });
  return 'value' in read ? read : { fault: `Enter a whole number, at most ${shown.format(max)} as agreed.` };
}

export function readPounds(text: string): number | undefined {
  const [, pounds, part = ''] = POUNDS.exec(text.trim().replaceAll(',', '')) ?? [];
  return pounds === undefined ? undefined : Number(pounds) * CREDITS_PER_POUND + Number(part.padEnd(3, '0'));
}

/** `50.00`, for a field. */
export function poundsText(credits: number | null): string {
  if (credits === null) return '';
  return (credits / CREDITS_PER_POUND).toFixed(credits % 10 === 0 ? 2 : 3);
}

const names = new Intl.DisplayNames('en-GB', { type: 'region' });
/** `United Kingdom` for GB. */
export const countryName = (code: string) => names.of(code) ?? code;
