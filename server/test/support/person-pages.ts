// What people do on our pages, in a real browser: open one, sign in, set up an authenticator app.
import { Secret, TOTP } from 'otpauth';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { TestServer } from '../harness.ts';
import { type Account, type Browser as HttpBrowser, signIn } from './browser.ts';
import { collectComplaints } from './chromium.ts';
import { factorLinkOf } from './sign-in.ts';

export type Visitor = {
  readonly page: Page;
  /** What the browser complained about so far. */
  readonly complaints: readonly string[];
};

export async function openVisitor(
  chromium: Browser,
  baseURL: string,
  options: BrowserContextOptions = {},
): Promise<Visitor> {
  const context = await chromium.newContext({ baseURL, ...options });
  const complaints = collectComplaints(context);
  context.setDefaultTimeout(30_000);
  return { page: await context.newPage(), complaints };
}

export const pathOf = (page: Page) => new URL(page.url()).pathname;

export async function givePassword(page: Page, { email, password }: Account): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** From the sign-in page to the account. */
export async function signInWithPassword(page: Page, account: Account): Promise<void> {
  await page.goto('/v1/auth/login');
  await givePassword(page, account);
  await page.waitForURL('**/v1/auth/account');
}

/** Gives the page the sign-in of this one. */
export async function takeCookies(page: Page, from: HttpBrowser): Promise<void> {
  const cookies = [...from.cookies].map(([name, { value, path, attributes }]) => ({
    ...{ name: name.split('@', 1)[0] ?? '', value, path, domain: new URL(from.baseUrl).hostname },
    ...{ httpOnly: attributes.includes('httponly'), secure: attributes.includes('secure'), sameSite: 'Lax' as const },
  }));
  await page.context().addCookies(cookies);
}

/** For journeys about something else than the sign-in's pages, each of which costs the browser a load: signs in without them. */
export async function enterSignedIn(page: Page, server: TestServer, account: Account): Promise<HttpBrowser> {
  const browser = await signIn(server, account);
  await takeCookies(page, browser);
  return browser;
}

export function codeOf(secret: string): string {
  return new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) }).generate();
}

/** Asks for the link of a first factor, follows it, and ends on the security page. */
export async function followFactorLink(page: Page, server: TestServer, userId: string): Promise<void> {
  await page.goto('/v1/auth/security');
  await page.getByRole('button', { name: 'Send the link' }).click();
  await page.getByText('A link is on its way').waitFor();
  await page.goto(await factorLinkOf(server, userId));
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Now set up an authenticator app').waitFor();
}

type Enrolled = { readonly secret: string; readonly recoveryCodes: string[] };

/** The first factor. Ends on the page with the recovery codes. */
export async function enrolTotp(page: Page, server: TestServer, userId: string): Promise<Enrolled> {
  await followFactorLink(page, server, userId);
  return setUpApp(page);
}

/** From any page, after the proof that it needs. */
export async function setUpApp(page: Page): Promise<Enrolled> {
  await page.goto('/v1/auth/security');
  await page.getByRole('button', { name: 'Set up an app' }).click();
  return turnAppOn(page);
}

/** From the page that shows the app's secret. Ends on the page with the recovery codes. */
export async function turnAppOn(page: Page): Promise<Enrolled> {
  const secret = await page.locator('#secret').innerText();
  await page.getByLabel('Code from the app').fill(codeOf(secret));
  await page.getByRole('button', { name: 'Turn it on' }).click();
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
  return { secret, recoveryCodes: await page.locator('.codes li').allInnerTexts() };
}
