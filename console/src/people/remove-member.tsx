// Removes a person. The service says first what would end with the membership; the second press removes them all the same, and
// their webhook endpoints are disabled or go on with new secrets, as was chosen.
import { useQuery } from '@tanstack/react-query';
import { type components, type Removal, TrefoilError } from '@trefoil/sdk';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { endpointsQuery } from '../api/webhooks-queries.ts';
import { shortUrl } from '../format/short-url.ts';
import { ChangeForm } from '../forms/change-form.tsx';
import { Dialog } from '../forms/dialog.tsx';
import { type Secret, ShowSecret } from '../forms/show-secret.tsx';
import { Segmented } from '../ui/segmented.tsx';
import styles from './people.module.css';
import { useDone } from './use-done.ts';

type Endings = components['schemas']['MemberEndings'];
type Endpoint = Endings['webhookEndpoints'][number];
type Webhooks = NonNullable<Removal['webhooks']>;

type Props = {
  readonly tenantId: string;
  readonly member: components['schemas']['Member'];
  readonly onClose: () => void;
};

export function RemoveMember({ tenantId, member, onClose }: Props) {
  const done = useDone(tenantId);
  const [endings, setEndings] = useState<Endings>();
  const [webhooks, setWebhooks] = useState<Webhooks>('disable');
  const [secrets, setSecrets] = useState<readonly Secret[]>([]);
  const nameOf = useEndpointNames(tenantId, endings !== undefined);
  const name = `${member.firstName} ${member.lastName}`;
  const [first, ...rest] = secrets;
  if (first) {
    return (
      <ShowSecret secrets={[first, ...rest]} note="The older secrets sign too, for 24 hours." onClose={onClose}>
        Keep each in a secret store. With it your system knows that a message comes from Trefoil.
      </ShowSecret>
    );
  }
  const lines = endings ? linesOf(endings) : [];
  const endpoints = endings?.webhookEndpoints ?? [];
  const endsSomething = lines.length > 0 || (endpoints.length > 0 && webhooks === 'disable');
  return (
    <Dialog
      title={`Remove ${name}?`}
      lead="They can no longer sign in for your company. Their account itself stays."
      onClose={onClose}
    >
      {(close) => (
        <ChangeForm
          action={endsSomething ? 'Remove, and end these' : 'Remove'}
          isDanger
          onCancel={close}
          send={async () => {
            const removal: Removal = {
              ...(endings && { confirm: true }),
              ...(endpoints.length > 0 && { webhooks }),
            };
            let rotated: readonly (Endpoint & { readonly secret: string })[];
            try {
              rotated = (await api(tenantId).removeMember(member.userId, removal)).data.rotatedWebhookSecrets;
            } catch (error) {
              const found = !endings && error instanceof TrefoilError ? error.wouldEnd : undefined;
              if (!found) throw error;
              setEndings(found);
              return;
            }
            setSecrets(rotated.map(({ secret, ...endpoint }) => ({ of: nameOf(endpoint), secret })));
            await done(`${name} is removed`);
            if (rotated.length === 0) close();
          }}
        >
          {lines.length > 0 && (
            <div role="alert">
              <p>These end with the membership:</p>
              <Lines lines={lines} />
            </div>
          )}
          {endpoints.length > 0 && (
            <div>
              <div role="alert">
                <p>They made or changed these webhook endpoints, or know their secrets:</p>
                <Lines lines={endpoints.map((each) => ({ id: each.endpointId, text: nameOf(each) }))} />
              </div>
              <div className={styles.webhooks}>
                <Segmented
                  label="Their webhook endpoints"
                  value={webhooks}
                  onChange={setWebhooks}
                  options={[
                    { value: 'disable', label: 'Disable' },
                    { value: 'keep', label: 'Keep, with new secrets' },
                  ]}
                />
                <p className="faint">{EFFECTS[webhooks]}</p>
              </div>
            </div>
          )}
        </ChangeForm>
      )}
    </Dialog>
  );
}

const EFFECTS: Record<Webhooks, string> = {
  disable:
    'Nothing more is sent to them. What happens meanwhile waits for up to 30 days: look at the address of each, replace its secret, then enable it.',
  keep: 'Messages go on to the same addresses. You see the new secrets once, after this; the older ones sign too, for 24 hours.',
};

/** Two may have the same words. */
type Line = { readonly id: string; readonly text: string };

const Lines = ({ lines }: { readonly lines: readonly Line[] }) => (
  <ul className="dashed">
    {lines.map(({ id, text }) => (
      <li key={id}>{text}</li>
    ))}
  </ul>
);

/** Several may be at one host, so their addresses name them. */
function useEndpointNames(tenantId: string, isWanted: boolean): (endpoint: Endpoint) => string {
  const { data } = useQuery({ ...endpointsQuery(tenantId), enabled: isWanted });
  return ({ endpointId, host }) => {
    const known = data?.find(({ id }) => id === endpointId);
    return known?.url ? `${shortUrl(known.url)}${known.test ? ' (test mode)' : ''}` : host;
  };
}

const linesOf = ({ credentials, secrets, keys, invitations }: Endings): Line[] => [
  ...credentials.map(({ credentialId: id, name }) => ({
    ...{ id, text: `The credential “${name}”, until it has another owner` },
  })),
  ...secrets.map(({ secretId: id, name }) => ({ id, text: `A secret of “${name}” that they made` })),
  ...keys.map(({ credentialId, keyId, name }) => ({
    ...{ id: `${credentialId} ${keyId}`, text: `A key of “${name}” that they added` },
  })),
  ...invitations.map(({ invitationId: id, email }) => ({ id, text: `Their invitation to ${email}` })),
];
