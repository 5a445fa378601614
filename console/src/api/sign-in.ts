// What happens when the sign-in has ended, or when an action needs a fresh second factor. Nothing typed is lost: while a form
// is open the person confirms in another tab, and the form stays as it is. Nothing is kept in the browser's storage and
// nothing is sent again by itself (docs/decisions/0229-confirming-beside-the-form.md).
import { TrefoilError } from '@trefoil/sdk';
import { useEffect, useSyncExternalStore } from 'react';

/** Tabs of one browser tell each other that the person has confirmed. */
const CHANNEL = 'trefoil.sign-in';
/** The page that ends a confirmation in another tab. */
const CONFIRMED = '/console/confirmed';

export const isSignedOut = (error: unknown): error is TrefoilError =>
  error instanceof TrefoilError && error.status === 401;
export const needsStepUp = (error: unknown): error is TrefoilError =>
  error instanceof TrefoilError && error.is('step-up-required');

/** The company requires a second factor, and this sign-in has proved none. */
export const lacksSecondFactor = (error: unknown): boolean =>
  error instanceof TrefoilError && error.is('second-factor-required');

export const SIGN_IN_BESIDE = `/v1/auth/login?returnTo=${CONFIRMED}`;
export const STEP_UP_BESIDE = `/v1/auth/login?stepUp=true&returnTo=${CONFIRMED}`;

let openForms = 0;
let isEnded = false;
const listeners = new Set<() => void>();
function setEnded(next: boolean): void {
  isEnded = next;
  for (const listener of listeners) listener();
}

/** While a form is open, an ended sign-in must not take the page away. A form in a page is open once something was typed. */
export function useOpenForm(isOpen = true): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    openForms += 1;
    return () => {
      openForms -= 1;
    };
  }, [isOpen]);
}

/** Leads to the sign-in and back to this page, or, while a form is open, only says that the sign-in has ended. */
export function endSignIn(): void {
  if (openForms > 0) {
    setEnded(true);
    return;
  }
  location.assign(`/v1/auth/login?returnTo=${encodeURIComponent(location.pathname + location.search)}`);
}

/** Leads to the page where the person sets up a second factor, or goes on with theirs. A form says it by itself. */
export function setUpFactor(): void {
  if (openForms === 0) location.assign('/v1/auth/security');
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
export const useSignInEnded = () => useSyncExternalStore(subscribe, () => isEnded);

export function tellConfirmed(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage('confirmed');
  channel.close();
}

/** Calls back each time the person has confirmed in another tab. */
export function onConfirmed(listener: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = listener;
  return () => channel.close();
}

/** Once, at the start: a sign-in in another tab ends the notice in this one. */
export function watchConfirmations(): void {
  onConfirmed(() => setEnded(false));
}
