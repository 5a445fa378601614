// What a tenant reads from its events, as short lines: the type, and what the event says beside ids.
import type { Event, EventsQuery, Trefoil } from '@trefoil/sdk';
import { expect, vi } from 'vitest';

/** Transactions of other tests on the same database server delay events, for as long as they run. */
export const READABLE = { timeout: 20_000, interval: 100 };

/** All events of a query, page by page. */
export async function readAll(trefoil: Trefoil, query: EventsQuery = {}): Promise<Event[]> {
  const events: Event[] = [];
  let { cursor } = query;
  for (;;) {
    const { data } = await trefoil.listEvents({ ...query, ...(cursor !== undefined && { cursor }) });
    events.push(...data.items);
    cursor = data.nextCursor;
    if (!data.hasMore) return events;
  }
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
  return vi.waitFor(async () => {
    const events = await readAll(trefoil, query);
    expect(events.map(lineOf)).toEqual(lines);
    return events;
  }, READABLE);
}
