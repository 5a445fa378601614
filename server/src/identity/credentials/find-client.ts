// Looks a credential up by its client id. Cached for a few seconds: a disabled credential or tenant stops working on
// every node within that time, well inside the promised minute.
import { createCache } from '../../lib/cache.ts';
import type { Database } from '../../lib/database.ts';
import { isUuid } from '../../lib/ids.ts';
import { createNetworkMatcher } from '../../lib/ip-address.ts';
import { type Client as ClientRow, findClient as findClientRow } from '../store.ts';

export type Client = ClientRow & {
  /** Undefined: from anywhere. */
  readonly allowsAddress: ((address: string) => boolean) | undefined;
};
export type FindClient = (clientId: string) => Promise<Client | undefined>;

const CACHE = { maxEntries: 10_000, ttlMs: 5_000 };

/** Straight from the database: for the token endpoint, where a rotated secret must work at once. */
export function clientFinder(database: Database): FindClient {
  return async (clientId) => {
    const row = isUuid(clientId) ? await database.asSystem((tx) => findClientRow(tx, clientId)) : undefined;
    return (
      row && { ...row, allowsAddress: row.allowedNetworks ? createNetworkMatcher(row.allowedNetworks) : undefined }
    );
  };
}

export function cachedClientFinder(find: FindClient): FindClient {
  const cache = createCache(CACHE, find);
  return (clientId) => cache.get(clientId);
}
