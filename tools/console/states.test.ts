// Every page of the console in every state, as the service answers: full, loading, empty, refused, failed, and narrow. Each is
// held against the accessibility rules in light and dark, and against the content policy.
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { lookAt } from '../../server/test/support/chromium.ts';
import { eventually } from '../testing/eventually.ts';
import { type Answer, companies, made, NOTHING, REPORT, refusal, TENANT } from './answers.ts';
import { checkWidths, said } from './check-states.ts';
import { BEGUN_TIMELINE, ERASED_TIMELINE } from './new-report-answers.ts';
import { openStage, type Stage } from './stage.ts';
import { ENDPOINT, TEST_ENDPOINT, WEBHOOKS } from './webhooks-answers.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
}, 60_000);
afterAll(async () => {
  await stage?.close();
});

const PLACES = [
  { path: '/reports', heading: 'Reports', main: 'credit-reports', full: 'Waiting for code', empty: 'No reports yet' },
  { path: '/wallet', heading: 'Wallet', main: 'wallet/entries', full: '−£1.40', empty: 'Nothing moved in' },
  {
    path: '/credentials',
    heading: 'API credentials',
    main: 'credentials',
    full: 'Old intake form',
    empty: 'No credentials yet',
  },
  { path: '/people', heading: 'People', main: 'members', full: 'Tom Whitlock', empty: undefined },
  { path: '/audit', heading: 'Audit log', main: 'audit', full: 'something.new', empty: 'Nothing found' },
] as const;

// Most tests look at several pages, each in light and dark.
vi.setConfig({ testTimeout: 120_000 });

const nameOf = (path: string) => path.slice(1).replaceAll(/\W/g, '-');
const AWAY = refusal(503, 'service-unavailable', 'Busy.');

for (const { path, heading, main, full, empty } of PLACES) {
  test(`${path}: full`, async () => {
    const page = await stage.open(path);
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await said(page, full);
    await lookAt(page, `state-${nameOf(path)}`);
    await checkWidths(page);
  });

  test(`${path}: loading, failed and tried again, refused${empty ? ', empty' : ''}`, async () => {
    const loading = await stage.open(path, { [main]: 'hang' });
    await loading
      .getByRole('main')
      .getByText(/^Loading/)
      .first()
      .waitFor({ state: 'attached' });
    await lookAt(loading, `state-${nameOf(path)}-loading`);

    const failed = await stage.open(path, { [main]: refusal(500, 'internal-error', 'It failed.') });
    await said(failed, 'could not be loaded');
    await said(failed, '01998a3f-2b10-7d41-8e52-6f708192a3b4');
    await lookAt(failed, `state-${nameOf(path)}-failed`);

    const refused = await stage.open(path, { [main]: refusal(403, 'forbidden', 'No.') });
    await said(refused, 'Your role does not include this');
    expect(await refused.getByRole('button', { name: 'Try again' }).count()).toBe(0);

    if (!empty) return;
    const none = await stage.open(path, { [main]: NOTHING });
    await said(none, empty);
    await lookAt(none, `state-${nameOf(path)}-empty`);
  });
}

const ONE = `/reports/${REPORT}`;
/** What the page asked the API about money, with the mode. */
const askedOfMoney = () =>
  new Set(
    stage.asked
      .filter(({ pathname }) => /wallet/.test(pathname))
      .map(({ pathname, search }) => pathname.replace(/.*v1/, '') + search),
  );

test('/wallet in test mode: the test wallet alone, its lines lead to test reports, and it is reset after a yes', async () => {
  const page = await stage.open('/wallet?mode=test');
  const main = page.getByRole('main');
  await main.getByRole('heading', { level: 1, name: 'Test wallet' }).waitFor();
  await said(page, '£996.04');
  await said(page, '−£1.40');
  expect(await main.innerText()).not.toContain('£5,193.68');
  const leadsTo = await main.getByRole('link', { name: 'NC-48213' }).first().getAttribute('href');
  expect(leadsTo).toBe(`/console/${TENANT}${ONE}?mode=test`);
  expect(askedOfMoney()).toEqual(new Set(['/wallet?test=true', '/wallet/entries?limit=25&test=true']));
  await lookAt(page, 'state-wallet-test');
  await checkWidths(page);

  const resets: (string | null)[] = [];
  await page.route('**/v1/test/wallet/reset', (route) => {
    resets.push(route.request().postData());
    return route.fulfill({ status: 200, json: { meta: {}, data: { balance: 1_000_000 } } });
  });
  await main.getByRole('button', { name: 'Reset' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Its balance becomes £1,000.00').waitFor();
  await lookAt(page, 'state-wallet-reset');
  expect(resets).toEqual([]);
  await dialog.getByRole('button', { name: 'Reset' }).click();
  await page.getByText('The test wallet is reset').waitFor();
  expect(resets).toEqual(['{}']);
});

test('/wallet in test mode: a role that may not spend test credits may not reset them; empty, failed', async () => {
  const page = await stage.open('/wallet?mode=test', {
    '/v1/my/tenants': { json: companies('analyst') },
    'wallet/entries?test': NOTHING,
  });
  await said(page, 'Nothing has moved the test wallet');
  expect(await page.getByRole('button', { name: 'Reset' }).count()).toBe(0);
  await lookAt(page, 'state-wallet-test-empty');
  const failed = await stage.open('/wallet?mode=test', {
    'wallet?test': AWAY,
    'wallet/entries?test': refusal(500, 'internal-error', 'It failed.'),
  });
  await said(failed, 'The balance could not be loaded.');
  await said(failed, 'The lines could not be loaded');
});

/** What a list of links shows as the place where one is. */
const currentOf = (links: Locator) => links.locator('[aria-current="page"]').allInnerTexts();

test('the menu of a narrow window is gone when the window becomes wide, and the page can be used', async () => {
  const page = await stage.open('/reports');
  await page.setViewportSize({ width: 390, height: 800 });
  await page.getByRole('button', { name: 'Open the menu' }).click();
  await page.getByRole('button', { name: 'Close the menu' }).waitFor();
  await page.setViewportSize({ width: 1_280, height: 800 });
  await page.getByRole('button', { name: 'Close the menu' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'New report' }).last().click();
  await page.getByRole('heading', { level: 1, name: 'New report' }).waitFor();
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await page.getByRole('link', { name: 'Audit log' }).isVisible()).toBe(false);
});

test('reports: one outcome is shown as chosen', async () => {
  const page = await stage.open('/reports?status=failed');
  await said(page, 'CASE-1004');
  const chips = page.getByRole('list', { name: 'Outcome' });
  await eventually(async () => expect(await currentOf(chips)).toEqual([expect.stringContaining('Failed')]));
});

const OUTCOMES: readonly (readonly [string, Answer, string])[] = [
  ['erased', refusal(410, 'credit-report-purged', 'Erased.'), 'The content of this report was erased'],
  ['unknown', refusal(404, 'credit-report-not-found', 'Unknown.'), 'This report does not exist'],
  ['in progress', { ...refusal(409, 'request-in-progress', 'Later.') }, 'This report is in progress'],
  ['failed', refusal(500, 'internal-error', 'It failed.'), 'This report could not be loaded'],
  ['refused', refusal(403, 'forbidden', 'No.'), 'Your role does not include this'],
];

const TIMELINES: Readonly<Record<string, Answer>> = { erased: ERASED_TIMELINE, 'in progress': BEGUN_TIMELINE };

test('a report: readable, as JSON, and narrow', async () => {
  const page = await stage.open(ONE);
  await page.getByRole('heading', { level: 2, name: 'Car finance (2)' }).waitFor();
  await said(page, 'TransUnion did not answer.');
  await lookAt(page, 'state-report');
  await checkWidths(page);
  const views = page.getByRole('navigation', { name: 'Views of this report' });
  expect(await currentOf(views)).toEqual(['Report']);
  await page.getByRole('link', { name: 'Raw JSON' }).click();
  await said(page, '"creditReportId"');
  expect(await currentOf(views)).toEqual(['Raw JSON']);
  await lookAt(page, 'state-report-json');
  await checkWidths(page);
});

for (const [name, answer, words] of OUTCOMES) {
  test(`a report: ${name}`, async () => {
    const course = TIMELINES[name];
    const page = await stage.open(ONE, {
      [`credit-reports/${REPORT}`]: answer,
      ...(course && { [`credit-reports/${REPORT}/timeline`]: course }),
    });
    await said(page, words);
    await lookAt(page, `state-report-${name.replace(' ', '-')}`);
  });
}

test('a report: loading', async () => {
  const page = await stage.open(ONE, { [`credit-reports/${REPORT}`]: 'hang' });
  await page.getByText('Loading the report').waitFor({ state: 'attached' });
  await lookAt(page, 'state-report-loading');
});

test('a report of the other mode is not shown under the band of this one, but leads there', async () => {
  const page = await stage.open(`${ONE}?mode=test&view=json`);
  await said(page, 'This report belongs to live mode');
  expect(await page.getByText('"creditReportId"').count()).toBe(0);
  await lookAt(page, 'state-report-other-mode');
  await page.getByRole('link', { name: 'Switch to Live' }).click();
  await said(page, '"creditReportId"');
  expect(new URL(page.url()).search).toBe('?view=json');
});

test('a report whose cost cannot be read is still shown', async () => {
  const page = await stage.open(ONE, { 'wallet/entries?creditReportId': AWAY });
  await page.getByRole('heading', { level: 2, name: 'Car finance (2)' }).waitFor();
  await said(page, 'The cost could not be loaded.');
});

test('a role without the scope does not ask: the page says so', async () => {
  const page = await stage.open('/people', { '/v1/my/tenants': { json: companies('analyst') }, members: AWAY });
  await said(page, 'Your role does not include this');
  await lookAt(page, 'state-forbidden');
});

test('two repeats after 503, then the failure; a later answer is shown', async () => {
  const page = await stage.open('/audit', { audit: AWAY });
  await said(page, 'The audit log could not be loaded');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.route('**/v1/audit**', (route) => route.fulfill({ status: 200, ...NOTHING }));
  await page.getByRole('button', { name: 'Try again' }).click();
  await said(page, 'Nothing found');
});

test('the audit log: when nothing fits, it says what to change', async () => {
  const page = await stage.open('/audit', { audit: NOTHING });
  await said(page, 'Nothing has happened yet.');
  await page.getByLabel('What').selectOption('report.read');
  await said(page, 'Nothing of this kind has happened yet.');
  await page.getByLabel('When').selectOption('7');
  await said(page, 'Try a longer time.');
});

test('people on a phone: each with the state of the second factor', async () => {
  const page = await stage.open('/people');
  await page.setViewportSize({ width: 390, height: 800 });
  const factors = page.getByText(/^Second factor:/);
  await factors.first().waitFor();
  const texts = (await factors.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
  expect(texts).toEqual(['Second factor: Set up', 'Second factor: Not yet']);
});

test('dialogs: faults are at their fields, Escape gives the focus back', async () => {
  const page = await stage.open('/people');
  const invite = page.getByRole('button', { name: 'Invite', exact: true });
  await invite.click();
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await page.getByText('Enter a whole address').waitFor();
  expect(await page.getByLabel('E-mail address').getAttribute('aria-invalid')).toBe('true');
  await eventually(async () => expect(await page.evaluate('document.activeElement.name')).toBe('email'));
  await lookAt(page, 'state-invite');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await invite.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
});

test('a person is removed whose webhook endpoints go on: what ends is told first, the new secrets are shown once', async () => {
  const page = await stage.open('/people', WEBHOOKS);
  const removals: string[] = [];
  const [host, none] = ['hooks.northgate.example', { credentials: [], secrets: [], keys: [] }];
  const webhookEndpoints = [ENDPOINT, TEST_ENDPOINT].map((endpointId) => ({ endpointId, host }));
  const invitations = [{ invitationId: REPORT, email: 'joel.marsh@example.com' }];
  const asked = refusal(409, 'conflict', 'It ends more.');
  await page.route('**/v1/members/*', (route) => {
    removals.push(new URL(route.request().url()).search);
    if (removals.length === 1) {
      const wouldEnd = { ...none, invitations, webhookEndpoints };
      return route.fulfill({ ...asked, json: { ...asked.json, wouldEnd } });
    }
    const rotatedWebhookSecrets = webhookEndpoints.map((each, index) => ({ ...each, secret: `whsec_number-${index}` }));
    return route.fulfill({ status: 200, json: { meta: {}, data: { rotatedWebhookSecrets } } });
  });
  await page.getByRole('button', { name: 'Actions for Tom Whitlock' }).click();
  await page.getByRole('menuitem', { name: 'Remove from the company' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await dialog.getByText('Their invitation to joel.marsh@example.com').waitFor();
  // Both are at one host.
  await dialog.getByText('staging.northgate.example/credit (test mode)').waitFor();
  await dialog.getByText('Nothing more is sent to them.').waitFor();
  expect(await dialog.getByRole('listitem').allInnerTexts()).toEqual([
    ...['Their invitation to joel.marsh@example.com', 'hooks.northgate.example/credit'],
    'staging.northgate.example/credit (test mode)',
  ]);
  await lookAt(page, 'state-remove');
  await dialog.getByText('Keep, with new secrets').click();
  await dialog.getByText('Messages go on to the same addresses.').waitFor();
  await dialog.getByRole('button', { name: 'Remove, and end these' }).click();
  await page.getByRole('heading', { name: 'Copy the secrets now' }).waitFor();
  expect(removals).toEqual(['', '?confirm=true&webhooks=keep']);
  await dialog.getByText('whsec_number-0').waitFor();
  await dialog
    .getByRole('button', { name: 'Copy the secret of staging.northgate.example/credit (test mode)' })
    .waitFor();
  await lookAt(page, 'state-remove-secrets');
  await page.getByRole('button', { name: 'I have copied them' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain('whsec_');
});

test('a change that is not made says why, and what was typed stays', async () => {
  const page = await stage.open('/people');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByLabel('E-mail address').fill('joel.marsh@example.com');
  await page.route('**/v1/invitations', (route) =>
    route.fulfill(refusal(409, 'conflict', 'This person is a member already.') as { status: number }),
  );
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await page.getByText('This person is a member already.').waitFor();
  expect(await page.getByLabel('E-mail address').inputValue()).toBe('joel.marsh@example.com');
  await lookAt(page, 'state-invite-refused');
});

/** As long as the service makes them. */
const SECRET = `tfs_${'Xq3-'.repeat(10)}Xq3`;
/** Whole, and nothing of it is cut off. */
const isWithinDialog = (part: Locator) =>
  part.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const dialog = element.closest('[role=dialog]')?.getBoundingClientRect();
    const isInside =
      dialog && left >= dialog.left && right <= dialog.right && top >= dialog.top && bottom <= dialog.bottom;
    return isInside === true && element.scrollWidth <= element.clientWidth + 1;
  });

test('step-up: the form stays, nothing is sent without a press, and a secret is shown once', async () => {
  const page = await stage.open('/credentials');
  let sends = 0;
  let answer: Answer = refusal(403, 'step-up-required', 'Prove your second factor.');
  await page.route('**/v1/credentials', (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    sends += 1;
    return route.fulfill({ status: 200, ...answer });
  });
  await page.getByRole('button', { name: 'New credential' }).click();
  await page.getByLabel('Name').fill('Case portal 2');
  await page.getByRole('button', { name: 'Make credential' }).click();
  await page.getByText('This needs your second factor.').waitFor();
  await lookAt(page, 'state-step-up');
  await page.setViewportSize({ width: 390, height: 600 });
  // However far its fields are scrolled, what ends a dialog is in sight.
  for (const end of ['Make credential', 'Cancel', 'Close']) {
    expect(await isWithinDialog(page.getByRole('dialog').getByRole('button', { name: end })), end).toBe(true);
  }
  await page.setViewportSize({ width: 1_280, height: 900 });
  const link = page.getByRole('link', { name: 'Confirm in a new tab' });
  expect(await link.getAttribute('href')).toBe('/v1/auth/login?stepUp=true&returnTo=/console/confirmed');
  expect(await link.getAttribute('target')).toBe('_blank');

  const beside = await page.context().newPage();
  await beside.goto('/console/confirmed');
  await beside.getByText('You have confirmed that it is you').waitFor();
  await lookAt(beside, 'state-confirmed');
  await beside.close();
  await page.getByText('Confirmed. Nothing has been sent yet').waitFor();
  await lookAt(page, 'state-step-up-confirmed');
  expect([sends, await page.getByLabel('Name').inputValue()]).toEqual([1, 'Case portal 2']);

  answer = made('Case portal 2', SECRET);
  await page.getByRole('button', { name: 'Make credential' }).dblclick();
  await page.getByRole('heading', { name: 'Copy the secret now' }).waitFor();
  await lookAt(page, 'state-secret');
  await page.setViewportSize({ width: 390, height: 800 });
  const copy = page.getByRole('button', { name: 'Copy the secret' });
  for (const part of [page.getByText(SECRET), copy]) {
    expect(await isWithinDialog(part)).toBe(true);
  }
  expect(sends).toBe(2);
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain(SECRET);
});

test('by keyboard: after a choice in the palette the new page has the focus', async () => {
  const page = await stage.open('/reports');
  await said(page, 'Waiting for code');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').waitFor();
  await page.keyboard.type('statement');
  await page.getByRole('option', { name: /Wallet/ }).waitFor();
  await page.keyboard.press('Enter');
  await said(page, '−£1.40');
  await eventually(async () => expect(await page.evaluate('document.activeElement.textContent')).toBe('Wallet'));
});

test('no page broke the content policy, and none wrote an error', () => {
  expect(stage.complaints).toEqual([]);
});
