// What a company has set for itself.
import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

export const settingsQuery = (tenantId: string) =>
  queryOptions({
    queryKey: [tenantId, 'settings'],
    queryFn: async ({ signal }) => (await api(tenantId).getSettings({ signal })).data,
  });

/** What a retention would erase. */
export const retentionQuery = (tenantId: string, retentionDays: number) =>
  queryOptions({
    queryKey: [tenantId, 'retention-preview', retentionDays],
    queryFn: async ({ signal }) => (await api(tenantId).previewRetention(retentionDays, { signal })).data,
  });
