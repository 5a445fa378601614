// A change on its way: sent once for each press, with the refusal kept until the next.
import { type RefObject, useEffect, useRef, useState } from 'react';

export type Sending = {
  readonly error: unknown;
  readonly isSending: boolean;
  /** How many came to an end, whatever it was. */
  readonly endedCount: number;
  /** A second press while the first is on its way does nothing: it would send the change twice. */
  run(change: () => Promise<void> | undefined): Promise<void>;
};

export function useSending(): Sending {
  const [error, setError] = useState<unknown>();
  const [isSending, setSending] = useState(false);
  const [endedCount, setEndedCount] = useState(0);
  const isUnderWay = useRef(false);
  return {
    error,
    isSending,
    endedCount,
    async run(change) {
      if (isUnderWay.current) return;
      isUnderWay.current = true;
      setError(undefined);
      setSending(true);
      try {
        await change();
      } catch (refusal) {
        setError(refusal);
      } finally {
        isUnderWay.current = false;
        setSending(false);
        setEndedCount((count) => count + 1);
      }
    },
  };
}

/** Once faults are shown, also those that the service found, the first of them gets the focus. */
export function useFaultFocus(endedCount: number): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (endedCount > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [endedCount]);
  return form;
}
