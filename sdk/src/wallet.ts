// The calls about credits: the wallet, its statement, and prices.
import type { Call } from './call.ts';
import type { Answer } from './error.ts';
import { bytesOf, type Http, type QueryOf } from './http.ts';
import type { PricesResponse, WalletEntriesResponse, WalletMonthsResponse, WalletResponse } from './openapi-names.ts';
import { createPage, type Page } from './page.ts';
import type { CallOptions } from './send.ts';

const WALLET = '/{tenantId}/v1/wallet';
const ENTRIES = `${WALLET}/entries` as const;

/** The filters of `listWalletEntries` and `exportWalletEntries`. Each has its own format. */
export type WalletEntriesQuery = Omit<QueryOf<typeof ENTRIES>, 'format'>;

/** A statement as CSV. If `nextCursor` is set, the text stops after `limit` or 100,000 lines: ask with it for the rest. */
export type WalletEntriesCsv = { readonly csv: string; readonly nextCursor: string | null };

function readCsv({ text, headers }: Answer): WalletEntriesCsv {
  const next = /<([^>]+)>; *rel="next"/.exec(headers.get('link') ?? '')?.[1];
  return { csv: text, nextCursor: next ? new URL(next, 'http://x').searchParams.get('cursor') : null };
}

export function createWalletCalls(http: Http) {
  return {
    getWallet: (call?: CallOptions): Call<WalletResponse> => http.get(WALLET, {}, call),
    listWalletEntries: (query: WalletEntriesQuery = {}, call?: CallOptions): Page<WalletEntriesResponse> =>
      createPage(query, (page) => http.get(ENTRIES, { query: page }, call)),
    /** The lines that match the filter as one CSV text, at most 100,000 journal lines. */
    exportWalletEntries: (query: WalletEntriesQuery = {}, call?: CallOptions): Call<WalletEntriesCsv> =>
      http.raw(ENTRIES, { query, accept: 'text/csv' }, readCsv, call),
    listWalletMonths: (call?: CallOptions): Call<WalletMonthsResponse> => http.get(`${WALLET}/months`, {}, call),
    /** A month such as `2026-03`. Without it: the current one. */
    getStatement: (month?: string, call?: CallOptions): Call<Uint8Array<ArrayBuffer>> => {
      const query = month === undefined ? {} : { month };
      return http.raw(`${WALLET}/statement`, { query, accept: '*/*' }, bytesOf, call);
    },
    getPrices: (call?: CallOptions): Call<PricesResponse> => http.get('/{tenantId}/v1/prices', {}, call),
  };
}
