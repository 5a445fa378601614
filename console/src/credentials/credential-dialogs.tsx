// What can be changed about credentials. Each change needs a fresh second factor, which the form asks for when the service
// does. A secret is shown once, in the dialog that made it, and is kept nowhere.
import { useQueryClient } from '@tanstack/react-query';
import type { components } from '@trefoil/sdk';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { credentialsQuery } from '../api/queries.ts';
import { ChangeForm } from '../forms/change-form.tsx';
import { Confirm, type ConfirmProps } from '../forms/confirm.tsx';
import { Dialog } from '../forms/dialog.tsx';
import { ShowSecret } from '../forms/show-secret.tsx';
import { useToast } from '../ui/toast.tsx';
import { NewCredential } from './new-credential.tsx';

type Credential = components['schemas']['CredentialItem'];

export type Change =
  | { readonly kind: 'create' }
  | { readonly kind: 'add-secret' | 'stop' | 'start'; readonly credential: Credential }
  | { readonly kind: 'end-secret'; readonly credential: Credential; readonly secretId: string };

type Props = { readonly tenantId: string; readonly change: Change; readonly onClose: () => void };
type Made = { readonly name: string; readonly secret: string };

export function CredentialDialog({ tenantId, change, onClose }: Props) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const [made, setMade] = useState<Made>();
  const refresh = () => queryClient.invalidateQueries({ queryKey: credentialsQuery(tenantId).queryKey });
  const trefoil = api(tenantId);

  if (made) {
    return (
      <ShowSecret secrets={[{ of: `“${made.name}”`, secret: made.secret }]} onClose={onClose}>
        Keep it in a secret store. A person or program that has it can act for your company.
      </ShowSecret>
    );
  }
  if (change.kind === 'create') {
    return (
      <Dialog title="New credential" lead="For one of your systems." onClose={onClose}>
        {(close) => (
          <NewCredential
            onCancel={close}
            send={async (request) => {
              const { data } = await trefoil.createCredential(request);
              if (data.clientSecret) setMade({ name: data.name, secret: data.clientSecret });
              else close();
              await refresh();
            }}
          />
        )}
      </Dialog>
    );
  }

  const { credential } = change;
  if (change.kind === 'add-secret') {
    return (
      <Dialog
        title={`New secret for “${credential.name}”`}
        lead="The older secret works for one more day, so that you can change it in your system without a gap."
        onClose={onClose}
      >
        {(close) => (
          <ChangeForm
            action="Add secret"
            onCancel={close}
            send={async () => {
              const { data } = await trefoil.addCredentialSecret(credential.id);
              setMade({ name: data.name, secret: data.clientSecret });
              await refresh();
            }}
          />
        )}
      </Dialog>
    );
  }

  const asked: Record<'stop' | 'start' | 'end-secret', Omit<ConfirmProps, 'onClose'>> = {
    stop: {
      title: `Stop “${credential.name}”?`,
      lead: 'Systems that use it are refused within seconds. You can start it again.',
      action: 'Stop it',
      isDanger: true,
      send: async () => {
        await trefoil.changeCredential(credential.id, { isEnabled: false });
        toast(`“${credential.name}” is stopped`);
      },
    },
    start: {
      title: `Start “${credential.name}” again?`,
      lead: 'Systems that have one of its secrets or keys can use it again.',
      action: 'Start it again',
      send: async () => {
        await trefoil.changeCredential(credential.id, { isEnabled: true });
        toast(`“${credential.name}” works again`);
      },
    },
    'end-secret': {
      title: 'End this secret now?',
      lead: `Systems that sign in as “${credential.name}” with this secret are refused from now on. This cannot be undone.`,
      action: 'End secret',
      isDanger: true,
      send: async () => {
        await trefoil.endCredentialSecret(credential.id, 'secretId' in change ? change.secretId : '');
        toast('The secret has ended');
      },
    },
  };
  const question = asked[change.kind];
  return <Confirm {...question} send={() => question.send().then(refresh)} onClose={onClose} />;
}
