// What staff type about the consumer. The API judges it; a field only shows what the API said.
import type { Mode } from '../api/queries.ts';
import { formatCredits } from '../format/money.ts';
import { BUREAUS, type BureauId } from '../format/words.ts';
import { Choice, Field, Tick } from '../ui/field.tsx';
import { BirthDate } from './birth-date.tsx';
import { type Faults, FIELDS, type FieldName } from './fields.ts';
import styles from './new-report.module.css';

const COUNTRIES = [
  ['GB', 'United Kingdom'],
  ['GG', 'Guernsey'],
  ['IM', 'Isle of Man'],
  ['JE', 'Jersey'],
] as const;

type Props = {
  readonly mode: Mode;
  readonly faults: Faults;
  /** For each bureau that answers, in credits, once it is known. */
  readonly priceOf: (bureau: BureauId) => number | undefined;
};

export function DetailFields({ mode, faults, priceOf }: Props) {
  const field = (name: FieldName, isOptional = false) => ({
    name,
    label: isOptional ? `${FIELDS[name].label} (optional)` : FIELDS[name].label,
    fault: faults[name],
    // The details are another person's: the browser must neither fill them in nor keep them.
    autoComplete: 'off',
    maxLength: 255,
  });
  return (
    <>
      <fieldset className={styles.group}>
        <legend>Person</legend>
        <div className={styles.names}>
          <Field {...field('title', true)} />
          <Field {...field('firstName')} />
        </div>
        <div className={styles.pair}>
          <Field {...field('middleName', true)} />
          <Field {...field('lastName')} />
        </div>
        <BirthDate fault={faults.dateOfBirth} />
      </fieldset>
      <fieldset className={styles.group}>
        <legend>Current address</legend>
        <p className={styles.hint}>One of the first three fields is enough.</p>
        <div className={styles.premises}>
          <Field {...field('buildingNumber')} />
          <Field {...field('buildingName')} />
          <Field {...field('subBuildingName')} />
        </div>
        <Field {...field('thoroughfare', true)} />
        <div className={styles.town}>
          <Field {...field('townOrCity')} />
          <Field {...field('postcode')} />
          <Choice label={FIELDS.country.label} name="country">
            {COUNTRIES.map(([code, name]) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </Choice>
        </div>
      </fieldset>
      <fieldset className={styles.group}>
        <legend>Contact and reference</legend>
        <div className={styles.pair}>
          <Field {...field('mobileNumber')} type="tel" hint="If a code is needed, it is sent here" />
          <Field
            {...field('email', true)}
            type="email"
            hint={mode === 'test' ? 'test001@ to test004@ choose a report' : 'Screening may use it'}
          />
        </div>
        <Field {...field('externalReference', true)} hint="Your case number. It appears in lists and on statements." />
        {mode === 'test' && (
          <Choice label="Screening (test mode)" name="screening" hint="What the check of the request would say">
            <option value="allow">Allow it</option>
            <option value="challenge">Ask for a code</option>
            <option value="block">Stop it</option>
          </Choice>
        )}
      </fieldset>
      <fieldset className={styles.bureaus} aria-describedby={faults.bureaus ? 'bureaus-fault' : undefined}>
        <legend>{FIELDS.bureaus.label}</legend>
        {faults.bureaus && (
          <p id="bureaus-fault" className={styles.fault}>
            {faults.bureaus}
          </p>
        )}
        {(Object.keys(BUREAUS) as BureauId[]).map((bureau) => {
          const price = priceOf(bureau);
          return (
            <Tick
              key={bureau}
              label={BUREAUS[bureau]}
              hint={price === undefined ? undefined : formatCredits(price)}
              name="bureaus"
              value={bureau}
              defaultChecked
            />
          );
        })}
      </fieldset>
    </>
  );
}
