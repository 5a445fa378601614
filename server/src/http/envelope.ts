// The response envelope. Interface, "Response envelope": `meta.wallet` stands only where an operation is metered.
import type { WalletMeta } from '@trefoil/contract';

/** What a tenant-scoped operation answers, before the envelope. */
export type Answer<Data> = { readonly wallet?: WalletMeta; readonly data: Data };

export function envelope<Data>(answer: Answer<Data>, startedAtMs: number) {
  const request = { timeTakenMs: Math.round(performance.now() - startedAtMs) };
  return { meta: answer.wallet ? { request, wallet: answer.wallet } : { request }, data: answer.data };
}
