// A secret, shown this once in the dialog that made it. It is kept nowhere.
import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { CopyText } from '../ui/copy.tsx';
import { Dialog, DialogActions, DialogBody } from './dialog.tsx';
import styles from './show-secret.module.css';

type Props = {
  /** Whose secret it is: `“Case portal”`. */
  readonly of: string;
  readonly secret: string;
  /** What else to know about it. */
  readonly note?: string;
  readonly children: ReactNode;
  readonly onClose: () => void;
};

export function ShowSecret({ of, secret, note, children, onClose }: Props) {
  return (
    <Dialog
      title="Copy the secret now"
      lead={`This is the only time you can see the secret of ${of}.`}
      onClose={onClose}
    >
      {(close) => (
        <>
          <DialogBody>
            <p className={styles.secret}>
              <CopyText text={secret} label="the secret" />
            </p>
            {note && <p>{note}</p>}
            <p className={styles.warning}>
              <TriangleAlert size={16} aria-hidden />
              <span>{children}</span>
            </p>
          </DialogBody>
          <DialogActions>
            <Button look="primary" onClick={close}>
              I have copied it
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  );
}
