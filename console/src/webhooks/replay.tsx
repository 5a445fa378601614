// Sends events again, between two times of London's clocks or up to now.
import { useQueryClient } from '@tanstack/react-query';
import type { WebhookEndpoint } from '@trefoil/sdk';
import { useRef, useState } from 'react';
import { api } from '../api/client.ts';
import { endpointQuery } from '../api/webhooks-queries.ts';
import { londonInstant, londonMinute } from '../format/time.ts';
import { ChangeForm } from '../forms/change-form.tsx';
import { faultsIn } from '../forms/changes.ts';
import { Dialog } from '../forms/dialog.tsx';
import { Field, Tick } from '../ui/field.tsx';
import { useToast } from '../ui/toast.tsx';
import { isHalfTyped } from './half-typed.ts';
import styles from './webhooks.module.css';

const DAY_MS = 86_400_000;

type Props = {
  readonly tenantId: string;
  readonly endpoint: WebhookEndpoint;
  readonly onClose: () => void;
};
type Faults = Partial<Record<'since' | 'until', string>>;
type Times = { readonly since: string | undefined; readonly until: string | undefined };

const isAhead = (at: string) => Date.parse(at) > Date.now();

function faultsOf({ since, until }: Times): Faults {
  if (since === undefined) return { since: 'Enter a day and a time.' };
  if (isAhead(since)) return { since: 'Enter a time in the past.' };
  if (until === undefined) return {};
  if (isAhead(until)) return { until: 'Enter a time in the past, or none.' };
  return until <= since ? { until: 'Enter a time after the first.' } : {};
}

export function Replay({ tenantId, endpoint, onClose }: Props) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const [faults, setFaults] = useState<Faults>({});
  const times = useRef<HTMLDivElement>(null);
  // Reckoned once: what was typed must not move.
  const [yesterday] = useState(() => londonMinute(new Date(Date.now() - DAY_MS)));

  function check(fields: FormData, close: () => void): Promise<void> | undefined {
    const instantOf = (name: string) => londonInstant(String(fields.get(name) ?? ''));
    const [since, until] = [instantOf('since'), instantOf('until')];
    // Half a time must not mean none: that would send more.
    const found: Faults = isHalfTyped(times.current, 'until')
      ? { until: 'Enter a day and a time, or neither.' }
      : faultsOf({ since, until });
    setFaults(found);
    if (Object.keys(found).length > 0 || since === undefined) return undefined;
    const asked = { since, ...(until && { until }), onlyFailed: fields.has('onlyFailed') };
    return api(tenantId)
      .replayWebhookEvents(endpoint.id, asked)
      .then(({ data: { id: _, ...replay } }) => {
        const { queryKey } = endpointQuery(tenantId, endpoint.id);
        queryClient.setQueryData(queryKey, (shown) => shown && { ...shown, replay });
        toast('The events are being sent again');
        close();
      })
      .catch((error: unknown) => setFaults(faultsIn(error, ['since', 'until'])));
  }

  return (
    <Dialog
      title="Send events again"
      lead="They have the same ids as before, so that your system can ignore those that it has."
      onClose={onClose}
    >
      {(close) => (
        <ChangeForm action="Send again" onCancel={close} send={(fields) => check(fields, close)}>
          {endpoint.replay?.status === 'running' && (
            <p className={styles.warning}>Events are being sent again already. That ends, and this begins anew.</p>
          )}
          <div ref={times} className={styles.times}>
            <Field
              label="Since"
              name="since"
              type="datetime-local"
              hint="London time. Events are kept for 30 days."
              defaultValue={yesterday}
              fault={faults.since}
            />
            <Field label="Until" name="until" type="datetime-local" hint="Empty: up to now." fault={faults.until} />
          </div>
          <Tick
            label="Only events that were given up"
            hint="Otherwise all of them, delivered or not, and also those from before the endpoint was made."
            name="onlyFailed"
          />
        </ChangeForm>
      )}
    </Dialog>
  );
}
