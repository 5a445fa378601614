// The question before a half-filled form is left.
import { useRef } from 'react';
import { Dialog, DialogActions } from '../forms/dialog.tsx';
import { Button } from '../ui/button.tsx';

type Props = { readonly isUnknown: boolean; readonly onLeave: () => void; readonly onClose: () => void };

export function LeaveDialog({ isUnknown, onLeave, onClose }: Props) {
  const isLeaving = useRef(false);
  return (
    <Dialog
      title="Leave this form?"
      lead={
        isUnknown
          ? 'What you typed is not kept anywhere. The report may have been made: look at the list of reports before you request it again.'
          : 'What you typed is not kept anywhere.'
      }
      onClose={() => (isLeaving.current ? onLeave() : onClose())}
    >
      {(close) => (
        <DialogActions>
          <Button onClick={close}>Stay here</Button>
          <Button
            look="danger"
            onClick={() => {
              isLeaving.current = true;
              close();
            }}
          >
            Leave
          </Button>
        </DialogActions>
      )}
    </Dialog>
  );
}
