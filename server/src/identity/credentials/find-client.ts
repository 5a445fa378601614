// Finds a credential by its client id. Cached for a few seconds: a disabled credential or tenant stops working on
// every node within ten seconds, well inside the promised minute.
import { createCache } from '../../lib/cache.ts';
import { createGather } from '../../lib/gather.ts';
import { isUuid } from '../../lib/ids.ts';
import type { Database } from '../../lib/postgres/database.ts';
import { createNetworkMatcher } from '../../lib/values/ip-address.ts';
import {
  type Client as ClientRow,
  findClient as findClientRow,
  hasRetiredSecret,
  listClients,
} from './client-store.ts';

export type Client = ClientRow & {
  /** Undefined allows every address. */
  readonly allowsAddress: ((address: string) => boolean) | undefined;
};
export type FindClient = (clientId: string) => Promise<Client | undefined>;

const MAX_ENTRIES = 10_000;
/** How old an answer may be; up to twice as old, it is given once more while it is looked up anew. */
export const CLIENT_AGE_MS = 4_000;
/** A thousand busy credentials are reloaded with four queries a second instead of two hundred. */
const RELOAD_GATHER_MS = 250;
/** Requests wait for these: just long enough to gather the many that arrive together after a start. */
const LOAD_GATHER_MS = 1;

const toClient = (row: ClientRow): Client => ({
  ...row,
  allowsAddress: row.allowedNetworks ? createNetworkMatcher(row.allowedNetworks) : undefined,
});

/** Reads straight from the database: at the token endpoint a rotated secret must work at once. */
export function clientFinder(database: Database): FindClient {
  return async (clientId) => {
    const row = isUuid(clientId) ? await database.asSystem((tx) => findClientRow(tx, clientId)) : undefined;
    return row && toClient(row);
  };
}

export function cachedClientFinder(database: Database, ttlMs = CLIENT_AGE_MS): FindClient {
  const findTogether = (windowMs: number) =>
    createGather(windowMs, async (ids) => {
      const rows = await database.asSystem((tx) => listClients(tx, ids.filter(isUuid)));
      return new Map(rows.map((row) => [row.id, toClient(row)]));
    });
  const cache = createCache(
    { maxEntries: MAX_ENTRIES, ttlMs, staleMs: 2 * ttlMs },
    { load: findTogether(LOAD_GATHER_MS), reload: findTogether(RELOAD_GATHER_MS) },
  );
  return (clientId) => cache.get(clientId);
}

/** Whether a secret with this hash is an expired one of the credential. False while the database is unavailable. */
export function createRetiredCheck(database: Database) {
  return async (clientId: string, secretHash: Buffer): Promise<boolean> =>
    isUuid(clientId) && database.asSystem((tx) => hasRetiredSecret(tx, clientId, secretHash)).catch(() => false);
}
