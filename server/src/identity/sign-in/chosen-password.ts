// A person who has just chosen the password of a new account need not type it again: for a minute, a sealed cookie proves it
// to the one sign-in that was begun with it (docs/decisions/0174-an-invitation-signs-in.md).
import type { FastifyReply, FastifyRequest } from 'fastify';
import { clearCookie, readCookie, setCookie } from '../../http/cookies.ts';
import { readNote, type SecretSeal, writeNote } from '../factors/seal-secret.ts';

/** As if the person had given this password at that second. */
export type GivenPassword = { readonly userId: string; readonly seenAtSeconds: number };

const COOKIE = '__Host-trefoil_invited';
const LIFETIME_SECONDS = 60;

/** No other sign-in has this state, so no other can use this cookie. */
const bindingOf = (state: string) => `chosen-password/${state}`;

export function rememberChosen(reply: FastifyReply, seal: SecretSeal, state: string, given: GivenPassword): void {
  const { userId, seenAtSeconds } = given;
  const note = writeNote(seal, bindingOf(state), JSON.stringify({ userId, seenAtSeconds }), new Date());
  setCookie(reply, COOKIE, note, LIFETIME_SECONDS);
}

/** Works once: the response makes the browser delete the cookie. */
export function takeChosen(
  request: FastifyRequest,
  reply: FastifyReply,
  { seal, state }: { readonly seal: SecretSeal; readonly state: string },
): GivenPassword | undefined {
  const cookie = readCookie(request, COOKIE);
  if (cookie === undefined) return undefined;
  clearCookie(reply, COOKIE);
  const now = new Date();
  const note = readNote(seal, bindingOf(state), cookie, now);
  if (note === undefined) return undefined;
  const given = JSON.parse(note) as GivenPassword;
  return now.getTime() / 1_000 <= given.seenAtSeconds + LIFETIME_SECONDS ? given : undefined;
}
