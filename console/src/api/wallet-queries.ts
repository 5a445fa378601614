// What the wallet's page asks besides the lines: the totals of the months, and a month as one file.
import { queryOptions } from '@tanstack/react-query';
import type { components } from '@trefoil/sdk';
import { withoutHeader } from '../format/csv.ts';
import { api } from './client.ts';
import { BALANCE_MS, type Period } from './queries.ts';

export type WalletMonth = components['schemas']['WalletMonth'];

/** Newest first. */
export const monthsQuery = (tenantId: string) =>
  queryOptions({
    queryKey: [tenantId, 'wallet-months'],
    queryFn: async ({ signal }) => (await api(tenantId).listWalletMonths({ signal })).data.items,
    // With the balance above it, which the current month ends with.
    refetchInterval: BALANCE_MS,
  });

/** A part has up to 100,000 lines. */
const PART_TIMEOUT_MS = 5 * 60_000;

/** Every line of a period, or of the test wallet, as one file, however many parts the service hands it out in. Throws rather than leave one out. */
export async function exportLines(tenantId: string, lines: Period | { readonly test: true }): Promise<Blob> {
  const parts: string[] = [];
  let cursor: string | null = null;
  do {
    const query = { ...lines, ...(cursor && { cursor }) };
    const part = await api(tenantId).exportWalletEntries(query, { timeoutMs: PART_TIMEOUT_MS });
    parts.push(parts.length === 0 ? part.csv : withoutHeader(part.csv));
    cursor = part.nextCursor;
  } while (cursor !== null);
  return new Blob(parts, { type: 'text/csv' });
}
