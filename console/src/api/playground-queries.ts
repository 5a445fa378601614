// What test mode has: every value that it knows, and the texts that it never sent.
import { queryOptions } from '@tanstack/react-query';
import { api, personApi } from './client.ts';

export const catalogueQuery = queryOptions({
  queryKey: ['test-catalogue'],
  queryFn: async ({ signal }) => (await personApi.getTestCatalogue({ signal })).items,
  staleTime: 5 * 60_000,
});

export const inboxQuery = (tenantId: string) =>
  queryOptions({
    queryKey: [tenantId, 'test-inbox'],
    queryFn: async ({ signal }) => (await api(tenantId).listTestInbox({ limit: 10 }, { signal })).data.items,
  });
