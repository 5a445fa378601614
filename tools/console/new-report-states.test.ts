// Requesting a report in every state, with given answers: the form, its faults, refusals and lost answers, the code, the
// timeline, and the playground. Each is held against the accessibility rules in light and dark, and against the content policy.
import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { lookAt } from '../../server/test/support/chromium.ts';
import { ANSWERS, type Answer, companies, NOTHING, REPORT, refusal, TENANT } from './answers.ts';
import { checkWidths, said, watchCode } from './check-states.ts';
import {
  CODE_NEEDED,
  ERASED_TIMELINE,
  FAILED,
  LIMITED,
  NEW_REPORT_ANSWERS,
  quote,
  SENT_AGAIN,
  WAITING_TIMELINE,
  waiting,
  withFields,
  wrongCode,
} from './new-report-answers.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
}, 60_000);
afterAll(async () => {
  await stage?.close();
});
vi.setConfig({ testTimeout: 120_000 });

const AWAY = refusal(503, 'service-unavailable', 'Busy.');
const ONE = `credit-reports/${REPORT}`;
const WAITING = { [ONE]: waiting(), [`${ONE}/timeline`]: WAITING_TIMELINE };
/** Of a company that keeps no reports. */
const ERASED = { [ONE]: refusal(410, 'credit-report-purged', 'Erased.') };
const COMPLETE = withFields(ANSWERS[ONE] ?? NOTHING, {
  meta: { request: { timeTakenMs: 1 }, wallet: { cost: 2_000, balance: 3_185_560 } },
});
const REQUEST = 'Request the report';

type Sent = { readonly key: string | undefined; readonly body: string | null };

/** Gives these answers to what is posted to a path of the company, one after the other; `lost` is none. */
async function answerPosts(page: Page, path: string, answers: readonly (Answer | 'lost')[]): Promise<Sent[]> {
  const sent: Sent[] = [];
  const left = [...answers];
  await page.route(`**/${TENANT}/v1/${path}`, async (route) => {
    const request: Request = route.request();
    if (request.method() !== 'POST') return route.fallback();
    sent.push({ key: request.headers()['idempotency-key'], body: request.postData() });
    const answer = left.shift() ?? refusal(500, 'internal-error', 'The test gave no answer.');
    return answer === 'lost' ? route.abort() : route.fulfill({ status: 200, ...answer });
  });
  return sent;
}

async function fillIn(page: Page): Promise<void> {
  const values = { 'First name': 'Marcus', 'Last name': 'Hollins', Day: '9', Month: '3', Year: '1984' };
  const address = {
    'House number': '14',
    'Town or city': 'Ludforth',
    Postcode: 'HR10 2AB',
    'Mobile number': '07700 900123',
  };
  for (const [label, value] of Object.entries({ ...values, ...address })) {
    await page.getByLabel(label, { exact: true }).fill(value);
  }
}

/** What the wallet has from now on, as its own answer and the price say. */
async function giveFunds(page: Page, available: number): Promise<void> {
  const wallet = withFields(ANSWERS['wallet'] ?? NOTHING, { data: { balance: available, held: 0, available } });
  await page.route(`**/${TENANT}/v1/wallet`, (route) => route.fulfill({ status: 200, ...wallet }));
  const price = quote({ funds: { required: 2_040, available, sufficient: false } });
  await page.route(`**/${TENANT}/v1/credit-reports/quote`, (route) => route.fulfill({ status: 200, ...price }));
}

const press = (page: Page) => page.getByRole('button', { name: REQUEST }).click();
const focused = (page: Page) => page.evaluate('document.activeElement.name ?? document.activeElement.role');

test('the form: price, faults at their fields, then each refusal in words; all presses have one key', async () => {
  const page = await stage.open('/new');
  await said(page, '£2.12');
  await lookAt(page, 'state-new');
  await checkWidths(page);
  const faults = [
    { path: '/firstName', message: 'x' },
    { path: '/lastName', message: 'x' },
    { path: '/dateOfBirth', message: 'x' },
    { path: '/addresses/0/ukAddress', message: 'x' },
    { path: '/ipAddress', message: 'Not an address.' },
  ];
  const funds = { required: 2_040, available: 120 };
  const sent = await answerPosts(page, 'credit-reports', [
    withFields(refusal(400, 'validation-error', 'No.'), { details: faults }),
    withFields(refusal(402, 'insufficient-funds', 'No.'), funds),
    refusal(429, 'rate-limited', 'No.'),
    AWAY,
    { json: { meta: {}, data: { status: 'failed', creditReportId: REPORT, errorMessage: 'Not a mobile number.' } } },
    refusal(403, 'forbidden', 'No.'),
  ]);
  await press(page);
  await said(page, 'Nothing was requested. 4 fields to correct:');
  await said(page, 'Not from a field of this form (ipAddress): Not an address.');
  expect(await focused(page)).toBe('alert');
  await page.getByRole('button', { name: /^Date of birth:/ }).click();
  expect(await focused(page)).toBe('birthDay');
  const day = page.getByLabel('Day', { exact: true });
  expect(await day.getAttribute('aria-invalid')).toBe('true');
  const tops = ['House number', 'Building name', 'Flat or unit'].map(async (label) => {
    const box = await page.getByText(label, { exact: true }).first().boundingBox();
    return box?.y;
  });
  expect(new Set(await Promise.all(tops)).size, 'labels beside each other').toBe(1);
  await lookAt(page, 'state-new-faults');
  await fillIn(page);
  await said(page, '£5,187.56 available');
  await giveFunds(page, 120);
  await press(page);
  await said(page, '£1.92 is missing');
  await said(page, '£0.12 available');
  await page.getByRole('link', { name: 'Available £0.12' }).waitFor();
  expect(await page.getByRole('link', { name: 'Open the wallet' }).getAttribute('href')).toContain('/wallet');
  await lookAt(page, 'state-new-funds');
  await press(page);
  await said(page, 'Too many requests just now');
  await press(page);
  await said(page, 'The service cannot do this just now');
  await press(page);
  await said(page, 'Not a mobile number.');
  await press(page);
  await said(page, 'Your role does not include this');
  expect(await page.getByLabel('First name', { exact: true }).inputValue()).toBe('Marcus');
  const keys = sent.map(({ key }) => key);
  expect(keys).toHaveLength(6);
  // A refusal uses no key up. An answer does, so the last press was another attempt.
  expect([new Set(keys.slice(0, 5)).size, keys[5] === keys[0]]).toEqual([1, false]);
});

test('a lost answer: locked, nothing sent by itself, and the next press is the same request under the same key', async () => {
  const page = await stage.open('/new', WAITING);
  await fillIn(page);
  const limited = refusal(429, 'rate-limited', 'No.');
  const forbidden = refusal(403, 'forbidden', 'No.');
  const signedOut = refusal(401, 'unauthorized', 'No.');
  const answers = ['lost', forbidden, signedOut, limited, limited, limited, CODE_NEEDED] as const;
  const sent = await answerPosts(page, 'credit-reports', answers);
  await page.getByRole('button', { name: REQUEST }).dblclick();
  await said(page, 'it is not known whether the report was made');
  await lookAt(page, 'state-new-unknown');
  expect(await page.getByLabel('Last name', { exact: true }).isDisabled()).toBe(true);
  expect(sent).toHaveLength(1);
  // In another mode the press would still send what was sent.
  await page.getByText('Test', { exact: true }).click();
  await page.getByRole('dialog').getByText('The report may have been made').waitFor();
  await page.getByRole('button', { name: 'Stay here' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  // What a repeat is refused for says nothing about the first send.
  for (const words of ['Your role does not include this any more', 'Your sign-in has ended', 'Too many requests']) {
    await press(page);
    await said(page, words);
    await said(page, 'It is still not known whether the report was made');
    expect(await page.getByText('Nothing was').count()).toBe(0);
  }
  await lookAt(page, 'state-new-still-unknown');
  await press(page);
  await page.waitForURL(`**/reports/${REPORT}`);
  await said(page, 'Enter the code');
  expect(sent).toHaveLength(answers.length);
  for (const each of sent) expect(each).toEqual(sent[0]);
  expect(sent[0]?.key).toMatch(/^[\da-f-]{36}$/);
  expect(JSON.parse(sent[0]?.body ?? '')).toMatchObject({ sessionId: 'ds1.given', ipAddress: '192.0.2.10' });
});

test('a lost answer, then no connection: the question before leaving comes all the same, and the form keeps its key', async () => {
  const page = await stage.open('/new', WAITING);
  const comes = watchCode(page, 'leave-dialog');
  await fillIn(page);
  await comes();
  const sent = await answerPosts(page, 'credit-reports', ['lost', CODE_NEEDED]);
  await press(page);
  await said(page, 'it is not known whether the report was made');
  await page.context().setOffline(true);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Reports', exact: true }).click();
  await page.getByRole('dialog').getByText('The report may have been made').waitFor();
  await page.getByRole('button', { name: 'Stay here' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.context().setOffline(false);
  await press(page);
  await page.waitForURL(`**/reports/${REPORT}`);
  expect(sent).toHaveLength(2);
  expect(sent[1]).toEqual(sent[0]);
});

test('a report that comes at once is shown from its answer, since reading it again may give nothing', async () => {
  const page = await stage.open('/new', ERASED);
  await fillIn(page);
  await answerPosts(page, 'credit-reports', [COMPLETE]);
  await press(page);
  await said(page, 'Car finance (2)');
  expect(stage.asked.filter(({ pathname }) => pathname.endsWith(ONE))).toEqual([]);
  expect(await page.evaluate('location.search + JSON.stringify([localStorage, sessionStorage])')).not.toMatch(
    /Hollins/,
  );
});

test('given up while it is not known: the other mode has a new form; an answer that comes later leads nowhere', async () => {
  const page = await stage.open('/new');
  await fillIn(page);
  const posted = Promise.withResolvers<() => Promise<void>>();
  await page.route(`**/${TENANT}/v1/credit-reports`, (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    return posted.resolve(() => route.fulfill({ status: 200, ...COMPLETE }));
  });
  await press(page);
  const answer = await posted.promise;
  await page.getByText('Test', { exact: true }).click();
  await page.getByRole('button', { name: 'Leave', exact: true }).click();
  await page.getByLabel('Screening (test mode)').waitFor();
  expect(await page.getByLabel('First name', { exact: true }).inputValue()).toBe('');
  await said(page, '£2.12');
  const asked = page.waitForResponse((response) => response.url().includes('/quote'));
  await answer();
  // What is shown is asked for again, and that is all.
  await asked;
  expect(new URL(page.url()).pathname).toMatch(/\/new$/);
});

test('without a device session nothing was requested, and nothing is locked', async () => {
  const page = await stage.open('/new', { '/v1/fingerprints/collections': refusal(500, 'internal-error', 'No.') });
  await fillIn(page);
  const sent = await answerPosts(page, 'credit-reports', []);
  await press(page);
  await said(page, 'The service cannot do this just now');
  expect(await page.getByLabel('Last name', { exact: true }).isEnabled()).toBe(true);
  expect(sent).toEqual([]);
});

test('503 that names a report leads to the report in progress; offline sends nothing', async () => {
  const page = await stage.open('/new', { [ONE]: refusal(409, 'request-in-progress', 'Later.') });
  await fillIn(page);
  const sent = await answerPosts(page, 'credit-reports', [withFields(AWAY, { creditReportId: REPORT })]);
  await page.context().setOffline(true);
  await press(page);
  await page.getByRole('alert').getByText('You are offline').waitFor();
  expect(sent).toEqual([]);
  await page.context().setOffline(false);
  await press(page);
  await said(page, 'This report is in progress');
  expect(sent).toHaveLength(1);
});

test('the price: loading, failed, not enough, no bureau; without it there is no button', async () => {
  const button = (page: Page) => page.getByRole('button', { name: REQUEST });
  const loading = await stage.open('/new', { 'credit-reports/quote': 'hang' });
  await loading.getByText('Loading the price').waitFor({ state: 'attached' });
  expect(await button(loading).count()).toBe(0);
  await lookAt(loading, 'state-new-price-loading');
  const failed = await stage.open('/new', { 'credit-reports/quote': refusal(500, 'internal-error', 'No.') });
  await said(failed, 'The price could not be loaded.');
  expect(await button(failed).count()).toBe(0);
  await lookAt(failed, 'state-new-price-failed');
  const page = await stage.open('/new', {
    '/v1/my/tenants': { json: companies('caseworker') },
    'credit-reports/quote': quote({
      funds: { required: 2_040, available: 1_000, sufficient: false },
      limits: [{ kind: 'company-day', refuses: true, resetsAt: null }],
    }),
  });
  await said(page, '£1.04 more is needed');
  await said(page, 'Ask your finance team');
  await said(page, 'limit of texts for today is reached');
  expect(await page.getByRole('link', { name: /wallet/i }).count()).toBe(0);
  for (const bureau of ['Equifax', 'Experian', 'TransUnion']) await page.getByLabel(bureau).uncheck();
  await said(page, 'Choose at least one bureau to see the price.');
  await lookAt(page, 'state-new-no-price');
});

test('leaving a form with something in it asks first; the mode changes without losing anything', async () => {
  const page = await stage.open('/new');
  await page.getByLabel('First name', { exact: true }).fill('Marcus');
  await page.getByText('Test', { exact: true }).click();
  await page.getByLabel('Screening (test mode)').selectOption('challenge');
  expect(await page.getByLabel('First name', { exact: true }).inputValue()).toBe('Marcus');
  await said(page, 'A test report requested here costs nothing');
  expect(await page.getByText('5,187.56').count()).toBe(0);
  await lookAt(page, 'state-new-test');
  const away = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Reports', exact: true });
  await away.click();
  await page.getByRole('dialog').getByText('Leave this form?').waitFor();
  await lookAt(page, 'state-new-leave');
  await page.getByRole('button', { name: 'Stay here' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.getByLabel('First name', { exact: true }).inputValue()).toBe('Marcus');
  const asked = page.waitForEvent('dialog');
  const reloading = page.reload();
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.accept();
  await reloading;
  await page.getByLabel('First name', { exact: true }).fill('Marcus');
  await away.click();
  await page.getByRole('button', { name: 'Leave', exact: true }).click();
  await page.waitForURL('**/reports?mode=test');
});

test('the code: where it went, wrong, sent again, limited, no answer, ended', async () => {
  const page = await stage.open(`/reports/${REPORT}`, WAITING);
  await said(page, 'ending');
  await lookAt(page, 'state-code');
  await checkWidths(page);
  const codes = await answerPosts(page, `${ONE}/otp-challenge`, [
    wrongCode(2),
    'lost',
    wrongCode(1),
    refusal(410, 'challenge-expired', 'Over.'),
  ]);
  const texts = await answerPosts(page, `${ONE}/resend-sms`, [SENT_AGAIN, LIMITED]);
  const field = page.getByLabel('Code', { exact: true });
  const check = page.getByRole('button', { name: 'Check the code' });
  await check.click();
  expect(codes).toHaveLength(0);
  await field.fill('111 111');
  await check.click();
  await said(page, 'That code is wrong. 2 attempts left.');
  expect(await page.evaluate('document.activeElement.ariaInvalid')).toBe('true');
  await lookAt(page, 'state-code-wrong');
  const again = page.getByRole('button', { name: 'Send the code again' });
  await again.click();
  await said(page, 'Sent again. 1 more text can be sent.');
  await again.click();
  await said(page, 'Your company has reached its limit of texts for today.');
  expect(texts).toHaveLength(2);
  await field.fill('222222');
  await check.click();
  await said(page, 'it is not known what happened');
  await lookAt(page, 'state-code-unknown');
  expect(codes).toHaveLength(2);
  // Looking fails: what was typed stays.
  await page.route(`**/v1/${ONE}`, (route) => route.fulfill(refusal(500, 'internal-error', 'No.')), { times: 1 });
  const looked = page.waitForResponse((response) => response.status() === 500);
  await page.getByRole('button', { name: 'Look what became of it' }).click();
  await looked;
  expect(await field.inputValue()).toBe('222222');
  await check.click();
  await said(page, 'That code is wrong. 1 attempt left.');
  // Until an answer came, it is the same request.
  expect(codes[2]).toEqual(codes[1]);
  expect(codes[1]?.key).not.toBe(codes[0]?.key);
  await page.route(`**/v1/${ONE}`, (route) => route.fulfill({ status: 200, ...FAILED }));
  await field.fill('333333');
  await check.click();
  await said(page, 'There is no report');
});

test('the code: the report is shown from the answer to it, since reading it again may give nothing', async () => {
  const page = await stage.open(`/reports/${REPORT}`, WAITING);
  await page.getByLabel('Code', { exact: true }).fill('123456');
  await answerPosts(page, `${ONE}/otp-challenge`, [COMPLETE]);
  await page.route(`**/v1/${ONE}`, (route) => route.fulfill(ERASED[ONE] ?? {}));
  const course = NEW_REPORT_ANSWERS[`${ONE}/timeline`] ?? NOTHING;
  await page.route(`**/v1/${ONE}/timeline`, (route) => route.fulfill({ status: 200, ...course }));
  await page.getByRole('button', { name: 'Check the code' }).click();
  await said(page, 'Car finance (2)');
  expect(stage.asked.filter(({ pathname }) => pathname.endsWith(ONE))).toHaveLength(1);
  // Before the code it cost 2,000. One bureau did not answer, which the timeline says.
  await page.getByRole('link', { name: 'Raw JSON' }).click();
  await said(page, /"costCredits": 1400\b/);
});

test('the code: after three texts none can be sent; who only reads has no form', async () => {
  const last = await stage.open(`/reports/${REPORT}`, { ...WAITING, [ONE]: waiting(3) });
  await said(last, 'All three texts have been sent.');
  expect(await last.getByRole('button', { name: 'Send the code again' }).getAttribute('aria-disabled')).toBe('true');
  const reader = await stage.open(`/reports/${REPORT}`, {
    ...WAITING,
    '/v1/my/tenants': { json: companies('analyst') },
  });
  await said(reader, 'Waiting for the code');
  await said(reader, 'To the number ending 123');
  expect(await reader.getByRole('button', { name: /code/i }).count()).toBe(0);
});

test('the timeline: with bars, loading, failed, and what remains of an erased report', async () => {
  const page = await stage.open(`/reports/${REPORT}`);
  await said(page, '47.9 s from request to outcome');
  await said(page, 'Through the console. £2.00 charged');
  await said(page, '612 ms');
  const loading = await stage.open(`/reports/${REPORT}`, { [`${ONE}/timeline`]: 'hang' });
  await loading.getByText('Loading the timeline').waitFor({ state: 'attached' });
  const failed = await stage.open(`/reports/${REPORT}`, { [`${ONE}/timeline`]: refusal(500, 'internal-error', 'No.') });
  await said(failed, 'The timeline could not be loaded.');
  await said(failed, 'Car finance (2)');
  const erased = await stage.open(`/reports/${REPORT}`, {
    [ONE]: refusal(410, 'credit-report-purged', 'Erased.'),
    [`${ONE}/timeline`]: ERASED_TIMELINE,
  });
  await said(erased, 'Content erased');
  await erased.getByRole('heading', { level: 1, name: 'Report Complete' }).waitFor();
  await said(erased, '17 Sept 2026, 14:30');
  await said(erased, '01998a00…aa44');
  await erased.getByRole('region', { name: 'Cost' }).getByText('Total').waitFor();
  await lookAt(erased, 'state-report-erased-timeline');
});

test('the playground: full, run, clock, empty, loading, failed, and not in live mode', async () => {
  const page = await stage.open('/playground?mode=test');
  await said(page, 'Why a report fails');
  await said(page, '123456 is your code');
  await checkWidths(page);
  await answerPosts(page, 'credit-reports', [refusal(402, 'insufficient-credits', 'Too little.'), CODE_NEEDED]);
  await page.getByRole('button', { name: 'Run insufficient-credits' }).first().click();
  await said(page, '402 insufficient-credits');
  await page.getByRole('button', { name: 'Run never' }).click();
  await page.getByRole('link', { name: 'Open the report' }).first().waitFor();
  await page.getByRole('button', { name: 'Move the clock: 1 minute' }).click();
  await said(page, 'The code works for 240 more seconds');
  await lookAt(page, 'state-playground');
  const loading = await stage.open('/playground?mode=test', { 'test/inbox': 'hang', '/v1/test/catalogue': 'hang' });
  for (const part of ['scenarios', 'inbox']) {
    await loading.getByText(`Loading the ${part}`).waitFor({ state: 'attached' });
  }
  await lookAt(loading, 'state-playground-loading');
  const empty = await stage.open('/playground?mode=test', { 'test/inbox': NOTHING });
  await said(empty, 'Why a report fails');
  await said(empty, 'No texts yet');
  await lookAt(empty, 'state-playground-empty');
  const failed = await stage.open('/playground?mode=test', {
    'test/inbox': refusal(500, 'internal-error', 'No.'),
    '/v1/test/catalogue': refusal(500, 'internal-error', 'No.'),
  });
  await said(failed, 'The scenarios could not be loaded');
  await said(failed, 'The inbox could not be loaded');
  await lookAt(failed, 'state-playground-failed');
  const live = await stage.open('/playground');
  await said(live, 'The playground is part of test mode');
  await lookAt(live, 'state-playground-live');
});

test('no page broke the content policy, and none wrote an error', () => {
  // A lost answer is noted by the browser.
  expect(stage.complaints.filter((text) => !/ERR_FAILED|ERR_INTERNET_DISCONNECTED/.test(text))).toEqual([]);
});
