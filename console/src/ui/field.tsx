// Labelled controls, with hint and fault tied to them.
import { ChevronDown } from 'lucide-react';
import { type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, useId } from 'react';
import styles from './field.module.css';

type Around = { readonly label: string; readonly hint?: ReactNode };
type FieldProps = Around & { readonly fault?: string | undefined } & InputHTMLAttributes<HTMLInputElement>;

export function Field({ label, hint, fault, ...input }: FieldProps) {
  const id = useId();
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ');
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {fault && (
        <p id={`${id}-fault`} className={styles.fault}>
          {fault}
        </p>
      )}
      <input
        id={id}
        className={styles.input}
        aria-invalid={fault ? true : undefined}
        aria-describedby={described || undefined}
        {...input}
      />
    </div>
  );
}

type ChoiceProps = Around & { readonly isLabelHidden?: boolean } & SelectHTMLAttributes<HTMLSelectElement>;

export function Choice({ label, hint, isLabelHidden = false, children, ...select }: ChoiceProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={isLabelHidden ? 'visually-hidden' : undefined}>
        {label}
      </label>
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      <span className={styles.select}>
        <select id={id} className={styles.input} aria-describedby={hint ? `${id}-hint` : undefined} {...select}>
          {children}
        </select>
        <ChevronDown size={15} aria-hidden />
      </span>
    </div>
  );
}

export function Tick({ label, hint, ...input }: Around & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <label className={styles.tick}>
      <input type="checkbox" {...input} />
      <span>
        <span>{label}</span>
        {hint && <span className={styles.hint}>{hint}</span>}
      </span>
    </label>
  );
}
