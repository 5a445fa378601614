// The sample page of examples/consumer-journey in a real browser, live against the simulators: the whole way of a
// consumer, and every way in which it can end before its end. The fingerprint script is the real one.
import { request as openRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createSite } from '../../../examples/consumer-journey/site.ts';
import { findPerson } from '../../src/cli/ask-simulators.ts';
import { collectComplaints, lookAt, openChromium } from '../support/chromium.ts';
import { type LiveServer, startLiveServer } from '../support/live.ts';
import { control } from '../support/providers.ts';
import { P, wrongCode } from '../support/words.ts';

const COLLECTION = '**/v1/fingerprints/collections';
const CREDITS = 1_000_000;

let server: LiveServer;
let chromium: Browser;
let site: ReturnType<typeof createSite>;
let siteUrl: string;
let person: Awaited<ReturnType<typeof findPerson>>;
let context: BrowserContext;
let complaints: string[];
let phones = 0;

beforeAll(async () => {
  server = await startLiveServer();
  await server.fund(server.demo.tenantId, CREDITS);
  person = await findPerson(server.providers.addresses.albion, 'person-0001');
  site = createSite({ trefoil: server.trefoil, baseUrl: server.baseUrl, isTest: false });
  // Of IPv4 this machine has more than one address of its own to come from.
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  siteUrl = `http://localhost:${(site.address() as AddressInfo).port}`;
  chromium = await openChromium();
}, 60_000);
afterEach(() => context?.close());
afterAll(async () => {
  await chromium?.close();
  await new Promise((resolve) => site?.close(resolve));
  await server?.close();
});

async function newPage(): Promise<Page> {
  context = await chromium.newContext({ viewport: { width: 390, height: 844 }, locale: 'en-GB' });
  complaints = collectComplaints(context);
  context.setDefaultTimeout(20_000);
  // Runs as time does, until a test moves it on.
  await context.clock.install();
  return context.newPage();
}

/** Fills in the details of somebody the bureaus know; the e-mail address chooses what the screening says. */
async function fillDetails(page: Page, email: string): Promise<string> {
  const mobileNumber = `+4477009001${String(phones++).padStart(2, '0')}`;
  const { ukAddress } = person.addresses[0] ?? {};
  await page.goto(siteUrl);
  await page.getByLabel('First name').fill(person.firstName);
  await page.getByLabel('Last name').fill(person.lastName);
  await page.getByLabel('Date of birth').fill(person.dateOfBirth);
  await page.getByLabel('Mobile number').fill(mobileNumber);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('House number or name').fill(ukAddress?.buildingNumber ?? ukAddress?.buildingName ?? '1');
  await page.getByLabel('Street').fill(ukAddress?.thoroughfare ?? '');
  await page.getByLabel('Town or city').fill(ukAddress?.townOrCity ?? '');
  await page.getByLabel('Postcode').fill(ukAddress?.postcode ?? '');
  await page.getByLabel('I ask Example Finance').check();
  return mobileNumber;
}

const ask = (page: Page) => page.getByRole('button', { name: 'Get my report' }).click();
const startAgain = (page: Page) => page.getByRole('button', { name: 'Start again' }).click();
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const focused = (page: Page) => page.evaluate('document.activeElement.id') as Promise<string>;

async function submitCode(page: Page, code: string): Promise<void> {
  await page.getByLabel('Code', { exact: true }).fill(code);
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** Once no message of an earlier journey is on its way any more. */
async function quietBalance(): Promise<number> {
  const { tenantId } = server.demo;
  await expect.poll(async () => (await server.wallet(tenantId)).held, { timeout: 10_000 }).toBe(0);
  return (await server.wallet(tenantId)).balance;
}

test('challenge, wrong code, another message, right code: the report is shown, and nothing is kept in the browser', async () => {
  const page = await newPage();
  const mobileNumber = await fillDetails(page, 'challenge@example.com');
  await lookAt(page, 'journey-details');
  await ask(page);
  await heading(page, 'Enter the code we sent you').waitFor();
  expect(await focused(page)).toBe('code');
  await lookAt(page, 'journey-code');
  const first = await server.code(mobileNumber);
  await submitCode(page, '12');
  await page.getByText('Enter the six digits of the code.').waitFor();
  await submitCode(page, wrongCode(first));
  await page.getByText('This code is not right. You have 2 more tries.').waitFor();
  await lookAt(page, 'journey-code-wrong');
  const resend = page.getByRole('button', { name: 'Send another code' });
  expect(await resend.isDisabled()).toBe(true);
  await page.clock.fastForward(31_000);
  await resend.click();
  await page.getByText('We have sent another code.').waitFor();
  expect(await resend.isDisabled()).toBe(true);
  await expect.poll(async () => (await server.inbox(mobileNumber)).length).toBe(2);
  await expect.poll(async () => page.getByRole('timer').innerText()).toMatch(/^(5:00|4:5\d)$/);
  await submitCode(page, await server.code(mobileNumber));
  await heading(page, 'Your report').waitFor();
  expect(await focused(page)).toBe('title-report');
  expect(await page.locator('.accounts li').count()).toBeGreaterThan(0);
  await lookAt(page, 'journey-report');
  const kept = await page.evaluate('JSON.stringify([document.cookie, localStorage.length, sessionStorage.length])');
  expect(kept).toBe('["",0,0]');
  const html = await page.content();
  expect(html).not.toMatch(/ds1\.|creditReportId|[0-9a-f]{8}-[0-9a-f]{4}-7/);
  expect(complaints).toEqual([]);
});

test('no challenge: the report at once', async () => {
  const page = await newPage();
  await fillDetails(page, 'allow@example.com');
  await ask(page);
  await heading(page, 'Your report').waitFor();
  expect(complaints).toEqual([]);
});

test('nobody found: the page says so, shows no empty report, and offers the details again', async () => {
  const page = await newPage();
  await fillDetails(page, 'allow@example.com');
  await page.getByLabel('Last name').fill('Larksworthunknown');
  await ask(page);
  await heading(page, 'We did not find you').waitFor();
  expect(await page.getByText('on record').count()).toBe(0);
  expect(await focused(page)).toBe('title-stopped');
  await lookAt(page, 'journey-not-found');
  await page.getByRole('button', { name: 'Change my details' }).click();
  expect(await page.getByLabel('Last name').inputValue()).toBe('Larksworthunknown');
  expect(complaints).toEqual([]);
});

test('found by some bureaus only: the report says that accounts may be missing', async () => {
  const rule = { match: { person: 'person-0001' }, behaviour: 'no-trace', times: 1 };
  await control(server, 'albion', rule);
  const page = await newPage();
  await fillDetails(page, 'allow@example.com');
  await ask(page);
  await heading(page, 'Your report').waitFor();
  await page.getByText('accounts may be missing').waitFor();
  expect(await page.locator('.accounts li').count()).toBeGreaterThan(0);
  await lookAt(page, 'journey-report-partly');
  expect(complaints).toEqual([]);
});

test('blocked: a calm end that accuses nobody, says what to do instead, and does not invite to ask again', async () => {
  const page = await newPage();
  await fillDetails(page, 'block@example.com');
  await ask(page);
  await heading(page, 'We cannot show you a report here').waitFor();
  expect(await focused(page)).toBe('title-stopped');
  expect(await page.getByRole('button').count()).toBe(0);
  expect(await page.getByRole('link', { name: 'help@example.com' }).isVisible()).toBe(true);
  await lookAt(page, 'journey-blocked');
  expect(complaints).toEqual([]);
});

test('three wrong codes: failed, and the details are still there to start again', async () => {
  const page = await newPage();
  const mobileNumber = await fillDetails(page, 'challenge@example.com');
  await ask(page);
  await heading(page, 'Enter the code we sent you').waitFor();
  const bad = wrongCode(await server.code(mobileNumber));
  await submitCode(page, bad);
  await page.getByText('You have 2 more tries.').waitFor();
  await submitCode(page, bad);
  await page.getByText('You have one more try.').waitFor();
  await submitCode(page, bad);
  await heading(page, 'We could not confirm that it is you').waitFor();
  await lookAt(page, 'journey-failed');
  expect(await page.getByRole('link', { name: 'help@example.com' }).isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Start again' }).click();
  expect(await page.getByLabel('Last name').inputValue()).toBe(person.lastName);
  expect(complaints).toEqual([]);
});

test('a blocked collection: no message is sent, nothing is charged, and starting again checks the device anew', async () => {
  const page = await newPage();
  await page.route(COLLECTION, (route) => route.abort());
  const before = await quietBalance();
  const mobileNumber = await fillDetails(page, 'challenge@example.com');
  await ask(page);
  await heading(page, 'We could not confirm that it is you').waitFor();
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
  await fillDetails(page, 'allow@example.com');
  await ask(page);
  await heading(page, 'One moment').waitFor();
  await lookAt(page, 'journey-waiting');
  await page.clock.fastForward(9_000);
  await heading(page, 'Your report').waitFor();
});

test('five minutes without a code: told so, and not by a code that fails', async () => {
  const page = await newPage();
  await fillDetails(page, 'challenge@example.com');
  await ask(page);
  await heading(page, 'Enter the code we sent you').waitFor();
  await page.clock.fastForward(240_000);
  await expect.poll(() => page.locator('#time-spoken').innerText()).toBe('About 1 minute left to enter the code.');
  await page.clock.fastForward(61_000);
  await heading(page, 'The time is up').waitFor();
  await lookAt(page, 'journey-expired');
  await page.getByRole('button', { name: 'Start again' }).click();
  expect(await page.getByLabel('Last name').inputValue()).toBe(person.lastName);
  expect(complaints).toEqual([]);
});

test('a session that has grown too old, or is another person’s: starting again gets a new one', async () => {
  const page = await newPage();
  await fillDetails(page, 'challenge@example.com');
  await ask(page);
  await heading(page, 'Enter the code we sent you').waitFor();
  await page.clock.fastForward(31 * 60_000);
  await heading(page, 'The time is up').waitFor();
  const [collected] = await Promise.all([page.waitForResponse(COLLECTION), startAgain(page)]);
  expect(collected.status()).toBe(201);

  await fillDetails(page, 'challenge@example.com');
  await page.getByLabel('Last name').fill('Mistyped');
  await ask(page);
  await heading(page, 'Enter the code we sent you').waitFor();
  await page.clock.fastForward(301_000);
  await heading(page, 'The time is up').waitFor();
  await startAgain(page);
  await page.getByLabel('Last name').fill(person.lastName);
  await ask(page);
  await heading(page, 'We could not confirm that it is you').waitFor();
  const [anew] = await Promise.all([page.waitForResponse(COLLECTION), startAgain(page)]);
  expect(anew.status()).toBe(201);
});

test('the answer to a right code gets lost: the same code again shows the report', async () => {
  const page = await newPage();
  const mobileNumber = await fillDetails(page, 'challenge@example.com');
  await ask(page);
  await heading(page, 'Enter the code we sent you').waitFor();
  const code = await server.code(mobileNumber);
  await page.route('**/api/code', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await submitCode(page, code);
  await page.getByText('We could not check the code just now. Please try again.').waitFor();
  expect(await focused(page)).toBe('code');
  await page.unroute('**/api/code');
  await submitCode(page, code);
  await heading(page, 'Your report').waitFor();
});

test('another message cannot be had: the code that has arrived is still good', async () => {
  const page = await newPage();
  const mobileNumber = await fillDetails(page, 'challenge@example.com');
  await ask(page);
  await heading(page, 'Enter the code we sent you').waitFor();
  await page.route('**/api/resend', (route) => route.abort());
  await page.clock.fastForward(31_000);
  await page.getByRole('button', { name: 'Send another code' }).click();
  await page.getByText('We could not send another code just now.').waitFor();
  expect(await focused(page)).toBe('resend');
  await lookAt(page, 'journey-not-resent');
  await submitCode(page, await server.code(mobileNumber));
  await heading(page, 'Your report').waitFor();
});

test('the first code arrives while another is asked for: the late answer and the clock leave the report alone', async () => {
  const page = await newPage();
  const mobileNumber = await fillDetails(page, 'challenge@example.com');
  await ask(page);
  await heading(page, 'Enter the code we sent you').waitFor();
  const { promise: isReported, resolve: tellReported } = Promise.withResolvers<void>();
  await page.route('**/api/resend', async (route) => {
    await isReported;
    await route.fulfill({ json: { status: 'resent', sendsRemaining: 1 } });
  });
  await page.clock.fastForward(31_000);
  const answered = page.waitForResponse('**/api/resend');
  await page.getByRole('button', { name: 'Send another code' }).click();
  await submitCode(page, await server.code(mobileNumber));
  await heading(page, 'Your report').waitFor();
  tellReported();
  await (await answered).finished();
  await page.clock.runFor(6 * 60_000);
  expect(await heading(page, 'Your report').isVisible()).toBe(true);
  expect(complaints).toEqual([]);
});

test('without JavaScript: told so, and nothing that was typed can get into an address', async () => {
  context = await chromium.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(siteUrl);
  expect(await page.locator('noscript p').isVisible()).toBe(true);
  expect(await page.getByRole('button', { name: 'Get my report' }).isDisabled()).toBe(true);
  await page.getByLabel('First name').fill('Ines');
  await page.getByLabel('First name').press('Enter');
  expect(page.url()).toBe(`${siteUrl}/`);
  expect(await page.locator('form:not([method="post"])').count()).toBe(0);
});

test('whatever a report or a fault says is shown as text', async () => {
  const page = await newPage();
  await fillDetails(page, 'allow@example.com');
  const evil = '<img src=x onerror="document.title=1"><script>document.title=1</script>';
  const account = { lender: evil, kind: evil, state: evil, balance: evil };
  const answers = [
    { status: 'invalid', fields: { postcode: evil } },
    { status: 'complete', report: { name: evil, accounts: [account], searches: 1, isPartial: true } },
  ];
  await page.route('**/api/report', (route) => route.fulfill({ json: answers.shift() }));
  await ask(page);
  await page.locator('#faults').getByText(evil).waitFor();
  await ask(page);
  await heading(page, 'Your report').waitFor();
  await page.getByText('searched your file once').waitFor();
  expect(await page.locator('img, main script').count()).toBe(0);
  expect(complaints).toEqual([]);
});

test('404: an address that is none does not stop the site', async () => {
  for (const path of ['//', '/%', '/../site.ts', '/constructor']) {
    expect((await fetch(siteUrl + path)).status, path).toBe(404);
  }
});

test('faults: all named at the top, which takes the focus, and at each field', async () => {
  const page = await newPage();
  await page.goto(siteUrl);
  await ask(page);
  expect(await focused(page)).toBe('faults');
  expect(await page.locator('#faults li').count()).toBe(8);
  await lookAt(page, 'journey-faults');
  await page.locator('#faults a').first().press('Enter');
  expect(await focused(page)).toBe('firstName');
  await fillDetails(page, 'allow@example.com');
  await page.getByLabel('Postcode').fill('nowhere');
  await page.getByLabel('Date of birth').fill('2020-01-01');
  await ask(page);
  await page.locator('#faults').getByText('postcode').waitFor();
  expect(await page.locator('#faults li').count()).toBe(2);
  expect(await page.getByLabel('Postcode').getAttribute('aria-invalid')).toBe('true');
  expect(complaints).toEqual([]);
});

test('a connection that breaks after the question: asked again, the same answer, charged once', async () => {
  const page = await newPage();
  // Without a device too, where starting again would otherwise mean a new page and a new question.
  await page.route(COLLECTION, (route) => route.abort());
  const before = await quietBalance();
  await fillDetails(page, 'allow@example.com');
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
  const { port } = site.address() as AddressInfo;
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
  await fillDetails(page, 'allow@example.com');
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
  await fillDetails(page, 'allow@example.com');
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
  await fillDetails(page, 'allow@example.com');
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
