// A tenant reads its events in commit order, in pages; a request may wait for the next one.
import { END_CURSOR, type EventsPage, type EventsQuery } from '@trefoil/contract';
import type { Caller } from '../http/authenticate.ts';
import { ServiceError } from '../lib/errors.ts';
import type { Database } from '../lib/postgres/database.ts';
import { walkInKeyOrder } from '../lib/postgres/key-order.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { remainingMs } from '../lib/request-scope.ts';
import { parseInstant } from '../lib/values/instant.ts';
import { type EventFilter, findLastReadable, findPlaceAt, listEvents as listRows } from './feed-store.ts';
import { type EventNames, readNames } from './name-events.ts';
import { LAST_CURSOR, listEventsBefore } from './newest-store.ts';
import { FIRST_CURSOR } from './read-events.ts';
import { DISORDER_MS, earliestOf, parseTypes } from './rules/event-filter.ts';
import { toPublicEvent } from './rules/public-event.ts';
import type { EventCursor } from './store.ts';
import type { EventWaits } from './wait-for-events.ts';

const PAGE_FALLBACK = 50;
/** Events looked at for one page. If a filter matches few of them, the page is short and its cursor continues. */
const WINDOW = 10_000;
/** Left for the page after a wait, and for its answer: a request is answered within its deadline. */
const RESERVE_MS = 1_500;

const isBefore = (a: EventCursor, b: EventCursor) =>
  BigInt(a.xactId) < BigInt(b.xactId) || (a.xactId === b.xactId && a.id < b.id);

/** Whose page it is, and how its ids and cursors are written. */
type Reader = { readonly tenantId: string; readonly names: EventNames };

async function placeOf(tx: Tx, { tenantId, names }: Reader, cursor: string | undefined): Promise<EventCursor> {
  if (cursor === undefined) return FIRST_CURSOR;
  if (cursor === END_CURSOR) return (await findLastReadable(tx, tenantId)) ?? FIRST_CURSOR;
  const { place, plainUntil } = names.readPlace(cursor);
  if (!plainUntil) return place;
  // One that was handed out is before all events that came after this time. One that was made up goes on there, wherever it
  // points to: pages that depended on it would tell the numbers of later events.
  const end = await findPlaceAt(tx, tenantId, new Date(plainUntil.getTime() + DISORDER_MS).toISOString());
  return isBefore(end, place) ? end : place;
}

const refuse = (name: string, message: string) =>
  new ServiceError('validation-error', 'The query is not valid; details lists what to correct.', {
    details: [{ path: `/query/${name}`, message }],
  });

function toFilter(query: EventsQuery, isTestOnly: boolean): EventFilter {
  const types = query.type === undefined ? null : parseTypes(query.type);
  if (types === undefined) {
    throw refuse('type', 'Use types of events, such as wallet.low, with commas between them.');
  }
  return {
    // A test-only credential that asks for live events alone gets none.
    types: isTestOnly && query.test === false ? [] : types,
    creditReportId: query.creditReportId ?? null,
    from: (query.from && parseInstant(query.from)?.toISOString()) ?? '-infinity',
    to: (query.to && parseInstant(query.to)?.toISOString()) ?? 'infinity',
    isTest: isTestOnly ? true : (query.test ?? null),
  };
}

type Search = { readonly filter: EventFilter; readonly limit: number; readonly isFiltered: boolean };

/** Where to begin: at the cursor, or later where the filters say that nothing before matches. */
async function startOf(tx: Tx, reader: Reader, query: EventsQuery): Promise<EventCursor> {
  const after = await placeOf(tx, reader, query.cursor);
  const earliest = earliestOf(query.from === undefined ? undefined : parseInstant(query.from), query.creditReportId);
  if (!earliest) return after;
  const place = await findPlaceAt(tx, reader.tenantId, earliest.toISOString());
  return isBefore(after, place) ? place : after;
}

/** One page from a place on. */
async function readPage(tx: Tx, reader: Reader, after: EventCursor, { filter, limit, isFiltered }: Search) {
  const { tenantId, names } = reader;
  const size = isFiltered ? WINDOW : limit + 1;
  const { found, seenCount, last } = await listRows(tx, tenantId, filter, { after, size }, limit + 1);
  const shown = found.slice(0, limit);
  const end = shown.at(-1);
  const isFull = found.length > limit && end !== undefined;
  const isPast =
    last !== undefined && filter.to !== 'infinity' && last.createdAt.getTime() - DISORDER_MS > Date.parse(filter.to);
  const next = isFull ? end : (last ?? after);
  const idOf = names.idsOf(shown);
  return {
    items: shown.flatMap((row) => toPublicEvent(row, idOf) ?? []),
    next,
    nextCursor: names.writePlace(next),
    hasMore: isFull || (seenCount === size && !isPast),
    isPast,
  };
}

/** One page back from a place. The look ends where everything before is older than the filters allow. */
async function readBack(tx: Tx, reader: Reader, query: EventsQuery, { filter, limit, isFiltered }: Search) {
  const { tenantId, names } = reader;
  const { cursor = END_CURSOR, from, to, creditReportId } = query;
  const asked = cursor === END_CURSOR ? LAST_CURSOR : await placeOf(tx, reader, cursor);
  const latest = to === undefined ? undefined : parseInstant(to);
  const bound = latest && (await findPlaceAt(tx, tenantId, new Date(latest.getTime() + DISORDER_MS).toISOString()));
  const before = bound && isBefore(bound, asked) ? bound : asked;
  const size = isFiltered ? WINDOW : limit + 1;
  const { found, seenCount, last } = await listEventsBefore(tx, tenantId, filter, { before, size }, limit + 1);
  const shown = found.slice(0, limit);
  const end = shown.at(-1);
  const isFull = found.length > limit && end !== undefined;
  const earliest = earliestOf(from === undefined ? undefined : parseInstant(from), creditReportId);
  const isPast = last !== undefined && earliest !== undefined && last.createdAt < earliest;
  // Without an event there is no place yet: a reader who goes on from here without `order` sees the first one.
  const next = isFull ? end : (last ?? (before === LAST_CURSOR ? FIRST_CURSOR : before));
  const idOf = names.idsOf(shown);
  return {
    items: shown.flatMap((row) => toPublicEvent(row, idOf) ?? []),
    nextCursor: names.writePlace(next),
    hasMore: isFull || (seenCount === size && !isPast),
  };
}

export type ListDependencies = { readonly database: Database; readonly waits: EventWaits };

export type Listening = {
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal;
  /** Called before the request waits: it then counts as no read. */
  readonly beforeWait: () => void;
};

export async function listEvents(
  { database, waits }: ListDependencies,
  { tenantId, isTestOnly }: Pick<Caller, 'tenantId' | 'isTestOnly'>,
  query: EventsQuery,
  { signal, beforeWait }: Listening,
): Promise<EventsPage> {
  const { limit = PAGE_FALLBACK, wait = 0 } = query;
  const filter = toFilter(query, isTestOnly);
  const isFiltered = [query.type, query.creditReportId, query.from, query.to, filter.isTest].some(
    (each) => each != null,
  );
  if (query.order === 'newest') {
    if (wait > 0) throw refuse('wait', 'Leave it out with order=newest: there is nothing to wait for.');
    return database.forTenants([tenantId], async (tx) => {
      await walkInKeyOrder(tx);
      return readBack(tx, { tenantId, names: await readNames(tx) }, query, { filter, limit, isFiltered });
    });
  }
  const untilMs = performance.now() + Math.min(wait * 1_000, remainingMs() - RESERVE_MS);
  let after: EventCursor | undefined;
  for (;;) {
    const page = await database.forTenants([tenantId], async (tx) => {
      await walkInKeyOrder(tx);
      const reader = { tenantId, names: await readNames(tx) };
      return readPage(tx, reader, after ?? (await startOf(tx, reader, query)), { filter, limit, isFiltered });
    });
    const { items, nextCursor, hasMore } = page;
    const answer = { items, nextCursor, hasMore };
    after = page.next;
    if (items.length > 0 || hasMore || page.isPast) return answer;
    beforeWait();
    const hasNews = await waits.wait({ tenantId, after, ms: untilMs - performance.now(), signal });
    if (!hasNews) return answer;
  }
}
