// Asks before the test wallet is reset.
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { formatCount, formatCredits } from '../format/money.ts';
import { Confirm } from '../forms/confirm.tsx';
import { useToast } from '../ui/toast.tsx';

/** API: what the test wallet begins with. */
const FULL_CREDITS = 1_000_000;

export function ResetTestWallet({ tenantId, onClose }: { readonly tenantId: string; readonly onClose: () => void }) {
  const queryClient = useQueryClient();
  const toast = useToast();
  return (
    <Confirm
      title="Reset the test wallet?"
      lead={`Its balance becomes ${formatCredits(FULL_CREDITS)} (${formatCount(FULL_CREDITS)} credits), with a line that says so. All developers of your company share it. Real credits are not touched.`}
      action="Reset"
      onClose={onClose}
      send={async () => {
        await api(tenantId).resetTestWallet();
        await queryClient.invalidateQueries({ queryKey: [tenantId] });
        toast('The test wallet is reset');
      }}
    />
  );
}
