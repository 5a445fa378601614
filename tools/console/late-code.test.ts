// Code of the console that does not come, because the connection is gone or a newer build has taken its place: what is on the page
// stays, a line says what to do, and a page is loaded again by itself at most once (docs/decisions/0228-the-console.md).
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { lookAt } from '../../server/test/support/chromium.ts';
import { eventually } from '../testing/eventually.ts';
import { checkWidths, said, watchCode } from './check-states.ts';
import { SETTINGS } from './events-answers.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
}, 60_000);
afterAll(async () => {
  await stage?.close();
});
vi.setConfig({ testTimeout: 120_000 });

const goTo = (page: Page, place: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: place, exact: true }).click();
const lineOf = (page: Page) => page.getByRole('alert').filter({ hasText: 'This could not be loaded.' });

/** How often the browser has asked for the page itself. */
function countLoads(page: Page): () => number {
  let loads = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads += 1;
  });
  return () => loads;
}

/** As after a deployment: the file of the old build is gone. */
const takeAway = (page: Page, file: string, isGone = () => true) =>
  page.route(`**/console/assets/${file}*`, (route) =>
    isGone() ? route.fulfill({ status: 404, json: { code: 'not-found' } }) : route.fallback(),
  );

test('a page whose code is on its way says so', async () => {
  const page = await stage.open('/reports');
  await said(page, 'Waiting for code');
  await page.route('**/console/assets/wallet-page*', () => {});
  await goTo(page, 'Wallet');
  await page.getByRole('heading', { level: 1, name: 'Loading' }).waitFor();
  await lookAt(page, 'state-late-page-loading');
});

test('offline: a page that was never opened says so under its name, and comes when it is tried again', async () => {
  const page = await stage.open('/reports');
  await said(page, 'Waiting for code');
  const loads = countLoads(page);
  await page.context().setOffline(true);
  await goTo(page, 'Wallet');
  await page.getByRole('heading', { level: 1, name: 'Wallet' }).waitFor();
  await said(page, 'This page could not be loaded');
  await said(page, 'The service could not be reached. Check your connection.');
  await lookAt(page, 'state-late-page');
  await checkWidths(page);
  const again = page.getByRole('button', { name: 'Try again' });
  await again.click();
  await again.waitFor();
  await page.context().setOffline(false);
  await again.click();
  await said(page, '−£1.40');
  expect(loads()).toBe(0);
});

test('after a deployment: a page whose file is gone is loaded again once, and the browser keeps nothing of it', async () => {
  const page = await stage.open('/reports');
  await said(page, 'Waiting for code');
  const loads = countLoads(page);
  await takeAway(page, 'wallet-page', () => loads() === 0);
  await goTo(page, 'Wallet');
  await said(page, '−£1.40');
  expect(loads()).toBe(1);
  await takeAway(page, 'audit-page');
  await goTo(page, 'Audit log');
  await said(page, 'This page could not be loaded');
  await said(page, 'The console may have been updated since you opened it.');
  expect(loads()).toBe(1);
  expect(await page.evaluate('[...Object.keys(sessionStorage), ...Object.keys(localStorage)]')).toEqual(
    expect.not.arrayContaining([expect.not.stringMatching(/^tsr-scroll/)]),
  );
});

test('offline: menus, the palette and dialogs leave the page as it is, and open when they are tried again', async () => {
  const page = await stage.open('/people');
  await said(page, 'Tom Whitlock');
  await page.context().setOffline(true);
  const line = lineOf(page);
  const openers: readonly (readonly [() => Promise<void>, string])[] = [
    [() => page.keyboard.press('Control+k'), 'combobox'],
    [() => page.getByRole('button', { name: 'Amara Okafor, your account' }).click(), 'menu'],
    [() => page.getByRole('button', { name: 'Invite', exact: true }).click(), 'dialog'],
  ];
  for (const [press, role] of openers) {
    await page.context().setOffline(true);
    await press();
    await line.waitFor();
    await said(page, 'Tom Whitlock');
    if (role === 'combobox') await lookAt(page, 'state-late-part');
    await line.getByRole('button', { name: 'Dismiss' }).click();
    await line.waitFor({ state: 'detached' });
    await press();
    await line.waitFor();
    await page.context().setOffline(false);
    // The page learns of it a moment later, and asks for nothing before that.
    await page.getByText('You are offline').waitFor({ state: 'detached' });
    await line.getByRole('button', { name: 'Try again' }).click();
    await page
      .getByRole(role as 'menu')
      .first()
      .waitFor();
    expect(await line.count()).toBe(0);
    await page.keyboard.press('Escape');
    await page
      .getByRole(role as 'menu')
      .first()
      .waitFor({ state: 'detached' });
  }
});

test('after a deployment: a part whose file is gone offers to load the page again; what was typed stays', async () => {
  const page = await stage.open('/new');
  const name = page.getByLabel('First name', { exact: true });
  await name.fill('Marcus');
  const loads = countLoads(page);
  await takeAway(page, 'palette');
  await page.keyboard.press('Control+k');
  const line = lineOf(page);
  await line.getByText('which loses what was typed').waitFor();
  await lookAt(page, 'state-late-part-gone');
  // The last field can be seen and used beside it.
  await page.getByLabel('TransUnion').focus();
  await page.mouse.wheel(0, 5_000);
  const lineTop = (await line.boundingBox())?.y ?? 0;
  await eventually(async () => {
    const last = await page.getByLabel('TransUnion').boundingBox();
    expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThan(lineTop);
  });
  expect([await name.inputValue(), loads()]).toEqual(['Marcus', 0]);
  const asked = page.waitForEvent('dialog');
  const pressing = line.getByRole('button', { name: 'Load the page again' }).click();
  await (await asked).dismiss();
  await pressing;
  expect([await name.inputValue(), loads()]).toEqual(['Marcus', 0]);
});

test('settings: the question before a change was fetched when typing began, so it comes without a connection', async () => {
  const page = await stage.open('/settings', SETTINGS);
  const comes = watchCode(page, 'confirm');
  await page.getByLabel('Days that reports are kept').fill('7');
  await comes();
  await page.context().setOffline(true);
  await page.getByRole('form', { name: 'Reports' }).getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').getByText('Erase 1,284 reports?').waitFor();
  await page.context().setOffline(false);
});

test('no answer at the first load: it says so, and asks again without leaving the page', async () => {
  const page = await stage.open('/reports');
  await said(page, 'Waiting for code');
  await page.route('**/v1/my/tenants', (route) => route.abort());
  await page.reload();
  await said(page, 'No answer came');
  const loads = countLoads(page);
  await page.unroute('**/v1/my/tenants');
  await page.getByRole('button', { name: 'Try again' }).click();
  await said(page, 'Waiting for code');
  expect(loads()).toBe(0);
});

test('no page broke the content policy, and none wrote an error', () => {
  // What did not come is noted by the browser, and by the page that says so.
  const caused = /ERR_FAILED|ERR_INTERNET_DISCONNECTED|^TrefoilNoAnswerError/;
  expect(stage.complaints.filter((text) => !caused.test(text))).toEqual([]);
});
