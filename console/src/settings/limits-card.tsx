// Where and how many text messages are sent, within what was agreed.
import { useState } from 'react';
import { formatCount, formatCredits } from '../format/money.ts';
import { CardForm } from '../forms/card-form.tsx';
import { Card } from '../ui/card.tsx';
import { Field, Tick } from '../ui/field.tsx';
import { Segmented } from '../ui/segmented.tsx';
import styles from './settings.module.css';
import { countryName, poundsText, type Read, readLimit, readPounds } from './settings-values.ts';
import { type CardProps, useChange } from './use-change.ts';

type Faults = Readonly<Partial<Record<'day' | 'credits' | 'minute' | 'countries', string>>>;

function readCredits(text: string, max: number): Read<number | null> {
  if (text.trim() === '') return { value: null };
  const value = readPounds(text);
  return value !== undefined && value <= max
    ? { value }
    : { fault: `Enter an amount in pounds, at most ${formatCredits(max)} as agreed.` };
}

export function LimitsCard(props: CardProps) {
  const [settings, change] = useChange(props);
  const { agreed } = settings;
  const [which, setWhich] = useState<'all' | 'some'>(settings.smsCountries ? 'some' : 'all');
  const [faults, setFaults] = useState<Faults>({});

  function check(fields: FormData): Promise<void> | undefined {
    const text = (name: string) => String(fields.get(name) ?? '');
    const day = readLimit(text('day'), agreed.smsDailyMessages);
    const credits = readCredits(text('credits'), agreed.smsDailyCredits);
    const minute = readLimit(text('minute'), agreed.smsMinuteMessages);
    const smsCountries = which === 'all' ? null : (fields.getAll('country') as string[]);
    const found: Faults = {
      ...('fault' in day && { day: day.fault }),
      ...('fault' in credits && { credits: credits.fault }),
      ...('fault' in minute && { minute: minute.fault }),
      ...(smsCountries?.length === 0 && { countries: 'Choose at least one, or all.' }),
    };
    setFaults(found);
    if ('fault' in day || 'fault' in credits || 'fault' in minute || found.countries) return undefined;
    const wanted = {
      smsDailyMessages: day.value,
      smsDailyCredits: credits.value,
      smsMinuteMessages: minute.value,
      smsCountries,
    };
    return change(wanted, 'The limits of text messages are changed');
  }

  const common = { inputMode: 'numeric', autoComplete: 'off' } as const;
  return (
    <Card title="Limits of text messages" note="Below what was agreed. An empty field leaves the agreed limit.">
      <CardForm label="Limits of text messages" send={check}>
        <div className={styles.row}>
          <Field
            label="Texts in a day"
            hint={`Agreed: ${formatCount(agreed.smsDailyMessages)}`}
            name="day"
            defaultValue={settings.smsDailyMessages ?? ''}
            fault={faults.day}
            {...common}
          />
          <Field
            label="Cost in a day, in £"
            hint={`Agreed: ${formatCredits(agreed.smsDailyCredits)}`}
            name="credits"
            defaultValue={poundsText(settings.smsDailyCredits)}
            fault={faults.credits}
            {...common}
            inputMode="decimal"
          />
          <Field
            label="Texts in a minute"
            hint={`Agreed: ${formatCount(agreed.smsMinuteMessages)}`}
            name="minute"
            defaultValue={settings.smsMinuteMessages ?? ''}
            fault={faults.minute}
            {...common}
          />
        </div>
        <div>
          <p className={styles.legend} aria-hidden="true">
            Countries whose numbers get texts
          </p>
          <Segmented
            label="Countries whose numbers get texts"
            value={which}
            onChange={setWhich}
            options={[
              { value: 'all', label: 'All that were agreed' },
              { value: 'some', label: 'Chosen ones' },
            ]}
          />
          {/* Hidden and not gone: the ticks stay. */}
          <div className={styles.countries} hidden={which === 'all'}>
            {faults.countries && <p className={styles.fault}>{faults.countries}</p>}
            {agreed.smsCountries.map((code) => (
              <Tick
                key={code}
                label={countryName(code)}
                name="country"
                value={code}
                defaultChecked={settings.smsCountries?.includes(code)}
                aria-invalid={faults.countries ? true : undefined}
              />
            ))}
          </div>
        </div>
        <p className="faint">
          A day begins at midnight UTC, which is 1 am in British summer time. Test mode sends no texts.
        </p>
      </CardForm>
    </Card>
  );
}
