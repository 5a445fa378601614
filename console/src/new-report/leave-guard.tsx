// Asks before a half-filled form is left: by a link, by the browser's buttons, or by closing the tab.
import { useBlocker } from '@tanstack/react-router';
import type { RefObject } from 'react';
import { latePart } from '../ui/late-part.tsx';

const Leave = latePart(() => import('./leave-dialog.tsx').then((loaded) => loaded.LeaveDialog));

/** Once there is something to lose: the question must not need a connection. */
export const prepareToAsk = Leave.ahead;

type Props = {
  /** Read when somebody leaves. */
  readonly isFilled: RefObject<boolean>;
  /** Whether a request was sent and no answer came. */
  readonly isUnknown: boolean;
  /** The form is given up, but its page is not left: another mode was chosen. */
  readonly onGiveUp: () => void;
};

export function LeaveGuard({ isFilled, isUnknown, onGiveUp }: Props) {
  const { status, proceed, reset, current, next } = useBlocker({
    // The switch of the mode stays on the page. What was sent already has a mode, and would be sent again in that one.
    shouldBlockFn: (move) => isFilled.current && (isUnknown || move.current.pathname !== move.next.pathname),
    enableBeforeUnload: () => isFilled.current,
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  function leave() {
    proceed?.();
    if (current?.pathname === next?.pathname) onGiveUp();
  }
  return <Leave isUnknown={isUnknown} onLeave={leave} onClose={reset} />;
}
