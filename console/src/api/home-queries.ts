// What Home asks. Each answer is of one mode: its key names the mode, so a figure of one is never shown under the other.
import { queryOptions } from '@tanstack/react-query';
import type { components, Trefoil, WebhookEndpoint } from '@trefoil/sdk';
import { api } from './client.ts';
import type { Mode } from './queries.ts';

type Schemas = components['schemas'];
export type Usage = Schemas['UsageResponse']['data'];
export type Bureau = Schemas['BureausResponse']['data']['items'][number];
export type Activity = Schemas['ActivityResponse']['data']['items'][number];

/** A page that stays open follows the day. */
const FOLLOW_MS = 60_000;
/** The endpoints are many questions: each is one more. */
const ENDPOINTS_MS = 5 * 60_000;
const ACTIVITY_ITEMS = 8;
/** More deliveries than this are not counted one by one. */
export const WAITING_MAX = 20;

export const usageQuery = (tenantId: string, mode: Mode, days: number) =>
  queryOptions({
    queryKey: [tenantId, 'usage', { mode, days }],
    queryFn: async ({ signal }) => (await api(tenantId).getUsage({ days, test: mode === 'test' }, { signal })).data,
    refetchInterval: FOLLOW_MS,
  });

/** Live reports alone: in test mode no bureau is asked. */
export const bureausQuery = (tenantId: string) =>
  queryOptions({
    queryKey: [tenantId, 'bureaus'],
    queryFn: async ({ signal }) => (await api(tenantId).getBureaus({ signal })).data.items,
    refetchInterval: FOLLOW_MS,
  });

export const activityQuery = (tenantId: string, mode: Mode) =>
  queryOptions({
    queryKey: [tenantId, 'activity', mode],
    queryFn: async ({ signal }) =>
      (await api(tenantId).listActivity({ limit: ACTIVITY_ITEMS, test: mode === 'test' }, { signal })).data.items,
    refetchInterval: FOLLOW_MS,
  });

export type FailingEndpoint = Pick<WebhookEndpoint, 'id' | 'url' | 'status' | 'disabledReason'> & {
  /** Deliveries that were attempted, not accepted, and are attempted again; at most `WAITING_MAX`. */
  readonly waiting: number;
};

/** How many of its deliveries were tried in vain and wait for the next attempt; one that is sent again after it arrived was not. */
async function countWaiting(trefoil: Trefoil, endpointId: string, signal: AbortSignal): Promise<number> {
  const page = await trefoil.listWebhookDeliveries(endpointId, { state: 'pending', limit: WAITING_MAX }, { signal });
  return page.data.items.filter(({ attempts }) => attempts[0]?.error != null).length;
}

/** Endpoints of the mode that the service disabled because of what they answered, or that do not accept what it sends. */
export const failingEndpointsQuery = (tenantId: string, mode: Mode) =>
  queryOptions({
    queryKey: [tenantId, 'failing-endpoints', mode],
    queryFn: async ({ signal }): Promise<readonly FailingEndpoint[]> => {
      const trefoil = api(tenantId);
      const { items } = (await trefoil.listWebhookEndpoints({ limit: 100 }, { signal })).data;
      const found = items.filter(
        ({ test, disabledReason }) => test === (mode === 'test') && disabledReason !== 'requested',
      );
      const counted = await Promise.all(
        found.map(async ({ id, url, status, disabledReason }) => ({
          ...{ id, url, status, disabledReason },
          waiting: status === 'enabled' ? await countWaiting(trefoil, id, signal) : 0,
        })),
      );
      return counted.filter(({ disabledReason, waiting }) => disabledReason !== null || waiting > 0);
    },
    refetchInterval: ENDPOINTS_MS,
  });
