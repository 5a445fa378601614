// Hands committed events out to the endpoints that want them: one delivery for each. The cursor moves in the transaction
// that inserts the deliveries, and only from where the events were read, so every event is handed out exactly once, whatever
// number of workers run and whenever one dies. Replays read the events of one tenant again in the same way.
import {
  type EventCursor,
  FIRST_CURSOR,
  findPlaceOf,
  isPast,
  type ReadEvent,
  readCommitted,
} from '../../events/read-events.ts';
import { newId } from '../../lib/ids.ts';
import type { Database } from '../../lib/postgres/database.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import { isWithin, reachedOf } from '../rules/replay.ts';
import { ATTEMPTS_MAX } from '../rules/schedule.ts';
import { wants } from '../rules/wants.ts';
import {
  getFanoutCursor,
  type HandedOut,
  insertDeliveries,
  listWants,
  moveFanoutCursor,
  reviveFailed,
} from './hand-out-store.ts';
import { listReplays, moveReplay, noteProgress, type Replay } from './replay-store.ts';

const AT_A_TIME = 500;
const REPLAYS_AT_A_TIME = 20;

function toHandedOut({ event, cursor, creditReportId }: ReadEvent): HandedOut {
  return {
    deliveryId: newId(),
    tenantId: event.tenantId,
    eventId: event.id,
    eventType: event.type,
    isTest: event.test,
    creditReportId,
    place: cursor,
    happenedAt: event.createdAt,
    body: JSON.stringify(event),
  };
}

const isSame = (a: EventCursor, b: EventCursor) => a.xactId === b.xactId && a.id === b.id;

/** Most tenants have no endpoint, and reading their events would cost each report a thirtieth of its time. */
const withEndpoints = async (tx: Tx, tenantIds: readonly string[]) => [
  ...new Set((await listWants(tx, tenantIds)).map(({ tenantId }) => tenantId)),
];

/** Undefined when another worker was faster. */
async function handOutPage(database: Database, after: EventCursor, limit: number) {
  const page = await readCommitted(database, { after, limit, chooseTenants: withEndpoints });
  if (isSame(page.next, after)) return { inserted: 0, isEnd: true };
  const events = page.events.map(toHandedOut);
  return database.asSystem(async (tx) => {
    // First, because it is the lock: a second worker with the same page waits here and then finds the cursor moved.
    if (!(await moveFanoutCursor(tx, after, page.next))) return undefined;
    const tenantIds = [...new Set(events.map(({ tenantId }) => tenantId))];
    const endpoints = tenantIds.length > 0 ? await listWants(tx, tenantIds) : [];
    const byTenant = Map.groupBy(endpoints, ({ tenantId }) => tenantId);
    const deliveries = events.flatMap((event) =>
      (byTenant.get(event.tenantId) ?? [])
        .filter((endpoint) => wants(endpoint, event))
        .map(({ id, isOrdered }) => ({ ...event, deliveryId: newId(), endpointId: id, isOrdered })),
    );
    const inserted = await insertDeliveries(tx, deliveries, { attemptsMax: ATTEMPTS_MAX, isReplay: false });
    return { inserted, isEnd: page.isLast };
  });
}

/** Runs until no event waits; returns how many deliveries it inserted. */
export async function handOutEvents(database: Database, signal?: AbortSignal): Promise<number> {
  let count = 0;
  while (!signal?.aborted) {
    const after = await database.asSystem(getFanoutCursor);
    const handed = await handOutPage(database, after, AT_A_TIME);
    // Another worker does this now: this one has nothing to do until its next run.
    if (!handed) return count;
    count += handed.inserted;
    if (handed.isEnd) return count;
  }
  return count;
}

/**
 * One page of a replay. It ends with the last event there is, or with the last that can be before its end: what happens later is handed out to the
 * endpoint anyway, and a tenant whose events never cease would have a replay without end.
 */
async function replayPage(database: Database, replay: Replay): Promise<{ count: number; isOver: boolean }> {
  const { tenantId, endpointId, since, until, onlyFailed, after } = replay;
  const from = isSame(after, FIRST_CURSOR) ? await findPlaceOf(database, tenantId, since) : after;
  const page = await readCommitted(database, { after: from, limit: AT_A_TIME, tenantIds: [tenantId] });
  const deliveries = page.events
    .filter(({ event }) => isWithin(replay, new Date(event.createdAt)))
    .map(toHandedOut)
    .filter((event) => wants(replay, event))
    .map((event) => ({ ...event, endpointId, isOrdered: replay.isOrdered }));
  const last = page.events.at(-1)?.event;
  const isOver = page.isLast || (until !== null && last !== undefined && isPast(last, until));
  return database.asSystem(async (tx) => {
    if (!(await moveReplay(tx, replay, isOver ? undefined : page.next))) return { count: 0, isOver: true };
    const count = onlyFailed
      ? await reviveFailed(tx, deliveries)
      : await insertDeliveries(tx, deliveries, { attemptsMax: ATTEMPTS_MAX, isReplay: true });
    const reachedAt = reachedOf(replay, last && new Date(last.createdAt));
    await noteProgress(tx, replay, { queued: count, reachedAt });
    return { count, isOver };
  });
}

/**
 * A page of each replay in turn, so that a long one does not delay the others. One that fails does not either: its error ends
 * the run only after the others had their pages.
 */
export async function replayEvents(database: Database, signal?: AbortSignal): Promise<number> {
  let sum = 0;
  while (!signal?.aborted) {
    const replays = await database.asSystem((tx) => listReplays(tx, REPLAYS_AT_A_TIME));
    if (replays.length === 0) return sum;
    const pages = [];
    const errors: unknown[] = [];
    for (const replay of replays) {
      try {
        pages.push(await replayPage(database, replay));
      } catch (error) {
        errors.push(error);
      }
    }
    sum += pages.reduce((count, page) => count + page.count, 0);
    if (errors.length > 0) throw errors[0];
    if (pages.every(({ isOver }) => isOver)) return sum;
  }
  return sum;
}
