// An owner’s day in the console: people, each change with the second factor, in a real browser.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestServer } from '../harness.ts';
import { addAccount } from '../support/browser.ts';
import { lookAt, openChromium } from '../support/chromium.ts';
import { giveSecondFactor, keptBy, openConsole, PATIENCE_MS, startConsoleServer } from '../support/console.ts';
import { addPerson, addTenantWithOwner, callAs } from '../support/people.ts';

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
  'a person is invited once, gets another role, and is removed; what ends with them is told first, and a webhook endpoint may go on',
  async () => {
    const { tenantId } = await addTenantWithOwner(server);
    const colleague = await addAccount(server, tenantId, 'analyst');
    await server.query(`update users set first_name = 'Ada', last_name = 'Lane' where id = $1`, [colleague.userId]);
    const maker = await addPerson(server, tenantId, 'developer');
    await server.query(`update users set first_name = 'Max', last_name = 'Maker' where id = $1`, [maker.userId]);
    const wanted = { url: 'http://127.0.0.1:4000/hook', test: true };
    const made = await callAs(server, maker, 'POST', `/${tenantId}/v1/webhook-endpoints`, wanted);
    const owner = await openConsole(chromium, server, 'owner', { tenantId });
    const { page, go, see, checkQuiet } = owner;
    const confirmBeside = await giveSecondFactor(owner, server);
    await go('/people');
    await page.getByText('Ada Lane').waitFor();
    await see('People', 'people');

    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByRole('button', { name: 'Send invitation' }).click();
    await page.getByText('Enter a whole address').waitFor();
    await page.getByLabel('E-mail address').fill('joel.marsh@example.com');
    await page.getByLabel('Role').selectOption('finance');
    await page.getByRole('button', { name: 'Send invitation' }).click();
    await page.getByText('This needs your second factor.').waitFor();
    await lookAt(page, 'console-invite-step-up');
    await (await confirmBeside()).close();
    await page.getByText('Confirmed. Nothing has been sent yet').waitFor();
    expect(await keptBy(page)).toBe('[[],[]]');
    expect(await server.query('select from invitations where tenant_id = $1', [tenantId])).toHaveLength(0);
    await page.getByRole('button', { name: 'Send invitation' }).click();
    await page.getByText('Invitation sent to joel.marsh@example.com').waitFor();
    await page.getByRole('region', { name: 'Invited' }).getByText('joel.marsh@example.com').waitFor();
    expect(await server.query('select from invitations where tenant_id = $1', [tenantId])).toHaveLength(1);
    await see('People', 'people-invited');

    await page.getByRole('button', { name: 'Actions for Ada Lane' }).click();
    await page.getByRole('menuitem', { name: 'Change role' }).click();
    await page.getByLabel('Role', { exact: true }).selectOption('developer');
    await page.getByRole('button', { name: 'Change role' }).click();
    await page.getByText('Ada Lane is now Developer').waitFor();

    await page.getByRole('button', { name: 'Withdraw the invitation' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    await page.getByText('The invitation is withdrawn').waitFor();

    await page.getByRole('button', { name: 'Actions for Ada Lane' }).click();
    await page.getByRole('menuitem', { name: 'Remove from the company' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Ada Lane is removed').waitFor();
    await page.getByRole('row', { name: /Ada Lane/ }).waitFor({ state: 'detached' });

    // A webhook endpoint goes on when the person leaves who knows its secret, with another one.
    await page.getByRole('button', { name: 'Actions for Max Maker' }).click();
    await page.getByRole('menuitem', { name: 'Remove from the company' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await dialog.getByText('127.0.0.1:4000/hook (test mode)').waitFor();
    await lookAt(page, 'console-remove-webhooks');
    await dialog.getByText('Keep, with new secrets').click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('heading', { name: 'Copy the secret now' }).waitFor();
    const secret = await dialog.locator('code').innerText();
    expect(secret).toMatch(/^whsec_/);
    expect(secret).not.toBe(made.data['secret']);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await go('/webhooks?mode=test');
    await page.getByRole('row', { name: /127\.0\.0\.1:4000.*Enabled/s }).waitFor();
    checkQuiet();
  },
  PATIENCE_MS,
);
