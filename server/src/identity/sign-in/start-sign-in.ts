// Begins a sign-in: makes the cookie with its state and return path, and the address to send the browser to.
import { checkReturnTo } from '../rules/return-to.ts';
import type { SignInKind, WebClient } from './web-client.ts';

/** One cookie per sign-in in progress, so that two tabs do not overwrite each other. */
export const LOGIN_COOKIE_PREFIX = '__Host-trefoil_login.';
export const loginCookieName = (state: string) => `${LOGIN_COOKIE_PREFIX}${state.slice(0, 8)}`;
/** More cookies could make the browser's next request too large for any server: other sites can begin sign-ins too. */
export const LOGINS_MAX = 6;
export const LOGIN_SECONDS = 1_800;

export type StartedSignIn = { readonly state: string; readonly cookie: string; readonly location: string };

export async function startSignIn(client: WebClient, returnTo: string, how: SignInKind): Promise<StartedSignIn> {
  const state = client.newState();
  const location = await client.authorizationUrl(state, how);
  return { state, cookie: `${state}.${Buffer.from(returnTo).toString('base64url')}`, location };
}

/** Undefined when the cookie does not belong to this state. */
export function readLoginCookie(cookie: string, state: string): { readonly returnTo: string } | undefined {
  const [kept, encoded = ''] = cookie.split('.', 2);
  if (kept !== state) return undefined;
  const returnTo = checkReturnTo(Buffer.from(encoded, 'base64url').toString());
  return returnTo === undefined ? undefined : { returnTo };
}
