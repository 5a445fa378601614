// The first five minutes on a developer's machine: the real "npm run dev", in a real browser.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FOR_CHECKS } from '../../../tools/dev/dev-options.ts';
import type { Account } from '../support/browser.ts';
import { addAuthenticator, openChromium } from '../support/chromium.ts';
import { codeOf, givePassword, openVisitor } from '../support/person-pages.ts';

const DEV = fileURLToPath(new URL('../../../tools/dev/dev.ts', import.meta.url));

let chromium: Browser;
let dev: ChildProcess;
let started: { readonly baseUrl: string; readonly signIn: Account & { readonly totpSecret: string } };

beforeAll(async () => {
  chromium = await openChromium();
  dev = spawn(process.execPath, [DEV, ...FOR_CHECKS], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [line] = (await once(createInterface({ input: dev.stdout as NodeJS.ReadableStream }), 'line')) as [string];
  started = JSON.parse(line) as typeof started;
}, 60_000);
afterAll(async () => {
  await chromium?.close();
  if (!dev || dev.exitCode !== null || dev.signalCode !== null) return;
  const exited = once(dev, 'exit');
  dev.kill('SIGTERM');
  await exited;
}, 60_000);

test('npm run dev is on localhost: a sign-in begun at 127.0.0.1 ends there, and a passkey can be added', async () => {
  const { origin, hostname, port } = new URL(started.baseUrl);
  expect(hostname).toBe('localhost');
  const { page, complaints } = await openVisitor(chromium, `http://127.0.0.1:${port}`);
  await addAuthenticator(page);
  await page.goto('/v1/auth/security');
  expect(new URL(page.url()).origin).toBe(origin);
  await givePassword(page, started.signIn);
  await page.getByLabel('Code', { exact: true }).fill(codeOf(started.signIn.totpSecret));
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Name of the new passkey').fill('This machine');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
  expect(complaints).toEqual([]);
});

test('npm run dev: "Test Request" on localhost leads to 127.0.0.1, where the request is filled in and can be sent', async () => {
  const { port } = new URL(started.baseUrl);
  const page = await chromium.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(`${started.baseUrl}/docs/reference`);
  // Operations are rendered as the reader comes to them.
  await page.getByText('Read the wallet').first().click();
  await page.getByRole('button', { name: 'Test Request (get /{tenantId}/v1/wallet)' }).first().click();
  await page.waitForURL(({ origin, search }) => origin === `http://127.0.0.1:${port}` && search === '?try');
  const answer = page.waitForResponse((response) => response.url().endsWith('/v1/wallet'));
  await page.getByRole('button', { name: /^Send/ }).first().click();
  expect((await answer).status()).toBe(200);
  await page.goto('about:blank');
  await page.goto(`http://127.0.0.1:${port}/docs/reference`);
  await page.getByRole('link', { name: 'wallet.low' }).first().click();
  const message = page.locator('section[id$="/webhook/POST/wallet.low"]');
  await message.getByText('webhook-signature').first().waitFor();
  // The service sends webhooks: there is nothing to try.
  expect(await message.getByRole('button', { name: /Test Request/ }).count()).toBe(0);
  // On the address of the API the page is sandboxed and gets no token.
  const script = await (await fetch(`${started.baseUrl}/docs/js/start.js`)).text();
  expect(script.includes('preferredSecurityScheme')).toBe(false);
  await page.close();
}, 90_000);
