// What happened to a tenant's reports, challenges and wallet, in the order of the commits.
import type { Http } from './http.ts';
import { createPage } from './page.ts';
import type { CallOptions } from './send.ts';

/** Ids, statuses and credits: read the report for everything else. Ignore types that you do not know. */
export type TrefoilEvent = {
  /** If you receive an id again, it is the same event. */
  readonly id: string;
  readonly type: string;
  readonly createdAt: string;
  readonly tenantId: string;
  /** True for an event of test mode. */
  readonly test: boolean;
  readonly data: {
    readonly creditReportId?: string;
    readonly challengeId?: string;
    readonly messageId?: string;
    readonly status?: string;
    readonly cost?: number;
    readonly amount?: number;
    readonly balance?: number;
    readonly threshold?: number;
  };
};

export type EventsQuery = {
  readonly test?: boolean;
  /** Where the last page ended. Without it the events begin with the oldest that the service keeps. */
  readonly cursor?: string;
  readonly limit?: number;
  /** Seconds, 20 at most: the service waits that long for an event before it answers with an empty page. */
  readonly wait?: number;
};
export type EventPage = {
  readonly data: {
    readonly items: readonly TrefoilEvent[];
    readonly nextCursor: string | null;
    readonly hasMore: boolean;
  };
};

type GetEvents = (path: string, input: { query: EventsQuery }, call?: CallOptions) => Promise<EventPage>;

export function createEventCalls(http: Http) {
  const get = http.get as unknown as GetEvents;
  return {
    /** Oldest first. With `wait`, `for await` goes on for ever and gives each event when it happens. */
    listEvents: (query: EventsQuery = {}, call?: CallOptions) =>
      createPage(
        query,
        (page) => get('/{tenantId}/v1/events', { query: page }, call),
        ({ data }) => query.wait === undefined && !data.hasMore,
      ),
  };
}
