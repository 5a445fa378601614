// Sends a test event and lets the list of deliveries show what becomes of it.
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { deliveriesKey } from '../api/webhooks-queries.ts';
import { type EventType, TEST_EVENT } from '../format/event-words.ts';
import { useToast } from '../ui/toast.tsx';

export function useTestEvent(tenantId: string, endpointId: string) {
  const queryClient = useQueryClient();
  const toast = useToast();
  return async (type: EventType | typeof TEST_EVENT = TEST_EVENT): Promise<void> => {
    await api(tenantId).testWebhookEndpoint(endpointId, { type });
    toast('A test event is on its way');
    await queryClient.invalidateQueries({ queryKey: deliveriesKey(tenantId, endpointId) });
  };
}
