// What a tenant reads from its events, as short lines: the type, and what the event says beside ids.
import { WEBHOOK_MESSAGES } from '@trefoil/contract';
import type { Event, EventsQuery, Trefoil } from '@trefoil/sdk';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';

const ajv = new Ajv2020({ strict: false, validateFormats: false });
const closed = new Map(
  WEBHOOK_MESSAGES.map(({ type, schema }) => {
    // Closed here alone: clients ignore fields that they do not know, but we send none that is not described.
    const text = JSON.stringify(schema).replaceAll('"properties":', '"additionalProperties":false,"properties":');
    return [type as string, ajv.compile(JSON.parse(text) as object)] as const;
  }),
);

/** A message or event is what the document's section `webhooks` says of its type, and has no field more. */
export function expectDescribed(message: { readonly type: string }): void {
  const validate = closed.get(message.type);
  expect(validate?.(message), `${JSON.stringify(message)} ${JSON.stringify(validate?.errors)}`).toBe(true);
}

/** More than any test writes. */
const PAGES_MAX = 1_000;

/** All events of a query, page by page. */
export async function readAll(trefoil: Trefoil, query: EventsQuery = {}): Promise<Event[]> {
  const events: Event[] = [];
  let { cursor } = query;
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const { data } = await trefoil.listEvents({ ...query, ...(cursor !== undefined && { cursor }) });
    events.push(...data.items);
    cursor = data.nextCursor;
    if (!data.hasMore) return events;
  }
  throw new Error(`the events have no end: ${PAGES_MAX} pages were read`);
}

export const lineOf = ({ type, data }: Event): string => {
  const { status, cost, amount, balance, threshold } = data;
  return [type, status, cost, amount, balance, threshold].filter((each) => each !== undefined).join(' ');
};

/** The events of a query as lines, once they are these. */
export async function expectEvents(
  trefoil: Trefoil,
  lines: readonly string[],
  query: EventsQuery = {},
): Promise<Event[]> {
  return eventually(async () => {
    const events = await readAll(trefoil, query);
    expect(events.map(lineOf)).toEqual(lines);
    for (const event of events) expectDescribed(event);
    return events;
  });
}
