// Finds reports by their whole reference. The key / leads here.
import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import styles from './reports.module.css';

/** Each search is a line of the audit log, so a search waits until the person has stopped typing. */
const PAUSE_MS = 350;

type Props = { readonly value: string; readonly onChange: (value: string) => void };

export function ReferenceSearch({ value, onChange }: Props) {
  const [text, setText] = useState(value);
  const input = useRef<HTMLInputElement>(null);
  // "Clear the filters" empties the field too.
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === value) return;
    const timer = setTimeout(() => onChange(wanted), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, value, onChange]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || (event.target as HTMLElement).closest('input, textarea, select')) return;
      event.preventDefault();
      input.current?.focus();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <label className={styles.search}>
      <Search size={15} aria-hidden />
      <span className="visually-hidden">Find by reference</span>
      <input
        ref={input}
        type="search"
        placeholder="Find by reference"
        maxLength={255}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <span className={styles.key} aria-hidden="true">
        /
      </span>
    </label>
  );
}
