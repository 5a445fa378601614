// Webhook endpoints and their deliveries (docs/decisions/0202-webhooks.md). Messages are signed by the Standard Webhooks
// specification. The secret is in the answers of create and rotate only.
import { type Static, Type } from 'typebox';
import { pageOf, unmetered } from './envelope.ts';
import { EVENT_TYPES } from './events.ts';
import type { Operation } from './operation.ts';
import { cursor, limit } from './queries.ts';
import { Instant, NO_CONTROL, oneOf, orNull, Uuid } from './schema.ts';
import * as examples from './webhook-examples.ts';

export const WEBHOOK_ENDPOINTS_MAX = 20;
const URL_MAX = 2_048;
const DESCRIPTION_MAX = 200;

const url = Type.String({
  minLength: 1,
  maxLength: URL_MAX,
  description:
    'Where events are posted to: https, port 443 or from 1024 up, a host that can be reached from the internet, without user ' +
    'name, password or fragment. Redirects are not followed.',
});
const description = Type.String({
  maxLength: DESCRIPTION_MAX,
  pattern: NO_CONTROL,
  description: 'What it is for, in your own words.',
});
const eventTypes = orNull(
  Type.Array(oneOf(EVENT_TYPES), { minItems: 1, maxItems: EVENT_TYPES.length, uniqueItems: true }),
  {
    description: 'The types of events to send. Null: all of them, types that are added later included.',
    'x-message': 'Give one or more different types of events, or null for all.',
  },
);
const ORDERED =
  'events of one report are sent in their order, each after the one before it was accepted or given up. Events of different ' +
  'reports do not wait for each other. False: each is sent when it happens, and events of one report may overtake each other; ' +
  '`sequence` tells the later one.';
const ordered = Type.Boolean({ description: `True: ${ORDERED}` });

export const CreateWebhookEndpointRequest = Type.Object({
  url,
  description: Type.Optional(description),
  eventTypes: Type.Optional(eventTypes),
  test: Type.Optional(
    Type.Boolean({
      description: 'True: it gets the events of test mode and no others. False, or left out: those of live mode.',
    }),
  ),
  ordered: Type.Optional(Type.Boolean({ description: `True, or left out: ${ORDERED}` })),
});

export const ChangeWebhookEndpointRequest = Type.Object(
  {
    url: Type.Optional(url),
    description: Type.Optional(description),
    eventTypes: Type.Optional(eventTypes),
    ordered: Type.Optional(ordered),
    status: Type.Optional(
      oneOf(['enabled', 'disabled'] as const, {
        description:
          '`disabled`: nothing more is sent; what happens meanwhile waits for up to 30 days. `enabled`: what waits is sent; after ' +
          'a 410, only once the receiver has accepted a test message.',
      }),
    ),
  },
  { minProperties: 1 },
);

export const ReplayWebhookRequest = Type.Object({
  since: Type.String({
    maxLength: 40,
    format: 'date-or-instant',
    description: 'A date (midnight UTC) or an instant with its offset. Events are kept for 30 days.',
  }),
});

export const WebhookEndpoint = Type.Object({
  id: Uuid('The endpoint.'),
  url: Type.String({ description: 'Empty where it cannot be read any more: see `unreadable` in `disabledReason`.' }),
  description: Type.String({ description: 'Empty where none was given.' }),
  eventTypes: orNull(Type.Array(oneOf(EVENT_TYPES)), { description: 'Null: all types.' }),
  test: Type.Boolean({ description: 'Whether it gets the events of test mode, or those of live mode.' }),
  ordered: Type.Boolean(),
  status: oneOf(['enabled', 'disabled', 'confirming'] as const, {
    description:
      '`confirming`: its receiver had answered 410. It was enabled again and gets one test message; if that is accepted, it is ' +
      '`enabled`, otherwise it stays `disabled`.',
  }),
  disabledReason: orNull(oneOf(['requested', 'gone', 'failing', 'unreadable'] as const), {
    description:
      '`requested`: a member, a credential or the operator disabled it. `gone`: the receiver answered 410. `failing`: it only failed for ' +
      'five days. `unreadable`: the service has lost the key to its address or its secret; send `url` again and rotate the ' +
      'secret, and what waits is sent. Null while it is enabled.',
  }),
  createdBy: orNull(Uuid('The member or the credential that made it.'), {
    description: 'Null where that was not kept yet.',
  }),
  createdAt: Instant('When it was made.'),
});

const secret = Type.String({
  description: 'The secret to verify signatures with: `whsec_` and base64. Shown only in this answer.',
});

export const WebhookEndpointResponse = unmetered(WebhookEndpoint);
export const WebhookEndpointsResponse = pageOf(WebhookEndpoint);
export const WebhookSecretResponse = unmetered(Type.Object({ ...WebhookEndpoint.properties, secret }));
export const CreatedWebhookResponse = unmetered(
  Type.Object({
    ...WebhookEndpoint.properties,
    secret: Type.Optional(secret),
    notice: Type.Optional(
      Type.String({
        description: 'Instead of the secret, in a repeat with the same `Idempotency-Key`: how to get a secret.',
      }),
    ),
  }),
);
export const DeletedWebhookEndpointResponse = unmetered(Type.Object({ id: Uuid('The endpoint that was deleted.') }));

export const WebhookAttempt = Type.Object({
  startedAt: Instant('When it was sent.'),
  timeTakenMs: Type.Integer({ minimum: 0, description: 'How long it took, in milliseconds.' }),
  status: orNull(Type.Integer(), { description: 'The HTTP status of the answer; null when there was no answer.' }),
  answer: orNull(Type.String(), { description: 'The first kilobyte of the answer; null when there was no answer.' }),
  error: orNull(Type.String(), { description: 'Why it counts as failed; null when it was accepted.' }),
});

export const WebhookDelivery = Type.Object({
  id: Uuid('The delivery: one event for one endpoint.'),
  endpointId: Uuid('The endpoint.'),
  eventId: Type.String({ description: 'The event, and the `webhook-id` header of every attempt.' }),
  eventType: Type.String({ description: 'A type of event, or `webhook.test`.' }),
  state: oneOf(['pending', 'delivered', 'failed'] as const, {
    description: '`pending`: not accepted yet. `delivered`: answered with a 2xx status. `failed`: given up.',
  }),
  createdAt: Instant('When the event was handed to the endpoint.'),
  nextAttemptAt: orNull(Instant('When it is attempted next.'), {
    description: 'Null unless it is pending with a time. While the endpoint is disabled, nothing is attempted.',
  }),
  waitsFor: orNull(oneOf(['earlier-event', 'budget', 'receiver'] as const), {
    description:
      'What a pending delivery waits for, other than its own time. `earlier-event`: an earlier event of the same report at an ' +
      'endpoint that keeps the order. `budget`: the host has had what it gets for now (see the limits); nothing is lost and no ' +
      'attempt is used up. `receiver`: the host asked for a pause with `Retry-After`. More may be added.',
  }),
  settledAt: orNull(Instant('When it was accepted or given up.'), { description: 'Null while it is pending.' }),
  attempts: Type.Array(WebhookAttempt, {
    description: 'The last ten attempts, newest first. Kept for 30 days from the event.',
  }),
});

export const WebhookDeliveryResponse = unmetered(WebhookDelivery);
export const WebhookDeliveriesResponse = pageOf(WebhookDelivery);
export const ReplayWebhookResponse = unmetered(
  Type.Object({
    id: Uuid('The endpoint.'),
    since: Instant('The events from here on are sent again, in the background.'),
  }),
);

export const WebhooksQuery = Type.Object({ limit, cursor });
export const WebhookDeliveriesQuery = Type.Object({
  limit,
  cursor,
  state: Type.Optional(
    oneOf(['pending', 'delivered', 'failed'] as const, { description: 'Only deliveries in this state.' }),
  ),
});

export type CreateWebhookEndpointRequest = Static<typeof CreateWebhookEndpointRequest>;
export type ChangeWebhookEndpointRequest = Static<typeof ChangeWebhookEndpointRequest>;
export type WebhookEndpoint = Static<typeof WebhookEndpoint>;
export type WebhookEndpointPage = Static<typeof WebhookEndpointsResponse>['data'];
export type WebhookDelivery = Static<typeof WebhookDelivery>;
export type WebhookDeliveryPage = Static<typeof WebhookDeliveriesResponse>['data'];
export type WebhooksQuery = Static<typeof WebhooksQuery>;
export type WebhookDeliveriesQuery = Static<typeof WebhookDeliveriesQuery>;

const shared = { tag: 'Webhooks', scope: 'webhooks:write', idempotent: false } as const;
const all = '/:tenantId/v1/webhook-endpoints';
const one = `${all}/:endpointId` as const;

export const webhookOperations = {
  listWebhookEndpoints: {
    ...shared,
    method: 'GET',
    path: all,
    summary: 'List the webhook endpoints',
    description: 'All endpoints of the tenant, newest first. No secrets.',
    query: WebhooksQuery,
    response: WebhookEndpointsResponse,
    responseExamples: examples.endpointsExamples,
    errors: [],
  },
  createWebhookEndpoint: {
    ...shared,
    method: 'POST',
    path: all,
    summary: 'Create a webhook endpoint',
    description:
      'Events of the tenant are posted to the address from now on, signed by the Standard Webhooks specification. This answer ' +
      `holds the secret, and no later answer does. A tenant has ${WEBHOOK_ENDPOINTS_MAX} endpoints at most, and makes 50 in any ` +
      '24 hours at most (429). Send an `Idempotency-Key`: a repeat then answers the same endpoint, as it is now and without its ' +
      'secret. If you do not have the secret, rotate it.',
    idempotent: true,
    body: CreateWebhookEndpointRequest,
    bodyExamples: examples.createEndpointExamples,
    response: CreatedWebhookResponse,
    responseExamples: examples.createdEndpointExamples,
    errors: ['conflict', 'not-found'],
  },
  getWebhookEndpoint: {
    ...shared,
    method: 'GET',
    path: one,
    summary: 'Read a webhook endpoint',
    description: 'One endpoint as in the list.',
    response: WebhookEndpointResponse,
    responseExamples: examples.endpointExamples,
    errors: ['not-found'],
  },
  changeWebhookEndpoint: {
    ...shared,
    method: 'PATCH',
    path: one,
    summary: 'Change a webhook endpoint',
    description:
      'Changes the fields that are sent and leaves the others. When an endpoint is enabled again, everything that happened ' +
      'since it was disabled, or since it began to fail, is delivered. One whose receiver answered 410 is `confirming` first.',
    body: ChangeWebhookEndpointRequest,
    bodyExamples: examples.changeEndpointExamples,
    response: WebhookEndpointResponse,
    responseExamples: examples.endpointExamples,
    errors: ['not-found'],
  },
  deleteWebhookEndpoint: {
    ...shared,
    method: 'DELETE',
    path: one,
    summary: 'Delete a webhook endpoint',
    description: 'Nothing more is sent to it. What waits for it is dropped, and its secret is erased.',
    response: DeletedWebhookEndpointResponse,
    responseExamples: examples.deletedEndpointExamples,
    errors: ['not-found'],
  },
  rotateWebhookSecret: {
    ...shared,
    method: 'POST',
    path: `${one}/rotate-secret`,
    summary: 'Replace the secret',
    description:
      'This answer holds the new secret, and no later answer does. For 24 hours every message carries two signatures, one with ' +
      'each secret. A second rotation within that time ends the oldest secret. This operation takes no `Idempotency-Key`.',
    response: WebhookSecretResponse,
    responseExamples: examples.endpointSecretExamples,
    errors: ['not-found'],
  },
  testWebhookEndpoint: {
    ...shared,
    method: 'POST',
    path: `${one}/test`,
    summary: 'Send a test message',
    description:
      'Queues a message of the type `webhook.test`, which is attempted once. The result is in the list of deliveries about a ' +
      'second later.',
    response: WebhookDeliveryResponse,
    responseExamples: examples.testDeliveryExamples,
    errors: ['not-found', 'conflict'],
  },
  replayWebhookEvents: {
    ...shared,
    method: 'POST',
    path: `${one}/replay`,
    summary: 'Send events again',
    description:
      'Sends all events since an instant again, delivered or not, with their `webhook-id` as before: also those from before ' +
      'the endpoint was made. Events that still wait are not sent twice. A tenant has one replay at a time (409 while one is ' +
      'handed out) and 24 in any 24 hours (429).',
    body: ReplayWebhookRequest,
    bodyExamples: examples.replayExamples,
    response: ReplayWebhookResponse,
    responseExamples: examples.replayedExamples,
    errors: ['not-found', 'conflict'],
  },
  listWebhookDeliveries: {
    ...shared,
    method: 'GET',
    path: `${one}/deliveries`,
    summary: 'List the deliveries of an endpoint',
    description:
      'Each event for the endpoint with its last ten attempts, newest first: status, time taken and the first kilobyte of the ' +
      'answer. Kept for 30 days from the event; a tenant has 1,000,000 at most, and the oldest accepted ones go first.',
    query: WebhookDeliveriesQuery,
    response: WebhookDeliveriesResponse,
    responseExamples: examples.deliveriesExamples,
    errors: ['not-found'],
  },
  resendWebhookDelivery: {
    ...shared,
    method: 'POST',
    path: `${all}/deliveries/:deliveryId/resend`,
    summary: 'Send one event again',
    description:
      'Sends the event again at once, with the same `webhook-id` and up to ten attempts, whether it was delivered, failed or ' +
      'still waits. While an attempt is under way, that one counts as the first.',
    response: WebhookDeliveryResponse,
    responseExamples: examples.deliveryExamples,
    errors: ['not-found', 'conflict'],
  },
} as const satisfies Record<string, Operation>;
