// The latest events of a tenant, newest first: for a look at what happened last. A reader that must miss nothing uses read-events.ts.
import { walkInKeyOrder } from '../lib/postgres/key-order.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { listNewest } from './feed-store.ts';
import { readNames } from './name-events.ts';
import { type PublicEvent, storedTypesOf, toUnnumberedEvent } from './rules/public-event.ts';

/** Without their sequences: the newest of them may not have their final order yet. */
export async function listRecentEvents(
  tx: Tx,
  tenantId: string,
  { types, isTest }: { readonly types: readonly string[]; readonly isTest: boolean },
  limit: number,
): Promise<Omit<PublicEvent, 'sequence'>[]> {
  await walkInKeyOrder(tx);
  const found = await listNewest(tx, tenantId, { types: types.flatMap(storedTypesOf), isTest }, limit);
  const idOf = (await readNames(tx)).idsOf(found);
  return found.flatMap((row) => toUnnumberedEvent(row, idOf) ?? []);
}
