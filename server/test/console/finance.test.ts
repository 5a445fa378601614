// A finance person’s day in the console: Home, money, reports without their content, and the audit log, in a real browser.
import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { rollUpUsage } from '../../src/usage/roll-up-usage.ts';
import { generateBody } from '../harness.ts';
import { openChromium } from '../support/chromium.ts';
import { completeLive, openConsole, PATIENCE_MS, startLiveConsoleServer } from '../support/console.ts';
import { type LiveServer, liveBody } from '../support/live.ts';
import { quietMobile } from '../support/words.ts';

let server: LiveServer;
let chromium: Browser;
let creditReportId: string;
beforeAll(async () => {
  server = await startLiveConsoleServer();
  chromium = await openChromium();
  await server.fund(server.demo.tenantId, 100_000);
  creditReportId = await completeLive(server, { externalReference: 'Case 4713' });
  const asked = { email: 'challenge@example.com', mobileNumber: quietMobile() };
  await server.trefoil.generate(liveBody(server.mintSession(), asked));
  await server.trefoil.generate(generateBody({ externalReference: 'Case 4714' }));
  await server.trefoil.generate(generateBody({ challengeOptions: { status: 'block' } }));
  // Outcomes follow within seconds; here as soon as the transactions of other tests allow.
  const counted = async () => {
    await rollUpUsage(server.database);
    const [live, inTest] = await Promise.all([false, true].map((isTest) => server.trefoil.getUsage({ test: isTest })));
    return [live?.data.codes.sent, live?.data.outcomes.complete, inTest?.data.outcomes];
  };
  const expected = [1, 1, { complete: 1, blocked: 1, failed: 0, expired: 0 }];
  await eventually(async () => expect(await counted()).toEqual(expected));
}, 120_000);
afterAll(async () => {
  await chromium?.close();
  await server?.close();
});

/** In words of the test's own: 1,000 credits are one pound, and the minus is a real one. */
function pounds(credits: number): string {
  const amount = (Math.abs(credits) / 1_000).toLocaleString('en-GB', { minimumFractionDigits: 2 });
  return `${credits < 0 ? '−' : ''}£${amount}`;
}
const signed = (credits: number) => (credits > 0 ? `+${pounds(credits)}` : pounds(credits));

/** The text of a card in one line, once it has its figures. */
async function cardText(page: Page, name: string, figure: string): Promise<string> {
  const card = page.getByRole('region', { name, exact: true });
  await card.getByText(figure).first().waitFor();
  return (await card.innerText()).replaceAll(/\s+/g, ' ');
}

test(
  'Home has the figures of the API, live and test apart, and nothing about a consumer',
  async () => {
    const { page, see, checkQuiet } = await openConsole(chromium, server, 'finance');
    const [wallet, usage, bureaus] = await Promise.all([
      server.trefoil.getWallet(),
      server.trefoil.getUsage({ days: 14 }),
      server.trefoil.getBureaus(),
    ]);
    const { balance, available, held } = wallet.data;
    expect([balance, held]).toEqual([100_000 - 2 * 2_000, 40]);
    const { spent, last7DaysCredits, outcomes, codes } = usage.data;
    const about = Math.floor((7 * available) / last7DaysCredits);
    expect(await cardText(page, 'Balance', 'at this week’s pace')).toContain(
      `${pounds(balance)} About ${Math.floor(about / 7)} weeks at this week’s pace Available ${pounds(available)} ` +
        `Held for work in progress ${pounds(held)} Spent in the last 7 days ${pounds(last7DaysCredits)}`,
    );
    const total = pounds(spent.reports + spent.messages);
    expect(await cardText(page, 'Spend', total)).toContain(`Reports ${pounds(spent.reports)} Text messages`);
    const today = page.getByRole('region', { name: 'Spend' }).getByRole('row').last();
    expect((await today.innerText()).split('\t').slice(1)).toEqual([
      pounds(spent.reports),
      pounds(spent.messages),
      total,
    ]);
    expect(await cardText(page, 'Outcomes', 'Complete')).toContain(`Complete ${outcomes.complete} `);
    expect(await cardText(page, 'One-time codes', 'Sent')).toContain(
      `Sent ${codes.sent} Delivered ${codes.delivered} `,
    );
    const asked = bureaus.data.items[0]?.slots.reduce((sum, slot) => sum + slot.asked, 0);
    expect(await cardText(page, 'Bureaus', 'Equifax')).toMatch(`${asked} enquir`);
    expect(await cardText(page, 'Recent activity', 'Top-up')).toContain(`Top-up ${signed(100_000)}`);
    await see('Home', 'home');

    await page.getByText('Test', { exact: true }).click();
    await page.getByText('Money and bureaus are live only').waitFor();
    expect(await cardText(page, 'Outcomes', 'Complete')).toMatch(/Complete 1 50% Blocked 1 50% Failed 0 0%/);
    expect(await page.getByRole('main').innerText()).not.toContain('£');
    await see('Home', 'home-test');
    expect(await page.content()).not.toMatch(/Case 471|Example|Mill Lane/);
    checkQuiet();
  },
  PATIENCE_MS,
);

test(
  'the wallet: the totals of the month and its lines, the same as CSV; a report without its content; the audit log',
  async () => {
    const { page, go, see, checkQuiet } = await openConsole(chromium, server, 'finance');
    await page.getByRole('link', { name: 'Statement' }).click();
    const line = page.getByRole('row', { name: /^Report, 3 bureaus/ }).last();
    await line.waitFor();
    expect(await line.innerText()).toMatch(/Report.*−£2\.00.*−2,000/s);
    const [month] = (await server.trefoil.listWalletMonths()).data.items;
    if (!month) throw new Error('there is no month');
    const { opening, topUps, reports, messages, refunds, closing, count } = month;
    await page.getByText('Balance now').waitFor();
    expect((await page.getByRole('main').innerText()).replaceAll(/\s+/g, ' ')).toContain(
      `Opening balance ${pounds(opening)} Top-ups ${signed(topUps)} Reports ${signed(reports)} ` +
        `Text messages ${signed(messages)} Refunds ${signed(refunds)} Balance now ${pounds(closing)}`,
    );
    await page.getByText(`${count} lines shown`).waitFor();
    await page
      .getByText(`${closing.toLocaleString('en-GB')} credits`)
      .first()
      .waitFor();
    await see('Wallet', 'wallet');
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: /CSV/ }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe(`statement-${month.month}.csv`);
    const csv = await readFile(await download.path(), 'utf8');
    expect(csv.trim().split('\r\n')).toHaveLength(1 + count);
    expect(csv).toContain('report-charge');
    // Their role does not include references, which may name a person.
    expect(csv).not.toContain('Case 4713');
    const pdf = await page.request.get(String(await page.getByRole('link', { name: /^PDF/ }).getAttribute('href')));
    expect([pdf.status(), pdf.headers()['content-type']]).toEqual([200, 'application/pdf']);
    // The wallet has no month before its first line.
    expect(await page.getByRole('button', { name: 'Month before' }).isDisabled()).toBe(true);

    await page.locator(`a[href$="/reports/${creditReportId}"]`).click();
    await page.getByText('Your role sees reports without their content').waitFor();
    await see('Report', 'report-finance');
    expect(await page.getByRole('link', { name: 'PDF' }).count()).toBe(0);
    await go('/wallet?month=2026-01');
    await page.getByText('Nothing moved in January 2026').waitFor();
    expect(await page.getByRole('link', { name: /^PDF/ }).count()).toBe(0);
    await see('Wallet', 'wallet-empty');

    await page.getByRole('link', { name: 'Reports', exact: true }).click();
    await page.getByText('2 reports shown').waitFor();
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByText('listed reports').first().waitFor();
    await page.locator('summary').first().click();
    await page.getByText('Hash before').first().waitFor();
    await see('Audit log', 'audit');
    await page.getByLabel('What').selectOption('member.removed');
    await page.getByText('Nothing found').waitFor();
    await see('Audit log', 'audit-none');
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await page.getByText('listed reports').first().waitFor();
    checkQuiet();
  },
  PATIENCE_MS,
);
