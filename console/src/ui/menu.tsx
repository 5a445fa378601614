// A button that opens a list of actions. Until it is first wanted it is a plain button, so that the list's code is no part of
// the first load; pointing at it fetches the code before the press.
import { cloneElement, lazy, type ReactElement, type ReactNode, Suspense, useState } from 'react';

const load = () => import('./menu-popup.tsx');
const Popup = lazy(() => load().then(({ MenuPopup }) => ({ default: MenuPopup })));

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
  const resting = cloneElement(props.trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: load,
    onFocus: load,
    onClick: () => setWanted(true),
  });
  if (!isWanted) return resting;
  return (
    <Suspense fallback={resting}>
      <Popup {...props} />
    </Suspense>
  );
}
