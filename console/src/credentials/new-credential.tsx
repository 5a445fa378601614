// The form for a new credential.
import type { components } from '@trefoil/sdk';
import { useState } from 'react';
import { useCompany } from '../api/company.ts';
import { SCOPES } from '../format/words.ts';
import { ChangeForm } from '../forms/change-form.tsx';
import { Field, Tick } from '../ui/field.tsx';
import { Segmented } from '../ui/segmented.tsx';
import styles from './credentials.module.css';

type CreateRequest = components['schemas']['CreateCredentialRequest'];
type Scope = CreateRequest['scopes'][number];

/** What a system needs. Nothing that manages people or credentials: those changes need a person. */
const OFFERED = ['reports:write', 'reports:read', 'wallet:read', 'events:read', 'webhooks:write'] as const;

type Props = { readonly send: (request: CreateRequest) => Promise<void>; readonly onCancel: () => void };
type Faults = { readonly name?: string; readonly scopes?: string };

export function NewCredential({ send, onCancel }: Props) {
  const { may } = useCompany();
  const [kind, setKind] = useState<'test' | 'live'>('test');
  const [faults, setFaults] = useState<Faults>({});

  function check(fields: FormData): Promise<void> | undefined {
    const name = String(fields.get('name') ?? '').trim();
    const scopes = fields.getAll('scope') as Scope[];
    const found = {
      ...(name === '' && { name: 'Enter a name, such as that of the system.' }),
      ...(scopes.length === 0 && { scopes: 'Choose at least one.' }),
    };
    setFaults(found);
    if (Object.keys(found).length > 0) return undefined;
    return send({ name, scopes, isTestOnly: kind === 'test' });
  }

  return (
    <ChangeForm action="Make credential" onCancel={onCancel} send={check}>
      <Field
        label="Name"
        name="name"
        hint="The system that will use it"
        fault={faults.name}
        maxLength={200}
        autoComplete="off"
      />
      <div>
        <p className={styles.legend} aria-hidden="true">
          Works in
        </p>
        <Segmented
          label="Works in"
          value={kind}
          onChange={setKind}
          options={[
            { value: 'test', label: 'Test only' },
            { value: 'live', label: 'Live and test' },
          ]}
        />
        <p className={styles.hint}>This cannot be changed later.</p>
      </div>
      <fieldset className={styles.ticks}>
        <legend className={styles.legend}>It may</legend>
        {faults.scopes && <p className={styles.fault}>{faults.scopes}</p>}
        {OFFERED.filter(may).map((scope) => (
          <Tick
            key={scope}
            label={SCOPES[scope]}
            name="scope"
            value={scope}
            defaultChecked={scope.startsWith('reports:')}
          />
        ))}
      </fieldset>
    </ChangeForm>
  );
}
