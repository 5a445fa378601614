// What can be asked about webhook endpoints and their deliveries.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { WebhookDelivery, WebhookEndpoint } from '@trefoil/sdk';
import { api } from './client.ts';
import { nextLookMs } from './next-look.ts';

/** What is asked for: `pending` finds what waits for a disabled endpoint too. */
export type DeliveryState = Exclude<WebhookDelivery['state'], 'waiting'>;

const PAGE_SIZE = 25;

/** All of them: a company has at most twenty. */
export const endpointsQuery = (tenantId: string) =>
  queryOptions({
    queryKey: [tenantId, 'webhooks'],
    queryFn: async ({ signal }) => (await api(tenantId).listWebhookEndpoints({ limit: 100 }, { signal })).data.items,
  });

export const endpointQuery = (tenantId: string, endpointId: string) =>
  queryOptions({
    queryKey: [tenantId, 'webhook', endpointId],
    queryFn: async ({ signal }) => (await api(tenantId).getWebhookEndpoint(endpointId, { signal })).data,
  });

/** Of one endpoint, newest first, whatever their state. */
export const deliveriesKey = (tenantId: string, endpointId: string) => [tenantId, 'deliveries', endpointId] as const;

type Receiver = Pick<WebhookEndpoint, 'id' | 'status'>;

export const deliveriesQuery = (tenantId: string, { id, status }: Receiver, state?: DeliveryState) =>
  infiniteQueryOptions({
    queryKey: [...deliveriesKey(tenantId, id), { state }],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: PAGE_SIZE, ...(state && { state }), ...(pageParam && { cursor: pageParam }) };
      return (await api(tenantId).listWebhookDeliveries(id, query, { signal })).data;
    },
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: ({ state: { data } }) => {
      // A disabled endpoint is sent nothing.
      const items = status === 'enabled' ? data?.pages.flatMap((page) => page.items) : undefined;
      return nextLookMs(items ?? [], Date.now());
    },
  });
