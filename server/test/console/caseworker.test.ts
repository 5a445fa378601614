// A caseworker’s day in the console: a report for a consumer on the telephone, by keyboard alone, live with simulators; and
// every scenario of the test playground, in a real browser.
import { TEST_CATALOGUE } from '@trefoil/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findPerson } from '../../../tools/dev/ask-simulators.ts';
import { eventually } from '../../../tools/testing/eventually.ts';
import { openChromium } from '../support/chromium.ts';
import { keptBy, openConsole, PATIENCE_MS, startLiveConsoleServer, wordsIn } from '../support/console.ts';
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

const MOBILE = '+447700900481';
const REFERENCE = 'Case 48214';

/** The words of what has the focus: its label, or its own. */
const FOCUSED = `(() => {
  const { activeElement: element } = document;
  return (element.labels?.[0] ?? element).textContent.trim();
})()`;

/** Presses Tab until what has the focus begins with these words. */
async function tabTo(page: Page, words: string): Promise<void> {
  const seen: unknown[] = [];
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(FOCUSED);
    if (String(focused).startsWith(words)) return;
    seen.push(focused);
  }
  throw new Error(`the Tab key does not lead to “${words}”, only to ${seen.join(' | ')}`);
}

async function typeInto(page: Page, label: string, text: string | null | undefined): Promise<void> {
  await tabTo(page, label);
  if (text) await page.keyboard.type(text);
}

test(
  'by keyboard: details, price, one request, a wrong code and the right one; the report was charged once',
  async () => {
    const person = await findPerson(server.providers.addresses.albion, 'person-0001');
    const address = person.addresses.find(({ type }) => type === 'current');
    if (!address) throw new Error('the person has no address');
    const { buildingNumber, buildingName, subBuildingName, thoroughfare, townOrCity, postcode } = address.ukAddress;
    const [year, month, day] = person.dateOfBirth.split('-');
    const { page, addresses, see, checkQuiet } = await openConsole(chromium, server, 'caseworker');
    expect(await page.getByText('Available', { exact: true }).count()).toBe(0);

    await tabTo(page, 'New report');
    await page.keyboard.press('Enter');
    await page.getByText('£100.00 available').waitFor();
    await eventually(async () => expect(await page.evaluate(FOCUSED)).toBe('New report'));
    const fields = {
      'First name': person.firstName,
      'Last name': person.lastName,
      Day: day,
      Month: month,
      Year: year,
      'House number': buildingNumber,
      'Building name': buildingName,
      'Flat or unit': subBuildingName,
      Street: thoroughfare,
      'Town or city': townOrCity,
      Postcode: postcode,
      'Mobile number': MOBILE.replace('+44', '0'),
      // The simulated screening asks for a code.
      'E-mail address': 'challenge@example.com',
      'Your reference': REFERENCE,
    };
    for (const [label, text] of Object.entries(fields)) await typeInto(page, label, text);
    await tabTo(page, 'Request the report');
    await page.keyboard.press('Enter');
    await page.getByText('A text with a code went to the number ending 481').waitFor({ timeout: 30_000 });

    await typeInto(page, 'Code', '000000');
    await page.keyboard.press('Enter');
    await page.getByText('That code is wrong. 2 attempts left.').waitFor();
    // The field has the focus again.
    await page.keyboard.type(await server.code(MOBILE));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 2, name: /Car finance/ }).waitFor({ timeout: 30_000 });
    await page.getByText('Right code').waitFor();
    await see('Case 48214', 'report-of-caseworker');
    // What it cost is the wallet's, which is not theirs.
    expect(await page.getByRole('heading', { name: 'Cost' }).count()).toBe(0);

    const { items } = (await server.trefoil.listReports({ externalReference: REFERENCE })).data;
    expect(items).toMatchObject([{ status: 'complete', source: 'console', test: false }]);
    const creditReportId = items[0]?.creditReportId ?? '';
    await server.receiptsApplied();
    const lines = (await server.trefoil.listWalletEntries({ creditReportId })).data.items;
    expect(lines.filter(({ kind }) => kind === 'report-charge')).toMatchObject([{ amount: -2_000 }]);
    expect(lines.filter(({ kind }) => kind === 'sms-charge')).toMatchObject([{ amount: -40 }]);

    // Nothing of the consumer was in an address, is left in the browser, or is in the log.
    const titles = [await page.title()];
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    expect(await keptBy(page)).toBe('[[],[]]');
    const told = [...addresses, ...titles, await page.title(), server.logText()].join('\n');
    const pages = [/\/new$/m, new RegExp(`/console/.*/reports/${creditReportId}$`, 'm'), /\/v1\/credit-reports$/m];
    for (const page of pages) expect(told).toMatch(page);
    const secrets = [person.lastName, postcode, '7700900481', 'challenge@example.com', REFERENCE];
    expect(wordsIn(told, secrets)).toEqual([]);
    checkQuiet();
  },
  PATIENCE_MS,
);

test(
  'the playground: every scenario of the catalogue runs by a click, none as a mistake of the page; inbox and clock',
  async () => {
    const { page, go, see, checkQuiet } = await openConsole(chromium, server, 'caseworker');
    await go('/playground?mode=test');
    const runs = page.getByRole('button', { name: /^Run / });
    await runs.first().waitFor();
    expect(await runs.count()).toBe(TEST_CATALOGUE.total);
    // All at once: one of them is slow on purpose.
    await runs.evaluateAll((buttons) => {
      for (const button of buttons as unknown as { click(): void }[]) button.click();
    });
    const results = page.locator('li [role=status]:not(:empty)');
    await eventually(async () => expect(await results.count()).toBe(TEST_CATALOGUE.total));
    const told = await results.allInnerTexts();
    const asked = ['403 step-up-required', '500 internal-error', '503 service-unavailable', '503 service-unavailable'];
    const refused = told.filter((text) => /^(400|403|404|409|5\d\d)|No answer/.test(text));
    expect(refused.map((text) => /^\d+ [a-z-]+/.exec(text)?.[0] ?? text).toSorted()).toEqual(asked);
    // One of each kind: an outcome, refusals before and after a report, a wrong code, and a code that expired.
    const all = told.join('\n');
    for (const words of ['Complete', 'Blocked', 'Wrong code', '402 insufficient-credits', '410 credit-report-purged']) {
      expect(all).toContain(words);
    }
    expect(all).toContain('429 rate-limited');
    expect(all).toContain('429 sms-limit-reached');
    expect(all).toContain('After 301 seconds.');

    const inbox = page.getByRole('region', { name: 'Test inbox' });
    await eventually(async () => expect(await inbox.getByText(/123456 is your code/).count()).toBe(10));
    await page.getByRole('button', { name: 'Run challenge', exact: true }).click();
    await see('Test playground', 'playground');
    await go('/playground?mode=test');
    const newest = inbox.getByRole('listitem').first();
    await newest.getByRole('button', { name: 'Move the clock: 1 minute' }).click();
    await newest.getByText(/The code works for \d+ more seconds/).waitFor();
    await newest.getByRole('link', { name: 'Open the report' }).click();
    await page.getByLabel('Code', { exact: true }).fill('123456');
    await page.getByRole('button', { name: 'Check the code' }).click();
    await page.getByRole('heading', { level: 2, name: /Car finance/ }).waitFor();
    expect(page.url()).toContain('mode=test');
    checkQuiet(/status of 50[03]/);
  },
  PATIENCE_MS,
);
