// A 402 that a test request asked for: it names the price as live mode would, and nothing as available. It only reads.
import { ServiceError } from '../../lib/errors.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import { listCurrentPrices } from '../../wallet/read-prices.ts';
import { priceOfReport } from '../../wallet/rules/price-list.ts';

export type Wanted = { readonly isReport: boolean; readonly bureaus: number; readonly messages: number };

export async function refuseForFunds(
  tx: Tx,
  tenantId: string,
  code: 'insufficient-funds' | 'insufficient-credits',
  { isReport, bureaus, messages }: Wanted,
): Promise<ServiceError> {
  const price = (await listCurrentPrices(tx, [tenantId])).get(tenantId);
  if (!price) throw new Error('a tenant has no prices');
  const required = (isReport ? priceOfReport(price, bureaus) : 0) + price.sms * messages;
  // At least one credit, where a tenant pays nothing: a refusal always asks for more than there is.
  return new ServiceError(code, undefined, { fields: { required: Math.max(1, required), available: 0 } });
}
