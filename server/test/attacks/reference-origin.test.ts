// The API reference runs somebody else's bundle. Whatever a script in it tries, it neither reads nor uses the session of the
// person who looks at it (docs/decisions/0153-the-reference-and-sessions.md). In a real browser.
import { OPERATIONS } from '@trefoil/contract';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../tools/dev/free-port.ts';
import { readReferenceBundle } from '../../../tools/dev/reference-bundle.ts';
import { startServer, type TestServer } from '../harness.ts';
import { addAccount, signIn } from '../support/browser.ts';
import { openChromium } from '../support/chromium.ts';

let server: TestServer;
let browser: Browser;
/** The same server under another name, as a proxy would give the reference an origin of its own. */
let docsUrl: string;
beforeAll(async () => {
  const port = await freePort();
  const baseUrl = `http://localhost:${port}`;
  docsUrl = `http://127.0.0.1:${port}`;
  const environment = { TREFOIL_PORT: String(port), TREFOIL_BASE_URL: baseUrl, TREFOIL_DOCS_URL: docsUrl };
  const overrides = { readBundle: readReferenceBundle };
  server = { ...(await startServer({ hostName: 'localhost', environment, overrides })), baseUrl };
  browser = await openChromium();
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

/** A browser in which a member is signed in, with the cookies of a real sign-in. */
async function openSignedIn(): Promise<BrowserContext> {
  const account = await addAccount(server, server.demo.tenantId, 'owner');
  const { cookies } = await signIn(server, account);
  const context = await browser.newContext();
  const shared = { domain: 'localhost', secure: true, httpOnly: true, sameSite: 'Lax' as const };
  for (const [name, { value, path }] of cookies) await context.addCookies([{ ...shared, name, value, path }]);
  // The session is good: a page of ours shows the person.
  const page = await context.newPage();
  await page.goto(`${server.baseUrl}/v1/auth/account`);
  await page.getByRole('heading', { name: 'Petra Person' }).waitFor();
  return context;
}

async function openReference(context: BrowserContext, origin: string): Promise<{ page: Page; faults: string[] }> {
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !/^(data|blob):/.test(request.url())) faults.push(request.url());
  });
  await page.goto(`${origin}/docs`);
  for (const { summary } of Object.values(OPERATIONS)) {
    await page.getByText(summary, { exact: true }).first().waitFor({ state: 'attached' });
  }
  return { page, faults };
}

type Tried = { origin: string; cookie: string; profile: string; change: string; frame: string; isInlineRun: boolean };

/** What a script in the page gets when it tries to read or use the session. */
const attack = (page: Page): Promise<Tried> =>
  page.evaluate(`(async () => {
    const base = ${JSON.stringify(server.baseUrl)};
    const attempt = async (work) => { try { return await work(); } catch (error) { return error.name; } };
    const frame = () => new Promise((resolve) => {
      const inner = document.createElement('iframe');
      inner.onload = () => { try { resolve(inner.contentDocument.body.innerText); } catch { resolve('closed'); } };
      inner.src = base + '/v1/auth/account';
      document.body.append(inner);
    });
    const inline = document.createElement('script');
    inline.textContent = 'window.isInlineRun = true';
    document.body.append(inline);
    const select = { method: 'POST', credentials: 'include', headers: { 'content-type': 'application/json' }, body: '{}' };
    return {
      origin: window.origin,
      cookie: await attempt(() => document.cookie),
      profile: await attempt(async () => (await fetch(base + '/v1/my/profile', { credentials: 'include' })).text()),
      change: await attempt(async () => String((await fetch(base + '/v1/my/tenants/select', select)).status)),
      frame: await attempt(frame),
      isInlineRun: window.isInlineRun === true,
    };
  })()`);

const tryButtons = (page: Page) => page.getByRole('button', { name: /test request/i }).count();

test('on the origin of the API: every operation is shown, nobody else is asked, and trying one out leads to the other origin', async () => {
  const context = await openSignedIn();
  const { page, faults } = await openReference(context, server.baseUrl);
  expect(faults).toEqual([]);
  await page.getByText(OPERATIONS.getWallet.summary).first().click();
  await page.getByRole('button', { name: 'Test Request (get /{tenantId}/v1/wallet)' }).first().click();
  await page.waitForURL(({ origin, search }) => origin === docsUrl && search === '?try');
  // The same operation, ready to be sent.
  await page.getByRole('button', { name: /^Send/ }).first().waitFor();
  await context.close();
}, 90_000);

test('on the origin of the API: a script has no origin, reads no cookie, calls nothing and frames nothing', async () => {
  const context = await openSignedIn();
  const { page } = await openReference(context, server.baseUrl);
  const { frame, ...tried } = await attack(page);
  expect(tried).toEqual({
    origin: 'null',
    cookie: 'SecurityError',
    profile: 'TypeError',
    change: 'TypeError',
    isInlineRun: false,
  });
  expect(frame).not.toContain('Petra');
  await context.close();
}, 90_000);

test('on an origin of its own: requests can be tried, and the session of the API is out of reach', async () => {
  const context = await openSignedIn();
  const { page, faults } = await openReference(context, docsUrl);
  expect(await tryButtons(page)).toBeGreaterThan(0);
  expect(faults).toEqual([]);
  const { frame, ...tried } = await attack(page);
  expect(tried).toEqual({ origin: docsUrl, cookie: '', profile: 'TypeError', change: 'TypeError', isInlineRun: false });
  expect(frame).not.toContain('Petra');
  // The same address under its own name: no session goes there.
  const here = await page.evaluate(`fetch('/v1/my/profile', { credentials: 'include' }).then(({ status }) => status)`);
  expect(here).toBe(401);
  await context.close();
}, 90_000);

test('no address of the reference lets an inline script run, and only its own origin is not sandboxed', async () => {
  for (const path of ['/docs', '/docs/', '/docs/js/scalar.js', '/docs/js/start.js', '/docs/openapi.json']) {
    for (const origin of [server.baseUrl, docsUrl]) {
      const { headers } = await fetch(`${origin}${path}`, { redirect: 'manual' });
      const policy = headers.get('content-security-policy') ?? '';
      expect(/script-src ([^;]*)/.exec(policy)?.[1]).toBe("'self'");
      expect(policy.includes('sandbox allow-scripts')).toBe(origin === server.baseUrl);
      expect(policy).not.toContain('allow-same-origin');
    }
  }
});
