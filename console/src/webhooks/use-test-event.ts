// Sends a test event and lets the list of deliveries show what becomes of it.
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { deliveriesKey } from '../api/webhooks-queries.ts';
import { useSending } from '../forms/use-sending.ts';
import { useToast } from '../ui/toast.tsx';

export function useTestEvent(tenantId: string, endpointId: string) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const { error, isSending, run } = useSending();
  const send = () =>
    void run(async () => {
      await api(tenantId).testWebhookEndpoint(endpointId);
      toast('A test event is on its way');
      await queryClient.invalidateQueries({ queryKey: deliveriesKey(tenantId, endpointId) });
    });
  return { error, isSending, send };
}
