// A tenant reads its events in commit order, in pages; a request may wait for the next one.
import { END_CURSOR, type EventsPage, type EventsQuery } from '@trefoil/contract';
import type { Caller } from '../http/authenticate.ts';
import { ServiceError } from '../lib/errors.ts';
import type { Database } from '../lib/postgres/database.ts';
import { walkInKeyOrder } from '../lib/postgres/key-order.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { remainingMs } from '../lib/request-scope.ts';
import { readCursor, writeCursor } from '../lib/values/cursor.ts';
import { parseInstant } from '../lib/values/instant.ts';
import { type EventFilter, findLastReadable, findPlaceAt, listEvents as listRows } from './feed-store.ts';
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
const POSITION = /^(\d{1,19})\.(\d{1,15})$/;

const isBefore = (a: EventCursor, b: EventCursor) =>
  BigInt(a.xactId) < BigInt(b.xactId) || (a.xactId === b.xactId && a.id < b.id);

async function placeOf(tx: Tx, tenantId: string, cursor: string | undefined): Promise<EventCursor> {
  if (cursor === undefined) return FIRST_CURSOR;
  if (cursor === END_CURSOR) return (await findLastReadable(tx, tenantId)) ?? FIRST_CURSOR;
  const [, xactId = '', id = ''] = POSITION.exec(readCursor(cursor, (text) => POSITION.test(text))) ?? [];
  return { xactId, id: Number(id) };
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
async function startOf(tx: Tx, tenantId: string, query: EventsQuery): Promise<EventCursor> {
  const after = await placeOf(tx, tenantId, query.cursor);
  const earliest = earliestOf(query.from === undefined ? undefined : parseInstant(query.from), query.creditReportId);
  if (!earliest) return after;
  const place = await findPlaceAt(tx, tenantId, earliest.toISOString());
  return isBefore(after, place) ? place : after;
}

/** One page from a place on. */
async function readPage(tx: Tx, tenantId: string, after: EventCursor, { filter, limit, isFiltered }: Search) {
  const size = isFiltered ? WINDOW : limit + 1;
  const { found, seenCount, last } = await listRows(tx, tenantId, filter, { after, size }, limit + 1);
  const shown = found.slice(0, limit);
  const end = shown.at(-1);
  const isFull = found.length > limit && end !== undefined;
  const isPast =
    last !== undefined && filter.to !== 'infinity' && last.createdAt.getTime() - DISORDER_MS > Date.parse(filter.to);
  return {
    items: shown.flatMap((row) => toPublicEvent(row) ?? []),
    next: isFull ? end : (last ?? after),
    hasMore: isFull || (seenCount === size && !isPast),
    isPast,
  };
}

/** One page back from a place. The look ends where everything before is older than the filters allow. */
async function readBack(tx: Tx, tenantId: string, query: EventsQuery, { filter, limit, isFiltered }: Search) {
  const { cursor = END_CURSOR, from, to, creditReportId } = query;
  const asked = cursor === END_CURSOR ? LAST_CURSOR : await placeOf(tx, tenantId, cursor);
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
  return {
    items: shown.flatMap((row) => toPublicEvent(row) ?? []),
    nextCursor: writeCursor(`${next.xactId}.${next.id}`),
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
      return readBack(tx, tenantId, query, { filter, limit, isFiltered });
    });
  }
  const untilMs = performance.now() + Math.min(wait * 1_000, remainingMs() - RESERVE_MS);
  let after: EventCursor | undefined;
  for (;;) {
    const page = await database.forTenants([tenantId], async (tx) => {
      await walkInKeyOrder(tx);
      return readPage(tx, tenantId, after ?? (await startOf(tx, tenantId, query)), { filter, limit, isFiltered });
    });
    after = page.next;
    const answer = { items: page.items, nextCursor: writeCursor(`${after.xactId}.${after.id}`), hasMore: page.hasMore };
    if (page.items.length > 0 || page.hasMore || page.isPast) return answer;
    beforeWait();
    const hasNews = await waits.wait({ tenantId, after, ms: untilMs - performance.now(), signal });
    if (!hasNews) return answer;
  }
}
