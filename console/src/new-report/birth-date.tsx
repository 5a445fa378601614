// A date of birth as day, month and year: typed from memory or read out, so no calendar to page through.
import { useId } from 'react';
import { FIELDS } from './fields.ts';
import styles from './new-report.module.css';

const PARTS = [
  { name: 'birthDay', label: 'Day', length: 2 },
  { name: 'birthMonth', label: 'Month', length: 2 },
  { name: 'birthYear', label: 'Year', length: 4 },
] as const;

export function BirthDate({ fault }: { readonly fault: string | undefined }) {
  const id = useId();
  return (
    <fieldset className={styles.birth}>
      <legend>{FIELDS.dateOfBirth.label}</legend>
      <p id={`${id}-hint`} className={styles.hint}>
        For example, 9 3 1984
      </p>
      {fault && (
        <p id={`${id}-fault`} className={styles.fault}>
          {fault}
        </p>
      )}
      <div className={styles.parts}>
        {PARTS.map(({ name, label, length }) => (
          <label key={name} data-length={length}>
            <span>{label}</span>
            <input
              name={name}
              inputMode="numeric"
              maxLength={length}
              autoComplete="off"
              aria-invalid={fault ? true : undefined}
              aria-describedby={fault ? `${id}-fault` : `${id}-hint`}
            />
          </label>
        ))}
      </div>
    </fieldset>
  );
}
