// The fingerprint script in a real browser, on pages of other origins: whenever the page registers its function, whatever
// the network does, and under a strict content policy. The page must never see an error of ours.
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createDeviceSessions, type DeviceFacts } from '../../src/fingerprints/device-session.ts';
import { startServer, type TestServer } from '../harness.ts';
import { openChromium } from '../support/chromium.ts';
import { openTenantSite, PROXY_PATH, type TenantSite } from '../support/tenant-page.ts';

type Call = { readonly sessionId: string; readonly degraded?: boolean; readonly atMs: number };

const COLLECTION = '**/v1/fingerprints/collections';
/** Registers the function, and notes every call of it. */
const REGISTER =
  'window.service = window.service || {}; ' +
  'window.service.deviceFingerprint = (given) => calls.push({ ...given, atMs: performance.now() });';
const LOADS = 200;
const READY_P95_MS = 1_500;

let server: TestServer;
let chromium: Browser;
let site: TenantSite;
let context: BrowserContext;
/** What the page would have shown in its console as an error, or reported to its own monitoring. */
let errors: string[];

beforeAll(async () => {
  server = await startServer({ environment: { TREFOIL_COLLECTION_RATE: '10000' } });
  chromium = await openChromium();
  site = await openTenantSite(server.baseUrl);
}, 60_000);
afterEach(() => context?.close());
afterAll(async () => {
  await chromium?.close();
  await site?.close();
  await server?.close();
});

async function newPage(options: BrowserContextOptions = {}): Promise<Page> {
  await context?.close();
  context = await chromium.newContext({ locale: 'en-GB', timezoneId: 'Europe/London', ...options });
  context.setDefaultTimeout(15_000);
  errors = [];
  context.on('weberror', (error) => errors.push(error.error().message));
  context.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  return context.newPage();
}

const tag = () => `<script async src="${server.baseUrl}/v1/fingerprints/device"></script>`;
const html = (...head: string[]) =>
  `<!doctype html><html lang="en"><title>Apply</title><script>const calls = [];</script>${head.join('')}<h1>Apply</h1></html>`;
const inline = (code: string) => `<script>${code}</script>`;

const callsOf = (page: Page) => page.evaluate('calls') as Promise<Call[]>;

async function firstCall(page: Page): Promise<Call> {
  // Asked from outside: a wait inside the page would need its policy to allow eval.
  await expect.poll(() => callsOf(page), { timeout: 15_000, interval: 20 }).not.toHaveLength(0);
  const [call] = await callsOf(page);
  if (!call) throw new Error('there was no call');
  return call;
}

function open({ sessionId }: Call): DeviceFacts | undefined {
  const opened = createDeviceSessions(server.config.vaultKeys).open(sessionId, new Date());
  return opened.kind === 'known' ? opened.facts : undefined;
}

/** Long enough for a second call to come, if one were to come: each is due at once or at the deadline. */
async function expectOneCall(page: Page, waitMs = 1_000): Promise<void> {
  await page.waitForTimeout(waitMs);
  expect(await callsOf(page)).toHaveLength(1);
}

test('registered before the script: called once, with a session that opens and nothing else', async () => {
  const page = await newPage();
  await page.goto(site.show('/before', { html: html(inline(REGISTER), tag()) }));
  const { atMs: _, ...given } = await firstCall(page);
  expect(Object.keys(given)).toEqual(['sessionId']);
  const facts = open({ ...given, atMs: 0 });
  expect(facts?.deviceDigest).toMatch(/^[0-9a-f]{32}$/);
  expect(facts?.network).toEqual({ ipAddress: '127.0.0.1', userAgentFamily: 'Chrome' });
  expect(facts).toMatchObject({ timeZone: 'Europe/London', language: 'en-GB', isDegraded: false });
  // This browser is driven, and says so.
  expect(facts?.automation).toContain('webdriver');
  expect(facts?.isAutomated).toBe(true);
  await expectOneCall(page, 4_500);
  expect(errors).toEqual([]);
});

test('registered after the session was made: called once all the same', async () => {
  const page = await newPage();
  const collected = page.waitForResponse(COLLECTION);
  await page.goto(site.show('/after', { html: html(tag()) }));
  await (await collected).finished();
  await page.evaluate('window.service');
  await page.waitForTimeout(300);
  await page.evaluate(REGISTER);
  expect(open(await firstCall(page))).toBeDefined();
  await expectOneCall(page);
  // And a function that replaces the called one is not called again.
  await page.evaluate(REGISTER);
  await expectOneCall(page);
  expect(errors).toEqual([]);
});

test('two tags, and a third one later: one session is asked for and one call is made', async () => {
  const page = await newPage();
  let posts = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/collections')) posts += 1;
  });
  await page.goto(site.show('/twice', { html: html(inline(REGISTER), tag(), tag()) }));
  await firstCall(page);
  await page.addScriptTag({ url: `${server.baseUrl}/v1/fingerprints/device` });
  await expectOneCall(page);
  expect(posts).toBe(1);
  expect(errors).toEqual([]);
});

test('never registered, or registered as no function: no call, no error, and nothing left in the page', async () => {
  for (const head of ['', inline('window.service = { deviceFingerprint: 7 }'), inline('window.service = null')]) {
    const page = await newPage();
    const collected = page.waitForResponse(COLLECTION);
    await page.goto(site.show('/absent', { html: html(head, tag()) }));
    await (await collected).finished();
    await page.waitForTimeout(300);
    expect(await callsOf(page)).toEqual([]);
    const left =
      'JSON.stringify([document.cookie, localStorage.length, sessionStorage.length, document.body.innerHTML])';
    expect(await page.evaluate(left)).toBe(JSON.stringify(['', 0, 0, '<h1>Apply</h1>']));
    expect(await page.evaluate(`Object.keys(window).filter((name) => /trefoil|fingerprint/i.test(name))`)).toEqual([]);
    expect(errors).toEqual([]);
  }
});

test('the page’s function throws: that is the page’s own error, and the only one', async () => {
  const page = await newPage();
  const throws =
    'window.service = { deviceFingerprint(given) { calls.push(given); throw new Error("of the page"); } };';
  await page.goto(site.show('/throws', { html: html(inline(throws), tag()) }));
  await firstCall(page);
  await expectOneCall(page);
  expect(errors).toEqual(['of the page']);
});

test('a slow network: a session that takes two seconds arrives whole', async () => {
  const page = await newPage();
  await page.route(COLLECTION, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    await route.continue();
  });
  await page.goto(site.show('/slow', { html: html(inline(REGISTER), tag()) }));
  const call = await firstCall(page);
  expect(call.degraded).toBeUndefined();
  expect(open(call)).toBeDefined();
  expect(errors).toEqual([]);
});

test('no answer within four seconds: called then, with an id that nobody knows, and not again when the answer comes', async () => {
  const page = await newPage();
  await page.route(COLLECTION, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    await route.continue().catch(() => undefined);
  });
  await page.goto(site.show('/late', { html: html(inline(REGISTER), tag()) }));
  const call = await firstCall(page);
  expect(call.degraded).toBe(true);
  expect(call.sessionId).toMatch(/^unverified\.[0-9a-f]{32}$/);
  expect(open(call)).toBeUndefined();
  expect(call.atMs).toBeGreaterThan(3_900);
  expect(call.atMs).toBeLessThan(5_000);
  await expectOneCall(page, 2_000);
  expect(errors).toEqual([]);
});

test('a blocked collection: called with an id that nobody knows, and the page sees no error of ours', async () => {
  const page = await newPage();
  await page.route(COLLECTION, (route) => route.abort());
  await page.goto(site.show('/blocked', { html: html(inline(REGISTER), tag()) }));
  const call = await firstCall(page);
  expect(call.degraded).toBe(true);
  expect(open(call)).toBeUndefined();
  await expectOneCall(page);
  // The browser itself notes the failed requests; nothing is thrown.
  expect(errors.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([]);
});

test('an answer that fails once: the second try makes the session; one that is refused is not tried again', async () => {
  const page = await newPage();
  const statuses = [503, 0];
  await page.route(COLLECTION, (route) =>
    statuses.shift() === 503 ? route.fulfill({ status: 503, body: '{}' }) : route.continue(),
  );
  await page.goto(site.show('/once', { html: html(inline(REGISTER), tag()) }));
  expect(open(await firstCall(page))).toBeDefined();
  let posts = 0;
  const other = await newPage();
  await other.route(COLLECTION, (route) => {
    posts += 1;
    return route.fulfill({ status: 429, headers: { 'access-control-allow-origin': '*' }, body: '{}' });
  });
  await other.goto(site.show('/refused', { html: html(inline(REGISTER), tag()) }));
  expect((await firstCall(other)).degraded).toBe(true);
  await expectOneCall(other);
  expect(posts).toBe(1);
});

test('traits that do not come: a degraded session, which opens, and whose device is like no other', async () => {
  const page = await newPage();
  await page.addInitScript('window.requestIdleCallback = () => 0');
  await page.goto(site.show('/traits', { html: html(inline(REGISTER), tag()) }));
  const call = await firstCall(page);
  expect(call.degraded).toBe(true);
  expect(open(call)?.isDegraded).toBe(true);
  expect(call.atMs).toBeLessThan(4_000);
  await page.reload();
  expect(open(await firstCall(page))?.deviceDigest).not.toBe(open(call)?.deviceDigest);
  expect(errors).toEqual([]);
});

test('browsers that lack what we use: called all the same, without an error', async () => {
  for (const lack of ['delete window.fetch', 'Object.defineProperty(window, "Intl", { value: undefined })']) {
    const page = await newPage();
    await page.addInitScript(lack);
    await page.goto(site.show('/lack', { html: html(inline(REGISTER), tag()) }));
    await firstCall(page);
    await expectOneCall(page, 500);
    expect(errors).toEqual([]);
  }
});

test('a strict content policy that names us twice is enough; without the second name the page still gets its call', async () => {
  const nonce = 'dHJlZm9pbA';
  const withNonce = html(inline(REGISTER), tag()).replaceAll('<script>', `<script nonce="${nonce}">`);
  for (const [connect, isKnown] of [
    [server.baseUrl, true],
    ["'none'", false],
  ] as const) {
    const page = await newPage();
    const policy = [
      "default-src 'none'",
      `script-src 'nonce-${nonce}' ${server.baseUrl}`,
      `connect-src ${connect}`,
      "base-uri 'none'",
      "require-trusted-types-for 'script'",
    ].join('; ');
    const headers = { 'content-security-policy': policy };
    await page.goto(site.show('/policy', { html: withNonce, headers }));
    const call = await firstCall(page);
    expect(open(call) !== undefined).toBe(isKnown);
    expect(call.degraded).toBe(isKnown ? undefined : true);
    if (isKnown) expect(errors).toEqual([]);
  }
});

test('below a path of the tenant’s own: script and collection both stay on the tenant’s origin', async () => {
  const page = await newPage();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const own = `<script async src="${PROXY_PATH}device"></script>`;
  const url = site.show('/own', {
    html: html(inline(REGISTER), own).replaceAll('<script>', '<script nonce="x">'),
    headers: { 'content-security-policy': "default-src 'none'; script-src 'self' 'nonce-x'; connect-src 'self'" },
  });
  await page.goto(url);
  expect(open(await firstCall(page))).toBeDefined();
  expect(asked.filter((each) => !each.startsWith(site.origin))).toEqual([]);
  expect(asked).toContain(`${site.origin}${PROXY_PATH}collections`);
  expect(errors).toEqual([]);
});

test('put in by another script, without async, or as a module of the tenant’s own origin: it finds its way', async () => {
  const address = `${server.baseUrl}/v1/fingerprints/device`;
  const put = `const s = document.createElement('script'); s.src = '${address}?v=1'; document.head.append(s);`;
  const own = `<script type="module" src="${PROXY_PATH}device"></script>`;
  for (const head of [inline(put), `<script src="${address}"></script>`, own]) {
    const page = await newPage();
    await page.goto(site.show('/ways', { html: html(inline(REGISTER), head) }));
    expect(open(await firstCall(page))).toBeDefined();
    expect(errors).toEqual([]);
  }
});

test('pages of two tenants: a session each, and the same device', async () => {
  const second = await openTenantSite(server.baseUrl);
  try {
    const page = await newPage();
    const calls: Call[] = [];
    for (const each of [site, second]) {
      await page.goto(each.show('/tenant', { html: html(inline(REGISTER), tag()) }));
      calls.push(await firstCall(page));
    }
    expect(new Set(calls.map(({ sessionId }) => sessionId)).size).toBe(2);
    expect(new Set(calls.map((call) => open(call)?.deviceDigest)).size).toBe(1);
    expect(errors).toEqual([]);
  } finally {
    await second.close();
  }
});

test('the digest is of the device: the same on a journey and in the dark, another one where the machine differs', async () => {
  const url = site.show('/device', { html: html(inline(REGISTER), tag()) });
  const digestOf = async (options: BrowserContextOptions, script = '') => {
    const page = await newPage(options);
    await page.addInitScript(script);
    await page.goto(url);
    return open(await firstCall(page))?.deviceDigest;
  };
  const own = await digestOf({});
  const same: BrowserContextOptions[] = [
    { locale: 'fr-FR', timezoneId: 'Asia/Tokyo' },
    { colorScheme: 'dark', reducedMotion: 'reduce', forcedColors: 'active', contrast: 'more' },
    { viewport: { width: 400, height: 600 }, screen: { width: 1280, height: 720 } },
  ];
  for (const options of same) expect(await digestOf(options), JSON.stringify(options)).toBe(own);
  const cores = 'Object.defineProperty(Navigator.prototype, "hardwareConcurrency", { get: () => 96 })';
  const others = [
    await digestOf({ screen: { width: 2560, height: 1440 }, viewport: { width: 1280, height: 720 } }),
    await digestOf({ hasTouch: true }),
    await digestOf({}, cores),
  ];
  expect(new Set([own, ...others]).size).toBe(4);
});

test(`${LOADS} loads: no error, one device, ready within ${READY_P95_MS} ms for 95 in 100`, async () => {
  const url = site.show('/many', { html: html(inline(REGISTER), tag()) });
  const digests = new Set<string | undefined>();
  const readyMs: number[] = [];
  let page = await newPage();
  for (let load = 0; load < LOADS; load += 1) {
    // Mostly reloads; every tenth in a browser that was never here.
    if (load % 10 === 0) {
      expect(errors).toEqual([]);
      page = await newPage();
    }
    await page.goto(url);
    const call = await firstCall(page);
    expect(call.degraded).toBeUndefined();
    digests.add(open(call)?.deviceDigest);
    readyMs.push(call.atMs);
  }
  expect(errors).toEqual([]);
  expect(digests.size).toBe(1);
  expect(digests).not.toContain(undefined);
  const sorted = readyMs.toSorted((a, b) => a - b);
  expect(sorted[Math.floor(LOADS * 0.95)]).toBeLessThanOrEqual(READY_P95_MS);
}, 240_000);
