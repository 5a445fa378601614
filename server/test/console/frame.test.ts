// The frame of the console in a real browser: companies, modes, palette, and its edges. Sign-in and back: shell.test.ts.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { setPassword } from '../../src/identity/factors/change-password.ts';
import { lookAt, openChromium } from '../support/chromium.ts';
import { keptBy, openConsole, PATIENCE_MS, startConsoleWithCases, wordsIn } from '../support/console.ts';
import type { LiveServer } from '../support/live.ts';
import { addPerson, addTenantWithOwner } from '../support/people.ts';
import { givePassword, openVisitor, pathOf } from '../support/person-pages.ts';

let server: LiveServer;
let chromium: Browser;
let liveId: string;

beforeAll(async () => {
  ({ server, liveId } = await startConsoleWithCases());
  chromium = await openChromium();
}, 120_000);
afterAll(async () => {
  await chromium?.close();
  await server?.close();
});

test(
  'live and test are apart, and the mode goes along from page to page',
  async () => {
    const { page, go, see, checkQuiet } = await openConsole(chromium, server, 'owner');
    await go('/reports');
    await page.getByRole('link', { name: 'Case 4711' }).waitFor();
    expect(await page.getByRole('link', { name: 'Case 4712' }).count()).toBe(0);
    await see('Reports', 'reports');
    await page.getByText('Test', { exact: true }).click();
    await page.getByRole('link', { name: 'Case 4712' }).waitFor();
    expect(await page.getByRole('link', { name: 'Case 4711' }).count()).toBe(0);
    await see('Reports', 'reports-test');
    await page.getByRole('link', { name: 'Wallet' }).first().click();
    await page.waitForURL('**/wallet?mode=test');
    await page.getByText('Test mode. No text is sent').waitFor();
    checkQuiet();
  },
  PATIENCE_MS,
);

test(
  'by keyboard: the palette finds a page and a report, and the new page has the focus',
  async () => {
    const { page, checkQuiet } = await openConsole(chromium, server, 'developer');
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: /Go to a page/ });
    await field.waitFor();
    await lookAt(page, 'console-palette');
    await page.keyboard.type('statement');
    await page.getByRole('option', { name: /Wallet/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/wallet');
    await eventually(async () => expect(await page.evaluate('document.activeElement.textContent')).toBe('Wallet'));
    await page.keyboard.press('Control+k');
    await page.keyboard.type('Case 4711');
    await page.getByRole('option', { name: /Case 4711/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/reports/${liveId}`);
    await page.keyboard.press('Control+k');
    await field.waitFor();
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    checkQuiet();
  },
  PATIENCE_MS,
);

test(
  'two companies: the menu goes from one to the other, and the next visit begins there',
  async () => {
    const { tenantId } = await addTenantWithOwner(server);
    const { page, see, checkQuiet } = await openConsole(chromium, server, 'owner', {
      alsoIn: { tenantId, role: 'analyst' },
    });
    await page.getByRole('button', { name: 'Demo' }).click();
    const selected = page.waitForResponse('**/v1/my/tenants/select');
    await page.getByRole('menuitem', { name: /Test Claims/ }).click();
    await page.waitForURL(`**/console/${tenantId}`);
    await page.getByText('Nothing spent yet').waitFor();
    await see('Home', 'home-empty');
    expect((await selected).status()).toBe(200);
    await page.goto('/console');
    await page.waitForURL(`**/console/${tenantId}`);
    expect(await page.getByRole('link', { name: 'API reference' }).count()).toBe(0);
    checkQuiet();
  },
  PATIENCE_MS,
);

test(
  'light or dark is all that the browser keeps; the address has no reference',
  async () => {
    const { page, addresses, go, see, checkQuiet } = await openConsole(chromium, server, 'owner');
    await go('/reports');
    await page.getByRole('link', { name: 'Case 4711' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('Case 4711');
    await page.getByText('1 report shown').waitFor();
    await page.getByPlaceholder('Find by reference').fill('Case 4711 and more');
    await page.getByText('No report fits').waitFor();
    await see('Reports', 'reports-none-fits');
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await page.getByRole('link', { name: 'Case 4711' }).waitFor();
    await page.getByRole('button', { name: 'Petra Person, your account' }).click();
    await page.getByRole('menuitem', { name: 'Dark' }).click();
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    expect(await keptBy(page)).toBe('[[["trefoil.theme","dark"]],[]]');
    await page.reload();
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    // The API is asked for the reference. What the browser shows and keeps in its history has none, and no log does.
    const shown = addresses.filter((address) => new URL(address).pathname.startsWith('/console'));
    expect(wordsIn(addresses.join('\n'), ['Case 4711'])).toEqual(['Case 4711']);
    expect(wordsIn([...shown, server.logText()].join('\n'), ['Case 4711'])).toEqual([]);
    expect(server.logText()).toContain('/v1/credit-reports');
    expect(pathOf(page)).toMatch(/\/reports$/);
    checkQuiet();
  },
  PATIENCE_MS,
);

test(
  'offline it says so, and what fails can be tried again',
  async () => {
    const { page, go, see } = await openConsole(chromium, server, 'owner');
    await go('/audit');
    await page.getByText(/lines? shown/).waitFor();
    await page.context().setOffline(true);
    await page.getByText('You are offline').waitFor();
    await page.getByLabel('When').selectOption('7');
    await page.getByText('The audit log could not be loaded').waitFor({ timeout: 20_000 });
    await see('Audit log', 'audit-offline');
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText(/lines? shown/).waitFor();
  },
  PATIENCE_MS,
);

test(
  'on a phone: the menu opens with the focus inside, and closes by Escape and by going somewhere',
  async () => {
    const { page, checkQuiet } = await openConsole(chromium, server, 'owner', {
      browser: { viewport: { width: 390, height: 800 } },
    });
    const burger = page.getByRole('button', { name: 'Open the menu' });
    await burger.click();
    await page.getByRole('link', { name: 'Wallet' }).first().waitFor();
    expect(await page.evaluate(`document.activeElement.closest('aside') !== null`)).toBe(true);
    // A wide window has no such menu.
    await lookAt(page, 'console-drawer', [390]);
    await page.keyboard.press('Escape');
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Open the menu');
    await burger.click();
    await page.getByRole('link', { name: 'Wallet' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Wallet' }).waitFor();
    expect(await page.getByRole('link', { name: 'Audit log' }).isVisible()).toBe(false);
    checkQuiet();
  },
  PATIENCE_MS,
);

test(
  'a person without a company is led to the account page',
  async () => {
    const { userId, email } = await addPerson(server, server.demo.tenantId, undefined);
    const password = 'a-long-enough-password';
    await server.database.asSystem((tx) => setPassword(tx, userId, password));
    const { page } = await openVisitor(chromium, server.baseUrl);
    await page.goto('/console');
    await givePassword(page, { email, password });
    await page.waitForURL('**/v1/auth/account');
    await page.getByText('You are not a member of any company').waitFor();
  },
  PATIENCE_MS,
);
