// An analyst’s day in the console: reports of every outcome, in a real browser.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findPerson } from '../../../tools/dev/ask-simulators.ts';
import { eventually } from '../../../tools/testing/eventually.ts';
import { generateBody, startChallenge } from '../harness.ts';
import { openChromium } from '../support/chromium.ts';
import { completeLive, openConsole, PATIENCE_MS, startLiveConsoleServer } from '../support/console.ts';
import type { LiveServer } from '../support/live.ts';

let server: LiveServer;
let chromium: Browser;
beforeAll(async () => {
  server = await startLiveConsoleServer();
  chromium = await openChromium();
  await server.fund(server.demo.tenantId, 100_000);
}, 120_000);
afterAll(async () => {
  await chromium?.close();
  await server?.close();
});

const inTest = async (email: string) => (await server.trefoil.generate(generateBody({ email }))).data.creditReportId;

test(
  'an analyst reads a report: car finance first, JSON and PDF; what it cost is beside it',
  async () => {
    const person = await findPerson(server.providers.addresses.albion, 'person-0001');
    const creditReportId = await completeLive(server, person);
    const { page, go, see, checkQuiet } = await openConsole(chromium, server, 'analyst');
    await go('/reports');
    await page
      .getByRole('link', { name: creditReportId.slice(-6) })
      .first()
      .click();
    await page.getByRole('heading', { level: 2, name: /Car finance/ }).waitFor();
    await page.getByRole('row', { name: /Report 3 bureaus £2.00/ }).waitFor();
    await see('Report', 'report');
    await page.getByRole('link', { name: 'Raw JSON' }).click();
    await page.getByRole('region', { name: 'The body' }).waitFor();
    await see('Report', 'report-json');
    await page.reload();
    await page.getByText('"creditReportId"').waitFor();
    const pdf = await page.request.get(String(await page.getByRole('link', { name: 'PDF' }).getAttribute('href')));
    expect([pdf.status(), pdf.headers()['content-type']]).toEqual([200, 'application/pdf']);
    await go('/reports');
    expect(await page.getByRole('link', { name: 'API reference' }).count()).toBe(0);
    checkQuiet();
  },
  PATIENCE_MS,
);

test(
  'every outcome has its page: no file, waiting, blocked, failed, erased',
  async () => {
    const { page, go, see, checkQuiet } = await openConsole(chromium, server, 'analyst');
    await go(`/reports/${await inTest('test001@example.com')}?mode=test`);
    await page.getByText('No bureau shows a car finance agreement.').waitFor();
    await page.getByText('This test report cost nothing.').waitFor();
    await see('Report', 'report-no-car');
    const charged = await server.trefoil.generate(generateBody({ testOptions: { charges: true } }));
    await go(`/reports/${charged.data.creditReportId}?mode=test`);
    await page.getByRole('row', { name: /Report 3 bureaus £2.00/ }).waitFor();
    await page.getByText('Charged to the test wallet').waitFor();
    await see('Report', 'report-test-charged');
    const { creditReportId } = await startChallenge(server.trefoil);
    await go(`/reports/${creditReportId}?mode=test`);
    await page.getByText('Waiting for the code').waitFor();
    await see('Report', 'report-waiting');
    const blocked = await server.trefoil.generate(generateBody({ challengeOptions: { status: 'block' } }));
    await go(`/reports/${blocked.data.creditReportId}?mode=test`);
    await page.getByText('Stopped by screening').waitFor();
    await see('Report', 'report-blocked');
    const erased = await inTest('test002@example.com');
    await server.query(`update credit_reports set purged_at = now(), sealed_report = null where id = $1`, [erased]);
    await go(`/reports/${erased}?mode=test`);
    await page.getByText('The content of this report was erased').waitFor();
    await see('Report', 'report-erased');
    checkQuiet();
  },
  PATIENCE_MS,
);

test(
  'outcomes filter the list, and the filter is in the address',
  async () => {
    await server.trefoil.generate(generateBody({ challengeOptions: { status: 'block' } }));
    const { page, go, checkQuiet } = await openConsole(chromium, server, 'analyst');
    await go('/reports?mode=test');
    await page.getByRole('link', { name: 'Blocked' }).click();
    await page.waitForURL('**/reports?**status=blocked');
    await eventually(async () => expect(await page.getByRole('row').count()).toBeGreaterThan(1));
    const badges = await page.locator('tbody td:nth-child(2)').allInnerTexts();
    for (const badge of badges) expect(badge).toMatch(/^Blocked/);
    checkQuiet();
  },
  PATIENCE_MS,
);
