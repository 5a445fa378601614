// What happens to an endpoint by itself while its page is looked at: its deliveries are asked for again, and the end is told.
import { useQueryClient } from '@tanstack/react-query';
import type { WebhookEndpoint } from '@trefoil/sdk';
import { useEffect, useRef } from 'react';
import { deliveriesKey } from '../api/webhooks-queries.ts';
import { countOf } from '../format/money.ts';
import { useToast } from '../ui/toast.tsx';

type Seen = { readonly status: WebhookEndpoint['status']; readonly isReplaying: boolean; readonly queued: number };

export function useFollow(tenantId: string, { id, status, replay }: WebhookEndpoint): void {
  const queryClient = useQueryClient();
  const toast = useToast();
  const [isReplaying, queued] = [replay?.status === 'running', replay?.queued ?? 0];
  const seen = useRef<Seen>(undefined);
  useEffect(() => {
    const before = seen.current;
    const now = { status, isReplaying, queued };
    seen.current = now;
    if (!before || JSON.stringify(before) === JSON.stringify(now)) return;
    void queryClient.invalidateQueries({ queryKey: deliveriesKey(tenantId, id) });
    if (before.isReplaying && !isReplaying) toast(`${countOf(queued, 'event')} queued to be sent again`);
    if (before.status === 'confirming' && status !== 'confirming') {
      toast(status === 'enabled' ? 'Its receiver accepted: the endpoint is enabled' : 'The endpoint stays disabled');
    }
  }, [queryClient, toast, tenantId, id, status, isReplaying, queued]);
}
