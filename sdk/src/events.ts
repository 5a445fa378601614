// What happened to a tenant's reports, challenges and wallet, in the order of the commits.
import type { BodyOf, Http, QueryOf } from './http.ts';
import type { webhooks } from './openapi-types.ts';
import { createPage } from './page.ts';
import { type CallOptions, pause } from './send.ts';

const EVENTS = '/{tenantId}/v1/events';

type Posted = webhooks[keyof webhooks]['post']['requestBody']['content']['application/json'];
type TestMessage = Extract<Posted, { type: 'webhook.test' }>;
type Told = Exclude<Posted, TestMessage>;
type FieldOf<Message extends Told> = Message extends unknown ? keyof Message['data'] : never;
/** With the fields of other types as undefined, so that `data.creditReportId` can be read before `type` is known. */
type WithAbsent<Message extends Told> = Message extends unknown
  ? Message & { data: { [Field in Exclude<FieldOf<Told>, keyof Message['data']>]?: undefined } }
  : never;

/**
 * Ids, status and credits: read the report for everything else. `type` says which fields `data` has. Ignore types that you do
 * not know: a service that is newer than this library may send them.
 */
export type Event = WithAbsent<Told> & {
  data: {
    /** The reference of the report, in the feed; webhooks do not have it. */
    externalReference?: string;
  };
};
/** What is posted to an endpoint: an event, or the message of `testWebhookEndpoint`. */
export type WebhookMessage = Event | TestMessage;
export type EventsQuery = QueryOf<typeof EVENTS>;

type Answer = BodyOf<typeof EVENTS, 'get'>;
export type EventsResponse = Omit<Answer, 'data'> & {
  data: Omit<Answer['data'], 'items'> & { items: Event[] };
};

/** A page without events that comes sooner than this did not wait. */
const EARLY_MS = 500;
const REST_MS = 1_000;

export function createEventCalls(http: Http) {
  let restUntilMs = 0;

  // The same events: the schema of the list does not say which type has which data.
  const ask = async (query: EventsQuery, call?: CallOptions) =>
    (await http.get(EVENTS, { query }, call)) as EventsResponse;

  /** A wait that is lost is repeated, and the end is then later: what happened meanwhile would be missed. So it is asked for first. */
  async function fixEnd(query: EventsQuery, call?: CallOptions): Promise<EventsQuery> {
    if (query.cursor !== 'end' || !query.wait) return query;
    const { wait: _, ...atOnce } = query;
    return { ...query, cursor: (await ask(atOnce, call)).data.nextCursor };
  }

  /** If too many requests of the tenant wait already, the service answers at once: a loop would then ask without a pause. */
  async function read(asked: EventsQuery, call?: CallOptions): Promise<EventsResponse> {
    const query = await fixEnd(asked, call);
    const restMs = query.wait ? restUntilMs - performance.now() : 0;
    if (restMs > 0) await pause(restMs, call?.signal);
    const startedAtMs = performance.now();
    const answer = await ask(query, call);
    const hasNone = answer.data.items.length === 0 && !answer.data.hasMore;
    const nowMs = performance.now();
    if (query.wait && hasNone && nowMs - startedAtMs < EARLY_MS) restUntilMs = nowMs + REST_MS;
    return answer;
  }

  return {
    /**
     * Oldest first; `cursor: 'end'` begins after the last event that there is now. Without `wait`, `for await` ends with the
     * last event. With it, the loop goes on for ever and gives each event when it happens.
     */
    listEvents: (query: EventsQuery = {}, call?: CallOptions) =>
      createPage(
        query,
        (page) => read(page, call),
        ({ data }) => !query.wait && !data.hasMore,
      ),
  };
}
