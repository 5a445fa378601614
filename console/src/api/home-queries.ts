// What Home asks. Each answer is of one mode: its key names the mode, so a figure of one is never shown under the other.
import { queryOptions } from '@tanstack/react-query';
import type { components, WebhookEndpoint } from '@trefoil/sdk';
import { api } from './client.ts';
import type { Mode } from './queries.ts';

type Schemas = components['schemas'];
export type Usage = Schemas['UsageResponse']['data'];
export type Bureau = Schemas['BureausResponse']['data']['items'][number];
export type Activity = Schemas['ActivityResponse']['data']['items'][number];

/** A page that stays open follows the day. */
const FOLLOW_MS = 60_000;
const ACTIVITY_ITEMS = 8;

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

export type FailingEndpoint = Pick<WebhookEndpoint, 'id' | 'url' | 'status' | 'disabledReason' | 'retrying'>;

/** Endpoints of the mode that the service disabled because of what they answered, or that do not accept what it sends. */
export const failingEndpointsQuery = (tenantId: string, mode: Mode) =>
  queryOptions({
    queryKey: [tenantId, 'failing-endpoints', mode],
    queryFn: async ({ signal }): Promise<readonly FailingEndpoint[]> => {
      const { items } = (await api(tenantId).listWebhookEndpoints({ limit: 100 }, { signal })).data;
      return items.filter(
        ({ test, disabledReason, retrying }) =>
          test === (mode === 'test') && (disabledReason === null ? retrying > 0 : disabledReason !== 'requested'),
      );
    },
    refetchInterval: FOLLOW_MS,
  });
