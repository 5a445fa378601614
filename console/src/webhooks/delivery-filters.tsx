// Looks for deliveries by type, event and time. Folded away until it is wanted: most people look at the newest ones.
import { ListFilter } from 'lucide-react';
import { type FormEvent, useEffect, useState } from 'react';
import { type DeliveryFilter, isEventId } from '../format/delivery-filter.ts';
import { TEST_EVENT } from '../format/event-words.ts';
import { useFaultFocus } from '../forms/use-sending.ts';
import { Button } from '../ui/button.tsx';
import { EventTypeOptions } from '../ui/event-type-options.tsx';
import { Choice, Field } from '../ui/field.tsx';
import styles from './filters.module.css';
import { isHalfTyped } from './half-typed.ts';

type Props = {
  readonly filter: DeliveryFilter;
  readonly onChange: (next: DeliveryFilter) => void;
};
type Faults = Partial<Record<'from' | 'to' | 'event', string>>;

const HALF = 'Enter a day and a time, or neither.';

function faultsOf(form: HTMLFormElement, { from = '', to = '', event = '' }: DeliveryFilter): Faults {
  return {
    ...(isHalfTyped(form, 'from') && { from: HALF }),
    ...(from !== '' && to !== '' && to <= from && { to: 'Enter a time after From.' }),
    ...(isHalfTyped(form, 'to') && { to: HALF }),
    ...(event !== '' && !isEventId(event) && { event: 'Enter the whole id of an event: evt_ and 16 characters.' }),
  };
}

export function DeliveryFilters({ filter, onChange }: Props) {
  const { state, type, event, from, to } = filter;
  const isFiltered = [type, event, from, to].some((each) => each !== undefined);
  const [isOpen, setOpen] = useState(isFiltered);
  const [faults, setFaults] = useState<Faults>({});
  const [triedCount, setTriedCount] = useState(0);
  const form = useFaultFocus(triedCount);
  // Cleared, here or below the list: fields keep what was typed until they are emptied.
  useEffect(() => {
    if (isFiltered) return;
    for (const field of form.current?.querySelectorAll<HTMLInputElement>('input, select') ?? []) field.value = '';
    setFaults({});
  }, [form, isFiltered]);

  function submit(submitted: FormEvent<HTMLFormElement>) {
    submitted.preventDefault();
    const fields = new FormData(submitted.currentTarget);
    const textOf = (name: string) => String(fields.get(name) ?? '').trim() || undefined;
    const wanted = {
      type: textOf('type'),
      event: textOf('event')?.toLowerCase(),
      from: textOf('from'),
      to: textOf('to'),
    };
    const found = faultsOf(submitted.currentTarget, wanted);
    setFaults(found);
    setTriedCount((count) => count + 1);
    if (Object.keys(found).length === 0) onChange({ state, ...wanted });
  }

  return (
    <details className={styles.filter} open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <ListFilter size={15} aria-hidden />
        Filter by type, event or time
      </summary>
      <form ref={form} onSubmit={submit} className={styles.form} noValidate>
        <Choice label="Type" name="type" defaultValue={type ?? ''}>
          <option value="">All types</option>
          <EventTypeOptions hasGroups />
          <option value={TEST_EVENT}>Test event</option>
        </Choice>
        <Field
          label="Event"
          name="event"
          placeholder="evt_…"
          defaultValue={event}
          fault={faults.event}
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
        />
        <Field label="From" name="from" type="datetime-local" defaultValue={from} fault={faults.from} />
        <Field label="To" name="to" type="datetime-local" defaultValue={to} fault={faults.to} />
        <div className={styles.actions}>
          <Button type="submit">Find</Button>
          <Button look="plain" onClick={() => onChange({ state })}>
            Clear
          </Button>
          <span className="faint">London time</span>
        </div>
      </form>
    </details>
  );
}
