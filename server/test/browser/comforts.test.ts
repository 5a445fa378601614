// What our pages do for people beyond the least: local times, a password that can be seen, codes that can be taken along,
// a passkey card that gives its reason, a way out. With JavaScript and, where that is possible, without.
import { readFile } from 'node:fs/promises';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startServer, type TestServer } from '../harness.ts';
import { type Account, addAccount } from '../support/browser.ts';
import { addAuthenticator, lookAt, openChromium } from '../support/chromium.ts';
import {
  enrolTotp,
  followFactorLink,
  givePassword,
  openVisitor,
  signInWithPassword,
  type Visitor,
} from '../support/person-pages.ts';

let server: TestServer;
let chromium: Browser;
let person: Account & { readonly userId: string };

beforeAll(async () => {
  server = await startServer({ hostName: 'localhost' });
  chromium = await openChromium();
}, 60_000);
afterAll(async () => {
  await chromium?.close();
  await server?.close();
});
beforeEach(async () => {
  person = await addAccount(server, server.demo.tenantId, 'admin');
});

const open = (options: BrowserContextOptions = {}): Promise<Visitor> => openVisitor(chromium, server.baseUrl, options);

test('the start page and unknown pages are accessible and lead on', async () => {
  const { page, complaints } = await open();
  await page.goto('/');
  await lookAt(page, 'start');
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.goto('/dashboard');
  await lookAt(page, 'unknown');
  await page.getByRole('link', { name: 'Go to the start page' }).click();
  await page.getByRole('link', { name: 'API reference' }).click();
  await page.waitForURL('**/docs/reference**');
  expect(complaints).toEqual([]);
});

/** Last active at noon on midsummer's day, when no two of these places have the same time. */
const setMidsummer = () =>
  server.query(`update sign_ins set refreshed_at = '2026-06-21T12:00:00Z' where user_id = $1`, [person.userId]);

const lastActive = (page: Page) =>
  page.locator('section', { hasText: 'Where you are signed in' }).locator('time').nth(1).innerText();

for (const [timezoneId, expected] of [
  ['Europe/London', '21 June 2026, 13:00 BST'],
  ['America/New_York', '21 June 2026, 08:00 Eastern Daylight Time'],
  ['Europe/Berlin', '21 June 2026, 14:00 CEST'],
] as const) {
  test(`session times are those of ${timezoneId}, with the zone's name`, async () => {
    const { page } = await open({ timezoneId, locale: 'en-GB' });
    await signInWithPassword(page, person);
    await setMidsummer();
    await page.goto('/v1/auth/security');
    expect(await lastActive(page)).toBe(expected);
  });
}

test('without JavaScript session times are those of the United Kingdom, with the zone’s name', async () => {
  const { page } = await open({ timezoneId: 'America/New_York', javaScriptEnabled: false });
  await signInWithPassword(page, person);
  await setMidsummer();
  await page.goto('/v1/auth/security');
  expect(await lastActive(page)).toBe('21 June 2026, 13:00 BST');
});

test('a password can be seen while it is typed, and is sent as it was', async () => {
  const { page, complaints } = await open();
  await page.goto('/v1/auth/login');
  const password = page.getByLabel('Password', { exact: true });
  await password.fill(person.password);
  expect(await password.getAttribute('type')).toBe('password');
  await page.getByRole('button', { name: 'Show password' }).click();
  expect(await password.getAttribute('type')).toBe('text');
  await lookAt(page, 'sign-in-shown');
  await page.getByRole('button', { name: 'Hide password' }).click();
  expect(await password.getAttribute('type')).toBe('password');
  await page.getByRole('button', { name: 'Show password' }).click();
  await givePassword(page, person);
  await page.waitForURL('**/v1/auth/account');
  expect(complaints).toEqual([]);
});

test('without JavaScript no button promises what it cannot do', async () => {
  const { page } = await open({ javaScriptEnabled: false });
  await page.goto('/v1/auth/login');
  expect(await page.getByRole('button').allInnerTexts()).toEqual(['Sign in']);
});

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? '' : ', without JavaScript';
  test(`recovery codes are downloaded as a text file${how}`, async () => {
    const { page, complaints } = await open({ javaScriptEnabled });
    await signInWithPassword(page, person);
    const { recoveryCodes } = await enrolTotp(page, server, person.userId);
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('trefoil-recovery-codes.txt');
    const text = await readFile(await download.path(), 'utf8');
    expect(text.split('\n').filter((line) => recoveryCodes.includes(line))).toEqual(recoveryCodes);
    expect(text).toContain('Each works once');
    expect(complaints).toEqual([]);
  });
}

test('recovery codes are copied', async () => {
  const { page, complaints } = await open({ permissions: ['clipboard-read', 'clipboard-write'] });
  await signInWithPassword(page, person);
  const { recoveryCodes } = await enrolTotp(page, server, person.userId);
  await page.getByRole('button', { name: 'Copy' }).click();
  await page.getByText('The codes are copied.').waitFor();
  await lookAt(page, 'recovery-codes-copied');
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(recoveryCodes.join('\n'));
  expect(complaints).toEqual([]);
});

const passkeyCard = (page: Page) => page.locator('section', { hasText: 'Passkeys' });

test('the passkey card says why: the browser has no passkeys', async () => {
  const { page, complaints } = await open();
  await page.addInitScript('delete window.PublicKeyCredential');
  await signInWithPassword(page, person);
  await followFactorLink(page, server, person.userId);
  await passkeyCard(page).getByText('This browser does not support passkeys').waitFor();
  expect(await page.getByRole('button', { name: 'Add a passkey' }).count()).toBe(0);
  await lookAt(page, 'security-no-passkeys');
  expect(complaints).toEqual([]);
});

test('the passkey card says why: the device refused, or holds one already', async () => {
  const { page } = await open();
  await addAuthenticator(page);
  await signInWithPassword(page, person);
  await followFactorLink(page, server, person.userId);
  for (const [fault, words] of [
    ['NotAllowedError', 'was cancelled, or took too long'],
    ['InvalidStateError', 'already holds one of your passkeys'],
    ['NotSupportedError', 'This device cannot use passkeys'],
  ] as const) {
    await page.evaluate(
      `navigator.credentials.create = () => Promise.reject(new DOMException('for the test', '${fault}'))`,
    );
    await page.getByLabel('Name of the new passkey').fill('Work laptop');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await passkeyCard(page).getByText(words).waitFor();
  }
});

test('the passkey card says why: a proof is needed first', async () => {
  const { page } = await open();
  await signInWithPassword(page, person);
  await enrolTotp(page, server, person.userId);
  await page.goto('/v1/auth/security');
  await passkeyCard(page).getByText('To add one, first confirm your identity').waitFor();
});

test('the passkey card says why: the server’s address is a number', async () => {
  const numbered = await startServer();
  try {
    const account = await addAccount(numbered, numbered.demo.tenantId, 'admin');
    const { page } = await openVisitor(chromium, numbered.baseUrl, { javaScriptEnabled: false });
    await signInWithPassword(page, account);
    await page.goto('/v1/auth/security');
    await passkeyCard(page).getByText('this server has only an IP address (127.0.0.1)').waitFor();
  } finally {
    await numbered.close();
  }
});

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? '' : ', without JavaScript';
  test(`the security page has a way out${how}`, async () => {
    const { page } = await open({ javaScriptEnabled });
    await signInWithPassword(page, person);
    await page.goto('/v1/auth/security');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await page.goto('/v1/auth/security');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });
}
