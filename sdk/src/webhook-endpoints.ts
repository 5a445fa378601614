// The calls about a tenant's webhook endpoints and their deliveries. They need the scope `webhooks:write`. To verify a
// delivery that arrives, see webhooks.ts.
import type { Http, KeyedCallOptions, QueryOf } from './http.ts';
import type { PageQuery } from './members.ts';
import type { components } from './openapi-types.ts';
import { createPage } from './page.ts';
import type { CallOptions } from './send.ts';

type Schemas = components['schemas'];

const ENDPOINTS = '/{tenantId}/v1/webhook-endpoints';
const ENDPOINT = `${ENDPOINTS}/{endpointId}` as const;
const DELIVERIES = `${ENDPOINT}/deliveries` as const;

export type WebhookEndpoint = Schemas['WebhookEndpoint'];
/** One event for one endpoint, with its attempts. */
export type WebhookDelivery = Schemas['WebhookDelivery'];
export type WebhookDeliveriesQuery = QueryOf<typeof DELIVERIES>;

export function createWebhookEndpointCalls(http: Http) {
  return {
    listWebhookEndpoints: (query: PageQuery = {}, call?: CallOptions) =>
      createPage(query, (page) => http.get(ENDPOINTS, { query: page }, call)),
    /**
     * The response contains the secret, and only that of `rotateWebhookSecret` contains another. If the first response was lost, the
     * retry finds the endpoint that was made: `secret` is undefined then, and `notice` says what to do.
     */
    createWebhookEndpoint: (body: Schemas['CreateWebhookEndpointRequest'], call?: KeyedCallOptions) =>
      http.keyed(ENDPOINTS, { body }, call),
    getWebhookEndpoint: (endpointId: string, call?: CallOptions) => http.get(ENDPOINT, { path: { endpointId } }, call),
    /** Changes the fields that are given. With `status: 'enabled'`, what waited while it was disabled is delivered. */
    changeWebhookEndpoint: (endpointId: string, body: Schemas['ChangeWebhookEndpointRequest'], call?: CallOptions) =>
      http.patch(ENDPOINT, { path: { endpointId }, body }, call),
    deleteWebhookEndpoint: (endpointId: string, call?: CallOptions) =>
      http.delete(ENDPOINT, { path: { endpointId } }, call),
    /** Only this response contains the new secret. The older one signs too for 24 hours. */
    rotateWebhookSecret: (endpointId: string, call?: CallOptions) =>
      http.post(`${ENDPOINT}/rotate-secret`, { path: { endpointId } }, call),
    /** Queues a message of the type `webhook.test`; `listWebhookDeliveries` shows what became of it. */
    testWebhookEndpoint: (endpointId: string, call?: CallOptions) =>
      http.post(`${ENDPOINT}/test`, { path: { endpointId } }, call),
    /** Sends all events since an instant again, in the background, under the ids that they had. */
    replayWebhookEvents: (endpointId: string, body: Schemas['ReplayWebhookRequest'], call?: CallOptions) =>
      http.post(`${ENDPOINT}/replay`, { path: { endpointId }, body }, call),
    /** Newest first. */
    listWebhookDeliveries: (endpointId: string, query: WebhookDeliveriesQuery = {}, call?: CallOptions) =>
      createPage(query, (page) => http.get(DELIVERIES, { path: { endpointId }, query: page }, call)),
    /** `deliveryId` is the id of an item of `listWebhookDeliveries`, not that of the event. */
    resendWebhookDelivery: (deliveryId: string, call?: CallOptions) =>
      http.post(`${ENDPOINTS}/deliveries/{deliveryId}/resend`, { path: { deliveryId } }, call),
  };
}
