// Asks before a change that needs no more than a yes.
import type { ReactNode } from 'react';
import { ChangeForm } from './change-form.tsx';
import { Dialog } from './dialog.tsx';

export type ConfirmProps = {
  readonly title: string;
  readonly lead: ReactNode;
  /** A verb: "Stop it". */
  readonly action: string;
  readonly isDanger?: boolean;
  /** The dialog closes once it is done. */
  readonly send: () => Promise<void>;
  readonly onClose: () => void;
};

export function Confirm({ title, lead, action, isDanger = false, send, onClose }: ConfirmProps) {
  return (
    <Dialog title={title} lead={lead} onClose={onClose}>
      {(close) => <ChangeForm action={action} isDanger={isDanger} onCancel={close} send={() => send().then(close)} />}
    </Dialog>
  );
}
