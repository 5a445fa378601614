// The calls about a tenant's webhook endpoints and their deliveries. They need the scope `webhooks:write`. To verify a
// delivery that arrives, see webhooks.ts.
import type { Call } from './call.ts';
import type { Http, KeyedCallOptions, QueryOf } from './http.ts';
import type { PageQuery } from './members.ts';
import type {
  ChangeWebhookEndpointRequest,
  CreatedWebhookEndpointResponse,
  CreateWebhookEndpointRequest,
  DeletedWebhookEndpointResponse,
  ReplayWebhookRequest,
  ReplayWebhookResponse,
  SentWebhookDeliveryResponse,
  TestWebhookRequest,
  WebhookDeliveriesResponse,
  WebhookDeliveryResponse,
  WebhookEndpointResponse,
  WebhookEndpointsResponse,
  WebhookSecretResponse,
} from './openapi-names.ts';
import { createPage, type Page } from './page.ts';
import type { CallOptions } from './send.ts';

const ENDPOINTS = '/{tenantId}/v1/webhook-endpoints';
const ENDPOINT = `${ENDPOINTS}/{endpointId}` as const;
const DELIVERIES = `${ENDPOINT}/deliveries` as const;

/** The filters of `listWebhookDeliveries`. */
export type WebhookDeliveriesQuery = QueryOf<typeof DELIVERIES>;

export function createWebhookEndpointCalls(http: Http) {
  return {
    listWebhookEndpoints: (query: PageQuery = {}, call?: CallOptions): Page<WebhookEndpointsResponse> =>
      createPage(query, (page) => http.get(ENDPOINTS, { query: page }, call)),
    /**
     * The library sends a key by itself. If the first answer was lost, its retry finds the endpoint that was made: `secret` is
     * undefined then, and `notice` says what to do.
     */
    createWebhookEndpoint: (
      body: CreateWebhookEndpointRequest,
      call?: KeyedCallOptions,
    ): Call<CreatedWebhookEndpointResponse> => http.keyed(ENDPOINTS, { body }, call),
    getWebhookEndpoint: (endpointId: string, call?: CallOptions): Call<WebhookEndpointResponse> =>
      http.get(ENDPOINT, { path: { endpointId } }, call),
    changeWebhookEndpoint: (
      endpointId: string,
      body: ChangeWebhookEndpointRequest,
      call?: CallOptions,
    ): Call<WebhookEndpointResponse> => http.patch(ENDPOINT, { path: { endpointId }, body }, call),
    deleteWebhookEndpoint: (endpointId: string, call?: CallOptions): Call<DeletedWebhookEndpointResponse> =>
      http.delete(ENDPOINT, { path: { endpointId } }, call),
    rotateWebhookSecret: (endpointId: string, call?: CallOptions): Call<WebhookSecretResponse> =>
      http.post(`${ENDPOINT}/rotate-secret`, { path: { endpointId } }, call),
    testWebhookEndpoint: (
      endpointId: string,
      body?: TestWebhookRequest,
      call?: KeyedCallOptions,
    ): Call<WebhookDeliveryResponse> =>
      http.keyed(`${ENDPOINT}/test`, { path: { endpointId }, ...(body && { body }) }, call),
    replayWebhookEvents: (
      endpointId: string,
      body: ReplayWebhookRequest,
      call?: KeyedCallOptions,
    ): Call<ReplayWebhookResponse> => http.keyed(`${ENDPOINT}/replay`, { path: { endpointId }, body }, call),
    listWebhookDeliveries: (
      endpointId: string,
      query: WebhookDeliveriesQuery = {},
      call?: CallOptions,
    ): Page<WebhookDeliveriesResponse> =>
      createPage(query, (page) => http.get(DELIVERIES, { path: { endpointId }, query: page }, call)),
    getWebhookDelivery: (deliveryId: string, call?: CallOptions): Call<SentWebhookDeliveryResponse> =>
      http.get(`${ENDPOINTS}/deliveries/{deliveryId}`, { path: { deliveryId } }, call),
    /** `deliveryId` is the id of an item of `listWebhookDeliveries`, not that of the event. */
    resendWebhookDelivery: (deliveryId: string, call?: KeyedCallOptions): Call<WebhookDeliveryResponse> =>
      http.keyed(`${ENDPOINTS}/deliveries/{deliveryId}/resend`, { path: { deliveryId } }, call),
  };
}
