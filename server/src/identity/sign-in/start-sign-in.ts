// Begins a sign-in: remembers in the browser what was asked and where to go afterwards, and says where to send it.
import { randomBytes } from 'node:crypto';
import { checkReturnTo } from '../rules/return-to.ts';
import type { WebClient } from './web-client.ts';

/** One cookie for each sign-in that was begun, so that two tabs do not undo each other. */
export const LOGIN_COOKIE_PREFIX = '__Host-trefoil_login.';
export const loginCookieName = (state: string) => `${LOGIN_COOKIE_PREFIX}${state.slice(0, 8)}`;
/** With more of them the browser's next request could be too large for any server: another site can begin sign-ins too. */
export const LOGINS_MAX = 6;
export const LOGIN_SECONDS = 1_800;

export type StartedSignIn = { readonly state: string; readonly cookie: string; readonly location: string };

export async function startSignIn(client: WebClient, returnTo: string, isStepUp: boolean): Promise<StartedSignIn> {
  const state = randomBytes(32).toString('base64url');
  const location = await client.authorizationUrl(state, isStepUp);
  return { state, cookie: `${state}.${Buffer.from(returnTo).toString('base64url')}`, location };
}

/** Undefined when the cookie is not the one of this state. */
export function readLoginCookie(cookie: string, state: string): { readonly returnTo: string } | undefined {
  const [kept, encoded = ''] = cookie.split('.', 2);
  if (kept !== state) return undefined;
  const returnTo = checkReturnTo(Buffer.from(encoded, 'base64url').toString());
  return returnTo === undefined ? undefined : { returnTo };
}
