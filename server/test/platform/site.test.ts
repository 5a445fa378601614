// The documentation site as the server serves it, with a small site in place of the built one: which addresses there are,
// how long browsers keep what is there, and what scripts in it may do (docs/decisions/0210-a-site-from-the-documents.md).
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../harness.ts';
import { openChromium } from '../support/chromium.ts';
import { readError, send } from '../support/wire.ts';

const BROWSER = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8';
const page = (text: string) =>
  `<!doctype html><html><head><script src="/docs/js/storage.js"></script><script type="module" src="/docs/_astro/app.abc.js"></script></head><body><h1>${text}</h1><a href="/docs/other">other</a></body></html>`;
const SCRIPT = `document.body.dataset.index = await (await fetch('/docs/pagefind/entry.json')).text();`.padEnd(2_000);
const FILES: Record<string, string> = {
  'index.html': page('First page'),
  'other/index.html': page('Other page'),
  'reference/index.html': page('Reference inside'),
  'errors/conflict/index.html': page('409 conflict, from the site'),
  '404.html': page('Nothing here'),
  '_astro/app.abc.js': SCRIPT,
  'pagefind/entry.json': '{"a":1}',
  'pagefind/fragment/en_1.pf_fragment': 'bytes',
  'js/scalar.js': 'Scalar = {}',
  'llms.txt': '# Trefoil\n',
  'trefoil-sdk-0.1.0.tgz': 'packed',
  'other.md': '# Other page\n',
  'sandbox/index.html': page('Test values'),
};

let folder: string;
let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'site-'));
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, 'dist', name)), { recursive: true });
    writeFileSync(join(folder, 'dist', name), text);
  }
  writeFileSync(join(folder, 'dist/_astro/app.abc.js.br'), brotliCompressSync(SCRIPT));
  writeFileSync(join(folder, 'dist/_astro/app.abc.js.gz'), gzipSync(SCRIPT));
  writeFileSync(join(folder, 'secret.txt'), 'not for readers');
  symlinkSync(join(folder, 'secret.txt'), join(folder, 'dist/linked.txt'));
  server = await startServer({ environment: { TREFOIL_SITE_FOLDER: join(folder, 'dist') } });
  browser = await openChromium();
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
  rmSync(folder, { recursive: true });
});

const get = (path: string, headers: Record<string, string> = {}) =>
  send(server.baseUrl, { method: 'GET', path, headers });

test.each([
  ['/docs', 'First page'],
  ['/docs/other', 'Other page'],
  ['/docs/reference', 'Reference inside'],
  ['/docs/errors/conflict', '409 conflict, from the site'],
  // A code that this site does not have: the server's own page.
  ['/docs/errors/forbidden', '403 <code>forbidden</code>'],
  ['/docs/errors', 'Error codes'],
])('200 at %s', async (path, words) => {
  const { status, headers, text } = await get(path);
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(text).toContain(words);
});

test('200: files have their types; the reference’s scripts are still there', async () => {
  expect((await get('/docs/llms.txt')).headers['content-type']).toBe('text/plain; charset=utf-8');
  expect((await get('/docs/other.md')).headers['content-type']).toBe('text/markdown; charset=utf-8');
  expect((await get('/docs/trefoil-sdk-0.1.0.tgz')).headers['content-type']).toBe('application/gzip');
  expect((await get('/llms.txt')).headers['location']).toBe('/docs/llms.txt');
  expect((await get('/docs/_astro/app.abc.js')).headers['content-type']).toBe('text/javascript; charset=utf-8');
  expect((await get('/docs/pagefind/fragment/en_1.pf_fragment')).headers['content-type']).toBe(
    'application/octet-stream',
  );
  for (const name of ['storage.js', 'start.js', 'scalar.js']) expect((await get(`/docs/js/${name}`)).status).toBe(200);
});

test('308: a slash at the end leads to the page without it, and the address of a page that moved to where it is', async () => {
  for (const [path, target] of [
    ['/docs/', '/docs'],
    ['/docs/other/', '/docs/other'],
    ['/docs/test-values', '/docs/sandbox'],
    ['/docs/test-values/', '/docs/sandbox'],
  ]) {
    const { status, headers } = await get(path ?? '');
    expect([status, headers['location']]).toEqual([308, target]);
  }
});

test('what changes with every build is revalidated, what is named by its content is kept', async () => {
  for (const path of ['/docs', '/docs/llms.txt', '/docs/pagefind/entry.json']) {
    expect((await get(path)).headers['cache-control']).toBe('no-cache');
  }
  for (const path of ['/docs/_astro/app.abc.js', '/docs/pagefind/fragment/en_1.pf_fragment']) {
    expect((await get(path)).headers['cache-control']).toBe('public, max-age=31536000, immutable');
  }
});

test('without an origin of the documents, "Test Request" is not shown: it could lead nowhere', async () => {
  expect((await get('/docs/js/start.js')).text).toContain('"hideTestRequestButton":true');
});

test('304: a browser that has the file gets no second copy', async () => {
  const { etag = '' } = (await get('/docs/other')).headers as { etag?: string };
  for (const tag of [etag, etag.replace('W/', ''), `"x", ${etag}`]) {
    const { status, text, headers } = await get('/docs/other', { 'if-none-match': tag });
    expect([status, text, headers['etag']]).toEqual([304, '', etag]);
  }
  expect((await get('/docs/other', { 'if-none-match': '"x"' })).status).toBe(200);
});

test.each([
  ['gzip, br', 'br', brotliDecompressSync],
  ['gzip, deflate', 'gzip', gunzipSync],
  ['identity', undefined, (bytes: Buffer) => bytes],
])('a client that accepts "%s" gets %s', async (accepted, encoding, unpack) => {
  // Not fetch, which decompresses.
  const { headers, body } = await request(`${server.baseUrl}/docs/_astro/app.abc.js`, {
    headers: { 'accept-encoding': accepted },
  });
  expect([headers['content-encoding'], headers['vary']]).toEqual([encoding, 'Accept-Encoding']);
  expect(unpack(Buffer.from(await body.arrayBuffer())).toString()).toBe(SCRIPT);
});

const ODD = [
  '/docs/../secret.txt',
  '/docs/..%2fsecret.txt',
  '/docs/%2e%2e/secret.txt',
  '/docs/..%5csecret.txt',
  '/docs//etc/passwd',
  '/docs/%00',
  '/docs/linked.txt',
  '/docs/index.html',
  '/docs/404.html',
  '/docs/_astro/app.abc.js.br',
  '/docs/_astro/app.abc.js.gz',
  '/docs/_astro',
  '/docs/other/index.html',
  '/docs/__proto__',
  '/docs/constructor',
  '/docs/OTHER',
  '/docs/other;x',
  // It would lead to a page that this site does not have.
  '/docs/test-values.md',
  `/docs/${'a'.repeat(8_000)}`,
  `/docs/${'a/'.repeat(4_000)}`,
  '/docs/%F0%9F%98%80',
];
test.each(ODD)('404: %s is no address of the site, for programs and for browsers', async (path) => {
  const program = await get(path);
  expect([program.status, readError(program).code]).toEqual([404, 'not-found']);
  const reader = await get(path, { accept: BROWSER });
  expect([reader.status, reader.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  for (const { text } of [program, reader]) expect(text).not.toMatch(/not for readers|root:/);
});

test('404: a browser below /docs gets the site’s page about it', async () => {
  expect((await get('/docs/nothing', { accept: BROWSER })).text).toContain('Nothing here');
});

test('405: the site takes no other method', async () => {
  const reply = await send(server.baseUrl, { method: 'POST', path: '/docs/other' });
  expect([reply.status, reply.headers['allow']]).toEqual([405, 'GET, HEAD']);
});

test('every page is sandboxed, runs no inline script and may ask only for the search index', async () => {
  for (const path of ['/docs', '/docs/other', '/docs/reference', '/docs/nothing']) {
    const { headers } = await get(path, { accept: BROWSER });
    const policy = String(headers['content-security-policy']);
    expect(/script-src ([^;]*)/.exec(policy)?.[1]).toBe("'self' 'wasm-unsafe-eval'");
    expect(/connect-src ([^;]*)/.exec(policy)?.[1]).toBe(`${server.baseUrl}/docs/pagefind/`);
    expect(policy).toMatch(/; sandbox allow-scripts$/);
    expect(headers['access-control-allow-origin']).toBeUndefined();
  }
});

test('in a browser: a script has no origin and no cookies, reads the index and nothing of the API', async () => {
  const view = await browser.newPage();
  await view.goto(`${server.baseUrl}/docs`);
  await view.waitForFunction('document.body.dataset.index !== undefined');
  const tried = await view.evaluate(`(async () => {
    const attempt = async (work) => { try { return await work(); } catch (error) { return error.name; } };
    return {
      origin: window.origin,
      cookie: await attempt(() => document.cookie),
      profile: await attempt(async () => (await fetch('/v1/my/profile', { credentials: 'include' })).status),
      index: document.body.dataset.index,
    };
  })()`);
  expect(tried).toEqual({ origin: 'null', cookie: 'SecurityError', profile: 'TypeError', index: '{"a":1}' });
  await view.close();
});

test('in a browser: a choice of dark goes along to the next page of the site, and no further', async () => {
  const view = await browser.newPage();
  await view.goto(`${server.baseUrl}/docs`);
  await view.evaluate(`localStorage.setItem('starlight-theme', 'dark')`);
  await view.getByRole('link', { name: 'other' }).click();
  await view.getByRole('heading', { name: 'Other page' }).waitFor();
  expect(await view.evaluate(`localStorage.getItem('starlight-theme')`)).toBe('dark');
  expect(view.url()).toBe(`${server.baseUrl}/docs/other?theme=dark`);
  await view.close();
});
