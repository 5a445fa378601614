// The report on the sample page of examples/consumer-journey: Trefoil's own document, read, printed and downloaded by the
// browser that completed the journey, and by no other. In a real browser, against the real server.
import { readFile } from 'node:fs/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { lookAt, openChromium } from '../support/chromium.ts';
import {
  ask,
  COMPANY,
  type ConsumerSite,
  fillDetails,
  heading,
  newConsumer,
  serveSite,
  submitCode,
} from '../support/consumer-page.ts';
import { type LiveServer, startLiveServer } from '../support/live.ts';
import { control } from '../support/providers.ts';

/** The report is long: looking at it takes its time. */
vi.setConfig({ testTimeout: 90_000 });

let server: LiveServer;
let chromium: Browser;
let consumer: ConsumerSite;
let context: BrowserContext;
let complaints: string[];

beforeAll(async () => {
  server = await startLiveServer();
  await server.fund(server.demo.tenantId, 1_000_000);
  consumer = await serveSite(server);
  chromium = await openChromium();
}, 60_000);
afterEach(() => context?.close());
afterAll(async () => {
  await chromium?.close();
  await consumer?.close();
  await server?.close();
});

async function openReport(site = consumer): Promise<Page> {
  ({ context, complaints } = await newConsumer(chromium));
  const page = await context.newPage();
  await fillDetails(page, site, 'allow@example.com');
  await ask(page);
  await heading(page, 'Your report').waitFor();
  return page;
}

const cookieOf = async () => (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
const inFrame = (page: Page) => page.frameLocator('#document');
const ADDRESSES = ['/report', '/report/document', '/report/pdf'];

test('the report is Trefoil’s document, as tall as it is, in a frame without scripts; loading the page again shows it again', async () => {
  const page = await openReport();
  const { person } = consumer;
  await inFrame(page).getByText(`${person.firstName} ${person.lastName}`).first().waitFor();
  await inFrame(page).getByText(COMPANY).first().waitFor();
  expect(await inFrame(page).locator('script').count()).toBe(0);
  const sandbox = (await page.locator('#document').getAttribute('sandbox')) ?? '';
  expect(sandbox).not.toContain('allow-scripts');
  const frameHeight = () => page.locator('#document').evaluate((frame) => frame.getBoundingClientRect().height);
  const reportHeight = () =>
    inFrame(page)
      .locator('html')
      .evaluate((html) => Math.ceil(html.getBoundingClientRect().height));
  const onPhone = await reportHeight();
  await eventually(async () => expect(await frameHeight()).toBe(onPhone));
  await page.setViewportSize({ width: 1_280, height: 800 });
  await eventually(async () => expect(await frameHeight()).toBeLessThan(onPhone));
  expect(await frameHeight()).toBe(await reportHeight());
  await lookAt(page, 'report');
  await page.reload();
  await inFrame(page).getByText(`${person.firstName} ${person.lastName}`).first().waitFor();
  expect(page.url()).toBe(`${consumer.siteUrl}/report`);
  await page.goto(`${consumer.siteUrl}/report/document`);
  await lookAt(page, 'report-document');
  expect(complaints).toEqual([]);
});

test('the PDF is a file whose name says nothing of the person', async () => {
  const page = await openReport();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download as PDF' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('credit-report.pdf');
  expect((await readFile(await download.path())).subarray(0, 5).toString()).toBe('%PDF-');
});

test('the Print button and Ctrl+P print the report itself; other ways to print say how', async () => {
  const page = await openReport();
  await inFrame(page).locator('h1').waitFor();
  // A browser without a screen opens no print dialog: the call is what can be seen.
  await page.evaluate(`
    window.printed = 0;
    document.getElementById('document').contentWindow.print = () => { window.printed += 1; };`);
  await page.getByRole('button', { name: 'Print' }).click();
  await page.keyboard.press('Control+p');
  expect(await page.evaluate('window.printed')).toBe(2);
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('.print-only').isVisible()).toBe(true);
  expect(await page.locator('#document').isVisible()).toBe(false);
});

test('404: no other browser gets the report, nor this one after it was closed', async () => {
  const page = await openReport();
  await inFrame(page).locator('h1').waitFor();
  const other = await chromium.newContext();
  const stranger = await other.newPage();
  for (const path of ADDRESSES) {
    const answer = await stranger.goto(consumer.siteUrl + path);
    expect(answer?.status(), path).toBe(404);
    expect(await stranger.content()).not.toContain(consumer.person.lastName);
  }
  await other.close();
  const cookie = await cookieOf();
  await page.getByRole('button', { name: 'Close my report' }).click();
  await heading(page, 'Your report is closed').waitFor();
  await lookAt(page, 'report-closed');
  expect(await context.cookies()).toEqual([]);
  await page.goBack();
  expect(await page.content()).not.toContain(consumer.person.lastName);
  // The cookie itself opens nothing any more.
  for (const path of ADDRESSES) {
    const answer = await fetch(consumer.siteUrl + path, { headers: { cookie } });
    expect(answer.status, path).toBe(404);
  }
});

test('404: a browser that was asked for a code and did not enter it gets no report, though its journey is open', async () => {
  ({ context, complaints } = await newConsumer(chromium));
  const page = await context.newPage();
  const mobileNumber = await fillDetails(page, consumer, 'challenge@example.com');
  await ask(page);
  await heading(page, 'Enter the code').waitFor();
  const cookie = await cookieOf();
  const read = (path: string) => fetch(consumer.siteUrl + path, { headers: { cookie } }).then(({ status }) => status);
  expect(await Promise.all(ADDRESSES.map(read))).toEqual([404, 404, 404]);
  await submitCode(page, await server.code(mobileNumber));
  await heading(page, 'Your report').waitFor();
  // The cookie of the open challenge does not become the one of the report.
  expect(await Promise.all(ADDRESSES.map(read))).toEqual([404, 404, 404]);
});

test('nothing may be kept or framed elsewhere, and no address or header holds an id or a name', async () => {
  const page = await openReport();
  await inFrame(page).locator('h1').waitFor();
  const cookie = await cookieOf();
  const [report] = await server.query<{ id: string }>('select id from credit_reports order by id desc limit 1');
  for (const path of ADDRESSES) {
    const answer = await fetch(consumer.siteUrl + path, { headers: { cookie } });
    expect(answer.status, path).toBe(200);
    const { 'content-security-policy': policy = '', ...headers } = Object.fromEntries(answer.headers);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(policy).toMatch(/^default-src 'none'/);
    expect(policy).not.toContain('unsafe-inline');
    expect(policy.match(/frame-ancestors [^;]+/g)).toEqual([
      `frame-ancestors '${path === '/report' ? 'none' : 'self'}'`,
    ]);
    expect(JSON.stringify(headers)).not.toMatch(new RegExp(`${report?.id}|${consumer.person.lastName}`, 'i'));
  }
  const script = await fetch(`${consumer.siteUrl}/report/document`, { headers: { cookie } });
  expect(script.headers.get('content-security-policy')).not.toContain('script-src');
});

test('one agency found nobody and another did not answer: the report says so, in two sentences', async () => {
  const match = { person: 'person-0001' };
  await control(server, 'albion', { match, behaviour: 'no-trace', times: 1 });
  await control(server, 'beacon', { match, behaviour: 'reset', times: 1 });
  const page = await openReport();
  await inFrame(page).getByText('Equifax found nobody').first().waitFor();
  await inFrame(page).getByText('Experian did not answer').first().waitFor();
  const text = await inFrame(page).locator('body').innerText();
  expect(text.split(/[.\n]/).filter((each) => /found nobody/i.test(each) && /did not answer/i.test(each))).toEqual([]);
  expect(complaints).toEqual([]);
});

test('without JavaScript: the report can be read, and the PDF can be downloaded', async () => {
  await openReport();
  const cookies = await context.cookies();
  const plain = await chromium.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
  await plain.addCookies(cookies);
  const page = await plain.newPage();
  await page.goto(`${consumer.siteUrl}/report`);
  await inFrame(page).locator('h1').waitFor();
  expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
  expect(await page.getByRole('link', { name: 'Download as PDF' }).isVisible()).toBe(true);
  await plain.close();
});

test('every control is at least 44 pixels high', async () => {
  const page = await openReport();
  const small = await page
    .locator('a:visible, button:visible')
    .evaluateAll((all) => all.filter((each) => each.getBoundingClientRect().height < 44).map((each) => each.outerHTML));
  expect(small).toEqual([]);
});

test('503: Trefoil has no document just now: the page says so, offers to try again, and then has it', async () => {
  const page = await openReport();
  await inFrame(page).locator('h1').waitFor();
  await server.query('alter table credit_reports rename to credit_reports_away');
  try {
    await page.reload();
    await heading(page, 'We cannot show your report just now').waitFor();
    expect(await page.title()).toBe(`We cannot show your report just now – ${COMPANY}`);
    expect(await page.locator('iframe, button, [href="/report/pdf"]').count()).toBe(0);
    await lookAt(page, 'report-not-now');
    await page.goto(`${consumer.siteUrl}/report/pdf`);
    await heading(page, 'We cannot show your report just now').waitFor();
    await page.goBack();
  } finally {
    await server.query('alter table credit_reports_away rename to credit_reports');
  }
  await page.getByRole('link', { name: 'Try again' }).click();
  await inFrame(page).getByText(consumer.person.lastName).first().waitFor();
});

test('410: a report that Trefoil has erased: said so, and not as something to try again', async () => {
  const page = await openReport();
  await inFrame(page).locator('h1').waitFor();
  await server.query('update credit_reports set purged_at = now()');
  const [answer] = await Promise.all([
    page.waitForResponse((each) => each.url().endsWith('/report/document')),
    page.reload(),
  ]);
  expect(answer.status()).toBe(410);
  await heading(page, 'This report has been deleted').waitFor();
  expect(await page.locator('iframe, button, [href="/report/pdf"]').count()).toBe(0);
  await lookAt(page, 'report-deleted');
});
