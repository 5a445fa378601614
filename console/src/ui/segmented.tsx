// One of a few, all visible: radio buttons that look like a switch. Arrow keys work as in any radio group.
import { useId } from 'react';
import styles from './segmented.module.css';

type Props<Value extends string> = {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
  readonly tone?: 'warn' | undefined;
};

export function Segmented<Value extends string>({ label, value, options, onChange, tone }: Props<Value>) {
  const name = useId();
  return (
    <fieldset className={`${styles.group} ${tone ? styles[tone] : ''}`}>
      <legend className="visually-hidden">{label}</legend>
      {options.map((option) => (
        <label key={option.value} className={styles.option}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="visually-hidden"
          />
          <span>{option.label}</span>
        </label>
      ))}
    </fieldset>
  );
}
