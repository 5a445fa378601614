// The response envelope. Interface, "Response envelope": `meta.wallet` is present only where an operation is metered.
import type { WalletMeta } from '@trefoil/contract';

/** The result of a tenant-scoped operation, before the envelope. */
export type Answer<Data> = {
  readonly wallet?: WalletMeta;
  readonly data: Data;
  /** The field `creditReport` of the data, as the sealed JSON text: it is not parsed and serialized again. */
  readonly reportText?: string;
};

/** An object, or JSON text where the report is text. */
export function envelope<Data extends object>(answer: Answer<Data>, startedAtMs: number): object | string {
  const request = { timeTakenMs: Math.round(performance.now() - startedAtMs) };
  const whole = { meta: answer.wallet ? { request, wallet: answer.wallet } : { request }, data: answer.data };
  if (answer.reportText === undefined) return whole;
  // The data comes last and is never empty, so the report goes before its two closing braces.
  return `${JSON.stringify(whole).slice(0, -2)},"creditReport":${answer.reportText}}}`;
}
