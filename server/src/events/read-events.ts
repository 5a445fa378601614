// Reads events in commit order. A reader keeps the cursor of the last event it has finished and continues after it: no event
// can be committed behind a cursor, so none is missed. Within one report the order is that of the changes
// (docs/decisions/0198-events-in-commit-order.md). Any number of readers may read at once; reading changes nothing.
import type { Database } from '../lib/postgres/database.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { readNames } from './name-events.ts';
import { type PublicEvent, toPublicEvent } from './rules/public-event.ts';
import {
  type EventCursor,
  findFollowing,
  findLastBefore,
  listBetween,
  listCommittedOf,
  type NumberedRow,
} from './store.ts';

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
  /**
   * No row after `next` could be read yet. Counted in stored rows: some are no public events, and some are of tenants that were
   * not chosen. So a page without events is not always the last.
   */
  readonly isLast: boolean;
};

type ChooseTenants = (tx: Tx, tenantIds: readonly string[]) => Promise<readonly string[]>;

export type Whose =
  | {
      /** Reads as the app role, which sees these tenants alone. */
      readonly tenantIds: readonly string[];
      readonly chooseTenants?: undefined;
    }
  | {
      readonly tenantIds?: undefined;
      /**
       * Reads as the system role, which sees all tenants. Which of these tenants have a reader. The events of the others are passed over and not loaded. It is asked after the
       * events have been found, in the same transaction: a tenant whose reader was committed before an event is seen.
       */
      readonly chooseTenants: ChooseTenants;
    };

export type ReadOrder = Whose & { readonly after: EventCursor; readonly limit: number };

async function toReadEvents(tx: Tx, found: readonly NumberedRow[]): Promise<ReadEvent[]> {
  if (found.length === 0) return [];
  const idOf = (await readNames(tx)).idsOf(found);
  return found.flatMap((row) => {
    const event = toPublicEvent(row, idOf);
    return event ? [{ event, cursor: cursorOf(row), creditReportId: row.creditReportId }] : [];
  });
}

const cursorOf = ({ xactId, id }: NumberedRow): EventCursor => ({ xactId, id });

/** Commit order is the order of age but for the length of a transaction: an hour is far longer than any may take. */
const MARGIN_MS = 3_600_000;
/** More are not looked through; a reader that begins with the first event skips them as well. */
const LOOKED_THROUGH = 100_000;

/** Where to begin for a tenant's events since an instant: somewhat before the first of them. */
export async function findPlaceOf(database: Database, tenantId: string, since: Date): Promise<EventCursor> {
  const order = { before: new Date(since.getTime() - MARGIN_MS), among: LOOKED_THROUGH };
  return (await database.forTenants([tenantId], (tx) => findLastBefore(tx, tenantId, order))) ?? FIRST_CURSOR;
}

/** Whether all events after this one happened at this instant or later. */
export const isPast = ({ createdAt }: PublicEvent, at: Date): boolean =>
  Date.parse(createdAt) - MARGIN_MS >= at.getTime();

/**
 * The next events after a cursor, oldest first. Go on with `next` while `isLast` is false, also after a page that is short or
 * empty; after the last, ask again later with `next`.
 */
export async function readCommitted(database: Database, order: ReadOrder): Promise<EventPage> {
  const { after, limit, tenantIds, chooseTenants } = order;
  if (chooseTenants) return database.asSystem((tx) => readOfChosen(tx, { after, limit, choose: chooseTenants }));
  return database.forTenants(tenantIds, async (tx) => {
    const found = await listCommittedOf(tx, tenantIds, after, limit);
    const last = found.at(-1);
    const next = last ? cursorOf(last) : after;
    return { events: await toReadEvents(tx, found), next, isLast: found.length < limit };
  });
}

type Choice = Pick<ReadOrder, 'after' | 'limit'> & { readonly choose: ChooseTenants };

async function readOfChosen(tx: Tx, { after, limit, choose }: Choice): Promise<EventPage> {
  // First, because it fixes the end of the page: an event that is committed while tenants are chosen comes after it.
  const { tenantIds, count, last } = await findFollowing(tx, after, limit);
  if (!last) return { events: [], next: after, isLast: true };
  const chosen = await choose(tx, tenantIds);
  const found = chosen.length > 0 ? await listBetween(tx, chosen, after, last) : [];
  return { events: await toReadEvents(tx, found), next: last, isLast: count < limit };
}
