// A form in a dialog that changes something. It is sent only when its button is pressed, keeps what was typed whatever the
// answer is, and says what to do when the change needs a fresh second factor (docs/decisions/0229-confirming-beside-the-form.md).
import type { FormEvent, ReactNode } from 'react';
import { useOpenForm } from '../api/sign-in.ts';
import { Button } from '../ui/button.tsx';
import { DialogActions, DialogBody } from './dialog.tsx';
import { Refusal } from './refusal.tsx';
import { useFaultFocus, useSending } from './use-sending.ts';

type Props = {
  /** A verb: "Send invitation". */
  readonly action: string;
  readonly isDanger?: boolean;
  readonly onCancel: () => void;
  /** Undefined where a field has a fault, which the form shows itself. */
  readonly send: (fields: FormData) => Promise<void> | undefined;
  readonly children?: ReactNode;
};

export function ChangeForm({ action, isDanger = false, onCancel, send, children }: Props) {
  useOpenForm();
  const { error, isSending, endedCount, run } = useSending();
  const form = useFaultFocus(endedCount);
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    void run(() => send(fields));
  }
  return (
    <form ref={form} onSubmit={submit} noValidate>
      {(children || error !== undefined) && (
        <DialogBody>
          {children}
          {error !== undefined && <Refusal error={error} action={action} />}
        </DialogBody>
      )}
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button look={isDanger ? 'danger' : 'primary'} type="submit" aria-disabled={isSending}>
          {isSending ? 'Sending…' : action}
        </Button>
      </DialogActions>
    </form>
  );
}
