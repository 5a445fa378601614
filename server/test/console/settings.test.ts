// An owner changes the settings of the company in the console, each with the second factor, in a real browser.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import type { TestServer } from '../harness.ts';
import { openChromium } from '../support/chromium.ts';
import { giveSecondFactor, keptBy, openConsole, PATIENCE_MS, startConsoleServer } from '../support/console.ts';
import { addTenantWithOwner } from '../support/people.ts';

let server: TestServer;
let chromium: Browser;
beforeAll(async () => {
  server = await startConsoleServer();
  chromium = await openChromium();
}, 120_000);
afterAll(async () => {
  await chromium?.close();
  await server?.close();
});

test(
  'settings are changed one card at a time, after the second factor; nothing is sent without a press',
  async () => {
    const { tenantId } = await addTenantWithOwner(server);
    const owner = await openConsole(chromium, server, 'owner', { tenantId });
    const { page, go, see, checkQuiet } = owner;
    const confirmBeside = await giveSecondFactor(owner, server);
    const read = async () => {
      const [row] = await server.query<{
        days: number;
        name: string | null;
        low: number | null;
        cap: number | null;
        factor: boolean;
      }>(
        `select retention_days as days, display_name as name, low_balance_credits::int as low,
                own_sms_daily_messages as cap, require_second_factor as factor from tenants where id = $1`,
        [tenantId],
      );
      return row;
    };
    const before = await read();
    await go('/settings');
    await page.getByText('Agreed with the operator').waitFor();
    await see('Settings', 'settings');
    const save = (form: string) =>
      page.getByRole('form', { name: form, exact: true }).getByRole('button', { name: 'Save' });
    await page.getByLabel('Alert below, in £').fill('25.50');
    await save('Low balance').click();
    await page.getByText('This needs your second factor.').waitFor();
    await (await confirmBeside()).close();
    await page.getByText('Confirmed. Nothing has been sent yet').waitFor();
    expect([await read(), await keptBy(page)]).toEqual([before, '[[],[]]']);
    expect(await page.getByLabel('Alert below, in £').inputValue()).toBe('25.50');
    await save('Low balance').click();
    await page.getByText('You are told when less than £25.50 is left').waitFor();

    await page.getByLabel('Name in texts').fill('Larkfield');
    await save('Text messages').click();
    await page.getByText('Text messages now speak of Larkfield').waitFor();
    await page.getByLabel('Texts in a day').fill('7');
    await save('Limits of text messages').click();
    await page.getByText('The limits of text messages are changed').waitFor();

    await page.getByLabel('Days that reports are kept').fill('12');
    await page.getByText('No report would be erased.').waitFor();
    await save('Reports').click();
    await page.getByText('Reports are now kept for 12 days').waitFor();
    const colleague = await openConsole(chromium, server, 'analyst', { tenantId });
    await page.getByLabel('People need a second factor').check();
    await save('Second factor').click();
    await page.getByText('People need a second factor here').waitFor();
    expect(await read()).toEqual({ days: 12, name: 'Larkfield', low: 25_500, cap: 7, factor: true });
    await page.reload();
    await eventually(async () => expect(await page.getByLabel('Texts in a day').inputValue()).toBe('7'));
    // A colleague who is signed in with a password comes to where a second factor is set up.
    await eventually(async () => {
      await colleague.go('/reports');
      await colleague.page.getByText('Your company requires a second factor').waitFor({ timeout: 5_000 });
    });
    checkQuiet();
  },
  PATIENCE_MS,
);
