// Sends events again, from a time of London's clocks on.
import type { WebhookEndpoint } from '@trefoil/sdk';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { londonInstant, londonMinute } from '../format/time.ts';
import { ChangeForm } from '../forms/change-form.tsx';
import { Dialog } from '../forms/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { useToast } from '../ui/toast.tsx';

const DAY_MS = 86_400_000;

type Props = {
  readonly tenantId: string;
  readonly endpoint: WebhookEndpoint;
  readonly onClose: () => void;
};

export function Replay({ tenantId, endpoint, onClose }: Props) {
  const toast = useToast();
  const [fault, setFault] = useState<string>();
  // Reckoned once: what was typed must not move.
  const [yesterday] = useState(() => londonMinute(new Date(Date.now() - DAY_MS)));

  function check(fields: FormData, close: () => void): Promise<void> | undefined {
    const since = londonInstant(String(fields.get('since') ?? ''));
    const found =
      since === undefined
        ? 'Enter a day and a time.'
        : Date.parse(since) > Date.now()
          ? 'Enter a time in the past.'
          : undefined;
    setFault(found);
    if (found !== undefined || since === undefined) return undefined;
    return api(tenantId)
      .replayWebhookEvents(endpoint.id, { since })
      .then(() => {
        toast('The events are being sent again');
        close();
      });
  }

  return (
    <Dialog
      title="Send events again"
      lead="All events since this time, delivered or not, with the same ids as before, so that your system can ignore those that it has."
      onClose={onClose}
    >
      {(close) => (
        <ChangeForm action="Send again" onCancel={close} send={(fields) => check(fields, close)}>
          <Field
            label="Since"
            name="since"
            type="datetime-local"
            hint="London time. Events are kept for 30 days."
            defaultValue={yesterday}
            fault={fault}
          />
        </ChangeForm>
      )}
    </Dialog>
  );
}
