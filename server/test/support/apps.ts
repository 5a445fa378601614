// Applications that sign people in, for tests: registered, and taken through the pages by a browser.
import { createHash, randomBytes } from 'node:crypto';
import { createOAuthApp } from '../../src/identity/apps/change-app.ts';
import type { TestServer } from '../harness.ts';
import { type Account, Browser } from './browser.ts';
import { type Reply, send } from './wire.ts';

/** Nobody listens there: the browser stops at redirects that leave us. */
export const REDIRECT_URI = 'https://portal.example.com/callback';

export type TestApp = { readonly clientId: string; readonly clientSecret: string | undefined };

export function addApp(server: TestServer, isPublic = true): Promise<TestApp> {
  const order = { name: 'Claims portal', redirectUris: [REDIRECT_URI], isPublic };
  return server.database.asSystem((tx) => createOAuthApp(tx, order));
}

export const newVerifier = () => randomBytes(32).toString('base64url');
export const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');

export function authorizePath(params: Readonly<Record<string, string>>): string {
  return `/v1/oauth/authorize?${new URLSearchParams(params)}`;
}

export function goodParams({ clientId }: TestApp, verifier: string): Record<string, string> {
  return {
    client_id: clientId,
    response_type: 'code',
    redirect_uri: REDIRECT_URI,
    scope: 'openid offline_access reports:read wallet:read',
    state: 'a-state',
    nonce: 'a-nonce',
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
  };
}

/** Signs in and agrees wherever that is asked; returns the address the application gets its answer at. */
export async function authorize(browser: Browser, path: string, account: Account): Promise<URL> {
  let { reply, path: at } = await browser.open(path);
  for (let pages = 0; pages < 4 && reply.status === 200; pages += 1) {
    const isConsent = at.startsWith('/v1/auth/consent/');
    const { email, password } = account;
    const fields: Record<string, string> = isConsent ? { decision: 'allow' } : { email, password };
    ({ reply, path: at } = await browser.follow(await browser.post(at, fields)));
  }
  return new URL(reply.headers.location ?? '', browser.baseUrl);
}

export function requestToken(
  server: TestServer,
  fields: Readonly<Record<string, string>>,
  app?: TestApp,
): Promise<Reply> {
  const proof = app?.clientSecret && Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64');
  return send(server.baseUrl, {
    method: 'POST',
    path: '/v1/oauth/token',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(proof && { authorization: `Basic ${proof}` }),
    },
    body: new URLSearchParams({ ...(app && !proof && { client_id: app.clientId }), ...fields }).toString(),
  });
}

export type Tokens = {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id_token: string;
  readonly scope: string;
  readonly expires_in: number;
};

export type Exchange = { readonly app: TestApp; readonly code: string; readonly verifier: string };

/** A person signed in at an application, as far as the code. */
export async function getCode(
  server: TestServer,
  app: TestApp,
  account: Account,
  changes: Record<string, string> = {},
): Promise<Exchange> {
  const verifier = newVerifier();
  const params = { ...goodParams(app, verifier), ...changes };
  const answer = await authorize(new Browser(server), authorizePath(params), account);
  const code = answer.searchParams.get('code');
  if (!code) throw new Error(`no code came back: ${answer.searchParams.get('error')}`);
  return { app, code, verifier };
}

export function exchange(
  server: TestServer,
  { app, code, verifier }: Exchange,
  changes: Record<string, string> = {},
): Promise<Reply> {
  const fields = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, code_verifier: verifier };
  return requestToken(server, { ...fields, ...changes }, app);
}

export async function getTokens(
  server: TestServer,
  app: TestApp,
  account: Account,
  changes: Record<string, string> = {},
): Promise<Tokens> {
  const reply = await exchange(server, await getCode(server, app, account, changes));
  if (reply.status !== 200) throw new Error(`no tokens: ${reply.text}`);
  return JSON.parse(reply.text) as Tokens;
}
