// What can be changed about endpoints. A secret is shown once, in the dialog that made it, and is kept nowhere.
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { WebhookEndpoint } from '@trefoil/sdk';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { deliveriesKey, endpointQuery, endpointsQuery } from '../api/webhooks-queries.ts';
import { shortUrl } from '../format/short-url.ts';
import { formatTime } from '../format/time.ts';
import { ChangeForm } from '../forms/change-form.tsx';
import { changesOf } from '../forms/changes.ts';
import { Confirm, type ConfirmProps } from '../forms/confirm.tsx';
import { Dialog } from '../forms/dialog.tsx';
import { type Secret, ShowSecret } from '../forms/show-secret.tsx';
import { useToast } from '../ui/toast.tsx';
import { EndpointForm, type Wanted } from './endpoint-form.tsx';
import { Replay } from './replay.tsx';
import { TestEvent } from './test-event.tsx';

export type Change =
  | { readonly kind: 'add'; readonly isTest: boolean }
  | {
      readonly kind: 'edit' | 'rotate' | 'test' | 'replay' | 'disable' | 'enable' | 'delete';
      readonly endpoint: WebhookEndpoint;
    };

type Props = { readonly tenantId: string; readonly change: Change; readonly onClose: () => void };
type Made = Secret & { readonly note?: string };

/** API: how long the secret before a rotation signs too. */
const GRACE_MS = 24 * 3_600_000;

export function EndpointDialog({ tenantId, change, onClose }: Props) {
  const queryClient = useQueryClient();
  const [made, setMade] = useState<Made>();
  const trefoil = api(tenantId);
  const refresh = () => queryClient.invalidateQueries({ queryKey: endpointsQuery(tenantId).queryKey });

  if (made) {
    return (
      <ShowSecret secrets={[made]} note={made.note} onClose={onClose}>
        Keep it in a secret store. With it your system knows that a message comes from Trefoil.
      </ShowSecret>
    );
  }
  if (change.kind === 'add') {
    const { isTest } = change;
    const lead = isTest
      ? 'It gets the events of test mode. For live events, switch to Live first.'
      : 'It gets live events. For those of test mode, switch to Test first.';
    return (
      <Dialog title="New endpoint" lead={lead} onClose={onClose}>
        {(close) => (
          <EndpointForm
            action="Add endpoint"
            onCancel={close}
            send={async (wanted) => {
              const { data } = await trefoil.createWebhookEndpoint({ ...wanted, test: isTest });
              // The answer with the secret was lost, and this one is a repeat: nobody has that secret.
              const secret = data.secret ?? (await trefoil.rotateWebhookSecret(data.id)).data.secret;
              setMade({ of: shortUrl(data.url), secret });
              await refresh();
            }}
          />
        )}
      </Dialog>
    );
  }

  const { endpoint } = change;
  const name = shortUrl(endpoint.url);
  /** What is shown follows the answer at once; the list is asked again. */
  async function show(shown: WebhookEndpoint) {
    queryClient.setQueryData(endpointQuery(tenantId, endpoint.id).queryKey, shown);
    await Promise.all([refresh(), queryClient.invalidateQueries({ queryKey: deliveriesKey(tenantId, endpoint.id) })]);
  }
  switch (change.kind) {
    case 'edit':
      return <Edit tenantId={tenantId} endpoint={endpoint} onDone={show} onClose={onClose} />;
    case 'rotate':
      return (
        <Dialog
          title="Replace the signing secret?"
          lead="For 24 hours every message carries two signatures, one with each secret, so that you can change it in your system without a gap. If you replace it again within that time, the oldest secret ends at once."
          onClose={onClose}
        >
          {(close) => (
            <ChangeForm
              action="Replace secret"
              onCancel={close}
              send={async () => {
                const { data } = await trefoil.rotateWebhookSecret(endpoint.id);
                const until = formatTime(new Date(Date.now() + GRACE_MS).toISOString());
                setMade({ of: name, secret: data.secret, note: `The older secret signs too, until ${until}.` });
                const { secret: _, ...shown } = data;
                await show(shown);
              }}
            />
          )}
        </Dialog>
      );
    case 'test':
      return <TestEvent tenantId={tenantId} endpointId={endpoint.id} onClose={onClose} />;
    case 'replay':
      return <Replay tenantId={tenantId} endpoint={endpoint} onClose={onClose} />;
    case 'disable':
    case 'enable':
      return <Switch tenantId={tenantId} endpoint={endpoint} onDone={show} onClose={onClose} />;
    case 'delete':
      return <Delete tenantId={tenantId} endpoint={endpoint} onClose={onClose} />;
    default:
      return change satisfies never;
  }
}

type AskProps = {
  readonly tenantId: string;
  readonly endpoint: WebhookEndpoint;
  readonly onClose: () => void;
};

type ChangeProps = AskProps & { readonly onDone: (shown: WebhookEndpoint) => Promise<void> };

function Edit({ tenantId, endpoint, onDone, onClose }: ChangeProps) {
  const toast = useToast();
  // As it was when the form was opened: the page may have a newer one by now.
  const [before] = useState(endpoint);
  return (
    <Dialog title="Change the endpoint" onClose={onClose}>
      {(close) => (
        <EndpointForm
          action="Save"
          before={before}
          onCancel={close}
          send={async (wanted) => {
            const changes = changesOf<Wanted>(before, wanted);
            const isChanged = Object.keys(changes).length > 0;
            if (isChanged) await onDone((await api(tenantId).changeWebhookEndpoint(before.id, changes)).data);
            toast(isChanged ? 'The endpoint is changed' : 'Nothing was changed');
            close();
          }}
        />
      )}
    </Dialog>
  );
}

type Question = Pick<ConfirmProps, 'title' | 'lead' | 'action' | 'isDanger'>;

function questionOf({ status, disabledReason }: WebhookEndpoint): Question {
  if (status === 'enabled') {
    return {
      title: 'Disable the endpoint?',
      lead: 'Nothing more is sent to it. What happens meanwhile waits for up to 30 days, and is sent once you enable it again.',
      action: 'Disable',
      isDanger: true,
    };
  }
  if (status === 'confirming') {
    return {
      title: 'Leave the endpoint disabled?',
      lead: 'The test message is given up: whatever its receiver answers, the endpoint stays disabled until you enable it again.',
      action: 'Leave disabled',
      isDanger: true,
    };
  }
  return {
    title: 'Enable the endpoint?',
    lead:
      disabledReason === 'gone'
        ? 'Its receiver answered 410, so it gets one test message first. If it accepts that, everything that happened since then is sent; otherwise the endpoint stays disabled.'
        : 'Everything that happened since it was disabled, or since it began to fail, is sent.',
    action: 'Enable',
  };
}

function Switch({ tenantId, endpoint, onDone, onClose }: ChangeProps) {
  const toast = useToast();
  const isOn = endpoint.status !== 'disabled';
  return (
    <Confirm
      {...questionOf(endpoint)}
      onClose={onClose}
      send={async () => {
        const status = isOn ? 'disabled' : 'enabled';
        const changed = (await api(tenantId).changeWebhookEndpoint(endpoint.id, { status })).data;
        await onDone(changed);
        toast(changed.status === 'confirming' ? 'A test message is on its way' : `The endpoint is ${changed.status}`);
      }}
    />
  );
}

function Delete({ tenantId, endpoint, onClose }: AskProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  return (
    <Confirm
      title="Delete the endpoint?"
      lead={`Nothing more is sent to ${shortUrl(endpoint.url)}. What waits for it is dropped, and its secret is erased. This cannot be undone.`}
      action="Delete"
      isDanger
      onClose={onClose}
      send={async () => {
        await api(tenantId).deleteWebhookEndpoint(endpoint.id);
        await queryClient.invalidateQueries({ queryKey: endpointsQuery(tenantId).queryKey });
        await navigate({ to: '/$tenantId/webhooks', params: { tenantId } });
        toast('The endpoint is deleted');
      }}
    />
  );
}
