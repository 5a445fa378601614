// A short word after an action. It stays six seconds, or while it is pointed at or focused.
import { CircleCheck, X } from 'lucide-react';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react';
import styles from './toast.module.css';

const STAY_MS = 6_000;
const Context = createContext<(text: string) => void>(() => {});
export const useToast = () => useContext(Context);

export function Toasts({ children }: { readonly children: ReactNode }) {
  const [text, setText] = useState<string>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const hold = useCallback(() => clearTimeout(timer.current), []);
  const release = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setText(undefined), STAY_MS);
  }, []);
  const show = useCallback(
    (next: string) => {
      setText(next);
      release();
    },
    [release],
  );
  useEffect(() => hold, [hold]);
  return (
    <Context value={show}>
      {children}
      <div
        role="status"
        className={styles.region}
        onPointerEnter={hold}
        onPointerLeave={release}
        onFocus={hold}
        onBlur={release}
      >
        {text !== undefined && (
          <div className={styles.toast}>
            <CircleCheck size={17} aria-hidden />
            <span>{text}</span>
            <button type="button" aria-label="Dismiss" onClick={() => setText(undefined)}>
              <X size={15} aria-hidden />
            </button>
          </div>
        )}
      </div>
    </Context>
  );
}
