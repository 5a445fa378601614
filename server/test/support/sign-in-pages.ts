// A server, a browser, and for each test of the file a person of their own who signs in.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { startServer, type TestServer } from '../harness.ts';
import { type Account, addAccount } from './browser.ts';
import { openChromium } from './chromium.ts';
import { givePassword, openVisitor } from './person-pages.ts';

export function useSignInPages() {
  let server: TestServer;
  let chromium: Browser;
  let person: Account & { readonly userId: string };
  let complaints: readonly string[];
  beforeAll(async () => {
    server = await startServer({ hostName: 'localhost' });
    chromium = await openChromium();
  });
  afterAll(async () => {
    await chromium?.close();
    await server?.close();
  });
  beforeEach(async () => {
    person = await addAccount(server, server.demo.tenantId, 'admin');
  });
  return {
    server: () => server,
    person: () => person,
    async newPage(options: BrowserContextOptions = {}): Promise<Page> {
      const visitor = await openVisitor(chromium, server.baseUrl, options);
      complaints = visitor.complaints;
      return visitor.page;
    },
    typePassword: (page: Page, password = person.password) => givePassword(page, { ...person, password }),
    /** Codes of one step are right once: to use several in a test, the row forgets which was the last. */
    forgetStep: () => server.query('update user_totps set last_step = 0 where user_id = $1', [person.userId]),
    async signOut(page: Page): Promise<void> {
      await page.goto('/v1/auth/account');
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    },
    /** Of the last page: blocked by its policy, failed, or logged as an error. */
    expectNoComplaints: () => expect(complaints).toEqual([]),
  };
}
