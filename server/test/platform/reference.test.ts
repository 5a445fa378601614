// The API reference in a real browser, as a server of a checkout has it without the documentation site: it renders, it asks nobody
// else for anything, and nothing in it fails.
import { readFileSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { OPERATIONS } from '@trefoil/contract';
import type { Browser, Page } from 'playwright-core';
import { request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readReferenceBundle } from '../../../tools/dev/reference-bundle.ts';
import { eventually } from '../../../tools/testing/eventually.ts';
import { startServer, type TestServer } from '../harness.ts';
import { openChromium } from '../support/chromium.ts';

let server: TestServer;
let browser: Browser;
/** Loaded once, which costs more than all that is looked at. */
let page: Page;
const asked: string[] = [];
const faults: string[] = [];
beforeAll(async () => {
  server = await startServer({ overrides: { readBundle: readReferenceBundle } });
  browser = await openChromium();
  page = await browser.newPage();
  page.setDefaultTimeout(80_000);
  page.on('request', (request) => asked.push(request.url()));
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  await page.goto(`${server.baseUrl}/docs`);
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

/** So far: each test looks again, since operations are drawn as the reader comes to them. */
function expectQuiet(): void {
  expect(faults).toEqual([]);
  expect(asked.filter((url) => !url.startsWith(server.baseUrl) && !url.startsWith('data:'))).toEqual([]);
}

test('/docs renders every operation and makes no outside request', async () => {
  await page.getByRole('heading', { name: 'Trefoil' }).first().waitFor();
  await page.getByText('Generate a credit report').first().waitFor({ state: 'attached' });
  expectQuiet();
  const policy = (await fetch(`${server.baseUrl}/docs/`)).headers.get('content-security-policy');
  expect(policy).toContain("default-src 'none'");
});

test('/docs shows an operation with a call of the client library, and with the refusals that many operations share', async () => {
  // Operations are rendered as the reader comes to them.
  await page.getByText('List credit reports').first().click();
  const operation = page.locator('section[id$="/GET/{tenantId}/v1/credit-reports"]');
  await operation.getByText('trefoil.listReports').first().waitFor();
  await operation.getByText('Maximum number of items on a page.').first().waitFor();
  await operation.getByRole('tab', { name: '403' }).click();
  await operation.getByText('https://trefoil.example.com/docs/errors/forbidden').first().waitFor();
  expectQuiet();
}, 90_000);

test('/docs shows every field of generate in the order of the contract, test and mobileNumber among them', async () => {
  await page.getByText('Generate a credit report').first().click();
  const operation = page.locator('section[id$="/POST/{tenantId}/v1/credit-reports"]');
  const fields = Object.keys(OPERATIONS.generateCreditReport.body.properties);
  await eventually(async () => {
    // Only what can be seen; the name of a field is a line of its own, and fields of fields are folded. "email" is a format as well.
    const lines = (await operation.innerText()).split('\n').map((line) => line.trim());
    expect([...new Set(lines.filter((line) => fields.includes(line)))]).toEqual(fields);
  });
  for (const name of ['test', 'mobileNumber']) expect(fields).toContain(name);
  expectQuiet();
}, 120_000);

test('/openapi.json is the committed document', async () => {
  const served = await (await fetch(`${server.baseUrl}/openapi.json`)).json();
  const committed = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')) as unknown;
  expect(served).toEqual(committed);
});

test('a first visit moves 1.2 MB at most, a second nothing; who cannot read Brotli gets gzip or the text', async () => {
  const ask = async (path: string, headers: Record<string, string>) => {
    // Not fetch, which decompresses.
    const answer = await request(server.baseUrl + path, { headers: { 'accept-encoding': 'br', ...headers } });
    return {
      status: answer.statusCode,
      headers: answer.headers as Record<string, string>,
      bytes: Buffer.from(await answer.body.arrayBuffer()),
    };
  };
  let moved = 0;
  for (const path of [
    '/docs/reference',
    '/docs/js/scalar.js',
    '/docs/js/storage.js',
    '/docs/js/start.js',
    '/openapi.json',
  ]) {
    // Twice: the first answer and the kept one are made in different places.
    const [first, kept] = [await ask(path, {}), await ask(path, {})];
    const { etag = '', 'cache-control': cache } = kept.headers;
    expect([first.headers['etag'], first.bytes.length, cache], path).toEqual([etag, kept.bytes.length, 'no-cache']);
    moved += kept.bytes.length;
    const again = await ask(path, { 'if-none-match': etag });
    expect([again.status, again.bytes.length, again.headers['content-encoding']], path).toEqual([304, 0, undefined]);
    const plain = await ask(path, { 'accept-encoding': 'identity' });
    const text = kept.headers['content-encoding'] === 'br' ? brotliDecompressSync(kept.bytes) : kept.bytes;
    expect(plain.bytes.equals(text), path).toBe(true);
    const zipped = await ask(path, { 'accept-encoding': 'gzip, deflate' });
    expect([zipped.headers['etag'], zipped.headers['content-encoding']], path).toEqual([
      etag,
      kept.headers['content-encoding'] && 'gzip',
    ]);
    if (zipped.headers['content-encoding']) expect(gunzipSync(zipped.bytes).equals(plain.bytes), path).toBe(true);
  }
  expect(moved).toBeLessThan(1_200_000);
});
