// Why a change was not made, and what to do about it. A change that needs a fresh second factor is confirmed in another tab;
// then the person presses the same button again.
import { TrefoilError, TrefoilNoAnswerError } from '@trefoil/sdk';
import { CircleAlert, CircleCheck, ShieldCheck } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import {
  isSignedOut,
  lacksSecondFactor,
  needsStepUp,
  onConfirmed,
  SIGN_IN_BESIDE,
  STEP_UP_BESIDE,
} from '../api/sign-in.ts';
import { formatTime } from '../format/time.ts';
import { buttonClass } from '../ui/button.tsx';
import styles from './refusal.module.css';

export function Refusal({ error, action }: { readonly error: unknown; readonly action: string }) {
  const isStepUp = needsStepUp(error);
  if (isStepUp || isSignedOut(error)) return <Confirmation isStepUp={isStepUp} action={action} />;
  return (
    <div className={`${styles.box} ${styles.bad}`} role="alert">
      <CircleAlert size={17} aria-hidden />
      <div>
        {wordsOf(error).map((line) => (
          <p key={line}>{line}</p>
        ))}
        {error instanceof TrefoilError && error.requestId && (
          <p className={styles.trace}>
            Request <code>{error.requestId}</code>
          </p>
        )}
      </div>
    </div>
  );
}

function wordsOf(error: unknown): string[] {
  if (error instanceof TrefoilNoAnswerError) {
    const effect = error.wasSent
      ? 'The change may have been made. Look at the list before you try again.'
      : 'Nothing was changed. Try again when you are online.';
    return ['No answer came.', effect];
  }
  if (!(error instanceof TrefoilError)) throw error;
  if (lacksSecondFactor(error)) return [error.message];
  if (error.status === 403) return ['Your role does not include this. Nothing was changed.'];
  if (error.status === 429) return limitWords(error);
  if (error.status >= 500) return ['Something went wrong on our side.', 'Look at the list before you try again.'];
  return error.details.length > 0 ? error.details.map(({ message }) => message) : [error.message];
}

const MINUTE_SECONDS = 60;

/** A limit of a day says which it is; that of a second is over before it is read. */
function limitWords({ message, retryAfterSeconds = 0 }: TrefoilError): string[] {
  if (retryAfterSeconds <= MINUTE_SECONDS) {
    return ['Too many requests just now. Nothing was changed. Try again in a few seconds.'];
  }
  const freeAt = new Date(Date.now() + retryAfterSeconds * 1_000).toISOString();
  return [message, `Nothing was changed. You can try again after ${formatTime(freeAt)}.`];
}

function Confirmation({ isStepUp, action }: { readonly isStepUp: boolean; readonly action: string }) {
  const [isConfirmed, setConfirmed] = useState(false);
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => onConfirmed(() => setConfirmed(true)), []);
  useEffect(() => link.current?.focus(), []);
  if (isConfirmed) {
    return (
      <div className={`${styles.box} ${styles.good}`} role="status">
        <CircleCheck size={17} aria-hidden />
        <p>Confirmed. Nothing has been sent yet: press “{action}” again.</p>
      </div>
    );
  }
  return (
    <div className={`${styles.box} ${styles.info}`} role="alert">
      <ShieldCheck size={17} aria-hidden />
      <div>
        <p>
          <b>{isStepUp ? 'This needs your second factor.' : 'Your sign-in has ended.'}</b> Nothing was changed, and what
          you typed stays here. {isStepUp ? 'Confirm' : 'Sign in'} in a new tab, come back, and press “{action}” again.
        </p>
        <a
          ref={link}
          href={isStepUp ? STEP_UP_BESIDE : SIGN_IN_BESIDE}
          target="_blank"
          rel="noopener"
          className={buttonClass('second')}
        >
          {isStepUp ? 'Confirm in a new tab' : 'Sign in in a new tab'}
        </a>
      </div>
    </div>
  );
}
