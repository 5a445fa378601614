// Parts of a whole. A share that says nothing, such as one of none, is undefined and not a figure.

const percent = new Intl.NumberFormat('en-GB', { style: 'percent', maximumFractionDigits: 1 });

/** Undefined of none, and where the part is larger than the whole: a code may be right whose text was never confirmed. */
export function shareOf(part: number, whole: number): number | undefined {
  return whole > 0 && part <= whole ? part / whole : undefined;
}

/** `85.1%`. All and nothing are said only of all and nothing. */
export function formatShare(share: number): string {
  if (share > 0 && share < 0.001) return 'under 0.1%';
  if (share < 1 && share > 0.999) return 'over 99.9%';
  return percent.format(share);
}

export type Change = { readonly direction: 'Up' | 'Down'; readonly by: string };

/** How much more or less than before; undefined where there was nothing before, or where both are the same. */
export function changeOf(now: number, before: number): Change | undefined {
  if (before <= 0 || now === before) return undefined;
  return { direction: now > before ? 'Up' : 'Down', by: formatShare(Math.abs(now / before - 1)) };
}
