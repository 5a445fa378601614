// Parts whose code comes when they are first wanted: dialogs, the palette, lists of menus. Where it does not come, the page stays
// as it is, with what was typed, and a line says so. lazy() would throw, and take the page away.
import { CircleAlert, X } from 'lucide-react';
import { type ComponentType, useEffect, useState } from 'react';
import { type Late, late, type NotLoadedError } from '../api/late.ts';
import styles from './late-part.module.css';

export function useLate(wanted: Late<unknown>) {
  const [problem, setProblem] = useState<NotLoadedError>();
  const [isTrying, setTrying] = useState(false);
  return {
    problem,
    isTrying,
    /** Whether the code is there. */
    async load(): Promise<boolean> {
      setTrying(true);
      const failure = await wanted.load().then(
        () => undefined,
        (error: NotLoadedError) => error,
      );
      setProblem(failure);
      setTrying(false);
      return !failure;
    },
    dismiss: () => setProblem(undefined),
  };
}

type NotLoadedProps = {
  readonly problem: NotLoadedError;
  readonly isTrying: boolean;
  readonly onRetry: () => unknown;
  readonly onDismiss: () => void;
};

export function NotLoaded({ problem, isTrying, onRetry, onDismiss }: NotLoadedProps) {
  return (
    <div className={styles.line} role="alert">
      <CircleAlert size={17} aria-hidden />
      <p>
        This could not be loaded. {problem.message}{' '}
        {problem.needsNewPage ? (
          <>
            <button type="button" onClick={() => location.reload()}>
              Load the page again
            </button>
            , which loses what was typed.
          </>
        ) : (
          <button type="button" onClick={() => onRetry()} aria-disabled={isTrying}>
            {isTrying ? 'Trying…' : 'Try again'}
          </button>
        )}
      </p>
      <button type="button" aria-label="Dismiss" onClick={onDismiss} className={styles.dismiss}>
        <X size={15} aria-hidden />
      </button>
    </div>
  );
}

/** A part that opens over the page. `onClose` also comes from a person who gives it up. */
export function latePart<Props extends { readonly onClose: () => void }>(
  fetchPart: () => Promise<ComponentType<Props>>,
) {
  const part = late(fetchPart);
  function LatePart(props: Props) {
    const { problem, isTrying, load } = useLate(part);
    // biome-ignore lint/correctness/useExhaustiveDependencies: once; then only when a person tries again
    useEffect(() => {
      if (!part.code) void load();
    }, []);
    const { code: Part } = part;
    if (Part) return <Part {...props} />;
    return problem && <NotLoaded problem={problem} isTrying={isTrying} onRetry={load} onDismiss={props.onClose} />;
  }
  return Object.assign(LatePart, { ahead: part.ahead });
}
