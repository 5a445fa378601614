// A dialog in the middle of the screen. Its code comes with the first one that opens: import it behind latePart().
import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { Button } from '../ui/button.tsx';
import styles from './dialog.module.css';

type Close = () => void;
type Props = {
  readonly title: string;
  readonly lead?: ReactNode;
  /** `close` begins the closing; what opened the dialog removes it on `onClose`. */
  readonly children: (close: Close) => ReactNode;
  /** Comes once the focus is back where it was. */
  readonly onClose: Close;
};

/** The first field gets the focus, not by autoFocus: that acts before the dialog has noted where the focus was. */
export function Dialog({ title, lead, children, onClose }: Props) {
  const [isOpen, setOpen] = useState(true);
  const popup = useRef<HTMLDivElement>(null);
  const first = () => popup.current?.querySelector<HTMLElement>('input:not([type=radio]), select, textarea') ?? true;
  return (
    <Base.Root
      open={isOpen}
      // A press beside the dialog must not throw away what was typed, or a secret that is shown once.
      disablePointerDismissal
      onOpenChange={setOpen}
      onOpenChangeComplete={(isStillOpen) => {
        if (!isStillOpen) onClose();
      }}
    >
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup ref={popup} className={styles.dialog} initialFocus={first}>
          <header className={styles.head}>
            <Base.Title className={styles.title}>{title}</Base.Title>
            <Base.Close render={<Button look="plain" isIcon aria-label="Close" />}>
              <X size={17} aria-hidden />
            </Base.Close>
          </header>
          {lead && <Base.Description className={styles.lead}>{lead}</Base.Description>}
          {children(() => setOpen(false))}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

export const DialogBody = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.body}>{children}</div>
);
export const DialogActions = ({ children }: { readonly children: ReactNode }) => (
  <footer className={styles.actions}>{children}</footer>
);
