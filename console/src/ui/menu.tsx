// A button that opens a list of actions. Until it is first wanted it is a plain button, so that the list's code is no part of
// the first load; pointing at it fetches the code before the press.
import { cloneElement, type ReactElement, type ReactNode, useState } from 'react';
import { late } from '../api/late.ts';
import { NotLoaded, useLate } from './late-part.tsx';

const popup = late(() => import('./menu-popup.tsx').then((loaded) => loaded.MenuPopup));

type Action = {
  readonly label: string;
  readonly note?: string;
  readonly icon?: ReactNode;
  readonly href?: string;
  readonly onSelect?: () => void;
  readonly isChecked?: boolean;
  readonly isDanger?: boolean;
};

export type MenuProps = {
  readonly trigger: ReactElement<Record<string, unknown>>;
  readonly head?: ReactNode;
  /** A line stands between two groups. */
  readonly groups: readonly (readonly Action[])[];
  readonly align?: 'start' | 'end';
};

export function Menu(props: MenuProps) {
  const [isWanted, setWanted] = useState(false);
  const { problem, isTrying, load, dismiss } = useLate(popup);
  const open = async () => {
    if (await load()) setWanted(true);
  };
  const { code: Popup } = popup;
  if (isWanted && Popup) return <Popup {...props} />;
  const resting = cloneElement(props.trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: popup.ahead,
    onFocus: popup.ahead,
    onClick: open,
  });
  return (
    <>
      {resting}
      {problem && <NotLoaded problem={problem} isTrying={isTrying} onRetry={open} onDismiss={dismiss} />}
    </>
  );
}
