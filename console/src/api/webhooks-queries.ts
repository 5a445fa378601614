// What can be asked about webhook endpoints and their deliveries.
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { WebhookDelivery, WebhookEndpoint } from '@trefoil/sdk';
import { type DeliveryFilter, deliveriesQueryOf } from '../format/delivery-filter.ts';
import { api } from './client.ts';
import { nextLookMs } from './next-look.ts';

const PAGE_SIZE = 25;
/** How soon an endpoint that changes by itself is asked for again. */
const MOVING_MS = 3_000;

/** Its receiver is asked, or events are sent again. */
const isMoving = ({ status, replay }: WebhookEndpoint) => status === 'confirming' || replay?.status === 'running';

/** All of them: a company has at most twenty. */
export const endpointsQuery = (tenantId: string) =>
  queryOptions({
    queryKey: [tenantId, 'webhooks'],
    queryFn: async ({ signal }) => (await api(tenantId).listWebhookEndpoints({ limit: 100 }, { signal })).data.items,
    refetchInterval: ({ state: { data } }) => (data?.some(({ status }) => status === 'confirming') ? MOVING_MS : false),
  });

export const endpointQuery = (tenantId: string, endpointId: string) =>
  queryOptions({
    queryKey: [tenantId, 'webhook', endpointId],
    queryFn: async ({ signal }) => (await api(tenantId).getWebhookEndpoint(endpointId, { signal })).data,
    refetchInterval: ({ state: { data } }) => (data && isMoving(data) ? MOVING_MS : false),
  });

/** Of one endpoint, newest first, whichever are looked for. */
export const deliveriesKey = (tenantId: string, endpointId: string) => [tenantId, 'deliveries', endpointId] as const;

export const deliveriesQuery = (tenantId: string, endpointId: string, filter: DeliveryFilter = {}) =>
  infiniteQueryOptions({
    queryKey: [...deliveriesKey(tenantId, endpointId), filter],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: PAGE_SIZE, ...deliveriesQueryOf(filter), ...(pageParam && { cursor: pageParam }) };
      return (await api(tenantId).listWebhookDeliveries(endpointId, query, { signal })).data;
    },
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: ({ state: { data } }) => nextLookMs(data?.pages.flatMap(({ items }) => items) ?? [], Date.now()),
  });

/** What was posted, or will be. With each attempt its headers are others. */
export const requestQuery = (tenantId: string, { id, attempts }: Pick<WebhookDelivery, 'id' | 'attempts'>) =>
  queryOptions({
    queryKey: [tenantId, 'delivery', id, attempts[0]?.startedAt],
    queryFn: async ({ signal }) => (await api(tenantId).getWebhookDelivery(id, { signal })).data.request,
    placeholderData: keepPreviousData,
  });
