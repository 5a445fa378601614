// Webhook endpoints and deliveries over HTTP: request to use-case, result to envelope.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { envelope } from '../http/envelope.ts';
import { type Gate, registerOperation } from '../http/operations.ts';
import type { Keyed } from '../idempotency/answer-keyed.ts';
import { listWebhookDeliveries } from './delivery-log/list-deliveries.ts';
import { readWebhookDelivery } from './delivery-log/read-delivery.ts';
import type { WebhookDependencies } from './dependencies.ts';
import { replayWebhookEvents } from './handing-out/begin-replay.ts';
import { resendWebhookDelivery, testWebhookEndpoint } from './manage-deliveries.ts';
import {
  changeWebhookEndpoint,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  listWebhookEndpoints,
  readWebhookEndpoint,
  rotateWebhookSecret,
} from './manage-endpoints.ts';

type Params = Readonly<Record<string, string>>;
const idOf = (params: Params) => params['endpointId'] ?? '';
const deliveryOf = (params: Params) => params['deliveryId'] ?? '';

type Asked = { readonly reply: FastifyReply; readonly startedAtMs: number };

function envelopeOnce({ reply, startedAtMs }: Asked, { data, isReplay }: Keyed<object>): object | string {
  if (isReplay) reply.header('idempotent-replayed', 'true');
  return envelope({ data }, startedAtMs);
}

export function registerWebhookRoutes(app: FastifyInstance, gate: Gate, webhooks: WebhookDependencies): void {
  registerOperation(app, gate, 'listWebhookEndpoints', async ({ caller, query, startedAtMs }) =>
    envelope({ data: await listWebhookEndpoints(webhooks, caller, query) }, startedAtMs),
  );
  registerOperation(app, gate, 'createWebhookEndpoint', async (request) =>
    envelopeOnce(request, await createWebhookEndpoint(webhooks, request, request.body)),
  );
  registerOperation(app, gate, 'getWebhookEndpoint', async ({ caller, params, startedAtMs }) =>
    envelope({ data: await readWebhookEndpoint(webhooks, caller, idOf(params)) }, startedAtMs),
  );
  registerOperation(app, gate, 'changeWebhookEndpoint', async ({ caller, params, body, startedAtMs }) =>
    envelope({ data: await changeWebhookEndpoint(webhooks, caller, idOf(params), body) }, startedAtMs),
  );
  registerOperation(app, gate, 'deleteWebhookEndpoint', async ({ caller, params, startedAtMs }) =>
    envelope({ data: await deleteWebhookEndpoint(webhooks, caller, idOf(params)) }, startedAtMs),
  );
  registerOperation(app, gate, 'rotateWebhookSecret', async ({ caller, params, startedAtMs }) =>
    envelope({ data: await rotateWebhookSecret(webhooks, caller, idOf(params)) }, startedAtMs),
  );
  registerOperation(app, gate, 'testWebhookEndpoint', async (request) =>
    envelopeOnce(request, await testWebhookEndpoint(webhooks, request, idOf(request.params), request.body)),
  );
  registerOperation(app, gate, 'replayWebhookEvents', async (request) =>
    envelopeOnce(request, await replayWebhookEvents(webhooks, request, idOf(request.params), request.body)),
  );
  registerOperation(app, gate, 'listWebhookDeliveries', async ({ caller, params, query, startedAtMs }) =>
    envelope({ data: await listWebhookDeliveries(webhooks, caller, idOf(params), query) }, startedAtMs),
  );
  registerOperation(app, gate, 'getWebhookDelivery', async ({ caller, params, startedAtMs }) =>
    envelope({ data: await readWebhookDelivery(webhooks, caller, deliveryOf(params)) }, startedAtMs),
  );
  registerOperation(app, gate, 'resendWebhookDelivery', async (request) =>
    envelopeOnce(request, await resendWebhookDelivery(webhooks, request, deliveryOf(request.params))),
  );
}
