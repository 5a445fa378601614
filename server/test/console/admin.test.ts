// An admin’s day in the console: a test report whose code is sent again and entered wrong, and what the audit log says of it,
// in a real browser.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestServer } from '../harness.ts';
import { openChromium } from '../support/chromium.ts';
import { keptBy, openConsole, PATIENCE_MS, startConsoleServer } from '../support/console.ts';

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
  'faults of the real API are at their fields; the code is sent again, fails after three wrong ones; the audit log has it',
  async () => {
    const { page, go, checkQuiet } = await openConsole(chromium, server, 'admin');
    await go('/new?mode=test');
    const request = page.getByRole('button', { name: 'Request the report' });
    await request.click();
    await page.getByText('Nothing was requested. 6 fields to correct:').waitFor();
    const faults = await page.getByRole('alert').getByRole('listitem').allInnerTexts();
    expect(faults.map((text) => text.split(':')[0])).toEqual([
      ...['First name', 'Last name', 'Date of birth', 'House number', 'Town or city', 'Postcode'],
    ]);
    const values = { 'First name': 'Ada', 'Last name': 'Example', Day: '9', Month: '3', Year: '1984' };
    const address = { 'Building name': 'Mill House', 'Town or city': 'Ludforth', Postcode: 'hr10 2ab' };
    const contact = { 'Mobile number': '07700 900 123', 'Your reference (optional)': 'Case 4799' };
    for (const [label, value] of Object.entries({ ...values, ...address, ...contact })) {
      await page.getByLabel(label, { exact: true }).fill(value);
    }
    await page.getByLabel('Screening (test mode)').selectOption('challenge');
    await request.click();
    await page.getByRole('heading', { level: 1, name: 'Case 4799' }).waitFor();
    await page.getByText('A text would have gone to the number ending 123').waitFor();
    await page.getByRole('button', { name: 'Send the code again' }).click();
    await page.getByText('Sent again. 1 more text can be sent.').waitFor();
    await page.getByText('Text, as if sent (2)').waitFor();
    for (const left of ['2 attempts left', '1 attempt left', undefined]) {
      await page.getByLabel('Code', { exact: true }).fill('000000');
      await page.getByRole('button', { name: 'Check the code' }).click();
      await page.getByText(left ?? 'There is no report').waitFor();
    }
    await page.getByText('Code entered wrong three times').waitFor();
    expect(await keptBy(page)).toBe('[[],[]]');
    await go('/audit');
    await page.getByText('read the timeline of a report').first().waitFor();
    checkQuiet();
  },
  PATIENCE_MS,
);
