// A tenant reads one event by its public id: what the feed shows it, and nothing else.
import type { Caller } from '../http/authenticate.ts';
import { ServiceError } from '../lib/errors.ts';
import type { Database } from '../lib/postgres/database.ts';
import { walkInKeyOrder } from '../lib/postgres/key-order.ts';
import { findReadable } from './feed-store.ts';
import { readNames } from './name-events.ts';
import { type PublicEvent, toPublicEvent } from './rules/public-event.ts';

/** The same for an id that is none, one of another tenant, and one that this caller does not see. */
const noEvent = () => new ServiceError('not-found', 'No event with this id.');

export async function readEvent(
  database: Database,
  { tenantId, isTestOnly }: Pick<Caller, 'tenantId' | 'isTestOnly'>,
  eventId: string,
): Promise<PublicEvent> {
  const event = await database.forTenants([tenantId], async (tx) => {
    const names = await readNames(tx);
    const number = names.numberOf(eventId);
    if (number === undefined) return undefined;
    await walkInKeyOrder(tx);
    const row = await findReadable(tx, tenantId, number);
    return row && (row.isTest || !isTestOnly) ? toPublicEvent(row, names.idsOf([row])) : undefined;
  });
  // An event has one id: another text that leads to its row must not tell that it is there.
  if (event?.id !== eventId) throw noEvent();
  return event;
}
