// When a wallet becomes low: once for a threshold, until it is topped up (docs/decisions/0199-a-wallet-that-is-low.md).
export type LowState = {
  /** In credits; null: the tenant has set none. */
  readonly threshold: number | null;
  /** The threshold that the tenant was last told about; null when it may be told again. */
  readonly toldFor: number | null;
};

export type Movement = {
  readonly balance: number;
  /** The effect on the wallet that led to this balance. */
  readonly effect: number;
  /** A top-up or an adjustment. A refund returns credits but tops nothing up. */
  readonly isByHand: boolean;
};

export function lowAfter(
  { threshold, toldFor }: LowState,
  { balance, effect, isByHand }: Movement,
): { readonly toldFor: number | null; readonly isNews: boolean } {
  if (threshold === null) return { toldFor: null, isNews: false };
  // A changed threshold is a new one: what was told about the old one does not count.
  const isTold = toldFor === threshold;
  if (balance >= threshold) return { toldFor: isTold && !isByHand ? threshold : null, isNews: false };
  if (isTold) return { toldFor, isNews: false };
  // Credits that came in made nothing low: the next charge tells it.
  return effect < 0 ? { toldFor: threshold, isNews: true } : { toldFor: null, isNews: false };
}
