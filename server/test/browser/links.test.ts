// Pages that people reach by a link, in a real browser: a forgotten password, an invitation, agreeing to an application,
// and errors.
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createOAuthApp } from '../../src/identity/apps/change-app.ts';
import { newId } from '../../src/lib/ids.ts';
import { startServer, type TestServer } from '../harness.ts';
import { type Account, addAccount } from '../support/browser.ts';
import { lookAt, openChromium } from '../support/chromium.ts';
import { linkOf, type Mailbox, startMailbox } from '../support/mailbox.ts';
import { addPerson, callAs, type TestPerson } from '../support/people.ts';
import { givePassword, openVisitor } from '../support/person-pages.ts';

let server: TestServer;
let mailbox: Mailbox;
let chromium: Browser;
let owner: TestPerson;
let person: Account & { readonly userId: string };
let complaints: readonly string[];

beforeAll(async () => {
  mailbox = await startMailbox();
  server = await startServer({ hostName: 'localhost', environment: mailbox.environment });
  owner = await addPerson(server, server.demo.tenantId, 'owner');
  chromium = await openChromium();
}, 60_000);
afterAll(async () => {
  await chromium?.close();
  await server?.close();
  await mailbox?.stop();
});
beforeEach(async () => {
  person = await addAccount(server, server.demo.tenantId, 'analyst');
});

async function newPage(options: BrowserContextOptions = {}): Promise<Page> {
  const visitor = await openVisitor(chromium, server.baseUrl, options);
  complaints = visitor.complaints;
  return visitor.page;
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? '' : ', without JavaScript';
  test(`a forgotten password is replaced through a mail, once${how}`, async () => {
    const page = await newPage({ javaScriptEnabled });
    await page.goto('/v1/auth/login');
    await page.getByRole('link', { name: 'Forgotten your password?' }).click();
    if (javaScriptEnabled) await lookAt(page, 'forgotten');
    await page.getByLabel('E-mail address').fill(person.email.toUpperCase());
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByRole('heading', { name: 'Check your e-mail' }).waitFor();
    if (javaScriptEnabled) await lookAt(page, 'asked');
    const link = linkOf(await mailbox.wait(person.email));
    await page.goto(link);
    if (javaScriptEnabled) await lookAt(page, 'reset');
    await page.getByLabel('New password').fill('aaaaaaaaaaaaaaaa');
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.locator('.summary').getByText('too easy to guess').waitFor();
    await page.getByLabel('New password').fill('four quiet words here');
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByRole('heading', { name: 'Your password is changed' }).waitFor();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await givePassword(page, { ...person, password: 'four quiet words here' });
    await page.waitForURL('**/v1/auth/account');
    await page.goto(link);
    await page.getByRole('heading', { name: 'This link no longer works' }).waitFor();
    if (javaScriptEnabled) await lookAt(page, 'link-over');
    expect(complaints).toEqual([]);
    expect(server.logText()).not.toContain(new URL(link).pathname);
  });
}

async function invite(email: string): Promise<string> {
  const path = `/${server.demo.tenantId}/v1/invitations`;
  const { status } = await callAs(server, owner, 'POST', path, { email, role: 'developer' });
  expect(status).toBe(200);
  return linkOf(await mailbox.wait(email));
}

test('a new person makes an account from an invitation, without JavaScript, and is signed in', async () => {
  const email = `new-${newId()}@example.com`;
  const link = await invite(email);
  const page = await newPage({ javaScriptEnabled: false });
  await page.goto(link);
  await page.getByLabel('First name').fill('Nina');
  await page.getByLabel('Last name').fill('New');
  await page.getByLabel('Choose a password').fill('short');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.locator('.summary').getByText('at least 12 characters').waitFor();
  expect(await page.getByLabel('First name').inputValue()).toBe('Nina');
  await page.getByLabel('Choose a password').fill('five words and a bit');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Welcome to Demo Claims' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/v1/auth/account');
  await page.getByText('Your role: developer').waitFor();
  await page.goto('/v1/auth/security');
  await page.getByRole('button', { name: 'Send the link' }).waitFor();
});

test('a known person signs in from an invitation and joins; somebody else cannot', async () => {
  const { tenantId } = server.other;
  const host = await addPerson(server, tenantId, 'owner');
  const { status } = await callAs(server, host, 'POST', `/${tenantId}/v1/invitations`, {
    email: person.email,
    role: 'finance',
  });
  expect(status).toBe(200);
  const link = linkOf(await mailbox.wait(person.email));
  const page = await newPage();
  await page.goto(link);
  await page.getByText('already has an account').waitFor();
  await lookAt(page, 'invitation-known');
  await page.getByRole('link', { name: 'Sign in' }).click();
  await givePassword(page, person);
  await page.getByRole('button', { name: 'Join' }).waitFor();
  await lookAt(page, 'invitation-join');
  const other = await newPage();
  const stranger = await addAccount(server, server.demo.tenantId, 'analyst');
  await other.goto('/v1/auth/account');
  await givePassword(other, stranger);
  await other.waitForURL('**/v1/auth/account');
  await other.goto(link);
  await other.getByRole('heading', { name: 'You are signed in with another account' }).waitFor();
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByRole('heading', { name: 'Welcome to Other Claims' }).waitFor();
  await lookAt(page, 'joined');
  await page.goto('/v1/auth/account');
  await page.getByText('Your role: finance').waitFor();
  await page.getByRole('button', { name: 'Select Other Claims' }).click();
  await page.getByText('The company is selected').waitFor();
  await lookAt(page, 'account-two-tenants');
  const fresh = await newPage();
  await fresh.goto(await invite(`look-${newId()}@example.com`));
  await lookAt(fresh, 'invitation-new');
});

test('mails are accessible, light and dark, and their buttons lead to the page', async () => {
  const email = `mail-${newId()}@example.com`;
  await invite(email);
  const page = await newPage();
  await page.setContent((await mailbox.wait(email)).html);
  await lookAt(page, 'mail-invitation');
  await page.getByRole('link', { name: 'Accept the invitation' }).click();
  await page.getByRole('heading', { name: 'Join Demo Claims' }).waitFor();
  await page.goto('/v1/auth/forgotten-password');
  await page.getByLabel('E-mail address').fill(person.email);
  await page.getByRole('button', { name: 'Send the link' }).click();
  const mail = await newPage();
  await mail.setContent((await mailbox.wait(person.email)).html);
  await lookAt(mail, 'mail-reset');
  await mail.getByRole('link', { name: 'Choose a new password' }).click();
  await mail.getByRole('heading', { name: 'Choose a new password' }).waitFor();
});

/** Where an application waits for its code. */
async function startApplication(): Promise<{ readonly server: Server; readonly redirectUri: string }> {
  const listener = createServer((_request, response) => response.end('back at the application'));
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  return { server: listener, redirectUri: `http://127.0.0.1:${(listener.address() as AddressInfo).port}/back` };
}

test('an application of somebody else asks for agreement, gets its code, and can be refused', async () => {
  const { server: listener, redirectUri } = await startApplication();
  try {
    const { clientId } = await server.database.asSystem((tx) =>
      createOAuthApp(tx, { name: 'Ledger <Lens>', redirectUris: [redirectUri], isPublic: true }),
    );
    const verifier = randomBytes(32).toString('base64url');
    const query = new URLSearchParams({
      ...{ response_type: 'code', client_id: clientId, redirect_uri: redirectUri, state: 'abc', nonce: 'n' },
      scope: 'openid offline_access reports:read wallet:read',
      prompt: 'consent',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    const page = await newPage();
    await page.goto(`/v1/oauth/authorize?${query}`);
    await page.getByText('to continue to Ledger <Lens>').waitFor();
    await givePassword(page, person);
    await page.getByRole('heading', { name: 'Allow Ledger <Lens>?' }).waitFor();
    expect(await page.locator('.scopes li').allInnerTexts()).toEqual([
      'know who you are',
      'stay signed in for up to a day while you are away',
      'read credit reports',
      'see the wallet and its statement',
    ]);
    await lookAt(page, 'consent');
    await page.getByRole('button', { name: 'Do not allow' }).click();
    await page.waitForURL('**/back?**');
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied');
    await page.goto(`/v1/oauth/authorize?${query}`);
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.waitForURL('**/back?**');
    expect(new URL(page.url()).searchParams.get('code')).toBeTruthy();
    expect(complaints).toEqual([]);
  } finally {
    listener.closeAllConnections();
    listener.close();
  }
});

test('on a shared machine somebody else signs in to an application: it is asked in their name', async () => {
  const { server: listener, redirectUri } = await startApplication();
  try {
    const { clientId } = await server.database.asSystem((tx) =>
      createOAuthApp(tx, { name: 'Ledger', redirectUris: [redirectUri], isPublic: true }),
    );
    const page = await newPage();
    await page.goto('/v1/auth/account');
    await givePassword(page, person);
    await page.waitForURL('**/v1/auth/account');
    const query = new URLSearchParams({
      ...{ response_type: 'code', client_id: clientId, redirect_uri: redirectUri, state: 'abc', nonce: 'n' },
      ...{ scope: 'openid', prompt: 'login', code_challenge_method: 'S256' },
      code_challenge: createHash('sha256')
        .update('a verifier of enough characters for the standard')
        .digest('base64url'),
    });
    const second = await addAccount(server, server.other.tenantId, 'analyst');
    await page.goto(`/v1/oauth/authorize?${query}`);
    await givePassword(page, second);
    await page.getByRole('heading', { name: 'Allow Ledger?' }).waitFor();
    await page.getByText(second.email).waitFor();
    expect(complaints).toEqual([]);
  } finally {
    listener.closeAllConnections();
    listener.close();
  }
});

test('what went wrong is told calmly', async () => {
  const page = await newPage();
  await page.goto('/v1/auth/sign-in/never-was');
  await page.getByRole('heading', { name: 'This sign-in has ended' }).waitFor();
  await lookAt(page, 'interaction-over');
  await page.goto('/v1/auth/login?returnTo=//evil.example.com');
  await page.getByRole('heading', { name: 'Something went wrong' }).waitFor();
  await lookAt(page, 'error');
});
