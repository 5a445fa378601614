// Reads events in commit order. A reader keeps the cursor of the last event it has finished and continues after it: no event
// can be committed behind a cursor, so none is missed. Within one report the order is that of the changes
// (docs/decisions/0198-events-in-commit-order.md). Any number of readers may read at once; reading changes nothing.
import type { Database } from '../lib/postgres/database.ts';
import { type PublicEvent, toPublicEvent } from './rules/public-event.ts';
import { type EventCursor, findLastBefore, listCommitted, listCommittedOf, type PlacedEvent } from './store.ts';

export type { PublicEvent } from './rules/public-event.ts';
export type { EventCursor } from './store.ts';

/** For a reader that wants to know how far behind it is. */
export { getAgeAfter } from './store.ts';

/** Before every event. */
export const FIRST_CURSOR: EventCursor = { xactId: '0', id: 0 };

export type ReadEvent = {
  readonly event: PublicEvent;
  /** The place of this event. */
  readonly cursor: EventCursor;
  readonly creditReportId: string | null;
};

export type EventPage = {
  readonly events: readonly ReadEvent[];
  /** Where to continue: after the last event here, or after stored rows that are no public events. */
  readonly next: EventCursor;
  /** No row after these could be read yet. Counted in stored rows: some are no public events. */
  readonly isLast: boolean;
};

export type ReadOrder = {
  readonly after: EventCursor;
  readonly limit: number;
  /** Reads as the app role, which sees these tenants alone. Without it the system role reads the events of all tenants. */
  readonly tenantIds?: readonly string[];
};

const toReadEvent = (row: PlacedEvent): ReadEvent[] => {
  const event = toPublicEvent(row);
  return event ? [{ event, cursor: cursorOf(row), creditReportId: row.creditReportId }] : [];
};

const cursorOf = ({ xactId, id }: PlacedEvent): EventCursor => ({ xactId, id });

/** Commit order is the order of age but for the length of a transaction: an hour is far longer than any may take. */
const MARGIN_MS = 3_600_000;
/** More are not looked through; a reader that begins with the first event skips them as well. */
const LOOKED_THROUGH = 100_000;

/** Where to begin for a tenant's events since an instant: somewhat before the first of them. */
export async function findPlaceOf(database: Database, tenantId: string, since: Date): Promise<EventCursor> {
  const order = { before: new Date(since.getTime() - MARGIN_MS), among: LOOKED_THROUGH };
  return (await database.forTenants([tenantId], (tx) => findLastBefore(tx, tenantId, order))) ?? FIRST_CURSOR;
}

/** The next events after a cursor, oldest first. Fewer than `limit` and none at the end; ask again later with `next`. */
export async function readCommitted(database: Database, { after, limit, tenantIds }: ReadOrder): Promise<EventPage> {
  const found = tenantIds
    ? await database.forTenants(tenantIds, (tx) => listCommittedOf(tx, tenantIds, after, limit))
    : await database.asSystem((tx) => listCommitted(tx, after, limit));
  const last = found.at(-1);
  return { events: found.flatMap(toReadEvent), next: last ? cursorOf(last) : after, isLast: found.length < limit };
}
