// The sample page of examples/consumer-journey in a real browser, live against the simulators: the whole way of a
// consumer, and every way in which it can end before its end. The fingerprint script is the real one.
import { request as openRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { lookAt, openChromium } from '../support/chromium.ts';
import {
  ask,
  type ConsumerSite,
  fillDetails,
  focused,
  heading,
  newConsumer,
  serveSite,
  startAgain,
  submitCode,
} from '../support/consumer-page.ts';
import { type LiveServer, startLiveServer } from '../support/live.ts';
import { P, wrongCode } from '../support/words.ts';

const COLLECTION = '**/v1/fingerprints/collections';
const CREDITS = 1_000_000;

let server: LiveServer;
let chromium: Browser;
let consumer: ConsumerSite;
let context: BrowserContext;
let complaints: string[];

beforeAll(async () => {
  server = await startLiveServer();
  await server.fund(server.demo.tenantId, CREDITS);
  consumer = await serveSite(server);
  chromium = await openChromium();
}, 60_000);
afterEach(() => context?.close());
afterAll(async () => {
  await chromium?.close();
  await consumer?.close();
  await server?.close();
});

async function newPage(): Promise<Page> {
  ({ context, complaints } = await newConsumer(chromium));
  return context.newPage();
}

const fillIn = (page: Page, email: string) => fillDetails(page, consumer, email);

/** Once no message of an earlier journey is on its way any more. */
async function quietBalance(): Promise<number> {
  const { tenantId } = server.demo;
  await eventually(async () => expect((await server.wallet(tenantId)).held).toBe(0));
  return (await server.wallet(tenantId)).balance;
}

test('challenge, wrong code, another message, right code: the report is shown, and nothing is kept in the browser', async () => {
  const page = await newPage();
  const mobileNumber = await fillIn(page, 'challenge@example.com');
  await lookAt(page, 'journey-details');
  await ask(page);
  await heading(page, 'Enter the code').waitFor();
  expect(await focused(page)).toBe('code');
  await lookAt(page, 'journey-code');
  const first = await server.code(mobileNumber);
  await submitCode(page, '12');
  await page.locator('#code-faults').getByText('Enter the 6-digit code').waitFor();
  await submitCode(page, wrongCode(first));
  await page.locator('#code-faults').getByText('That code is not right. You have 2 tries left').waitFor();
  await lookAt(page, 'journey-code-wrong');
  const resend = page.getByRole('button', { name: 'Send a new code' });
  expect(await resend.isDisabled()).toBe(true);
  await page.clock.fastForward(31_000);
  await resend.click();
  await page.getByText('We sent a new code to the number ending').waitFor();
  expect(await resend.isDisabled()).toBe(true);
  await eventually(async () => expect((await server.inbox(mobileNumber)).length).toBe(2));
  await eventually(async () => expect(await page.getByRole('timer').innerText()).toMatch(/^(5:00|4:5\d)$/));
  await submitCode(page, await server.code(mobileNumber));
  await heading(page, 'Your report').waitFor();
  const kept = await page.evaluate('JSON.stringify([document.cookie, localStorage.length, sessionStorage.length])');
  expect(kept).toBe('["",0,0]');
  const html = await page.content();
  expect(html).not.toMatch(/ds1\.|creditReportId|[0-9a-f]{8}-[0-9a-f]{4}-7/);
  expect(complaints).toEqual([]);
});

test('no challenge: the report at once', async () => {
  const page = await newPage();
  await fillIn(page, 'allow@example.com');
  await ask(page);
  await heading(page, 'Your report').waitFor();
  expect(complaints).toEqual([]);
});

test('nobody found: the page says so, shows no empty report, and offers the details again', async () => {
  const page = await newPage();
  await fillIn(page, 'allow@example.com');
  await page.getByLabel('Last name').fill('Larksworthunknown');
  await ask(page);
  await heading(page, 'No credit file was found with these details').waitFor();
  expect(await page.locator('#stopped-text').innerText()).toMatch(
    /^Equifax, Experian and TransUnion found nobody .+ That is not a clean file: it is no file/,
  );
  expect(page.url()).toBe(`${consumer.siteUrl}/`);
  expect(await focused(page)).toBe('title-stopped');
  await lookAt(page, 'journey-not-found');
  await page.getByRole('button', { name: 'Change my details' }).click();
  expect(await page.getByLabel('Last name').inputValue()).toBe('Larksworthunknown');
  expect(complaints).toEqual([]);
});

test('blocked: a calm end that accuses nobody, says what to do instead, and does not invite to ask again', async () => {
  const page = await newPage();
  await fillIn(page, 'block@example.com');
  await ask(page);
  await heading(page, 'We could not do this online').waitFor();
  expect(await focused(page)).toBe('title-stopped');
  expect(await page.getByRole('button').count()).toBe(0);
  expect(await page.getByRole('link', { name: 'help@example.com' }).isVisible()).toBe(true);
  await lookAt(page, 'journey-blocked');
  expect(complaints).toEqual([]);
});

test('three wrong codes: the page says so and offers to begin again; the company’s charge and its refund are not the consumer’s', async () => {
  const page = await newPage();
  const mobileNumber = await fillIn(page, 'challenge@example.com');
  await ask(page);
  await heading(page, 'Enter the code').waitFor();
  const bad = wrongCode(await server.code(mobileNumber));
  await submitCode(page, bad);
  await page.locator('#code-faults').getByText('You have 2 tries left').waitFor();
  await submitCode(page, bad);
  await page.locator('#code-faults').getByText('You have 1 try left').waitFor();
  await submitCode(page, bad);
  await heading(page, 'That code was wrong three times').waitFor();
  const words = await page.locator('#stopped-text').innerText();
  expect(words).toMatch(/begin again/);
  expect(words).not.toMatch(/charge|refund/);
  expect(await page.title()).toBe('That code was wrong three times – Demo Claims');
  await lookAt(page, 'journey-wrong-codes');
  await page.getByRole('button', { name: 'Start again' }).click();
  expect(await page.getByLabel('Last name').inputValue()).toBe(consumer.person.lastName);
  expect(complaints).toEqual([]);
});

test('a blocked collection: no message is sent, nothing is charged, and starting again checks the device anew', async () => {
  const page = await newPage();
  await page.route(COLLECTION, (route) => route.abort());
  const before = await quietBalance();
  const mobileNumber = await fillIn(page, 'challenge@example.com');
  await ask(page);
  await heading(page, 'We could not check your device').waitFor();
  expect(await server.inbox(mobileNumber)).toEqual([]);
  expect(await quietBalance()).toBe(before);
  await page.unroute(COLLECTION);
  const collected = page.waitForResponse(COLLECTION);
  await page.getByRole('button', { name: 'Start again' }).click();
  expect((await collected).status()).toBe(201);
});

test('a blocked script: without a challenge the report still comes', async () => {
  const page = await newPage();
  await page.route('**/v1/fingerprints/device', (route) => route.abort());
  await fillIn(page, 'allow@example.com');
  await ask(page);
  await heading(page, 'One moment').waitFor();
  await lookAt(page, 'journey-waiting');
  await page.clock.fastForward(9_000);
  await heading(page, 'Your report').waitFor();
});

test('five minutes without a code: told so, and not by a code that fails', async () => {
  const page = await newPage();
  await fillIn(page, 'challenge@example.com');
  await ask(page);
  await heading(page, 'Enter the code').waitFor();
  await page.clock.fastForward(240_000);
  await eventually(async () =>
    expect(await page.locator('#time-spoken').innerText()).toBe('About 1 minute left to enter the code.'),
  );
  await page.clock.fastForward(61_000);
  await heading(page, 'The code has run out').waitFor();
  await lookAt(page, 'journey-expired');
  await page.getByRole('button', { name: 'Start again' }).click();
  expect(await page.getByLabel('Last name').inputValue()).toBe(consumer.person.lastName);
  expect(complaints).toEqual([]);
});

test('a session that has grown too old, or is another person’s: starting again gets a new one', async () => {
  const page = await newPage();
  await fillIn(page, 'challenge@example.com');
  await ask(page);
  await heading(page, 'Enter the code').waitFor();
  await page.clock.fastForward(31 * 60_000);
  await heading(page, 'The code has run out').waitFor();
  const [collected] = await Promise.all([page.waitForResponse(COLLECTION), startAgain(page)]);
  expect(collected.status()).toBe(201);

  await fillIn(page, 'challenge@example.com');
  await page.getByLabel('Last name').fill('Mistyped');
  await ask(page);
  await heading(page, 'Enter the code').waitFor();
  await page.clock.fastForward(301_000);
  await heading(page, 'The code has run out').waitFor();
  await startAgain(page);
  await page.getByLabel('Last name').fill(consumer.person.lastName);
  await ask(page);
  await heading(page, 'We could not check your device').waitFor();
  const [anew] = await Promise.all([page.waitForResponse(COLLECTION), startAgain(page)]);
  expect(anew.status()).toBe(201);
});

test('the answer to a right code gets lost: the same code again shows the report', async () => {
  const page = await newPage();
  const mobileNumber = await fillIn(page, 'challenge@example.com');
  await ask(page);
  await heading(page, 'Enter the code').waitFor();
  const code = await server.code(mobileNumber);
  await page.route('**/api/code', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await submitCode(page, code);
  await page.locator('#code-faults').getByText('We could not check the code just now.').waitFor();
  expect(await focused(page)).toBe('code-faults');
  await page.unroute('**/api/code');
  await submitCode(page, code);
  await heading(page, 'Your report').waitFor();
});

test('another message cannot be had: the code that has arrived is still good', async () => {
  const page = await newPage();
  const mobileNumber = await fillIn(page, 'challenge@example.com');
  await ask(page);
  await heading(page, 'Enter the code').waitFor();
  await page.route('**/api/resend', (route) => route.abort());
  await page.clock.fastForward(31_000);
  await page.getByRole('button', { name: 'Send a new code' }).click();
  await page.getByText('We could not send a new code just now.').waitFor();
  expect(await focused(page)).toBe('resend');
  await lookAt(page, 'journey-not-resent');
  await submitCode(page, await server.code(mobileNumber));
  await heading(page, 'Your report').waitFor();
});

test('the first code arrives while another is asked for: the report is shown, and the clock leaves it alone', async () => {
  const page = await newPage();
  const mobileNumber = await fillIn(page, 'challenge@example.com');
  await ask(page);
  await heading(page, 'Enter the code').waitFor();
  const { promise: isReported, resolve: tellReported } = Promise.withResolvers<void>();
  await page.route('**/api/resend', async (route) => {
    await isReported;
    await route.abort();
  });
  await page.clock.fastForward(31_000);
  await page.getByRole('button', { name: 'Send a new code' }).click();
  await submitCode(page, await server.code(mobileNumber));
  await heading(page, 'Your report').waitFor();
  tellReported();
  await page.clock.runFor(6 * 60_000);
  expect(await heading(page, 'Your report').isVisible()).toBe(true);
  expect(complaints).toEqual([]);
});

test('without JavaScript: told so, and nothing that was typed can get into an address', async () => {
  context = await chromium.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(consumer.siteUrl);
  expect(await page.locator('noscript p').isVisible()).toBe(true);
  expect(await page.getByRole('button', { name: 'Get my report' }).isDisabled()).toBe(true);
  await page.getByLabel('First name').fill('Ines');
  await page.getByLabel('First name').press('Enter');
  expect(page.url()).toBe(`${consumer.siteUrl}/`);
  expect(await page.locator('form:not([method="post"])').count()).toBe(0);
});

test('whatever a fault says is shown as text', async () => {
  const page = await newPage();
  await fillIn(page, 'allow@example.com');
  const evil = '<img src=x onerror="document.title=1"><script>document.title=1</script>';
  await page.route('**/api/report', (route) =>
    route.fulfill({ json: { status: 'invalid', fields: { postcode: evil } } }),
  );
  await ask(page);
  await page.locator('#faults').getByText(evil).waitFor();
  expect(await page.locator('img, main script').count()).toBe(0);
  expect(complaints).toEqual([]);
});

test('404: an address that is none does not stop the site', async () => {
  for (const path of ['//', '/%', '/../site.ts', '/constructor']) {
    expect((await fetch(consumer.siteUrl + path)).status, path).toBe(404);
  }
});

test('faults: all named at the top, which takes the focus, and at each field', async () => {
  const page = await newPage();
  await page.goto(consumer.siteUrl);
  await ask(page);
  expect(await focused(page)).toBe('faults');
  expect(await page.locator('#faults li').count()).toBe(8);
  await lookAt(page, 'journey-faults');
  await page.locator('#faults a').first().press('Enter');
  expect(await focused(page)).toBe('firstName');
  expect(await page.title()).toBe('Error: See what lenders know about you – Demo Claims');
  await fillIn(page, 'not an address');
  await page.getByLabel('Postcode').fill('nowhere');
  await page.getByLabel('Mobile number').fill('12');
  await ask(page);
  await page.locator('#faults').getByText('Enter a UK postcode, like HS10 6QA').waitFor();
  expect(await page.locator('#faults li').allInnerTexts()).toHaveLength(3);
  await page.locator('#faults').getByText('Enter a UK mobile number, like 07700 900123').click();
  expect(await focused(page)).toBe('mobileNumber');
  expect(await page.getByLabel('Postcode').getAttribute('aria-invalid')).toBe('true');
  expect(await page.getByLabel('Mobile number').getAttribute('aria-describedby')).toBe(
    'mobileNumber-hint mobileNumber-error',
  );
  expect(complaints).toEqual([]);
});

test('a connection that breaks after the question: asked again, the same answer, charged once', async () => {
  const page = await newPage();
  // Without a device too, where starting again would otherwise mean a new page and a new question.
  await page.route(COLLECTION, (route) => route.abort());
  const before = await quietBalance();
  await fillIn(page, 'allow@example.com');
  await page.route('**/api/report', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await ask(page);
  await heading(page, 'You seem to be offline').waitFor();
  await lookAt(page, 'journey-offline');
  const charged = before - (await quietBalance());
  expect(charged).toBeGreaterThan(0);
  await page.unroute('**/api/report');
  await page.getByRole('button', { name: 'Try again' }).click();
  await heading(page, 'Your report').waitFor();
  expect(before - (await quietBalance())).toBe(charged);
});

/** Sends the page's request to the site from another address of this machine, and gives back what it answered. */
function sendFrom(localAddress: string, request: Request): Promise<unknown> {
  const { port } = consumer.site.address() as AddressInfo;
  const headers = { 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    openRequest({ host: '127.0.0.1', port, localAddress, method: 'POST', path: '/api/report', headers }, (incoming) => {
      resolve(json(incoming));
    })
      .on('error', reject)
      .end(request.postData());
  });
}

test('a phone that asks again from another network: under the same key, with its first address, charged once', async () => {
  const page = await newPage();
  const before = await quietBalance();
  await fillIn(page, 'allow@example.com');
  const key = await page.locator('#details [name="attemptId"]').inputValue();
  const asked: string[] = [];
  await page.route('**/api/report', async (route) => {
    asked.push(route.request().postDataJSON().attemptId);
    // The first answer is lost on its way.
    const answer = await sendFrom(`127.0.0.${asked.length + 1}`, route.request());
    if (asked.length === 1) await route.abort();
    else await route.fulfill({ json: answer });
  });
  await ask(page);
  await heading(page, 'You seem to be offline').waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await heading(page, 'Your report').waitFor();
  expect(asked).toEqual([key, key]);
  expect(before - (await quietBalance())).toBe(2_000);
});

test('a double click asks once, under the key that was made with the form', async () => {
  const page = await newPage();
  const before = await quietBalance();
  await fillIn(page, 'allow@example.com');
  const key = await page.locator('#details [name="attemptId"]').inputValue();
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/report')) asked.push(request.postDataJSON().attemptId);
  });
  await page.evaluate("for (let click = 0; click < 2; click += 1) document.getElementById('details').requestSubmit()");
  await heading(page, 'Your report').waitFor();
  expect(asked).toEqual([key]);
  expect(before - (await quietBalance())).toBe(P);
});

test('an answer that says nothing of the report: asked again by hand, the same report, charged once', async () => {
  const page = await newPage();
  const before = await quietBalance();
  await fillIn(page, 'allow@example.com');
  await page.route('**/api/report', async (route) => {
    await route.fetch();
    await route.fulfill({ json: { status: 'stopped', why: 'unavailable' } });
  });
  await ask(page);
  await heading(page, 'We cannot get your report just now').waitFor();
  await page.unroute('**/api/report');
  await startAgain(page);
  await ask(page);
  await heading(page, 'Your report').waitFor();
  expect(before - (await quietBalance())).toBe(P);
});
