// A tenant looks through the deliveries of an endpoint, by state, event, type and time.
import {
  EVENT_TYPES,
  PAGE_DEFAULT,
  TEST_MESSAGE_TYPE,
  type WebhookDeliveriesQuery,
  type WebhookDeliveryPage,
} from '@trefoil/contract';
import type { Caller } from '../../http/authenticate.ts';
import { ServiceError } from '../../lib/errors.ts';
import { firstIdAt, isUuid } from '../../lib/ids.ts';
import { walkInKeyOrder } from '../../lib/postgres/key-order.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import { readCursor, writeCursor } from '../../lib/values/cursor.ts';
import { parseInstant } from '../../lib/values/instant.ts';
import type { WebhookDependencies } from '../dependencies.ts';
import { noEndpoint } from '../manage-endpoints.ts';
import { type DeliveryFilter, fits, type Halt, madeBetween, parseTypes } from '../rules/delivery-filter.ts';
import { type DeliveryRow, findDeliveryOf, listDeliveryPage } from './log-store.ts';
import { findAround, toDelivery } from './show-delivery.ts';

/** Rows of each state that are looked at for one page. If a filter matches few of them, the page is short and its cursor continues. */
const WINDOW = 5_000;
const TYPES = [...EVENT_TYPES, TEST_MESSAGE_TYPE];

function readTypes(list: string): readonly string[] {
  const types = parseTypes(list, TYPES);
  if (types) return types;
  throw new ServiceError('validation-error', 'The query is not valid; details lists what to correct.', {
    details: [{ path: '/query/eventType', message: `Use one or several of these, with commas: ${TYPES.join(', ')}.` }],
  });
}

const instantOf = (text: string | undefined) => (text === undefined ? undefined : parseInstant(text));

/** What is shown as waiting is stored as pending. */
function toFilter({ state, eventType, from, to }: WebhookDeliveriesQuery, halt: Halt): DeliveryFilter {
  return {
    state: state === 'waiting' ? 'pending' : state,
    types: eventType === undefined ? null : readTypes(eventType),
    from: instantOf(from),
    to: instantOf(to),
    exceptId: state === 'waiting' ? halt.exceptId : null,
  };
}

type Page = { readonly found: readonly DeliveryRow[]; readonly next: string | undefined };
const NOTHING: Page = { found: [], next: undefined };

async function readPage(
  tx: Tx,
  tenantId: string,
  endpointId: string,
  filter: DeliveryFilter,
  { limit = PAGE_DEFAULT, cursor, eventType, from, to }: WebhookDeliveriesQuery,
): Promise<Page> {
  const isFiltered = [eventType, from, to].some((each) => each !== undefined);
  const size = isFiltered ? WINDOW : limit + 1;
  const [earliest, latest] = madeBetween(filter);
  const ends = [cursor && readCursor(cursor, isUuid), latest && firstIdAt(latest)].filter((id) => id !== undefined);
  const [beforeId] = ends.toSorted();
  const fromId = earliest && firstIdAt(earliest);
  await walkInKeyOrder(tx);
  const window = { endpointId, fromId, beforeId, size };
  const { found, seenCount, lastId } = await listDeliveryPage(tx, tenantId, filter, window, limit + 1);
  const shown = found.slice(0, limit);
  // Beyond what was looked at there may be more, whether or not the page is full.
  const next = found.length > limit ? shown.at(-1)?.id : seenCount === size ? lastId : undefined;
  return { found: shown, next };
}

async function findPage(
  tx: Tx,
  tenantId: string,
  endpointId: string,
  halt: Halt,
  query: WebhookDeliveriesQuery,
): Promise<Page> {
  const { eventId, state } = query;
  const filter = toFilter(query, halt);
  if (state === 'waiting' && !halt.isHalted) return NOTHING;
  if (eventId === undefined) return readPage(tx, tenantId, endpointId, filter, query);
  const found = await findDeliveryOf(tx, tenantId, { endpointId, eventId });
  return found && fits(filter, found) ? { found: [found], next: undefined } : NOTHING;
}

export async function listWebhookDeliveries(
  { database, seal }: WebhookDependencies,
  caller: Caller,
  endpointId: string,
  query: WebhookDeliveriesQuery,
): Promise<WebhookDeliveryPage> {
  const { tenantId } = caller;
  return database.forTenants([tenantId], async (tx) => {
    const around = await findAround(tx, seal, caller, endpointId);
    if (!around) throw noEndpoint();
    const { found, next } = await findPage(tx, tenantId, endpointId, around.halt, query);
    return {
      items: found.map((row) => toDelivery(seal, tenantId, row, around)),
      nextCursor: next === undefined ? null : writeCursor(next),
    };
  });
}
