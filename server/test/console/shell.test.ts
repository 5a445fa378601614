// Sign-in, sign-out and what is not theirs, in the console in a real browser. The rest of its frame: frame.test.ts.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, test } from 'vitest';
import { generateBody, type TestServer } from '../harness.ts';
import { openChromium } from '../support/chromium.ts';
import { openConsole, PATIENCE_MS, startConsoleServer } from '../support/console.ts';
import { addTenantWithOwner } from '../support/people.ts';
import { givePassword } from '../support/person-pages.ts';

let server: TestServer;
let chromium: Browser;

beforeAll(async () => {
  server = await startConsoleServer();
  await server.trefoil.generate(generateBody({ externalReference: 'Case 4712' }));
  chromium = await openChromium();
}, 120_000);
afterAll(async () => {
  await chromium?.close();
  await server?.close();
});

test(
  'the sign-in leads to the console, and so does the start page from then on',
  async () => {
    const { page, tenantId, go, see, checkQuiet } = await openConsole(chromium, server, 'owner', { byPages: true });
    await page.getByRole('link', { name: 'Reports', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Reports' }).waitFor();
    await go('/reports?mode=test');
    await page.getByRole('link', { name: 'Case 4712' }).waitFor();
    await see('Reports', 'reports');
    await page.goto('/');
    await page.waitForURL(`**/console/${tenantId}`);
    checkQuiet();
  },
  PATIENCE_MS,
);

test(
  '401: an ended sign-in leads to the sign-in and back to the same page',
  async () => {
    const { page, go, account, checkQuiet } = await openConsole(chromium, server, 'analyst');
    await go('/wallet?month=2026-01');
    await page.getByText('Nothing moved in January 2026').waitFor();
    await page.context().clearCookies();
    await page.reload();
    await page.waitForURL('**/v1/auth/sign-in/**');
    await givePassword(page, account);
    await page.waitForURL('**/wallet?month=2026-01');
    await page.getByText('Nothing moved in January 2026').waitFor();
    checkQuiet();
  },
  PATIENCE_MS,
);

test(
  'signing out ends the sign-in, and going back shows nothing',
  async () => {
    const { page, go, checkQuiet } = await openConsole(chromium, server, 'owner');
    await page.getByRole('button', { name: 'Petra Person, your account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await page.goBack();
    await page.waitForURL('**/v1/auth/sign-in/**');
    await go('/reports');
    await page.waitForURL('**/v1/auth/sign-in/**');
    checkQuiet();
  },
  PATIENCE_MS,
);

test(
  'what is not there, not theirs, or not answered is said, and never another company’s',
  async () => {
    const { tenantId } = await addTenantWithOwner(server);
    const { page, go, see, checkQuiet } = await openConsole(chromium, server, 'owner');
    await go('/no-such-place');
    await see('Not found', 'lost');
    await page.goto(`/console/${tenantId}/reports`);
    await see('No access', 'no-company');
    await go(`/reports/${tenantId}`);
    await page.getByText('This report does not exist').waitFor();
    await see('Report', 'report-unknown');
    checkQuiet();
  },
  PATIENCE_MS,
);
