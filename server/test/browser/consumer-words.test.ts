// What the sample page of examples/consumer-journey says: the true reason of every end, to which number the code went,
// what became of a message, and what is wrong with a date of birth. In a real browser, against the real server.
import type { Trefoil } from '@trefoil/sdk';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createJourneys } from '../../../examples/consumer-journey/journeys.ts';
import { eventually } from '../../../tools/testing/eventually.ts';
import { lookAt, openChromium } from '../support/chromium.ts';
import {
  ask,
  COMPANY,
  type ConsumerSite,
  fillDetails,
  focused,
  heading,
  newConsumer,
  serveSite,
  submitCode,
  typeBirthDate,
} from '../support/consumer-page.ts';
import { type LiveServer, startLiveServer } from '../support/live.ts';
import { control } from '../support/providers.ts';

type TestOptions = NonNullable<Parameters<Trefoil['generate']>[0]['testOptions']>;

/** For a machine that other programs keep busy: each test is a whole journey in a browser. */
vi.setConfig({ testTimeout: 90_000 });

let server: LiveServer;
let chromium: Browser;
let live: ConsumerSite;
let inTestMode: ConsumerSite;
/** What goes wrong with the next report in test mode. */
let testOptions: TestOptions | undefined;
let context: BrowserContext;
let complaints: string[];

beforeAll(async () => {
  server = await startLiveServer();
  await server.fund(server.demo.tenantId, 1_000_000);
  live = await serveSite(server);
  const generate: Trefoil['generate'] = ({ challengeOptions, ...body }, call) =>
    // A reason that comes before any code contradicts a challenge.
    server.trefoil.generate(
      { ...body, ...(!testOptions?.outcome && { challengeOptions }), ...(testOptions && { testOptions }) },
      call,
    );
  inTestMode = await serveSite(server, { isTest: true, trefoil: { ...server.trefoil, generate } });
  chromium = await openChromium();
}, 60_000);
afterEach(() => context?.close());
afterAll(async () => {
  await chromium?.close();
  await live?.close();
  await inTestMode?.close();
  await server?.close();
});

async function newPage(): Promise<Page> {
  ({ context, complaints } = await newConsumer(chromium));
  return context.newPage();
}

const saysWhy = (page: Page) => page.locator('#stopped-text').innerText();

/** Sentences that a consumer could read as one another must not be one. */
const KINDS = [
  /found nobody|no credit file was found/i,
  /did not answer/i,
  /no records|no accounts|nothing (was|is) found/i,
];

async function checkSentences(page: Page): Promise<void> {
  const text = (await page.evaluate('document.body.innerText')) as string;
  for (const sentence of text.split(/[.\n]/)) {
    expect(KINDS.filter((kind) => kind.test(sentence)).length, sentence).toBeLessThanOrEqual(1);
  }
}

/** Each reason that a report can fail for, its heading, and words that belong to it. */
const ENDS = [
  ['screening-unavailable', 'Something went wrong on our side', /Nothing was searched/],
  ['interrupted', 'Something went wrong on our side', /may have noted a search/],
  ['device-not-verified', 'We could not check your device', /Turn off blockers/],
  ['mobile-missing', 'We cannot send a text to this number', /UK mobile number/],
  ['not-a-mobile', 'We cannot send a text to this number', /UK mobile number/],
  ['country-not-allowed', 'We cannot send a text to this number', /UK mobile number/],
  ['company-number', 'We cannot send more texts to this number', /try again tomorrow/],
  ['company-mistakes', 'We cannot send more texts to this number', /try again tomorrow/],
  ['protection', 'We cannot send more texts to this number', /try again tomorrow/],
  ['company-day', 'We cannot send texts just now', /not about you or your number/],
  ['company-minute', 'We cannot send texts just now', /not about you or your number/],
  ['no-bureau-answered', 'The agencies did not answer', /neither good nor bad/],
] as const;

async function expectEnd(options: TestOptions, title: string, words: RegExp): Promise<Page> {
  testOptions = options;
  const page = await newPage();
  await fillDetails(page, inTestMode, 'somebody@example.com');
  await ask(page);
  await heading(page, title).waitFor();
  expect(await saysWhy(page)).toMatch(words);
  expect(await page.title()).toBe(`${title} – ${COMPANY}`);
  await checkSentences(page);
  expect(complaints).toEqual([]);
  return page;
}

const seen = new Set<string>();
test.each(ENDS)('failed, %s: %s', async (reason, title, words) => {
  const page = await expectEnd({ outcome: 'failed', reason }, title, words);
  if (!seen.has(words.source)) await lookAt(page, `end-${reason}`);
  seen.add(words.source);
});

test.each(['insufficient-funds', 'insufficient-credits'] as const)(
  '402 %s: not about the consumer',
  async (outcome) => {
    const page = await expectEnd({ outcome }, 'We cannot go on just now', /This is not about you/);
    await lookAt(page, 'end-stalled');
  },
);

test('a number that gets no text: changing it leads to its field, with all else still there', async () => {
  testOptions = { outcome: 'failed', reason: 'not-a-mobile' };
  const page = await newPage();
  await fillDetails(page, inTestMode, 'somebody@example.com');
  await ask(page);
  await page.getByRole('button', { name: 'Change my number' }).click();
  expect(await focused(page)).toBe('mobileNumber');
  expect(await page.getByLabel('Last name').inputValue()).toBe(inTestMode.person.lastName);
});

test('nobody found and one agency silent: two sentences, each with its agencies, and neither reads as a clean file', async () => {
  testOptions = {
    bureauResults: [
      { bureau: 'equifax', outcome: 'no-trace' },
      { bureau: 'experian', outcome: 'unavailable' },
      { bureau: 'transunion', outcome: 'no-trace' },
    ],
  };
  const page = await newPage();
  await fillDetails(page, inTestMode, 'somebody@example.com');
  await ask(page);
  await heading(page, 'Enter the code').waitFor();
  expect(await page.locator('.note').first().innerText()).toMatch(/^This is a test: .+ the code is 123456/);
  expect(await page.getByText('A text with a 6-digit code would now go to the number ending').isVisible()).toBe(true);
  await page.clock.fastForward(31_000);
  await page.getByRole('button', { name: 'Send a new code' }).click();
  await page.getByText('A new code would now go to the number ending').waitFor();
  expect(await page.locator('body').innerText()).not.toMatch(/we sent/i);
  await submitCode(page, '123456');
  await heading(page, 'No credit file was found with these details').waitFor();
  expect((await saysWhy(page)).split('\n\n').slice(0, 2)).toEqual([
    'Equifax and TransUnion found nobody with these details. That is not a clean file: it is no file, and it says nothing about your credit.',
    'Experian did not answer. We do not know what is on file there.',
  ]);
  await checkSentences(page);
  await lookAt(page, 'end-not-found-and-silent');
  expect(complaints).toEqual([]);
});

test('the right code, and then no agency answers: said so, and nothing of the company’s charge and its refund', async () => {
  for (const bureau of ['albion', 'beacon', 'cygnet'] as const) {
    await control(server, bureau, { match: { lastName: 'Larksilent' }, behaviour: 'reset' });
  }
  const page = await newPage();
  const mobileNumber = await fillDetails(page, live, 'challenge@example.com');
  await page.getByLabel('Last name').fill('Larksilent');
  await ask(page);
  await heading(page, 'Enter the code').waitFor();
  await submitCode(page, await server.code(mobileNumber));
  await heading(page, 'The agencies did not answer').waitFor();
  expect(await saysWhy(page)).not.toMatch(/charge|refund/);
  await checkSentences(page);
  expect(complaints).toEqual([]);
});

test('the last three digits that were typed, and one name of the company on page, tab and text message', async () => {
  const page = await newPage();
  const mobileNumber = await fillDetails(page, live, 'challenge@example.com');
  const national = mobileNumber.replace('+44', '0');
  await page.getByLabel('Mobile number').fill(`${national.slice(0, 5)} ${national.slice(5, 9)}-${national.slice(9)}`);
  const answers: string[] = [];
  page.on('response', async (response) => {
    if (response.url().includes('/api/')) answers.push(await response.text());
  });
  await ask(page);
  await page.getByText(`to the number ending ${mobileNumber.slice(-3)}.`).waitFor();
  expect(await page.title()).toBe(`Enter the code – ${COMPANY}`);
  await server.code(mobileNumber);
  const [message] = await server.inbox(mobileNumber);
  expect(message?.body).toContain(`is your code for ${COMPANY}.`);
  expect(await page.locator('header').innerText()).toBe(COMPANY);
  expect(await page.locator('footer').innerText()).toContain(`${COMPANY} runs this page`);
  // The digits are the browser's own: no answer of the server has them.
  expect(answers.join()).not.toContain(mobileNumber.slice(-3));
});

test('a new code is confirmed in words, also the last; each code works for five minutes after its text', async () => {
  const page = await newPage();
  const mobileNumber = await fillDetails(page, live, 'challenge@example.com');
  await ask(page);
  await heading(page, 'Enter the code').waitFor();
  const first = await server.code(mobileNumber);
  const again = page.getByRole('button', { name: 'Send a new code' });
  const sent = page.locator('#sent');
  await page.clock.fastForward(31_000);
  expect(await page.locator('#resend-text').innerText()).toBe('You can ask for 2 more codes.');
  await again.click();
  await sent
    .getByText(`We sent a new code to the number ending ${mobileNumber.slice(-3)}. Use the newest code.`)
    .waitFor();
  expect(await focused(page)).toBe('code');
  await lookAt(page, 'code-resent');
  await page.clock.fastForward(31_000);
  expect(await page.locator('#resend-text').innerText()).toBe('You can ask for one more code.');
  await again.click();
  await sent.getByText('It is the last one we may send.').waitFor();
  await page.clock.fastForward(31_000);
  expect(await again.isDisabled()).toBe(true);
  expect(await page.locator('#resend-text').innerText()).toBe(
    'You have had all the texts we may send. Use the newest code.',
  );
  await lookAt(page, 'code-last');
  await eventually(async () => expect((await server.inbox(mobileNumber)).length).toBe(3));
  await submitCode(page, first);
  await heading(page, 'Your report').waitFor();
  expect(complaints).toEqual([]);
});

test.each(['company-number', 'protection', 'insufficient-funds'] as const)(
  'a new code refused by %s: said in words, and the code that has arrived still works',
  async (resend) => {
    testOptions = { resend };
    const page = await newPage();
    await fillDetails(page, inTestMode, 'somebody@example.com');
    await ask(page);
    await heading(page, 'Enter the code').waitFor();
    await page.clock.fastForward(31_000);
    await page.getByRole('button', { name: 'Send a new code' }).click();
    await page.getByText('We could not send a new code just now. A code that you already have still works').waitFor();
    await submitCode(page, '123456');
    await heading(page, 'Your report').waitFor();
    expect(complaints).toEqual([]);
  },
);

test('a text that cannot be delivered: said at once, and another code or another number can be had', async () => {
  const page = await newPage();
  // The simulated carrier reports each text to such a number as undelivered.
  const mobileNumber = await fillDetails(page, live, 'challenge@example.com', 2);
  await ask(page);
  await heading(page, 'Enter the code').waitFor();
  await server.code(mobileNumber);
  await server.receiptsApplied();
  await eventually(async () => {
    await page.clock.fastForward(1_000);
    expect(await page.locator('#resend-error').innerText()).toBe(
      `The text to the number ending ${mobileNumber.slice(-3)} could not be delivered.`,
    );
  });
  expect(await page.getByRole('button', { name: 'Send a new code' }).isEnabled()).toBe(true);
  await lookAt(page, 'code-undelivered');
  await page.getByRole('button', { name: 'Use another number' }).click();
  expect(await focused(page)).toBe('mobileNumber');
  await page.getByLabel('Mobile number').fill('07700 900199');
  await ask(page);
  await page.getByText('to the number ending 199.').waitFor();
  await submitCode(page, await server.code('+447700900199'));
  await heading(page, 'Your report').waitFor();
  expect(complaints).toEqual([]);
});

/** Day, month, year; what is said, and which fields are wrong. */
const DATES = [
  [['', '', ''], 'Enter your date of birth', 'day month year'],
  [['27', '3', ''], 'Date of birth must include a year', 'year'],
  [['', '', '1985'], 'Date of birth must include a day and a month', 'day month'],
  [['27', '3', '85'], 'Year must include 4 numbers', 'year'],
  [['31', 'Feb', '1985'], 'Date of birth must be a real date', 'day'],
  [['29', '2', '1985'], 'Date of birth must be a real date', 'day'],
  [['0', '2', '1985'], 'Date of birth must be a real date', 'day'],
  [['27', '13', '1985'], 'Date of birth must be a real date', 'month'],
  [['27', 'ju', '1985'], 'Date of birth must be a real date', 'month'],
  [['27', 'Mai', '1985'], 'Date of birth must be a real date', 'month'],
  [['17', '11', '2008'], 'You must be 18 or over', 'day month year'],
  [['17', '11', '2026'], 'Date of birth must be in the past', 'day month year'],
  [['15', '11', '1905'], 'Check the year of your date of birth', 'year'],
  [['16', '11', '2008'], '2008-11-16', ''],
  [['17', '11', '1905'], '1905-11-17', ''],
  [['29', '2', '2004'], '2004-02-29', ''],
  [['1', 'march', '1985'], '1985-03-01', ''],
  [[' 01 ', 'Sept.', '1985'], '1985-09-01', ''],
] as const;

type BirthDate = { readonly date?: string; readonly fault?: { readonly text: string; readonly parts: string[] } };
type ReadBirthDate = (typed: Record<string, string>, today: Date) => BirthDate;

test.each(DATES)('the date of birth %j: %s', async ([day, month, year], said, wrong) => {
  const file = new URL('../../../examples/consumer-journey/public/birth-date.js', import.meta.url);
  const { readBirthDate } = (await import(file.href)) as { readBirthDate: ReadBirthDate };
  const { date, fault } = readBirthDate({ day, month, year }, new Date(2026, 10, 16));
  expect([date ?? fault?.text, fault?.parts.join(' ') ?? '']).toEqual([said, wrong]);
});

test('a wrong date of birth: a summary with the focus, a link to the wrong field, and a tab that begins with Error', async () => {
  const page = await newPage();
  await fillDetails(page, live, 'allow@example.com');
  await typeBirthDate(page, '31', 'February', '1985');
  await ask(page);
  expect(await focused(page)).toBe('faults');
  expect(await page.title()).toMatch(/^Error: /);
  expect(await page.locator('#faults li').allInnerTexts()).toEqual(['Date of birth must be a real date']);
  await page.locator('#faults a').press('Enter');
  expect(await focused(page)).toBe('dateOfBirth-day');
  expect(await page.getByLabel('Day').getAttribute('aria-describedby')).toBe('dateOfBirth-error');
  expect(await page.getByLabel('Month').getAttribute('aria-invalid')).toBeNull();
  await lookAt(page, 'details-birth-date');
  // The name of a month is taken, and the tab is calm again.
  const [year = '', month = '', day = ''] = live.person.dateOfBirth.split('-');
  const name = new Date(Number(year), Number(month) - 1).toLocaleString('en-GB', { month: 'long' });
  await typeBirthDate(page, day, name, year);
  await ask(page);
  await heading(page, 'Your report').waitFor();
  expect(await page.title()).toBe(`Your report – ${COMPANY}`);
  expect(complaints).toEqual([]);
});

test('a retry repeats the IP address of the first try for half an hour, and then it is forgotten', async () => {
  const asked: string[] = [];
  const generate = async ({ ipAddress }: { readonly ipAddress: string }) => {
    asked.push(ipAddress);
    return { data: { status: 'blocked' } };
  };
  const journeys = createJourneys({ generate } as unknown as Trefoil, true);
  const attempt = { attemptId: 'attempt-0123456789' };
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    await journeys.begin(attempt, '192.0.2.1');
    vi.advanceTimersByTime(29 * 60_000);
    await journeys.begin(attempt, '192.0.2.2');
    vi.advanceTimersByTime(61_000);
    await journeys.begin(attempt, '192.0.2.3');
  } finally {
    vi.useRealTimers();
  }
  expect(asked).toEqual(['192.0.2.1', '192.0.2.1', '192.0.2.3']);
});

test('every control is at least 44 pixels high', async () => {
  const page = await newPage();
  await fillDetails(page, live, 'challenge@example.com');
  await page.getByLabel('Postcode').fill('');
  await ask(page);
  const small = () =>
    page
      .locator('a:visible, button:visible, input:visible')
      .evaluateAll((all) =>
        all.filter((each) => each.getBoundingClientRect().height < 44).map((each) => each.outerHTML),
      );
  expect(await small()).toEqual([]);
  await page.getByLabel('Postcode').fill(live.person.addresses[0]?.ukAddress?.postcode ?? '');
  await ask(page);
  await heading(page, 'Enter the code').waitFor();
  await submitCode(page, '1');
  expect(await small()).toEqual([]);
});

test('a company whose name is markup: shown as text', async () => {
  const company = '<script>document.title=1</script> & "Sons"';
  const site = await serveSite(server, { company });
  const page = await newPage();
  await page.goto(site.siteUrl);
  expect(await page.locator('header').innerText()).toBe(company);
  expect(await page.title()).toBe(`See what lenders know about you – ${company}`);
  expect(await page.locator('body script').count()).toBe(0);
  expect(complaints).toEqual([]);
  await site.close();
});
