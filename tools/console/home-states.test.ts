// Home and the wallet's months in every state, as the service answers: full, loading, each card failed and tried again, empty, in
// test mode, by role, and offline. Held against the accessibility rules in light and dark, and against the content policy.
import { readFile } from 'node:fs/promises';
import type { Locator, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { lookAt } from '../../server/test/support/chromium.ts';
import { eventually } from '../testing/eventually.ts';
import { ANSWERS, type Answer, companies, NOTHING, refusal, TENANT } from './answers.ts';
import { checkWidths } from './check-states.ts';
import {
  ENDPOINT,
  endpoints,
  failing,
  HOME_ANSWERS,
  months,
  noUsage,
  settings,
  testActivity,
  unasked,
  usage,
} from './home-answers.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
}, 60_000);
afterAll(async () => {
  await stage?.close();
});
vi.setConfig({ testTimeout: 120_000 });

type Role = NonNullable<Parameters<typeof companies>[0]>;
const asRole = (role: Role) => ({ '/v1/my/tenants': { json: companies(role) } });
const FAILED = refusal(500, 'internal-error', 'It failed.');
const CARDS = ['Balance', 'Spend', 'Outcomes', 'One-time codes', 'Bureaus', 'Recent activity'];
const LIVE_ANSWERS = { ...ANSWERS, ...HOME_ANSWERS };

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const said = (where: Locator, text: string | RegExp) => where.getByText(text).first().waitFor();
const headings = (page: Page) => page.getByRole('main').getByRole('heading', { level: 2 }).allInnerTexts();
const alertTexts = (page: Page) =>
  page.getByRole('list', { name: 'Needs attention' }).getByRole('listitem').allInnerTexts();

/** Its text in one line, as a person reads it. */
const textOf = async (where: Locator) => (await where.innerText()).replaceAll(/\s+/g, ' ');

/** Which operations of the company the page asked for, with the mode where it is named. */
function askedNames(): string[] {
  const names = stage.asked
    .filter(({ pathname }) => pathname.startsWith(`/${TENANT}/v1/`))
    .map(({ pathname, searchParams }) => {
      const mode = searchParams.get('test');
      const name = pathname.replace(`/${TENANT}/v1/`, '');
      return mode === null ? name : `${name}?test=${mode}`;
    });
  return [...new Set(names)].toSorted();
}

test('full: every figure of the answers, what needs attention, the drawings as tables; then offline', async () => {
  const soon = new Date(Date.now() + 20 * 3_600_000).toISOString();
  const credentials = structuredClone(ANSWERS['credentials']?.json) as { data: { items: { secrets: object[] }[] } };
  Object.assign(credentials.data.items[0]?.secrets[1] ?? {}, { endsAt: soon });
  const page = await stage.open('', { credentials: { json: credentials }, settings: settings(6_000_000) });
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await said(card(page, 'Recent activity'), 'Tom Whitlock');
  await eventually(async () => expect(await headings(page)).toEqual(CARDS));
  await eventually(async () =>
    expect(await alertTexts(page)).toEqual([
      expect.stringContaining('It is below your alert limit of £6,000.00.'),
      expect.stringMatching(/^Experian is unsteady since .*13:00\. Reports still complete/),
      expect.stringContaining('14 deliveries to hooks.northgate.example wait to be tried again.'),
      expect.stringMatching(/^A secret of “Case portal” ends in (19|20) hours\./),
    ]),
  );
  const balance = await textOf(card(page, 'Balance'));
  expect(balance).toContain('£5,193.68 About 18 days at this week’s pace');
  expect(balance).toContain('Available £5,187.56 Held for work in progress £6.12 Alert when below £6,000.00');
  expect(balance).toContain('Spent in the last 7 days £1,981.96');
  expect(await textOf(card(page, 'Spend'))).toContain('£4,063.60 Up 1.3% on the 14 days before');
  const today = card(page, 'Spend').getByRole('row').last();
  expect(await today.innerText()).toMatch(/Thursday,? 17 September\s+£202\.16\s+£9\.80\s+£211\.96/);
  // As the list of reports counts: an expired code is a failure.
  expect(await textOf(card(page, 'Outcomes'))).toMatch(
    /Failed 203 10\.1%.*Commonest failure: the code expired \(131\)\./,
  );
  expect(await textOf(card(page, 'One-time codes'))).toMatch(/Sent 1,284 Delivered 1,243 96\.8% Verified 1,118 89\.9%/);
  expect(await card(page, 'Bureaus').getByRole('row').count()).toBe(3 * 49);
  // Nothing but the host: the rest of an address may hold a secret.
  expect(await page.content()).not.toContain('kept-to-itself');
  expect(await page.getByRole('link', { name: 'See attempts' }).getAttribute('href')).toMatch(`/webhooks/${ENDPOINT}`);
  await lookAt(page, 'state-home');
  await checkWidths(page);

  const plot = card(page, 'Spend').locator('svg').first();
  await plot.hover({ position: { x: 120, y: 100 } });
  await said(card(page, 'Spend').locator('figure'), 'Total');
  await page.route('**/v1/usage?days=30**', (route) => route.fulfill({ json: usage(30) }));
  await page.getByText('30 days', { exact: true }).click();
  await said(card(page, 'Spend'), 'on the 30 days before');
  expect(await card(page, 'Spend').getByRole('row').count()).toBe(31);

  // Offline, figures that are there stay, and a new question says that no answer came.
  await page.route('**/v1/usage?days=7**', (route) => route.abort('internetdisconnected'));
  await page.context().setOffline(true);
  await page.getByText('You are offline.').waitFor();
  await page.getByText('7 days', { exact: true }).click();
  await said(card(page, 'Spend'), 'Your spend could not be loaded.');
  expect(await textOf(card(page, 'Balance'))).toContain('£5,193.68');
  expect(await textOf(card(page, 'Outcomes'))).toContain('Last 14 days Complete 1,712');
  await page.context().setOffline(false);
  await page.unroute('**/v1/usage?days=7**');
  await card(page, 'Spend').getByRole('button', { name: 'Try again' }).click();
  await said(card(page, 'Spend'), '£4,063.60');
});

test('loading, and without anything that needs attention: no band', async () => {
  const hanging = Object.fromEntries(['wallet', 'usage', 'bureaus', 'activity'].map((name) => [name, 'hang' as const]));
  const page = await stage.open('', { ...hanging, 'webhook-endpoints': NOTHING });
  for (const name of CARDS) await said(card(page, name), /^Loading/);
  await lookAt(page, 'state-home-loading');
  expect(await page.getByRole('list', { name: 'Needs attention' }).count()).toBe(0);
});

/** Each question, the cards that depend on it, and what they show once it is answered. */
const PARTS: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['activity', { 'Recent activity': 'Report complete' }],
  ['bureaus', { Bureaus: '100% answered' }],
  ['wallet', { Balance: '£5,193.68' }],
  ['usage', { Spend: '£4,063.60', Outcomes: '1,712', 'One-time codes': '1,243' }],
];

test('each card fails alone, and comes back alone when it is tried again', async () => {
  const down = new Set(['wallet', 'usage', 'bureaus', 'activity', 'settings']);
  const page = await stage.open('', { ...Object.fromEntries([...down].map((name) => [name, FAILED])) });
  for (const name of CARDS) await said(card(page, name), 'could not be loaded.');
  await lookAt(page, 'state-home-failed');
  await page.route(`**/${TENANT}/v1/**`, (route) => {
    const name = new URL(route.request().url()).pathname.replace(`/${TENANT}/v1/`, '');
    return down.has(name)
      ? route.fulfill({ status: 500, ...FAILED })
      : route.fulfill({ status: 200, ...LIVE_ANSWERS[name] });
  });
  const left = new Set(CARDS);
  for (const [question, cards] of PARTS) {
    down.delete(question);
    const [first = ''] = Object.keys(cards);
    await card(page, first).getByRole('button', { name: 'Try again' }).click();
    for (const [name, words] of Object.entries(cards)) {
      await said(card(page, name), words);
      left.delete(name);
    }
    for (const name of left) await said(card(page, name), 'could not be loaded.');
  }
  // The limit is a part of the balance that fails by itself.
  expect(await textOf(card(page, 'Balance'))).toContain('Alert when below Not known');
});

test('empty: nothing spent, no reports, no codes, no enquiry, nothing happened; an empty wallet is told', async () => {
  const page = await stage.open('', {
    usage: { json: noUsage() },
    bureaus: unasked,
    activity: NOTHING,
    settings: settings(null),
    'webhook-endpoints': endpoints({ status: 'disabled', disabledReason: 'gone' }),
    wallet: { json: { meta: {}, data: { balance: 0, held: 0, available: 0, creditsPerPound: 1_000 } } },
  });
  await said(card(page, 'Spend'), 'Nothing spent yet');
  await said(card(page, 'Outcomes'), 'No report ended in these 14 days.');
  await said(card(page, 'One-time codes'), 'No code was sent in these 14 days.');
  await said(card(page, 'Bureaus'), 'No live report asked a bureau in the last 24 hours.');
  await said(card(page, 'Recent activity'), 'Nothing has happened yet');
  expect(await textOf(card(page, 'Balance'))).toMatch(
    /£0\.00 Nothing spent in the last 7 days.*Alert when below No alert/,
  );
  await eventually(async () =>
    expect(await alertTexts(page)).toEqual([
      expect.stringContaining('The wallet is empty.'),
      expect.stringContaining('hooks.northgate.example said that it is gone.'),
    ]),
  );
  await lookAt(page, 'state-home-empty');

  const held = await stage.open('', {
    bureaus: failing,
    'webhook-endpoints': endpoints({ retrying: 0 }),
    wallet: { json: { meta: {}, data: { balance: 1_400, held: 1_400, available: 0, creditsPerPound: 1_000 } } },
  });
  await said(held.getByRole('main'), 'All of the balance is held.');
  await said(held.getByRole('main'), 'Experian has answered less than half');
  await eventually(async () =>
    expect(await alertTexts(held)).toEqual([
      expect.stringMatching(/^All of the balance is held\. New live reports are refused until work in progress ends/),
      expect.stringMatching(/^Experian has answered less than half of its enquiries since .*\. You pay only for/),
    ]),
  );
  await eventually(() => expect(askedNames()).toContain('webhook-endpoints'));
  expect(await held.getByText('A webhook endpoint is failing.').count()).toBe(0);

  const confirming = await stage.open('', {
    'webhook-endpoints': endpoints({ status: 'confirming', disabledReason: 'gone' }),
  });
  await said(confirming.getByRole('main'), 'A webhook endpoint is being confirmed.');
  expect(await confirming.getByText('A webhook endpoint was disabled.').count()).toBe(0);
});

const EVERY_ROLE = ['wallet', 'usage?test=false', 'bureaus', 'activity?test=false'];
const DEVELOPERS = ['webhook-endpoints', 'credentials'];
/**
 * What roles ask on Home, and the cards that they have: nothing that the service would refuse. The journeys of
 * server/test/console/roles.test.ts see every role.
 */
const ROLES: readonly (readonly [Role, readonly string[], readonly string[]])[] = [
  ['developer', [...EVERY_ROLE, ...DEVELOPERS], CARDS],
  ['finance', EVERY_ROLE, CARDS],
  ['caseworker', ['bureaus', 'activity?test=false'], ['Bureaus', 'Recent activity']],
];

test('roles: each asks and sees what its scopes allow, and no card is refused', async () => {
  for (const [role, operations, cards] of ROLES) {
    const page = await stage.open('', asRole(role));
    await said(card(page, 'Recent activity'), 'Report complete');
    await said(card(page, 'Bureaus'), '100% answered');
    await eventually(() => expect(askedNames(), role).toEqual(operations.toSorted()));
    expect(await headings(page), role).toEqual(cards);
    expect(await page.getByText('Alert when below').count(), role).toBe(0);
    const asking = page.getByRole('main').getByRole('link', { name: 'New report' });
    expect(await asking.count(), role).toBe(role === 'finance' ? 0 : 1);
    expect(await page.getByText('Your role does not include this').count(), role).toBe(0);
    if (role === 'caseworker') {
      await lookAt(page, 'state-home-caseworker');
      await checkWidths(page);
    }
  }
  // Only an owner changes or removes an owner.
  const people = await stage.open('/people', asRole('admin'));
  await people.getByRole('button', { name: 'Actions for Tom Whitlock' }).waitFor();
  expect(await people.getByRole('button', { name: /^Actions for/ }).count()).toBe(1);
});

test('test mode: figures of test mode alone, no money and no bureaus, and it says so', async () => {
  const page = await stage.open('?mode=test', {
    usage: { json: usage(14, { ...noUsage(true).data, outcomes: { complete: 3, blocked: 0, failed: 1, expired: 0 } }) },
    activity: testActivity,
    'webhook-endpoints': endpoints({ test: true, status: 'disabled', disabledReason: 'failing' }),
  });
  const main = page.getByRole('main');
  await said(main, 'Money and bureaus are live only');
  await said(card(page, 'Outcomes'), '75%');
  await said(main, 'A webhook endpoint was disabled.');
  expect(await headings(page)).toEqual(['Outcomes', 'One-time codes', 'Recent activity']);
  expect(await main.innerText()).not.toContain('£');
  // The wallet is the frame's, which shows what is available in the mode that is looked at.
  const ofTest = ['activity?test=true', 'usage?test=true', 'wallet?test=true'];
  expect(askedNames()).toEqual(['credentials', 'webhook-endpoints', ...ofTest].toSorted());
  await lookAt(page, 'state-home-test');
  await page.getByRole('link', { name: 'See live' }).click();
  await said(card(page, 'Balance'), '£5,193.68');
  expect(await page.getByText('A webhook endpoint was disabled.').count()).toBe(0);
  expect(new URL(page.url()).search).toBe('');
});

const THIS_MONTH = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Europe/London',
  year: 'numeric',
  month: '2-digit',
}).format(new Date());
const monthBefore = (month: string) => {
  const date = new Date(`${month}-15T12:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() - 1);
  return date.toISOString().slice(0, 7);
};
const [LAST, FIRST] = [monthBefore(THIS_MONTH), monthBefore(monthBefore(THIS_MONTH))];
const MONTHS: Answer = { json: months(THIS_MONTH, LAST, FIRST) };

test('the wallet: the months that there are, with their totals', async () => {
  const page = await stage.open('/wallet', { 'wallet/months': MONTHS });
  const main = page.getByRole('main');
  await said(main, 'Opening balance');
  const text = await textOf(main);
  expect(text).toContain('Opening balance £6,107.36 Top-ups +£4,000.00 Reports −£4,926.24');
  expect(text).toContain('Text messages −£233.44 Refunds +£246.00 Balance now £5,193.68');
  await said(main, '6 lines shown');
  const pdf = page.getByRole('link', { name: /^PDF/ });
  expect(await pdf.getAttribute('href')).toBe(`/${TENANT}/v1/wallet/statement?month=${THIS_MONTH}`);
  expect(await page.getByRole('row', { name: /^Report, 3 bureaus/ }).count()).toBe(2);
  await lookAt(page, 'state-wallet-month');
  await checkWidths(page);
  expect(await page.locator('select option').count()).toBe(3);
  expect(await page.getByRole('button', { name: 'Month after' }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Month before' }).click();
  await said(main, 'Closing balance');
  expect(await textOf(main)).toContain('Adjustments −£0.001');
  await said(main, '6 of 214,301 lines shown');
  await page.getByRole('button', { name: 'Month before' }).click();
  await page.waitForURL(`**/wallet?month=${FIRST}`);
  expect(await page.getByRole('button', { name: 'Month before' }).isDisabled()).toBe(true);
});

test('the wallet: a month in several files is one download; without one of them there is none; totals fail alone', async () => {
  const page = await stage.open(`/wallet?month=${LAST}`, { 'wallet/months': FAILED });
  const main = page.getByRole('main');
  const PARTS_OF_FILE = new Map([
    [null, ['3,top-up', 'bWlkZGxl']],
    ['bWlkZGxl', ['2,adjust', 'bGFzdA']],
    ['bGFzdA', ['1,top-up', null]],
  ]);
  let isBroken = true;
  const answerFile = (route: Route) => {
    if (route.request().headers()['accept'] !== 'text/csv') return route.fallback();
    const cursor = new URL(route.request().url()).searchParams.get('cursor');
    if (isBroken && cursor === 'bGFzdA') return route.fulfill({ status: 500, ...FAILED });
    const [line, next] = PARTS_OF_FILE.get(cursor) ?? [];
    const link = next ? { link: `</${TENANT}/v1/wallet/entries?cursor=${next}>; rel="next"` } : {};
    return route.fulfill({ contentType: 'text/csv', headers: link, body: `id,kind\r\n${line}\r\n` });
  };
  await page.route('**/v1/wallet/entries**', answerFile);
  let downloads = 0;
  page.on('download', () => {
    downloads += 1;
  });
  await page.getByRole('button', { name: /^CSV/ }).click();
  await said(main, 'The CSV could not be loaded.');
  // Totals that cannot be had are said alone: the lines are there.
  await said(main, 'The totals of the month could not be loaded.');
  await said(main, '6 lines shown');
  await lookAt(page, 'state-wallet-failed');
  expect(downloads).toBe(0);
  isBroken = false;
  const downloading = page.waitForEvent('download');
  const alert = (what: string) => main.getByRole('alert').filter({ hasText: what });
  await alert('The CSV').getByRole('button', { name: 'Try again' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe(`statement-${LAST}.csv`);
  expect(await readFile(await download.path(), 'utf8')).toBe('id,kind\r\n3,top-up\r\n2,adjust\r\n1,top-up\r\n');
  await page.route('**/v1/wallet/months', (route) => route.fulfill({ ...MONTHS }));
  await alert('The totals').getByRole('button', { name: 'Try again' }).click();
  await said(main, 'Closing balance');
});

test('no page broke the content policy, and none wrote an error', () => {
  // The browser notes each request that the cut connection ended.
  expect(stage.complaints.filter((line) => !line.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]);
});
