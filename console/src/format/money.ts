// Credits become pounds only here. The minus is a real minus sign, so that columns line up.

/** Interface: 1,000 credits are one pound, so 10 are one penny. */
const CREDITS_PER_POUND = 1_000;
const CREDITS_PER_PENNY = 10;

const inPounds = (minimumFractionDigits: number) =>
  new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP', minimumFractionDigits });
const pounds = inPounds(2);
const tenths = inPounds(3);
const whole = new Intl.NumberFormat('en-GB');

const withMinus = (text: string) => text.replace('-', '−');

/** Tenths of a penny are shown where there are any. */
export function formatCredits(credits: number): string {
  const format = credits % CREDITS_PER_PENNY === 0 ? pounds : tenths;
  return withMinus(format.format(credits / CREDITS_PER_POUND));
}

/** With a plus on money that comes in. */
export const formatSigned = (credits: number) => (credits > 0 ? `+${formatCredits(credits)}` : formatCredits(credits));

export const formatPence = (pence: number) => withMinus(pounds.format(pence / 100));
export const formatCount = (count: number) => withMinus(whole.format(count));

/** Along an axis, where every figure is round: `£500`, or `£2.50` where it is small. */
export const formatAxis = (credits: number) => formatCredits(credits).replace(/\.00$/, '');

/** `1 agreement`, `3 agreements`. */
export const countOf = (count: number, one: string, several = `${one}s`) =>
  `${formatCount(count)} ${count === 1 ? one : several}`;
