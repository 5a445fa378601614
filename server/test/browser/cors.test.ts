// A browser application on an origin of its own, in real Chromium: it signs a person in with PKCE, exchanges the code and
// calls the API with the token (docs/decisions/0165-browser-applications.md). The same page on an origin that nobody
// registered can read nothing.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { createOAuthApp } from '../../src/identity/apps/change-app.ts';
import { generateBody, startServer, type TestServer } from '../harness.ts';
import { challengeOf, newVerifier } from '../support/apps.ts';
import { type Account, addAccount } from '../support/browser.ts';
import { openChromium } from '../support/chromium.ts';

let server: TestServer;
let chromium: Browser;
let account: Account;
let sites: { readonly server: Server; readonly origin: string }[];

/** An empty page at every address. */
async function startSite() {
  const site = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Portal</title>');
  });
  await new Promise<void>((resolve) => site.listen(0, 'localhost', resolve));
  return { server: site, origin: `http://localhost:${(site.address() as AddressInfo).port}` };
}

beforeAll(async () => {
  server = await startServer({ hostName: 'localhost' });
  account = await addAccount(server, server.demo.tenantId, 'owner');
  sites = [await startSite(), await startSite()];
  chromium = await openChromium();
});
afterAll(async () => {
  await chromium?.close();
  for (const site of sites ?? []) await new Promise((resolve) => site.server.close(resolve));
  await server?.close();
});

type Answer =
  | { readonly status: number; readonly headers: Record<string, string>; readonly body: unknown }
  | 'unreadable';

/** What a script of the page gets to see. */
function fetchIn(page: Page, path: string, init: object = {}): Promise<Answer> {
  const call = JSON.stringify([server.baseUrl + path, init]);
  return page.evaluate(
    `fetch(...${call}).then(
       async (response) => ({
         status: response.status,
         headers: Object.fromEntries(response.headers),
         body: await response.json().catch(() => null),
       }),
       () => 'unreadable',
     )`,
  );
}

function readable(answer: Answer): Exclude<Answer, string> {
  if (answer === 'unreadable') throw new Error('the browser did not let the page read the answer');
  return answer;
}

/** Through our pages and back, as the browser goes; then the code for tokens, as the page's script does it. */
async function signIn(page: Page, origin: string): Promise<string> {
  const redirectUri = `${origin}/callback`;
  const { clientId } = await server.database.asSystem((tx) =>
    createOAuthApp(tx, { name: 'Claims portal', redirectUris: [redirectUri], isPublic: true }),
  );
  const verifier = newVerifier();
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid reports:write reports:read wallet:read',
    state: 'a-state',
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
  });
  await page.goto(`${server.baseUrl}/v1/oauth/authorize?${query}`);
  await page.getByLabel('E-mail address').fill(account.email);
  await page.getByLabel('Password', { exact: true }).fill(account.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Allow', exact: true }).click();
  await page.waitForURL(`${redirectUri}?**`);
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: clientId,
    code: new URL(page.url()).searchParams.get('code') ?? '',
    redirect_uri: redirectUri,
    code_verifier: verifier,
  }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const tokens = readable(await fetchIn(page, '/v1/oauth/token', { method: 'POST', headers, body }));
  expect(tokens.status, JSON.stringify(tokens.body)).toBe(200);
  return (tokens.body as { access_token: string }).access_token;
}

test('a page of a registered origin signs in and uses the API; no other page reads anything, and cookies never help', async () => {
  const [own, other] = sites;
  if (!own || !other) throw new Error('no sites');
  const context = await chromium.newContext();
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  const authorization = `Bearer ${await signIn(page, own.origin)}`;
  const reports = `/${server.demo.tenantId}/v1/credit-reports`;

  // The node may have looked for applications a moment before this one was registered.
  await eventually(async () =>
    expect(await fetchIn(page, '/v1/my/profile', { headers: { authorization } })).toMatchObject({
      status: 200,
      body: { email: account.email },
    }),
  );
  const generate = {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
    body: JSON.stringify(generateBody()),
  };
  const first = readable(await fetchIn(page, reports, generate));
  const again = readable(await fetchIn(page, reports, generate));
  expect([first.status, again.status]).toEqual([200, 200]);
  expect(again.headers['idempotent-replayed']).toBe('true');
  for (const name of ['ratelimit', 'ratelimit-policy', 'x-request-id']) expect(first.headers[name], name).toBeTruthy();
  const stale = readable(await fetchIn(page, '/v1/my/profile', { headers: { authorization: 'Bearer stale' } }));
  expect(stale).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
  expect(stale.headers['www-authenticate']).toContain('invalid_token');
  // The person is signed in to our own pages in this browser: that is worth nothing to a page of another origin.
  for (const path of ['/v1/my/profile', reports]) {
    const withCookies = { credentials: 'include', headers: { authorization } };
    expect([path, await fetchIn(page, path, withCookies)]).toEqual([path, 'unreadable']);
    expect([path, await fetchIn(page, path, { credentials: 'include' })]).toEqual([path, 'unreadable']);
  }

  await page.goto(other.origin);
  for (const init of [{ headers: { authorization } }, {}, { credentials: 'include' }]) {
    expect(await fetchIn(page, '/v1/my/profile', init)).toBe('unreadable');
  }
  expect(await fetchIn(page, reports, generate)).toBe('unreadable');
  await context.close();
});
