// When a mail is tried again, and when it is given up. Pure.
import type { MailKind } from '../store.ts';

const FIRST_RETRY_SECONDS = 60;
const LAST_RETRY_SECONDS = 6 * 3_600;
const GIVE_UP_SECONDS = 24 * 3_600;
/** As long as its link is valid. */
const LINK_SECONDS = 30 * 60;

/** A minute, five, 25, two hours, then every six; undefined when the next attempt would come after a day. */
export function retryAfterSeconds(attempts: number, ageSeconds: number): number | undefined {
  const delay = Math.min(FIRST_RETRY_SECONDS * 5 ** (attempts - 1), LAST_RETRY_SECONDS);
  return ageSeconds + delay > GIVE_UP_SECONDS ? undefined : delay;
}

/** For mails that waited for a configured server. An invitation is not included: its own row says whether it is open. */
export function isStale(kind: MailKind, ageSeconds: number): boolean {
  if (kind === 'invitation') return false;
  return ageSeconds > (kind === 'password-reset' || kind === 'factor-link' ? LINK_SECONDS : GIVE_UP_SECONDS);
}
