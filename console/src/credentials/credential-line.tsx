// One credential: its state, its facts and what can be done with it.
import type { components } from '@trefoil/sdk';
import { Ellipsis, Power, RefreshCw, Trash2 } from 'lucide-react';
import { countOf } from '../format/money.ts';
import { formatAgo, formatDate } from '../format/time.ts';
import { SCOPES } from '../format/words.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { CopyText } from '../ui/copy.tsx';
import { Menu, type MenuProps } from '../ui/menu.tsx';
import type { Change } from './credential-dialogs.tsx';
import styles from './credentials.module.css';

type Credential = components['schemas']['CredentialItem'];
type Props = {
  readonly credential: Credential;
  readonly owner: string;
  readonly onChange: (change: Change) => void;
};

function stateOf({ isEnabled, isOwnerActive, isRefused }: Credential): string | undefined {
  if (isRefused) return 'Refused by its owner';
  if (!isEnabled) return 'Stopped';
  return isOwnerActive ? undefined : 'Needs an owner';
}

/** `Request reports, read reports`. */
const sentenceOf = ([first = '', ...rest]: readonly string[]) =>
  [first, ...rest.map((words) => words.charAt(0).toLowerCase() + words.slice(1))].join(', ');

export function CredentialLine({ credential, owner, onChange }: Props) {
  const state = stateOf(credential);
  return (
    <li className={styles.credential}>
      <div className={styles.head}>
        <h2>{credential.name}</h2>
        <Badge tone={credential.isTestOnly ? 'warn' : 'good'} hasDot={false}>
          {credential.isTestOnly ? 'Test only' : 'Live'}
        </Badge>
        {state && <Badge>{state}</Badge>}
        <Menu
          align="end"
          trigger={
            <Button look="plain" isIcon aria-label={`Actions for ${credential.name}`} className={styles.more}>
              <Ellipsis size={17} aria-hidden />
            </Button>
          }
          groups={actionsOf(credential, onChange)}
        />
      </div>
      <dl className={styles.facts}>
        <div className={styles.wideFact}>
          <dt>Client id</dt>
          <dd>
            <CopyText text={credential.id} label={`the client id of ${credential.name}`} />
          </dd>
        </div>
        <div>
          <dt>Signs in with</dt>
          <dd>
            <Proofs {...credential} />
          </dd>
        </div>
        <div>
          <dt>Owner</dt>
          <dd>{owner}</dd>
        </div>
        <div>
          <dt>Last used</dt>
          <dd>{credential.lastUsedAt ? formatAgo(credential.lastUsedAt) : <span className="faint">Never</span>}</dd>
        </div>
      </dl>
      <p className={styles.scopes}>
        {sentenceOf(credential.scopes.flatMap((scope) => SCOPES[scope] ?? []))}
        {credential.allowedNetworks && (
          <span className="faint">, only from {credential.allowedNetworks.join(', ')}</span>
        )}
      </p>
    </li>
  );
}

function Proofs({ authMethod, secrets, keys }: Credential) {
  if (authMethod === 'private_key_jwt') return <>{countOf(keys.length, 'private key')}</>;
  const ending = secrets.find(({ endsAt }) => endsAt !== null)?.endsAt;
  return (
    <>
      {countOf(secrets.length, 'secret')}
      {ending && <span className={styles.ends}>one ends {formatAgo(ending)}</span>}
    </>
  );
}

function actionsOf(credential: Credential, onChange: Props['onChange']): MenuProps['groups'] {
  const { authMethod, secrets, isEnabled } = credential;
  const isBySecret = authMethod === 'client_secret';
  const adding = isBySecret &&
    isEnabled && {
      label: 'Add a new secret',
      note: 'The older one works for one more day',
      icon: <RefreshCw size={16} aria-hidden />,
      onSelect: () => onChange({ kind: 'add-secret', credential }),
    };
  const endings = isBySecret
    ? secrets.map((secret) => ({
        label: `End the secret of ${formatDate(secret.createdAt)}`,
        ...(secrets.length > 1 && { note: secret.endsAt ? `Ends ${formatAgo(secret.endsAt)}` : 'The newest one' }),
        icon: <Trash2 size={16} aria-hidden />,
        isDanger: true,
        onSelect: () => onChange({ kind: 'end-secret', credential, secretId: secret.id }),
      }))
    : [];
  const power = {
    label: isEnabled ? 'Stop it' : 'Start it again',
    icon: <Power size={16} aria-hidden />,
    isDanger: isEnabled,
    onSelect: () => onChange({ kind: isEnabled ? 'stop' : 'start', credential }),
  };
  return [...(adding ? [[adding]] : []), [...endings, power]];
}
