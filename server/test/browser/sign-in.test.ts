// People in a real browser: password, authenticator app, recovery code, passkey, step-up, and all of it without
// JavaScript where that must work.

import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startServer, type TestServer } from '../harness.ts';
import { type Account, addAccount } from '../support/browser.ts';
import { addAuthenticator, lookAt, openChromium } from '../support/chromium.ts';
import {
  codeOf,
  enrolTotp,
  followFactorLink,
  givePassword,
  openVisitor,
  pathOf,
  setUpApp,
} from '../support/person-pages.ts';

let server: TestServer;
let chromium: Browser;
let person: Account & { readonly userId: string };
let complaints: readonly string[];

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

async function newPage(options: BrowserContextOptions = {}): Promise<Page> {
  const visitor = await openVisitor(chromium, server.baseUrl, options);
  complaints = visitor.complaints;
  return visitor.page;
}

const typePassword = (page: Page, password = person.password) => givePassword(page, { ...person, password });

/** Codes of one step are right once: to use several in a test, the row forgets which was the last. */
const forgetStep = () => server.query('update user_totps set last_step = 0 where user_id = $1', [person.userId]);

async function signOut(page: Page): Promise<void> {
  await page.goto('/v1/auth/account');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
}

test('a person signs in with a password, sees their account and signs out; every page is accessible', async () => {
  const page = await newPage();
  await page.goto('/v1/auth/account');
  expect(pathOf(page)).toMatch(/^\/v1\/auth\/sign-in\//);
  await lookAt(page, 'sign-in');
  await typePassword(page, 'not the password at all');
  await page.getByText('The e-mail address or the password is not right.').waitFor();
  expect(await page.evaluate('document.activeElement.className')).toBe('summary');
  await lookAt(page, 'sign-in-wrong');
  await typePassword(page);
  await page.waitForURL('**/v1/auth/account');
  await page.getByText(person.email).waitFor();
  await lookAt(page, 'account');
  await page.goto('/v1/auth/security');
  await lookAt(page, 'security');
  await signOut(page);
  await lookAt(page, 'signed-out');
  await page.goto('/v1/auth/account');
  expect(pathOf(page)).toMatch(/^\/v1\/auth\/sign-in\//);
  expect(complaints).toEqual([]);
});

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? '' : ', without JavaScript';
  test(`an authenticator app is enrolled, asked for at the next sign-in, and a recovery code stands in${how}`, async () => {
    const page = await newPage({ javaScriptEnabled });
    await page.goto('/v1/auth/login');
    await typePassword(page);
    await page.waitForURL('**/v1/auth/account');
    await followFactorLink(page, server, person.userId);
    await page.getByRole('button', { name: 'Set up an app' }).click();
    await page.getByLabel('Code from the app').fill('000000');
    await page.getByRole('button', { name: 'Turn it on' }).click();
    await page.locator('.summary').getByText('This code is not right').waitFor();
    if (javaScriptEnabled) await lookAt(page, 'totp-enrolment');
    const { secret, recoveryCodes } = await setUpApp(page);
    expect(recoveryCodes).toHaveLength(10);
    if (javaScriptEnabled) await lookAt(page, 'recovery-codes');
    await signOut(page);
    // The same code must not open the door a second time.
    await page.goto('/v1/auth/login');
    await typePassword(page);
    await page.getByRole('heading', { name: 'Second step' }).waitFor();
    if (javaScriptEnabled) await lookAt(page, 'second-step');
    await forgetStep();
    await page.getByLabel('Code', { exact: true }).fill(codeOf(secret));
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL('**/v1/auth/account');
    await signOut(page);
    await page.goto('/v1/auth/login');
    await typePassword(page);
    await page.getByText('Use a recovery code instead').click();
    await page.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '');
    await page.getByRole('button', { name: 'Use this code' }).click();
    await page.waitForURL('**/v1/auth/account');
    expect(complaints).toEqual([]);
  });
}

test('step-up asks somebody who is signed in for the second factor alone, and brings them back', async () => {
  const page = await newPage();
  await page.goto('/v1/auth/login');
  await typePassword(page);
  await page.waitForURL('**/v1/auth/account');
  await page.goto('/v1/auth/login?stepUp=true&returnTo=/v1/auth/security');
  await page.getByRole('heading', { name: 'Set up a second factor first' }).waitFor();
  await lookAt(page, 'step-up-none');
  await page.getByRole('link', { name: 'Go to your security settings' }).click();
  const { secret } = await enrolTotp(page, server, person.userId);
  await page.getByRole('link', { name: 'I have saved them' }).click();
  await page.getByRole('link', { name: 'Confirm that it is you' }).waitFor();
  await lookAt(page, 'security-locked');
  await page.getByRole('link', { name: 'Confirm that it is you' }).click();
  await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor();
  await lookAt(page, 'step-up');
  await forgetStep();
  await page.getByLabel('Code', { exact: true }).fill(codeOf(secret));
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL('**/v1/auth/security');
  await page.getByRole('button', { name: 'Remove the app' }).click();
  await page.getByText('The authenticator app is removed').waitFor();
  expect(complaints).toEqual([]);
});

test('a passkey is added, signs its person in alone, and can be removed after a fresh proof', async () => {
  const page = await newPage();
  await addAuthenticator(page);
  // The stand-in device would answer the quiet offer beside the form at once, before anybody can press the button.
  await page.addInitScript('delete PublicKeyCredential.isConditionalMediationAvailable');
  await page.goto('/v1/auth/login');
  await typePassword(page);
  await page.waitForURL('**/v1/auth/account');
  await followFactorLink(page, server, person.userId);
  await page.getByLabel('Name of the new passkey').fill('Work laptop');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
  await signOut(page);
  await page.goto('/v1/auth/login');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.waitForURL('**/v1/auth/account');
  await page.goto('/v1/auth/security');
  await page.getByText('Work laptop', { exact: true }).waitFor();
  await lookAt(page, 'security-passkey');
  await page.getByRole('button', { name: 'Remove the passkey Work laptop' }).click();
  await page.getByText('The passkey is removed').waitFor();
  expect(complaints).toEqual([]);
});
