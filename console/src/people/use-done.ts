// After a change of people: says it, and asks again for what may have changed with it.
import { useQueryClient } from '@tanstack/react-query';
import { companiesQuery, invitationsQuery, membersQuery } from '../api/queries.ts';
import { useToast } from '../ui/toast.tsx';

/** Credentials and webhook endpoints may end with their maker. */
const OTHERS = ['credentials', 'webhooks', 'webhook'];

export function useDone(tenantId: string): (words: string) => Promise<void> {
  const queryClient = useQueryClient();
  const toast = useToast();
  return async (words) => {
    toast(words);
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: membersQuery(tenantId).queryKey }),
      queryClient.invalidateQueries({ queryKey: invitationsQuery(tenantId).queryKey }),
      ...OTHERS.map((name) => queryClient.invalidateQueries({ queryKey: [tenantId, name] })),
      // The person may have changed their own role.
      queryClient.invalidateQueries({ queryKey: companiesQuery.queryKey }),
    ]);
  };
}
