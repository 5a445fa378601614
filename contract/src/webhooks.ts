// Webhook endpoints (docs/decisions/0202-webhooks.md). Messages are signed by the Standard Webhooks specification. The secret is
// in the answers of create and rotate only. What is sent to them: webhook-deliveries.ts.
import { type Static, Type } from 'typebox';
import { pageOf, unmetered } from './envelope.ts';
import { EVENT_TYPES, type EventType } from './events.ts';
import type { Operation } from './operation.ts';
import { cursor, limit } from './queries.ts';
import { Instant, NO_CONTROL, oneOf, orNull, Uuid } from './schema.ts';
import {
  CLOSED,
  deliveryOperations,
  ENDPOINT_PATH,
  ENDPOINTS_PATH,
  ofWebhooks,
  WebhookReplay,
} from './webhook-deliveries.ts';
import * as examples from './webhook-examples.ts';

export const WEBHOOK_ENDPOINTS_MAX = 20;
/** More deliveries are not counted one by one. */
export const RETRYING_MAX = 100;
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
/** One keyword for both, so that a fault says which item is wrong and what would be right. */
const eventTypes = Type.Unsafe<EventType[] | null>({
  type: ['array', 'null'],
  items: oneOf(EVENT_TYPES, { 'x-shown': true }),
  minItems: 1,
  maxItems: EVENT_TYPES.length,
  uniqueItems: true,
  description: 'The types of events to send. Null: all of them, types that are added later included.',
});
const ORDERED =
  'events of one report are sent in their order, each after the one before it was accepted or given up. Events of different ' +
  'reports do not wait for each other. False: each is sent when it happens, and events of one report may overtake each other; ' +
  '`sequence` tells the later one.';
const ordered = Type.Boolean({ description: `True: ${ORDERED}` });

export const CreateWebhookEndpointRequest = Type.Object(
  {
    url,
    description: Type.Optional(description),
    eventTypes: Type.Optional(eventTypes),
    test: Type.Optional(
      Type.Boolean({
        description: 'True: it gets the events of test mode and no others. False, or left out: those of live mode.',
      }),
    ),
    ordered: Type.Optional(Type.Boolean({ description: `True, or left out: ${ORDERED}` })),
  },
  CLOSED,
);

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
  { ...CLOSED, minProperties: 1 },
);

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
  retrying: Type.Integer({
    minimum: 0,
    maximum: RETRYING_MAX,
    description:
      'How many deliveries were attempted without success and are attempted again, or wait until the endpoint is enabled. ' +
      `${RETRYING_MAX}: that many or more. Above 0, their attempts say why.`,
  }),
  createdBy: orNull(Uuid('The member or the credential that made it.'), {
    description: 'Null where that was not kept yet.',
  }),
  createdAt: Instant('When it was made.'),
  replay: orNull(WebhookReplay, { description: 'The last replay and how far it is; null when there was none.' }),
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

export const WebhooksQuery = Type.Object({ limit, cursor });

export type CreateWebhookEndpointRequest = Static<typeof CreateWebhookEndpointRequest>;
export type ChangeWebhookEndpointRequest = Static<typeof ChangeWebhookEndpointRequest>;
export type WebhookEndpoint = Static<typeof WebhookEndpoint>;
export type WebhookEndpointPage = Static<typeof WebhookEndpointsResponse>['data'];
export type WebhooksQuery = Static<typeof WebhooksQuery>;

export const webhookOperations = {
  listWebhookEndpoints: {
    ...ofWebhooks,
    method: 'GET',
    path: ENDPOINTS_PATH,
    summary: 'List the webhook endpoints',
    description: 'All endpoints of the tenant, newest first. No secrets.',
    query: WebhooksQuery,
    response: WebhookEndpointsResponse,
    responseExamples: examples.endpointsExamples,
    errors: [],
  },
  createWebhookEndpoint: {
    ...ofWebhooks,
    method: 'POST',
    path: ENDPOINTS_PATH,
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
    ...ofWebhooks,
    method: 'GET',
    path: ENDPOINT_PATH,
    summary: 'Read a webhook endpoint',
    description: 'One endpoint as in the list.',
    response: WebhookEndpointResponse,
    responseExamples: examples.endpointExamples,
    errors: ['not-found'],
  },
  changeWebhookEndpoint: {
    ...ofWebhooks,
    method: 'PATCH',
    path: ENDPOINT_PATH,
    summary: 'Change a webhook endpoint',
    description:
      'Changes the fields that are sent and leaves the others. When an endpoint is enabled again, everything that happened ' +
      'since it was disabled, or since it began to fail, is delivered. One whose receiver answered 410 is `confirming` first. ' +
      'A tenant moves endpoints to another host 500 times in any 24 hours at most (429).',
    body: ChangeWebhookEndpointRequest,
    bodyExamples: examples.changeEndpointExamples,
    response: WebhookEndpointResponse,
    responseExamples: examples.endpointExamples,
    errors: ['not-found'],
  },
  deleteWebhookEndpoint: {
    ...ofWebhooks,
    method: 'DELETE',
    path: ENDPOINT_PATH,
    summary: 'Delete a webhook endpoint',
    description: 'Nothing more is sent to it. What waits for it is dropped, and its secret is erased.',
    response: DeletedWebhookEndpointResponse,
    responseExamples: examples.deletedEndpointExamples,
    errors: ['not-found'],
  },
  rotateWebhookSecret: {
    ...ofWebhooks,
    method: 'POST',
    path: `${ENDPOINT_PATH}/rotate-secret`,
    summary: 'Replace the secret',
    description:
      'This answer holds the new secret, and no later answer does. For 24 hours every message carries two signatures, one with ' +
      'each secret. A second rotation within that time ends the oldest secret. This operation takes no `Idempotency-Key`.',
    response: WebhookSecretResponse,
    responseExamples: examples.endpointSecretExamples,
    errors: ['not-found'],
  },
  ...deliveryOperations,
} as const satisfies Record<string, Operation>;
