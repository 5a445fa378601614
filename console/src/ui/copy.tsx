// A value to copy, in monospace, copied with one press.
import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import styles from './copy.module.css';

const TOLD_MS = 1_600;

type Props = {
  readonly text: string /** What it is, for the button's name. */;
  readonly label: string;
  readonly shown?: string;
};

export function CopyText({ text, label, shown = text }: Props) {
  const [isDone, setDone] = useState(false);
  async function copy() {
    await navigator.clipboard.writeText(text);
    setDone(true);
    setTimeout(() => setDone(false), TOLD_MS);
  }
  return (
    <span className={styles.wrap}>
      <code>{shown}</code>
      <button type="button" className={styles.button} onClick={() => void copy()} aria-label={`Copy ${label}`}>
        {isDone ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
      </button>
      <span role="status" className="visually-hidden">
        {isDone ? 'Copied' : ''}
      </span>
    </span>
  );
}
