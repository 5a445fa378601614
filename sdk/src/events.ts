// What happened to a tenant's reports, challenges and wallet, in the order of the commits.
import { type Answered, type Call, toCall } from './call.ts';
import type { BodyOf, Http, QueryOf } from './http.ts';
import type * as names from './openapi-names.ts';
import { createPage, type Page } from './page.ts';
import { type CallOptions, pause } from './send.ts';

const EVENTS = '/{tenantId}/v1/events';
const EVENT = `${EVENTS}/{eventId}` as const;

type FieldOf<Message extends names.Event> = Message extends unknown ? keyof Message['data'] : never;
/** With the fields of other types as undefined, so that `data.creditReportId` can be read before `type` is known. */
type WithAbsent<Message extends names.Event> = Message extends unknown
  ? Message & { data: { [Field in Exclude<FieldOf<names.Event>, keyof Message['data']>]?: undefined } }
  : never;

/** A type of event. */
export type EventType = (typeof names.EVENT_TYPES)[number];
/**
 * Ids, status and credits: read the report for everything else. `type` says which fields `data` has. Ignore types that you do
 * not know: a service that is newer than this library may send them.
 */
export type Event = WithAbsent<names.Event>;
/** What is posted to an endpoint: an event, or the message of `testWebhookEndpoint`. */
export type WebhookMessage = Event | names.WebhookTestMessage;
/** The filters of `listEvents`. */
export type EventsQuery = QueryOf<typeof EVENTS>;

type AnswerBody = BodyOf<typeof EVENTS, 'get'>;
/** The answer to `listEvents`. */
export type EventsResponse = Omit<AnswerBody, 'data'> & {
  data: Omit<AnswerBody['data'], 'items'> & { items: Event[] };
};
/** The answer to `getEvent`. */
export type EventResponse = Omit<AnswerBody, 'data'> & { data: Event };

/** A page without events that comes sooner than this did not wait. */
const EARLY_MS = 500;
const REST_MS = 1_000;

export function createEventCalls(http: Http) {
  let restUntilMs = 0;

  // The same events, with the fields of other types as absent.
  const ask = (query: EventsQuery, call?: CallOptions) => http.get(EVENTS, { query }, call) as Call<EventsResponse>;

  /** A wait that is lost is repeated, and the end is then later: what happened meanwhile would be missed. So it is asked for first. */
  async function fixEnd(query: EventsQuery, call?: CallOptions): Promise<EventsQuery> {
    if (query.cursor !== 'end' || !query.wait) return query;
    const { wait: _, ...atOnce } = query;
    return { ...query, cursor: (await ask(atOnce, call)).data.nextCursor };
  }

  /** If too many requests of the tenant wait already, the service answers at once: a loop would then ask without a pause. */
  async function read(asked: EventsQuery, call?: CallOptions): Promise<Answered<EventsResponse>> {
    const query = await fixEnd(asked, call);
    const restMs = query.wait ? restUntilMs - performance.now() : 0;
    if (restMs > 0) await pause(restMs, call?.signal);
    const startedAtMs = performance.now();
    const answered = await ask(query, call).withResponse();
    const { items, hasMore } = answered.body.data;
    const hasNone = items.length === 0 && !hasMore;
    const nowMs = performance.now();
    if (query.wait && hasNone && nowMs - startedAtMs < EARLY_MS) restUntilMs = nowMs + REST_MS;
    return answered;
  }

  return {
    /**
     * Without `wait`, `for await` ends with the last event. With it, the loop goes on for ever and gives each event when it
     * happens. `pages()` gives the cursor of each page as well, for a program that must miss nothing.
     */
    listEvents: (query: EventsQuery = {}, call?: CallOptions): Page<EventsResponse> =>
      createPage(
        query,
        (page) => toCall(read(page, call)),
        ({ data }) => !query.wait && !data.hasMore,
      ),
    /** One event by its id, as in the feed. */
    getEvent: (eventId: string, call?: CallOptions): Call<EventResponse> =>
      http.get(EVENT, { path: { eventId } }, call) as Call<EventResponse>,
  };
}
