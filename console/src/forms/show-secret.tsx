// Secrets, shown this once in the dialog that made them. They are kept nowhere.
import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { CopyText } from '../ui/copy.tsx';
import { Dialog, DialogActions, DialogBody } from './dialog.tsx';
import styles from './show-secret.module.css';

export type Secret = {
  /** Whose secret it is: `“Case portal”`. */
  readonly of: string;
  readonly secret: string;
};

type Props = {
  readonly secrets: readonly [Secret, ...Secret[]];
  /** What else to know about them. */
  readonly note?: string | undefined;
  readonly children: ReactNode;
  readonly onClose: () => void;
};

export function ShowSecret({ secrets, note, children, onClose }: Props) {
  const [{ of }] = secrets;
  const isOne = secrets.length === 1;
  return (
    <Dialog
      title={isOne ? 'Copy the secret now' : 'Copy the secrets now'}
      lead={`This is the only time you can see ${isOne ? `the secret of ${of}` : 'them'}.`}
      onClose={onClose}
    >
      {(close) => (
        <>
          <DialogBody>
            {secrets.map((each) => (
              <div key={each.secret} className={styles.one}>
                {!isOne && <p>{each.of}</p>}
                <p className={styles.secret}>
                  <CopyText text={each.secret} label={isOne ? 'the secret' : `the secret of ${each.of}`} />
                </p>
              </div>
            ))}
            {note && <p>{note}</p>}
            <p className={styles.warning}>
              <TriangleAlert size={16} aria-hidden />
              <span>{children}</span>
            </p>
          </DialogBody>
          <DialogActions>
            <Button look="primary" onClick={close}>
              {isOne ? 'I have copied it' : 'I have copied them'}
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  );
}
