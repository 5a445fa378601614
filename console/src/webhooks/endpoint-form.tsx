// The form for an endpoint, new or changed: where events go, which, and in what order.
import type { WebhookEndpoint } from '@trefoil/sdk';
import { useState } from 'react';
import { EVENT_GROUPS, EVENT_TYPES, type EventType } from '../format/event-words.ts';
import { ChangeForm } from '../forms/change-form.tsx';
import { faultsIn } from '../forms/changes.ts';
import { Field, Tick } from '../ui/field.tsx';
import { Segmented } from '../ui/segmented.tsx';
import styles from './webhooks.module.css';

export type Wanted = Pick<WebhookEndpoint, 'url' | 'description' | 'eventTypes' | 'ordered'>;
type Faults = Partial<Record<'url' | 'description' | 'eventTypes', string>>;

type Props = {
  readonly action: string;
  readonly before?: Wanted;
  readonly send: (wanted: Wanted) => Promise<void>;
  readonly onCancel: () => void;
};

const textOf = (fields: FormData, name: string) => String(fields.get(name) ?? '').trim();

function faultsOf({ url, eventTypes }: Wanted): Faults {
  return {
    ...(!URL.canParse(url) && { url: 'Enter a whole address, such as https://hooks.example.com/trefoil.' }),
    ...(eventTypes?.length === 0 && { eventTypes: 'Choose at least one, or all events.' }),
  };
}

export function EndpointForm({ action, before, send, onCancel }: Props) {
  const [which, setWhich] = useState<'all' | 'some'>(before?.eventTypes ? 'some' : 'all');
  const [faults, setFaults] = useState<Faults>({});

  function check(fields: FormData): Promise<void> | undefined {
    const wanted: Wanted = {
      url: textOf(fields, 'url'),
      description: textOf(fields, 'description'),
      eventTypes: which === 'all' ? null : (fields.getAll('type') as EventType[]),
      ordered: fields.has('ordered'),
    };
    const found = faultsOf(wanted);
    setFaults(found);
    if (Object.keys(found).length > 0) return undefined;
    return send(wanted).catch((error: unknown) => setFaults(faultsIn(error, ['url', 'description', 'eventTypes'])));
  }

  return (
    <ChangeForm action={action} onCancel={onCancel} send={check}>
      <Field
        label="Address"
        name="url"
        type="url"
        hint="https, and reachable from the internet"
        defaultValue={before?.url}
        fault={faults.url}
        maxLength={2_048}
        autoComplete="off"
        spellCheck={false}
      />
      <Field
        label="Description"
        name="description"
        hint="What it is for, if you like"
        defaultValue={before?.description}
        fault={faults.description}
        maxLength={200}
        autoComplete="off"
      />
      <div>
        <p className={styles.legend} aria-hidden="true">
          Events
        </p>
        <Segmented
          label="Events"
          value={which}
          onChange={setWhich}
          options={[
            { value: 'all', label: 'All events' },
            { value: 'some', label: 'Chosen types' },
          ]}
        />
        <p className={styles.hint}>
          {which === 'all' ? 'Also types that are added later.' : 'Types that are added later are not sent.'}
        </p>
        <Types isHidden={which === 'all'} chosen={before?.eventTypes ?? []} fault={faults.eventTypes} />
      </div>
      <Tick
        label="Keep the order of each report"
        hint="An event waits until the one before it was accepted or given up."
        name="ordered"
        defaultChecked={before?.ordered ?? true}
      />
    </ChangeForm>
  );
}

type TypesProps = {
  /** Hidden and not gone: the ticks stay. */
  readonly isHidden: boolean;
  readonly chosen: readonly string[];
  readonly fault: string | undefined;
};

function Types({ isHidden, chosen, fault }: TypesProps) {
  return (
    <div className={styles.types} hidden={isHidden}>
      {fault && <p className={styles.fault}>{fault}</p>}
      {EVENT_GROUPS.map(({ title, types }) => (
        <fieldset key={title} className={styles.ticks}>
          <legend>{title}</legend>
          {types.map((type) => (
            <Tick
              key={type}
              label={EVENT_TYPES[type]}
              name="type"
              value={type}
              defaultChecked={chosen.includes(type)}
              aria-invalid={fault ? true : undefined}
            />
          ))}
        </fieldset>
      ))}
    </div>
  );
}
