// Steps and set-ups that several tests of people's sign-ins share, through the pages without a real browser.
import { expect } from 'vitest';
import { createLinkTokens } from '../../src/mail/link-tokens.ts';
import type { TestServer } from '../harness.ts';
import { type Account, addAccount, Browser } from './browser.ts';
import { codeOf } from './totp-code.ts';
import { type Reply, send } from './wire.ts';

export type Member = Account & { readonly userId: string };

/** A developer of the demo tenant with a password and no second factor. */
export const addDeveloper = (server: TestServer): Promise<Member> =>
  addAccount(server, server.demo.tenantId, 'developer');

let addresses = 0;
export function newAddress(): string {
  addresses += 1;
  return `198.18.${Math.floor(addresses / 250) % 256}.${1 + (addresses % 250)}`;
}

/** A visit from this address or from a new one, so that limits do not connect the tests. The server must trust 127.0.0.1. */
export const visitFrom = (ip = newAddress()) => ({ headers: { 'x-forwarded-for': ip } });

/** A new browser on the sign-in page. */
export async function openSignIn(server: TestServer): Promise<{ browser: Browser; path: string; reply: Reply }> {
  const browser = new Browser(server);
  return { browser, ...(await browser.open('/v1/auth/login')) };
}

export { codeOf };

/** What a page shows once: an app's secret, and the note that its form sends back. */
export const secretOf = ({ text }: Reply) => /id="secret">([A-Z2-7 ]+)</.exec(text)?.[1]?.replaceAll(' ', '') ?? '';
export const noteOf = ({ text }: Reply) => /name="note" value="([^"]+)"/.exec(text)?.[1] ?? '';

/** The path of the link that was last mailed to the person for a first factor, as the mail has it. */
export async function factorLinkOf({ query, config }: TestServer, userId: string): Promise<string> {
  const [link] = await query<{ id: string }>(
    'select id from factor_links where user_id = $1 order by created_at desc limit 1',
    [userId],
  );
  return `/v1/auth/first-factor/${createLinkTokens(config.hashKeys).make('first-factor', link?.id ?? '')}`;
}

/** Asks for the link of a first factor and follows it. */
export async function followFactorLink(server: TestServer, browser: Browser, userId: string): Promise<void> {
  expect((await browser.post('/v1/auth/security/link', {})).headers.location).toContain('done=link-sent');
  const followed = await browser.post(await factorLinkOf(server, userId), {});
  expect(followed.headers.location).toBe('/v1/auth/security?done=link');
}

/** Sets up an authenticator app, the first factor of the person who is signed in. */
export async function enrolTotp(
  server: TestServer,
  browser: Browser,
  { userId }: Pick<Member, 'userId'>,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  await followFactorLink(server, browser, userId);
  const begun = await browser.post('/v1/auth/security/totp', {});
  expect(begun.status).toBe(200);
  const secret = secretOf(begun);
  const done = await browser.post('/v1/auth/security/totp/confirm', { note: noteOf(begun), code: codeOf(secret) });
  expect(done.status).toBe(200);
  return { secret, recoveryCodes: [...done.text.matchAll(/<li>([0-9a-z-]{14})<\/li>/g)].map(([, code]) => code ?? '') };
}

/** Accepts the present code of the person's app once more. */
export const forgetTotpStep = (server: TestServer, { userId }: { readonly userId: string }) =>
  server.query('update user_totps set last_step = 0 where user_id = $1', [userId]);

/** An API call as a page makes it, with cookies; a body that selects the demo tenant goes with a POST. */
export const callFromPage =
  (server: () => TestServer) =>
  (browser: Browser, method: string, path: string, headers: Record<string, string> = {}): Promise<Reply> =>
    browser.callApi(method, path, { headers, body: { tenantId: server().demo.tenantId } });

export const getProfile = (server: TestServer, token: string): Promise<Reply> =>
  send(server.baseUrl, { method: 'GET', path: '/v1/my/profile', headers: { authorization: `Bearer ${token}` } });
