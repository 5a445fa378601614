// What is sent to webhook endpoints: deliveries with their attempts, tests, events that are sent again.
import { type Static, Type } from 'typebox';
import { pageOf, unmetered } from './envelope.ts';
import { EVENT_TYPES } from './events.ts';
import type { Operation } from './operation.ts';
import { cursor, limit, moment } from './queries.ts';
import { Instant, oneOf, orNull, Uuid } from './schema.ts';
import * as examples from './webhook-examples.ts';
import { TEST_MESSAGE_TYPE } from './webhook-messages.ts';

/** A misspelt field would change nothing and say nothing, so the small bodies here refuse it (docs/decisions/0011-unknown-fields.md). */
export const CLOSED = { additionalProperties: false } as const;

const past = (description: string) => Type.String({ maxLength: 40, format: 'date-or-instant', description });

export const ReplayWebhookRequest = Type.Object(
  {
    since: past(
      'Events that happened from then on: a date (midnight UTC) or an instant with its offset, not in the future. Events are kept for 30 days.',
    ),
    until: Type.Optional(
      past(
        'Events that happened before then, in the same form. Left out: all there are when the replay reaches its end.',
      ),
    ),
    onlyFailed: Type.Optional(
      Type.Boolean({
        description: 'True: only events that were given up at this endpoint. False, or left out: delivered or not.',
      }),
    ),
  },
  CLOSED,
);

export const TestWebhookRequest = Type.Object(
  {
    type: Type.Optional(
      oneOf([...EVENT_TYPES, TEST_MESSAGE_TYPE], {
        'x-shown': true,
        description:
          'The type of the message; `webhook.test` if left out. Another type has a body as an event of this type has, with ids that name ' +
          'nothing; only endpoints of test mode get it.',
      }),
    ),
  },
  CLOSED,
);

export const WebhookReplay = Type.Object({
  status: oneOf(['running', 'ended'] as const, {
    description:
      '`running`: events are still looked at. `ended`: all that were asked for are queued; the deliveries say what became of each.',
  }),
  since: Instant('Events from then on.'),
  until: orNull(Instant('Events before then.'), { description: 'Null: all there were.' }),
  onlyFailed: Type.Boolean({ description: 'Whether only events that were given up are sent again.' }),
  startedAt: Instant('When it was asked for.'),
  reachedAt: orNull(Instant('When the last event happened that was looked at.'), {
    description: 'Null before the first. It moves from `since` to `until`, or to now.',
  }),
  queued: Type.Integer({ minimum: 0, description: 'How many events were queued to be sent again so far.' }),
});

export const WebhookAttempt = Type.Object({
  startedAt: Instant('When it was sent.'),
  timeTakenMs: Type.Integer({ minimum: 0, description: 'How long it took, in milliseconds.' }),
  status: orNull(Type.Integer(), { description: 'The HTTP status of the answer; null when there was no answer.' }),
  answer: orNull(Type.String(), { description: 'The first kilobyte of the answer; null when there was no answer.' }),
  error: orNull(Type.String(), { description: 'Why it counts as failed; null when it was accepted.' }),
});

const DELIVERY_STATES = ['pending', 'waiting', 'delivered', 'failed'] as const;

export const WebhookDelivery = Type.Object({
  id: Uuid('The delivery: one event for one endpoint.'),
  endpointId: Uuid('The endpoint.'),
  eventId: Type.String({ description: 'The event, and the `webhook-id` header of every attempt.' }),
  eventType: Type.String({ description: 'A type of event, or `webhook.test`.' }),
  state: oneOf(DELIVERY_STATES, {
    description:
      '`pending`: not accepted yet. `waiting`: the endpoint is disabled; it is sent once that is enabled. `delivered`: answered with a ' +
      '2xx status. `failed`: given up.',
  }),
  createdAt: Instant('When the event was handed to the endpoint.'),
  nextAttemptAt: orNull(Instant('When it is attempted next.'), {
    description: 'Null unless it is `pending` with a time.',
  }),
  waitsFor: orNull(oneOf(['earlier-event', 'budget', 'receiver'] as const), {
    description:
      'What a pending delivery waits for, other than its own time. `earlier-event`: an earlier event of the same report at an ' +
      'endpoint that keeps the order. `budget`: the host has had what it gets for now (see the limits); nothing is lost and no ' +
      'attempt is used up. `receiver`: the host asked for a pause with `Retry-After`. More may be added.',
  }),
  settledAt: orNull(Instant('When it was accepted or given up.'), { description: 'Null while it is neither.' }),
  attempts: Type.Array(WebhookAttempt, {
    description: 'The last ten attempts, newest first. Kept for 30 days from the event.',
  }),
});

const header = (description: string) => Type.String({ description });

export const WebhookRequest = Type.Object(
  {
    headers: Type.Object({
      'content-type': header('Always `application/json`.'),
      'user-agent': header('This service and its version.'),
      'webhook-id': header('The event.'),
      'webhook-timestamp': Type.Optional(
        header('When the last attempt was sent, in seconds since 1970. Absent before the first.'),
      ),
    }),
    body: Type.String({ description: 'The exact text, as it is signed and sent.' }),
  },
  {
    description:
      'What was posted, or will be. Without `webhook-signature`: compute it from these with your secret, and compare it with what your ' +
      'receiver got.',
  },
);

export const WebhookDeliveryResponse = unmetered(WebhookDelivery);
export const SentWebhookDeliveryResponse = unmetered(
  Type.Object({ ...WebhookDelivery.properties, request: WebhookRequest }),
);
export const WebhookDeliveriesResponse = pageOf(WebhookDelivery);
export const ReplayWebhookResponse = unmetered(Type.Object({ id: Uuid('The endpoint.'), ...WebhookReplay.properties }));

export const WebhookDeliveriesQuery = Type.Object({
  limit,
  cursor,
  state: Type.Optional(
    oneOf(DELIVERY_STATES, {
      description:
        'Only deliveries in this state. `pending` finds those that are `waiting` too: what is neither accepted nor given up.',
    }),
  ),
  eventId: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'Only the delivery of this event: `evt_…`.' }),
  ),
  eventType: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 400,
      description:
        'Only these types: one, or several with commas. A part before the dot, such as `wallet`, stands for all its types.',
    }),
  ),
  from: moment(
    'Handed to the endpoint at or after: a date (midnight UTC) or an instant with its offset. Write + as %2B.',
  ),
  to: moment('Handed to the endpoint before: a date (midnight UTC) or an instant with its offset.'),
});

export type WebhookReplay = Static<typeof WebhookReplay>;
export type ReplayWebhookRequest = Static<typeof ReplayWebhookRequest>;
export type WebhookDelivery = Static<typeof WebhookDelivery>;
export type WebhookRequest = Static<typeof WebhookRequest>;
export type WebhookDeliveryPage = Static<typeof WebhookDeliveriesResponse>['data'];
export type WebhookDeliveriesQuery = Static<typeof WebhookDeliveriesQuery>;

export const ofWebhooks = { tag: 'Webhooks', scope: 'webhooks:write', idempotent: false } as const;
export const ENDPOINTS_PATH = '/:tenantId/v1/webhook-endpoints';
export const ENDPOINT_PATH = `${ENDPOINTS_PATH}/:endpointId` as const;

export const deliveryOperations = {
  testWebhookEndpoint: {
    ...ofWebhooks,
    method: 'POST',
    path: `${ENDPOINT_PATH}/test`,
    idempotent: true,
    summary: 'Send a test message',
    description:
      'Queues a message of the type `webhook.test`, which is attempted once. The result is in the list of deliveries about a ' +
      'second later. With `type` in the body, an endpoint of test mode gets a message with the body of an event of this type, whatever types it is ' +
      'for. Its id is `evt_test_…`, its `sequence` is 0, and its other ids name nothing. A repeat with the same `Idempotency-Key` sends nothing ' +
      'and answers the delivery as it is by then.',
    body: TestWebhookRequest,
    isBodyOptional: true,
    bodyExamples: examples.testExamples,
    response: WebhookDeliveryResponse,
    responseExamples: examples.testDeliveryExamples,
    errors: ['not-found', 'conflict'],
  },
  replayWebhookEvents: {
    ...ofWebhooks,
    method: 'POST',
    path: `${ENDPOINT_PATH}/replay`,
    idempotent: true,
    summary: 'Send events again',
    description:
      'Sends all events since an instant again, delivered or not, with their `webhook-id` as before: also those from before ' +
      'the endpoint was made. `until` ends it at another instant; `onlyFailed` leaves out all but what was given up here. Events that still wait are not sent ' +
      'twice. It runs in the background: `replay` of the endpoint says how far it is. A tenant has one replay at a time (409 while one of another ' +
      'endpoint runs; one of the same endpoint begins anew) and 24 in any 24 hours (429).',
    body: ReplayWebhookRequest,
    bodyExamples: examples.replayExamples,
    response: ReplayWebhookResponse,
    responseExamples: examples.replayedExamples,
    errors: ['not-found', 'conflict'],
  },
  listWebhookDeliveries: {
    ...ofWebhooks,
    method: 'GET',
    path: `${ENDPOINT_PATH}/deliveries`,
    summary: 'List the deliveries of an endpoint',
    description:
      'Each event for the endpoint with its last ten attempts, newest first: status, time taken and the first kilobyte of the ' +
      'answer. A delivery must match all filters that you send. With `eventType`, `from` or `to`, a page may have fewer deliveries than ' +
      '`limit`, or none: continue until `nextCursor` is null. Kept for 30 days from the event; a tenant has 1,000,000 at most, and the oldest ' +
      'accepted ones go first.',
    query: WebhookDeliveriesQuery,
    response: WebhookDeliveriesResponse,
    responseExamples: examples.deliveriesExamples,
    errors: ['not-found'],
  },
  getWebhookDelivery: {
    ...ofWebhooks,
    method: 'GET',
    path: `${ENDPOINTS_PATH}/deliveries/:deliveryId`,
    summary: 'Read a delivery',
    description: 'One delivery as in the list, with the headers and the body that were posted, or will be.',
    response: SentWebhookDeliveryResponse,
    responseExamples: examples.sentDeliveryExamples,
    errors: ['not-found'],
  },
  resendWebhookDelivery: {
    ...ofWebhooks,
    method: 'POST',
    path: `${ENDPOINTS_PATH}/deliveries/:deliveryId/resend`,
    idempotent: true,
    summary: 'Send one event again',
    description:
      'Sends the event again at once, with the same `webhook-id` and up to ten attempts, whether it was delivered, failed or ' +
      'still waits. While an attempt is under way, that one counts as the first. A repeat with the same `Idempotency-Key` sends nothing ' +
      'and answers the delivery as it is by then.',
    response: WebhookDeliveryResponse,
    responseExamples: examples.deliveryExamples,
    errors: ['not-found', 'conflict'],
  },
} as const satisfies Record<string, Operation>;
