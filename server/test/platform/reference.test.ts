// The API reference in a real browser: it renders, it asks nobody else for anything, and nothing in it fails.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../harness.ts';
import { openChromium } from '../support/chromium.ts';

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  server = await startServer();
  browser = await openChromium();
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

test('/docs renders every operation and makes no outside request', async () => {
  const page = await browser.newPage();
  const asked: string[] = [];
  const faults: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  await page.goto(`${server.baseUrl}/docs`, { waitUntil: 'networkidle' });
  await page.getByRole('heading', { name: 'Trefoil' }).first().waitFor();
  await page.getByText('Generate a credit report').first().waitFor({ state: 'attached' });
  expect(faults).toEqual([]);
  expect(asked.filter((url) => !url.startsWith(server.baseUrl) && !url.startsWith('data:'))).toEqual([]);
  const policy = (await fetch(`${server.baseUrl}/docs/`)).headers.get('content-security-policy');
  expect(policy).toContain("default-src 'none'");
});

test('/openapi.json is the committed document', async () => {
  const served = await (await fetch(`${server.baseUrl}/openapi.json`)).json();
  const { default: committed } = await import('../../../openapi.json', { with: { type: 'json' } });
  expect(served).toEqual(committed);
});
