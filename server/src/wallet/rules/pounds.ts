// Credits as pounds, exactly and as text: a binary number cannot hold a tenth of a penny exactly.

/** Interface, "Limits": 10 credits equal 0.01 in GBP. */
export const CREDITS_PER_POUND = 1_000;

/** Two decimals, or three if it is not a whole penny. */
export function toPounds(credits: number): string {
  const size = Math.abs(credits);
  const rest = String(size % CREDITS_PER_POUND).padStart(3, '0');
  return `${credits < 0 ? '-' : ''}${Math.floor(size / CREDITS_PER_POUND)}.${rest.endsWith('0') ? rest.slice(0, 2) : rest}`;
}
