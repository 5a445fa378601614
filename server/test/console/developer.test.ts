// A developer’s day in the console: credentials, with the second factor asked for in the middle of a form; webhooks and events.
// In a real browser, with a real receiver.
import { createTrefoil } from '@trefoil/sdk';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import type { TestServer } from '../harness.ts';
import { lookAt, openChromium } from '../support/chromium.ts';
import { giveSecondFactor, keptBy, openConsole, PATIENCE_MS, startConsoleServer } from '../support/console.ts';
import { addTenantWithOwner, callAs } from '../support/people.ts';
import { answer, startReceiver, verify } from '../support/receiver.ts';

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

const countOf = async (name: string) => (await server.query('select from credentials where name = $1', [name])).length;

test(
  'a credential is made once, after the second factor was proved beside the form; its secret is shown once',
  async () => {
    const developer = await openConsole(chromium, server, 'developer');
    const { page, tenantId, go, see, checkQuiet } = developer;
    const confirmBeside = await giveSecondFactor(developer, server);
    await go('/credentials');
    await page.getByText('Demo credential').waitFor();
    await see('API credentials', 'credentials');
    await page.getByRole('button', { name: 'New credential' }).click();
    await page.getByRole('button', { name: 'Make credential' }).click();
    await page.getByText('Enter a name').waitFor();
    await lookAt(page, 'console-credential-faults');
    await page.getByLabel('Name').fill('Case portal');
    await page.getByRole('button', { name: 'Make credential' }).click();
    await page.getByText('This needs your second factor.').waitFor();
    await lookAt(page, 'console-credential-step-up');
    const tab = await confirmBeside();
    await lookAt(tab, 'console-confirmed');
    await tab.close();
    await page.getByText('Confirmed. Nothing has been sent yet').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Case portal');
    expect(await countOf('Case portal')).toBe(0);
    await page.getByRole('button', { name: 'Make credential' }).click();
    await page.getByRole('heading', { name: 'Copy the secret now' }).waitFor();
    await lookAt(page, 'console-secret');
    expect(await countOf('Case portal')).toBe(1);
    const clientSecret = await page.getByRole('dialog').locator('code').innerText();
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('heading', { level: 2, name: 'Case portal' }).waitFor();
    const [made] = await server.query<{ id: string }>(`select id from credentials where name = 'Case portal'`);
    const trefoil = createTrefoil({ baseUrl: server.baseUrl, tenantId, clientId: made?.id ?? '', clientSecret });
    expect(await trefoil.getToken()).toMatch(/^ey/);
    expect(await page.content()).not.toContain(clientSecret);
    expect(await keptBy(page)).toBe('[[],[]]');

    await page.getByRole('button', { name: 'Actions for Case portal' }).click();
    await page.getByRole('menuitem', { name: 'Stop it' }).click();
    await lookAt(page, 'console-credential-stop');
    await page.getByRole('dialog').getByRole('button', { name: 'Stop it' }).click();
    await page.getByText('“Case portal” is stopped').waitFor();
    await page.getByText('Stopped', { exact: true }).waitFor();
    checkQuiet();
  },
  PATIENCE_MS,
);

test(
  '401 in the middle of a form: it stays as it is, and the sign-in goes on beside it',
  async () => {
    const developer = await openConsole(chromium, server, 'developer');
    const { page, account, go, checkQuiet } = developer;
    await go('/credentials');
    await page.getByRole('button', { name: 'New credential' }).click();
    await page.getByLabel('Name').fill('Half typed');
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Make credential' }).click();
    await page.getByText('Your sign-in has ended.').first().waitFor();
    const opened = page.context().waitForEvent('page');
    await page.getByRole('link', { name: 'Sign in in a new tab' }).click();
    const tab = await opened;
    await tab.getByLabel('E-mail address').fill(account.email);
    await tab.getByLabel('Password', { exact: true }).fill(account.password);
    await tab.getByRole('button', { name: 'Sign in', exact: true }).click();
    await tab.waitForURL('**/console/confirmed');
    await page.getByText('Confirmed. Nothing has been sent yet').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Half typed');
    expect(await countOf('Half typed')).toBe(0);
    checkQuiet();
  },
  PATIENCE_MS,
);

test(
  'an endpoint is added, a test event arrives and is shown, sent again, and signed with a new secret; events arrive as they happen',
  async () => {
    const { tenantId } = await addTenantWithOwner(server);
    const developer = await openConsole(chromium, server, 'developer', { tenantId });
    const { page, go, see, checkQuiet } = developer;
    const receiver = await startReceiver(answer(503, {}, 'upstream unavailable'));
    await go('/webhooks?mode=test');
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Address').fill('http://192.168.0.1/hook');
    await dialog.getByRole('button', { name: 'Add endpoint' }).click();
    await dialog.getByText('Use port 443').or(dialog.getByText('Use a host')).waitFor();
    await dialog.getByLabel('Address').fill(receiver.url);
    await dialog.getByLabel('Description').fill('Warehouse');
    await dialog.getByRole('button', { name: 'Add endpoint' }).click();
    await page.getByRole('heading', { name: 'Copy the secret now' }).waitFor();
    const first = await dialog.locator('code').innerText();
    expect(first).toMatch(/^whsec_/);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('link', { name: receiver.url.replace('http://', '') }).click();
    await page.getByText('No deliveries yet').waitFor();
    expect([await page.content(), await keptBy(page)].join()).not.toContain(first);

    await page.getByRole('button', { name: 'Send test event' }).click();
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    const deliveries = page.getByRole('region', { name: 'Deliveries' });
    await deliveries.locator('summary').getByText('503').click();
    await deliveries.getByText('upstream unavailable').waitFor();
    await deliveries.getByText('The receiver answered 503.').waitFor();
    await see(receiver.url.replace('http://', ''), 'endpoint');
    const [failed] = receiver.received;
    expect(failed?.event).toMatchObject({ type: 'webhook.test', tenantId, test: true });
    if (failed) verify(first, failed);

    receiver.behave(answer(204));
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Replace the signing secret' }).click();
    await page.getByRole('button', { name: 'Replace secret' }).click();
    await page.getByText('The older secret signs too, until').waitFor();
    const second = await dialog.locator('code').innerText();
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Send again' }).click();
    await deliveries.getByText('Accepted.').waitFor();
    const again = receiver.received.at(-1);
    expect([again?.webhookId, again?.text]).toEqual([failed?.webhookId, failed?.text]);
    // Both secrets sign for a day.
    for (const secret of [first, second]) if (again) verify(secret, again);

    await go('/events?mode=test');
    await page.getByText('Nothing has happened in test mode').waitFor();
    const write = `insert into outbox (tenant_id, type, subject_id, credit_report_id, is_test, amount)
      values ($1, 'report.completed', $2, $2, true, 0)`;
    await server.query(write, [tenantId, '01998a00-4c20-7a11-9b3e-005d2f10aa44']);
    await page.getByRole('button', { name: 'Show 1 new event' }).click();
    await page.getByRole('listitem').getByText('Report complete').click();
    await page.getByText('"creditReportId": "01998a00-4c20-7a11-9b3e-005d2f10aa44"').waitFor();
    await see('Events', 'events');
    await page.reload();
    await page.getByRole('listitem').getByText('Report complete').waitFor();

    await go('/webhooks?mode=test');
    await page.getByRole('link', { name: receiver.url.replace('http://', '') }).click();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete endpoint' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No endpoints of test mode yet').waitFor();
    checkQuiet();
    await receiver.close();
  },
  PATIENCE_MS,
);

test(
  'an endpoint that said 410 is asked and enabled; a delivery shows what was posted; events are sent again',
  async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    const { page, go, see, checkQuiet } = await openConsole(chromium, server, 'developer', { tenantId });
    const receiver = await startReceiver(answer(410));
    const name = receiver.url.replace('http://', '');
    const wanted = { url: receiver.url, test: true };
    const { data } = await callAs(server, owner, 'POST', `/${tenantId}/v1/webhook-endpoints`, wanted);
    const path = `/webhooks/${String(data['id'])}?mode=test`;
    await go(path);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Send test event' }).click();
    await dialog.getByLabel('As if this had happened').selectOption('credit-report.failed');
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    const deliveries = page.getByRole('region', { name: 'Deliveries' });
    await deliveries.locator('summary').getByText('Report failed invented').click();
    await deliveries.getByText('The receiver answered 410 (Gone).').waitFor();
    const [invented] = receiver.received;
    expect(invented?.event).toMatchObject({ type: 'credit-report.failed', test: true, data: { status: 'failed' } });
    const body = deliveries.locator('pre').last();
    expect(await body.innerText()).toBe(invented?.text);

    receiver.behave(answer(204));
    await go(path);
    await page.getByRole('button', { name: 'Enable' }).click();
    await dialog.getByText('it gets one test message first').waitFor();
    await dialog.getByRole('button', { name: 'Enable' }).click();
    await page.getByText('Its receiver accepted: the endpoint is enabled').waitFor();
    await deliveries.getByText('Filter by type, event or time').click();
    await deliveries.getByLabel('Type').selectOption('webhook.test');
    await deliveries.getByRole('button', { name: 'Find' }).click();
    await deliveries.getByText('1 delivery shown').waitFor();
    await see(name, 'endpoint-filtered');
    await deliveries.getByRole('button', { name: 'Clear' }).click();

    const write = `insert into outbox (tenant_id, type, subject_id, credit_report_id, is_test, amount)
      values ($1, 'report.completed', $2, $2, true, 0)`;
    await server.query(write, [tenantId, '01998a00-4c20-7a11-9b3e-005d2f10aa44']);
    const completed = () => receiver.received.filter(({ event }) => event.type === 'credit-report.completed');
    await eventually(() => expect(completed()).toHaveLength(1));
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Send events again' }).click();
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('1 event queued to be sent again').waitFor();
    await eventually(() => expect(completed()).toHaveLength(2));
    expect(new Set(completed().map(({ webhookId }) => webhookId)).size).toBe(1);
    await page.getByRole('region', { name: 'Settings' }).getByText('1 event, on').waitFor();
    checkQuiet();
    await receiver.close();
  },
  PATIENCE_MS,
);
