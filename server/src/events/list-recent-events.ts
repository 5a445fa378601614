// The latest events of a tenant, newest first: for a look at what happened last. A reader that must miss nothing uses read-events.ts.
import { walkInKeyOrder } from '../lib/postgres/key-order.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { listNewest } from './feed-store.ts';
import { type PublicEvent, storedTypesOf, toPublicEvent } from './rules/public-event.ts';

export async function listRecentEvents(
  tx: Tx,
  tenantId: string,
  { types, isTest }: { readonly types: readonly string[]; readonly isTest: boolean },
  limit: number,
): Promise<PublicEvent[]> {
  await walkInKeyOrder(tx);
  const found = await listNewest(tx, tenantId, { types: types.flatMap(storedTypesOf), isTest }, limit);
  return found.flatMap((row) => toPublicEvent(row) ?? []);
}
