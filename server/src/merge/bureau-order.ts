// The fixed order of the bureaus. It breaks ties, so that the same rows always give the same report.
import type { Bureau } from '@trefoil/contract';

const ORDER: readonly Bureau[] = ['equifax', 'experian', 'transunion'];

export function inBureauOrder(a: { readonly bureau: Bureau }, b: { readonly bureau: Bureau }): number {
  return ORDER.indexOf(a.bureau) - ORDER.indexOf(b.bureau);
}
