// What happened to a tenant's reports, challenges and wallet, in the order of the commits.
import type { Http, QueryOf } from './http.ts';
import type { components } from './openapi-types.ts';
import { createPage } from './page.ts';
import type { CallOptions } from './send.ts';

const EVENTS = '/{tenantId}/v1/events';

/** Ids, status and credits: read the report for everything else. Ignore types that you do not know. */
export type Event = components['schemas']['Event'];
export type EventsQuery = QueryOf<typeof EVENTS>;

export function createEventCalls(http: Http) {
  return {
    /**
     * Oldest first. Without `wait`, `for await` ends with the last event that there is now. With it, the loop goes on for
     * ever and gives each event when it happens.
     */
    listEvents: (query: EventsQuery = {}, call?: CallOptions) =>
      createPage(
        query,
        (page) => http.get(EVENTS, { query: page }, call),
        ({ data }) => query.wait === undefined && !data.hasMore,
      ),
  };
}
