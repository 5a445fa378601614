// A form that stands in a card and saves what was changed. As a form in a dialog it is sent only when its button is pressed
// and keeps what was typed (change-form.tsx). It says what was saved.
import { type FormEvent, type ReactNode, useState } from 'react';
import { useOpenForm } from '../api/sign-in.ts';
import { Button } from '../ui/button.tsx';
import styles from './card-form.module.css';
import { Refusal } from './refusal.tsx';
import { useFaultFocus, useSending } from './use-sending.ts';

type Props = {
  /** Whose button it is: several such forms stand on a page. */
  readonly label: string;
  /** Undefined where a field has a fault, which the form shows itself. */
  readonly send: (fields: FormData) => Promise<void> | undefined;
  readonly children: ReactNode;
};

const ACTION = 'Save';

export function CardForm({ label, send, children }: Props) {
  const [isTouched, setTouched] = useState(false);
  useOpenForm(isTouched);
  const { error, isSending, endedCount, run } = useSending();
  const form = useFaultFocus(endedCount);
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    void run(async () => {
      const sent = send(fields);
      await sent;
      if (sent) setTouched(false);
    });
  }
  return (
    <form
      ref={form}
      onSubmit={submit}
      onInput={() => setTouched(true)}
      className={styles.form}
      aria-label={label}
      noValidate
    >
      {children}
      {error !== undefined && <Refusal error={error} action={ACTION} />}
      <div>
        <Button look={isTouched ? 'primary' : 'second'} type="submit" aria-disabled={isSending}>
          {isSending ? 'Saving…' : ACTION}
        </Button>
      </div>
    </form>
  );
}
