// Webhooks, events and settings in every state, as the service answers. Each is held against the accessibility rules in
// light and dark, and against the content policy.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { lookAt } from '../../server/test/support/chromium.ts';
import { eventually } from '../testing/eventually.ts';
import { type Answer, NOTHING, refusal } from './answers.ts';
import { checkStates, checkWidths, said } from './check-states.ts';
import { EVENTS, manyEvents, NO_EVENTS, newEvent, SETTINGS, settingsAnswer } from './events-answers.ts';
import { openStage, type Stage } from './stage.ts';
import {
  ENDPOINT,
  ENDPOINT_PATH,
  endpoint,
  HALTED,
  isOf,
  one,
  TEST_ENDPOINT,
  WEBHOOKS,
  withSecret,
} from './webhooks-answers.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
}, 60_000);
afterAll(async () => {
  await stage?.close();
});
// A test looks at several pages, each in light and dark.
vi.setConfig({ testTimeout: 120_000 });

test('webhooks: full, loading, failed, refused, empty; live and test apart', async () => {
  await checkStates(stage, {
    path: '/webhooks',
    name: 'webhooks',
    answers: WEBHOOKS,
    main: 'webhook-endpoints',
    full: 'hooks.northgate.example/credit',
    empty: 'No endpoints yet',
  });
  const page = await stage.open('/webhooks', WEBHOOKS);
  await said(page, 'Failed for five days');
  expect(await page.getByText('staging.northgate.example').count()).toBe(0);
  await page.getByText('Test', { exact: true }).click();
  await said(page, 'staging.northgate.example/credit');
  expect(await page.getByText('hooks.northgate.example/credit').count()).toBe(0);
});

test('an endpoint: full with its attempts, loading, failed, refused; unknown, of the other mode, and stopped', async () => {
  const [here, its] = [`webhook-endpoints/${ENDPOINT}`, `webhook-endpoints/${ENDPOINT}/deliveries`];
  await checkStates(stage, {
    ...{ path: ENDPOINT_PATH, name: 'endpoint', answers: WEBHOOKS },
    ...{ main: its, full: 'Balance low', empty: 'No deliveries yet', isLookedAtLater: true },
  });
  const page = await stage.open(ENDPOINT_PATH, WEBHOOKS);
  await said(page, 'something.new');
  await said(page, 'The newest 10 deliveries');
  await page.getByText('Attempt 2, next').click();
  await said(page, '{"error":"upstream unavailable"}');
  await said(page, 'No answer within 15 seconds.');
  await lookAt(page, 'state-endpoint-opened');
  await checkWidths(page);
  await page.route(isOf(its), (route) => route.fulfill({ status: 200, ...NOTHING }));
  await page.getByText('Failed', { exact: true }).last().click();
  await said(page, 'No delivery has failed in the last 30 days');
  await page.getByRole('button', { name: 'Show all' }).click();
  await said(page, 'something.new');

  const states: readonly (readonly [string, Answer, string])[] = [
    ['unknown', refusal(404, 'not-found', 'Unknown.'), 'This endpoint does not exist'],
    ['failed', refusal(500, 'internal-error', 'It failed.'), 'This endpoint could not be loaded'],
    ['other-mode', one(endpoint({ test: true })), 'This endpoint belongs to test mode'],
    ['stopped', one(endpoint({ status: 'disabled', disabledReason: 'failing' })), 'Every attempt failed for five days'],
    ['lost', one(endpoint({ url: '', status: 'disabled', disabledReason: 'unreadable' })), 'has lost the key'],
  ];
  for (const [name, answer, words] of states) {
    const shown = await stage.open(ENDPOINT_PATH, { ...WEBHOOKS, [here]: answer, [its]: HALTED });
    await said(shown, words);
    await lookAt(shown, `state-endpoint-${name}`);
  }
  const other = await stage.open(`/webhooks/${TEST_ENDPOINT}`, WEBHOOKS);
  await other.getByRole('link', { name: 'Switch to Test' }).click();
  await said(other, 'No deliveries yet');
});

test('an endpoint that is loading', async () => {
  const loading = await stage.open(ENDPOINT_PATH, { ...WEBHOOKS, [`webhook-endpoints/${ENDPOINT}`]: 'hang' });
  await loading.getByText('Loading the endpoint').waitFor({ state: 'attached' });
  await lookAt(loading, 'state-endpoint-loading');
});

test('an endpoint is added once: faults at their fields, what was typed stays, the secret is shown once', async () => {
  const page = await stage.open('/webhooks', WEBHOOKS);
  const sent: unknown[] = [];
  let answer: Answer = refusal(400, 'validation-error', 'The request body is not valid.');
  await page.route(isOf('webhook-endpoints'), (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    sent.push(route.request().postDataJSON());
    return route.fulfill({ status: 200, ...answer });
  });
  const add = page.getByRole('button', { name: 'Add endpoint' });
  await add.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Chosen types').click();
  await dialog.getByRole('button', { name: 'Add endpoint' }).click();
  await dialog.getByText('Enter a whole address').waitFor();
  await dialog.getByText('Choose at least one, or all events.').waitFor();
  await eventually(async () => expect(await page.evaluate('document.activeElement.name')).toBe('url'));
  await lookAt(page, 'state-endpoint-faults');
  await dialog.getByLabel('Address').fill('https://inside.local/hook');
  await dialog.getByLabel('Report complete').check();
  await dialog.getByText('All events', { exact: true }).click();
  expect(await dialog.getByLabel('Report complete').isVisible()).toBe(false);
  await dialog.getByText('Chosen types').click();
  const details = [{ path: '/url', message: 'Use a host that can be reached from the internet.' }];
  answer = { ...answer, json: { ...answer.json, details } };
  await dialog.getByRole('button', { name: 'Add endpoint' }).click();
  await dialog.getByText('Use a host that can be reached').waitFor();
  await eventually(async () => expect(await page.evaluate('document.activeElement.name')).toBe('url'));
  answer = withSecret('whsec_shown-once');
  await dialog.getByLabel('Address').fill('https://hooks.example.com/trefoil');
  await dialog.getByRole('button', { name: 'Add endpoint' }).dblclick();
  await page.getByRole('heading', { name: 'Copy the secret now' }).waitFor();
  await lookAt(page, 'state-endpoint-secret');
  expect(sent).toHaveLength(2);
  expect(sent[1]).toEqual({
    ...{ url: 'https://hooks.example.com/trefoil', description: '', ordered: true, test: false },
    eventTypes: ['credit-report.completed'],
  });
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain('whsec_shown-once');
});

test('changes of an endpoint: each is asked first; replacing says how long both secrets are valid', async () => {
  const page = await stage.open(ENDPOINT_PATH, WEBHOOKS);
  const more = page.getByRole('button', { name: 'More actions' });
  await page.route(isOf(`webhook-endpoints/${ENDPOINT}/rotate-secret`), (route) =>
    route.fulfill({ status: 200, ...withSecret('whsec_second') }),
  );
  await more.click();
  await page.getByRole('menuitem', { name: 'Replace the signing secret' }).click();
  await page.getByRole('button', { name: 'Replace secret' }).click();
  await page.getByText('The older secret signs too, until').waitFor();
  await lookAt(page, 'state-endpoint-rotated');
  await page.getByRole('button', { name: 'I have copied it' }).click();
  for (const [item, title] of [
    ['Change', 'Change the endpoint'],
    ['Send events again', 'Send events again'],
    ['Disable', 'Disable the endpoint?'],
    ['Delete endpoint', 'Delete the endpoint?'],
  ] as const) {
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await more.click();
    await page.getByRole('menuitem', { name: item, exact: true }).click();
    await page.getByRole('dialog').getByRole('heading', { name: title }).waitFor();
    await lookAt(page, `state-endpoint-${item.toLowerCase().replaceAll(' ', '-')}`);
    await page.keyboard.press('Escape');
  }
});

test('events: full, loading, failed, refused, empty, filtered empty; a new one waits until it is wanted', async () => {
  await checkStates(stage, {
    ...{ path: '/events', name: 'events', answers: EVENTS, main: 'events', full: 'Balance low', isLookedAtLater: true },
  });
  const waits = () => stage.asked.filter(({ searchParams }) => searchParams.has('wait')).length;
  // A service that does not wait is asked again only after a rest.
  const none = await stage.open('/events', { ...EVENTS, events: NO_EVENTS, 'events?wait': NO_EVENTS });
  await said(none, 'Nothing has happened in live mode');
  await lookAt(none, 'state-events-empty');
  expect(waits()).toBeLessThan(5);
  const refused = await stage.open('/events', { ...EVENTS, 'events?wait': refusal(400, 'validation-error', 'No.') });
  await said(refused, 'New events no longer appear by themselves.');
  await lookAt(refused, 'state-events-refused');
  const many = await stage.open('/events', { ...EVENTS, 'events?wait': manyEvents(500) });
  const asked = () => stage.asked.filter(({ searchParams }) => searchParams.get('cursor') === 'end').length;
  await many.getByRole('button', { name: 'Show 500 or more new events' }).click();
  await eventually(() => expect(asked()).toBe(2));
  expect(waits()).toBe(1);
  const filtered = await stage.open('/events?type=challenge', { ...EVENTS, events: NO_EVENTS });
  await said(filtered, 'No event fits');
  await lookAt(filtered, 'state-events-none-fits');
  await checkWidths(filtered);
  await filtered.getByRole('button', { name: 'Clear the filters' }).click();
  await said(filtered, 'Nothing has happened in live mode');

  let isTold = false;
  const page = await stage.open('/events', EVENTS);
  await said(page, 'Balance low');
  await page.getByText('Balance low').filter({ visible: true }).click();
  await said(page, '"threshold": 50000');
  await checkWidths(page);
  await page.route(isOf('events'), (route) => {
    const query = new URL(route.request().url()).searchParams;
    if (!query.has('wait') || isTold) return route.fallback();
    isTold = true;
    expect([query.get('test'), query.get('type')]).toEqual(['false', 'credit-report']);
    return route.fulfill({ status: 200, ...newEvent });
  });
  // A new question begins a new wait.
  await page.getByLabel('Type').selectOption('credit-report');
  const button = page.getByRole('button', { name: 'Show 1 new event' });
  await button.waitFor();
  const lines = page.getByRole('main').getByRole('listitem');
  expect(await lines.count()).toBe(6);
  await lookAt(page, 'state-events-new');
  await button.click();
  await eventually(async () => expect(await lines.count()).toBe(7));
  await page.getByLabel('Report', { exact: true }).fill('CASE-1000');
  await page.getByRole('button', { name: 'Find', exact: true }).click();
  await said(page, 'Enter the whole id of a report.');
});

test('settings: every state; what would be erased is told and asked first, and step-up keeps what was typed', async () => {
  await checkStates(stage, {
    ...{ path: '/settings', name: 'settings', answers: SETTINGS, main: 'settings', full: 'Agreed with the operator' },
  });
  const page = await stage.open('/settings', SETTINGS);
  const sent: unknown[] = [];
  let answer: Answer = refusal(403, 'step-up-required', 'Prove your second factor.');
  await page.route(isOf('settings'), (route) => {
    if (route.request().method() !== 'PATCH') return route.fallback();
    sent.push([new URL(route.request().url()).search, route.request().postDataJSON()]);
    return route.fulfill({ status: 200, ...answer });
  });
  const form = (name: string) => page.getByRole('form', { name });
  const days = page.getByLabel('Days that reports are kept');
  await days.fill('100');
  await form('Reports').getByRole('button', { name: 'Save' }).click();
  await said(page, 'Enter a whole number from 0 to 90.');
  await eventually(async () => expect(await page.evaluate('document.activeElement.name')).toBe('retentionDays'));
  const isPreview = isOf('settings/retention-preview');
  await page.route(isPreview, (route) => route.fulfill({ ...refusal(400, 'validation-error', 'No.') }));
  await days.fill('8');
  await said(page, 'How many reports would be erased could not be counted.');
  await page.unroute(isPreview);
  await days.fill('1');
  await days.fill('7');
  await said(page, '1,284 reports would be erased, the newest of them from 23 Feb 2026.');
  const counted = stage.asked.filter(isPreview).map(({ searchParams }) => searchParams.get('retentionDays'));
  expect(counted).toEqual(['8', '7']);
  await form('Reports').getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('heading', { name: 'Erase 1,284 reports?' }).waitFor();
  expect(sent).toEqual([]);
  await dialog.getByRole('button', { name: 'Erase and save' }).click();
  await dialog.getByText('This needs your second factor.').waitFor();
  await lookAt(page, 'state-settings-erase');
  // Meanwhile a colleague has changed others: what stands in their fields is not sent.
  answer = settingsAnswer({ retentionDays: 7, smsMinuteMessages: 30, smsCountries: null, lowBalanceCredits: 70_000 });
  await dialog.getByRole('button', { name: 'Erase and save' }).click();
  await page.getByText('Reports are now kept for 7 days').waitFor();
  expect(sent).toEqual(Array.from({ length: 2 }, () => ['?confirm=true', { retentionDays: 7 }]));

  answer = refusal(403, 'step-up-required', 'Prove your second factor.');
  await page.getByLabel('Texts in a day').fill('2000');
  await page.getByText('Ireland').last().waitFor();
  await form('Limits of text messages').getByRole('button', { name: 'Save' }).click();
  await said(page, 'Enter a whole number, at most 1,000 as agreed.');
  await page.getByLabel('Texts in a day').fill('');
  await page.getByLabel('Cost in a day, in £').fill('12.50');
  await page.getByLabel('Ireland').check();
  await page.getByText('All that were agreed', { exact: true }).click();
  expect(await page.getByLabel('Ireland').isVisible()).toBe(false);
  await page.getByText('Chosen ones').click();
  await form('Limits of text messages').getByRole('button', { name: 'Save' }).click();
  await said(page, 'This needs your second factor.');
  await lookAt(page, 'state-settings-step-up');
  expect(await page.getByLabel('Cost in a day, in £').inputValue()).toBe('12.50');
  expect(sent.at(-1)).toEqual(['', { smsDailyMessages: null, smsDailyCredits: 12_500, smsCountries: ['GB', 'IE'] }]);
  await form('Low balance').getByRole('button', { name: 'Save' }).click();
  await page.getByText('Nothing was changed', { exact: true }).waitFor();
  expect(sent).toHaveLength(3);
  // A second visit begins with what the service says then, not with what was kept.
  const menu = page.getByRole('navigation').first();
  await menu.getByRole('link', { name: 'Webhooks' }).click();
  await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
  await page.route(isOf('settings'), (route) =>
    route.fulfill({ ...settingsAnswer({ displayName: 'By a colleague' }) }),
  );
  await menu.getByRole('link', { name: 'Settings' }).click();
  await eventually(async () => expect(await page.getByLabel('Name in texts').inputValue()).toBe('By a colleague'));
});

test('no page broke the content policy, and none wrote an error', () => {
  expect(stage.complaints).toEqual([]);
});
