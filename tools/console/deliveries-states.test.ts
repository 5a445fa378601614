// What a company looks for among its deliveries, and what it sends again, in every state, as the service answers. Held against the
// accessibility rules in light and dark, and against the content policy (docs/decisions/0283-looking-into-deliveries.md).
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { lookAt } from '../../server/test/support/chromium.ts';
import { eventually } from '../testing/eventually.ts';
import { type Answer, NOTHING, refusal } from './answers.ts';
import { checkWidths, said } from './check-states.ts';
import { openStage, type Stage } from './stage.ts';
import {
  ALONE,
  ENDPOINT,
  ENDPOINT_PATH,
  endpoint,
  isOf,
  one,
  replay,
  request,
  TEST_ENDPOINT,
  TRIED,
  WAITS,
  WEBHOOKS,
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

const HERE = `webhook-endpoints/${ENDPOINT}`;
const ITS = `${HERE}/deliveries`;
const dialogOf = (page: Page) => page.getByRole('dialog');

/** The filter that deliveries were asked for with last; the figures above them ask without one. */
const askedFor = () => {
  const filters = stage.asked
    .filter(isOf(ITS))
    .map(({ searchParams }) => Object.fromEntries([...searchParams].filter(([name]) => name !== 'limit')));
  return filters.findLast((filter) => Object.keys(filter).length > 0) ?? {};
};

type Headed = Answer & { readonly headers?: Record<string, string> };

/** Gives one answer after the other to what is sent by this method, the last one from then on. Returns the bodies. */
async function answerTo(page: Page, method: string, path: string, ...answers: readonly Headed[]): Promise<unknown[]> {
  const bodies: unknown[] = [];
  await page.route(isOf(path), (route) => {
    if (route.request().method() !== method) return route.fallback();
    const answer = answers[Math.min(bodies.length, answers.length - 1)];
    bodies.push(route.request().postDataJSON());
    return route.fulfill({ status: 200, ...answer });
  });
  return bodies;
}

async function choose(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

test('deliveries by type, event and time: faults at their fields, the address has the filter, all are shown again', async () => {
  const page = await stage.open(ENDPOINT_PATH, WEBHOOKS);
  await page.getByText('Filter by type, event or time').click();
  const [event, from, to] = ['Event', 'From', 'To'].map((name) => page.getByLabel(name, { exact: true }));
  if (!event || !from || !to) throw new Error('a field is missing');
  await event.fill('CASE-1000');
  await from.fill('2026-09-17T14:30');
  await to.fill('2026-09-17T14:30');
  const find = page.getByRole('button', { name: 'Find', exact: true });
  await find.click();
  await said(page, 'Enter the whole id of an event');
  await said(page, 'Enter a time after From.');
  await eventually(async () => expect(await page.evaluate('document.activeElement.name')).toBe('event'));
  await lookAt(page, 'state-deliveries-faults');
  await checkWidths(page);
  expect(askedFor()).toEqual({});

  await page.route(isOf(ITS), (route) => {
    const isFiltered = new URL(route.request().url()).searchParams.has('eventId');
    return isFiltered ? route.fulfill({ status: 200, ...NOTHING }) : route.fallback();
  });
  await page.getByLabel('Type', { exact: true }).selectOption('wallet');
  await event.fill(TRIED.eventId);
  await to.fill('2026-09-17T15:30');
  await page.getByText('Failed', { exact: true }).last().click();
  await find.click();
  await said(page, 'No delivery fits');
  // London's clocks are an hour ahead in summer.
  const times = { from: '2026-09-17T13:30:00.000Z', to: '2026-09-17T14:30:00.000Z' };
  expect(askedFor()).toEqual({ state: 'failed', eventType: 'wallet', eventId: TRIED.eventId, ...times });
  await lookAt(page, 'state-deliveries-none');
  await page.reload();
  await said(page, 'No delivery fits');
  expect(await from.inputValue()).toBe('2026-09-17T14:30');
  await page.getByRole('button', { name: 'Show all' }).click();
  await said(page, 'something.new');
  expect([new URL(page.url()).search, await from.inputValue(), await event.inputValue()]).toEqual(['', '', '']);
});

test('half a time is a fault, and does not mean any time', async () => {
  const page = await stage.open(ENDPOINT_PATH, WEBHOOKS);
  await page.getByText('Filter by type, event or time').click();
  await page.getByLabel('From', { exact: true }).focus();
  await page.keyboard.type('17');
  await page.getByRole('button', { name: 'Find', exact: true }).click();
  await said(page, 'Enter a day and a time, or neither.');
  await choose(page, 'Send events again');
  await page.getByLabel('Until').focus();
  await page.keyboard.type('17');
  const sent = await answerTo(page, 'POST', `${HERE}/replay`, refusal(500, 'internal-error', 'No.'));
  await dialogOf(page).getByRole('button', { name: 'Send again' }).click();
  await dialogOf(page).getByText('Enter a day and a time, or neither.').waitFor();
  expect(sent).toEqual([]);
});

test('a delivery opens to what was sent, to the character; it is asked for once it is opened', async () => {
  const page = await stage.open(ENDPOINT_PATH, WEBHOOKS);
  await said(page, 'something.new');
  expect(stage.asked.filter(isOf(TRIED.path))).toEqual([]);
  await page.getByText('Attempt 2, next').click();
  await said(page, `webhook-timestamp: ${request.headers['webhook-timestamp']}`);
  await said(page, 'The signature is not shown.');
  await lookAt(page, 'state-delivery');
  await checkWidths(page);
  expect(stage.asked.filter(isOf(TRIED.path))).toHaveLength(1);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy the body' }).click();
  await page.getByText('Copied').first().waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(request.body);

  // One event is looked for to be looked at.
  const found = await stage.open(`${ENDPOINT_PATH}?event=${TRIED.eventId}`, { ...WEBHOOKS, [ITS]: ALONE });
  await said(found, 'Body sent');
  const failed = { [ITS]: ALONE, [TRIED.path]: refusal(500, 'internal-error', 'It failed.') };
  const without = await stage.open(`${ENDPOINT_PATH}?event=${TRIED.eventId}`, { ...WEBHOOKS, ...failed });
  await said(without, 'What was sent could not be loaded.');
  await said(without, 'No answer within 15 seconds.');
  const loading = await stage.open(`${ENDPOINT_PATH}?event=${TRIED.eventId}`, {
    ...{ ...WEBHOOKS, [ITS]: ALONE, [TRIED.path]: 'hang' },
  });
  await loading.getByText('Loading what was sent').waitFor({ state: 'attached' });
});

test('a disabled endpoint: what waits for it is looked for, and not what is pending', async () => {
  const disabled = one(endpoint({ status: 'disabled', disabledReason: 'requested' }));
  const page = await stage.open(ENDPOINT_PATH, { ...WEBHOOKS, [HERE]: disabled, [ITS]: WAITS });
  await said(page, 'Waits until the endpoint is enabled');
  await said(page, 'invented');
  const which = page.getByRole('group', { name: 'Which deliveries' });
  expect((await which.innerText()).split(/\s+/).filter(Boolean)).toEqual(
    expect.arrayContaining(['All', 'Waiting', 'Delivered', 'Failed']),
  );
  expect(await which.getByText('Pending').count()).toBe(0);
  await which.getByText('Waiting').click();
  await eventually(() => expect(askedFor()).toEqual({ state: 'waiting' }));
  expect(new URL(page.url()).search).toBe('?state=waiting');
  await lookAt(page, 'state-endpoint-disabled');
});

test('an endpoint whose receiver is asked: what happens is said, the page follows, and it may be left disabled', async () => {
  const confirming = one(endpoint({ status: 'confirming', disabledReason: 'gone' }));
  const page = await stage.open(ENDPOINT_PATH, { ...WEBHOOKS, [HERE]: confirming, [ITS]: WAITS });
  await said(page, 'It is now sent one test message.');
  const region = (name: string) => page.getByRole('region', { name }).innerText();
  // What the row says that it does.
  expect(await region('How it goes')).toMatch(/Waiting\s+1/);
  expect(await region('How it goes')).not.toContain('Pending');
  expect(await region('Deliveries')).not.toContain('Pending');
  await lookAt(page, 'state-endpoint-confirming');
  expect(await page.getByRole('button', { name: 'Enable' }).count()).toBe(0);
  await choose(page, 'Disable');
  await dialogOf(page).getByRole('heading', { name: 'Leave the endpoint disabled?' }).waitFor();
  await lookAt(page, 'state-endpoint-leave-disabled');
  const bodies = await answerTo(page, 'PATCH', HERE, one(endpoint({ status: 'disabled', disabledReason: 'gone' })));
  await dialogOf(page).getByRole('button', { name: 'Leave disabled' }).click();
  await said(page, 'It answered 410, which means');
  expect(bodies).toEqual([{ status: 'disabled' }]);

  await answerTo(page, 'PATCH', HERE, confirming);
  await page.getByRole('button', { name: 'Enable' }).click();
  await dialogOf(page).getByText('it gets one test message first').waitFor();
  await dialogOf(page).getByRole('button', { name: 'Enable' }).click();
  await page.getByText('A test message is on its way').waitFor();
  await said(page, 'It is now sent one test message.');
  const before = stage.asked.filter(isOf(ITS)).length;
  await answerTo(page, 'GET', HERE, one(endpoint()));
  await page.getByText('Its receiver accepted: the endpoint is enabled').waitFor();
  await eventually(() => expect(stage.asked.filter(isOf(ITS)).length).toBeGreaterThan(before));

  const list = { items: [endpoint({ status: 'confirming', disabledReason: 'gone' })], nextCursor: null };
  const all = await stage.open('/webhooks', { ...WEBHOOKS, 'webhook-endpoints': one(list) });
  await said(all, 'Its receiver is asked');
  await lookAt(all, 'state-webhooks-confirming');
});

test('events are sent again: faults, refusals and limits are told; then how far it is, and how it ended', async () => {
  const page = await stage.open(ENDPOINT_PATH, WEBHOOKS);
  await choose(page, 'Send events again');
  const [since, until] = [page.getByLabel('Since'), page.getByLabel('Until')];
  const send = dialogOf(page).getByRole('button', { name: 'Send again' });
  await until.fill('2020-01-01T00:00');
  await send.click();
  await dialogOf(page).getByText('Enter a time after the first.').waitFor();
  await since.fill('2036-01-01T00:00');
  await send.click();
  await dialogOf(page).getByText('Enter a time in the past.').waitFor();
  await lookAt(page, 'state-replay-faults');
  await since.fill('2026-03-02T06:00');
  await until.fill('2026-03-02T07:00');
  await page.getByLabel('Only events that were given up').check();
  const details = [{ path: '/until', message: 'Use a time that has passed.' }];
  const refused = refusal(400, 'validation-error', 'Not valid.');
  const limit = refusal(429, 'rate-limited', 'A company has 24 replays in 24 hours.');
  const begun = { id: ENDPOINT, ...replay() };
  const sent = await answerTo(
    page,
    'POST',
    `${HERE}/replay`,
    { ...refused, json: { ...refused.json, details } },
    refusal(409, 'conflict', 'A replay of another endpoint is under way.'),
    { ...limit, headers: { 'retry-after': '7200' } },
    one(begun),
  );
  await send.click();
  await dialogOf(page).getByText('Use a time that has passed.').waitFor();
  await send.click();
  await dialogOf(page).getByText('A replay of another endpoint is under way.').waitFor();
  await send.click();
  await dialogOf(page).getByText('A company has 24 replays in 24 hours.').waitFor();
  await dialogOf(page).getByText('Nothing was changed. You can try again after').waitFor();
  await lookAt(page, 'state-replay-limited');
  await answerTo(page, 'GET', HERE, one(endpoint({ replay: replay() })));
  await send.click();
  await page.getByText('The events are being sent again').waitFor();
  const asked = { since: '2026-03-02T06:00:00.000Z', until: '2026-03-02T07:00:00.000Z', onlyFailed: true };
  expect(sent).toEqual([asked, asked, asked, asked]);
  const progress = page.getByRole('region', { name: 'Events that are sent again' });
  await progress.getByText('12 events queued so far.').waitFor();
  await progress.getByText('only those that were given up').waitFor();
  await eventually(async () => expect(await progress.getByRole('progressbar').getAttribute('value')).toBe('0.25'));
  await lookAt(page, 'state-replay');
  await checkWidths(page);
  await choose(page, 'Send events again');
  await dialogOf(page).getByText('Events are being sent again already.').waitFor();
  await page.keyboard.press('Escape');

  const before = stage.asked.filter(isOf(ITS)).length;
  await answerTo(page, 'GET', HERE, one(endpoint({ replay: replay({ status: 'ended', queued: 31 }) })));
  await page.getByText('31 events queued to be sent again').waitFor();
  await page.getByRole('region', { name: 'Settings' }).getByText('31 events, on').waitFor();
  expect(await progress.count()).toBe(0);
  await eventually(() => expect(stage.asked.filter(isOf(ITS)).length).toBeGreaterThan(before));
  await lookAt(page, 'state-replay-ended');
});

test('a test: of any type at an endpoint of test mode, the plain one at a live one', async () => {
  const page = await stage.open(`/webhooks/${TEST_ENDPOINT}?mode=test`, WEBHOOKS);
  const answer = one({});
  const sent = await answerTo(page, 'POST', `webhook-endpoints/${TEST_ENDPOINT}/test`, answer);
  await page.getByRole('button', { name: 'Send test event' }).click();
  await page.getByLabel('As if this had happened').selectOption('credit-report.failed');
  await lookAt(page, 'state-test-event');
  await dialogOf(page).getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('A test event is on its way').waitFor();
  await dialogOf(page).waitFor({ state: 'detached' });
  expect(sent).toEqual([{ type: 'credit-report.failed' }]);
  const live = await stage.open(ENDPOINT_PATH, WEBHOOKS);
  const plain = await answerTo(live, 'POST', `${HERE}/test`, answer);
  await live.getByRole('button', { name: 'Send test event' }).click();
  await live.getByText('A test event is on its way').waitFor();
  expect(plain).toEqual([{ type: 'webhook.test' }]);
});

test('a change of an endpoint sends what was changed and no more; what a colleague changed meanwhile stays', async () => {
  // While events are sent again, the page asks for the endpoint again and again.
  const moving = one(endpoint({ replay: replay() }));
  const page = await stage.open(ENDPOINT_PATH, { ...WEBHOOKS, [HERE]: moving });
  const byColleague = one(endpoint({ url: 'https://new.northgate.example/credit', ordered: false }));
  const sent = await answerTo(page, 'PATCH', HERE, byColleague);
  await choose(page, 'Change');
  await dialogOf(page).getByRole('button', { name: 'Save' }).click();
  await page.getByText('Nothing was changed').waitFor();
  await dialogOf(page).waitFor({ state: 'detached' });
  expect(sent).toEqual([]);
  await choose(page, 'Change');
  await answerTo(page, 'GET', HERE, byColleague);
  await page.locator('h1').getByText('new.northgate.example/credit').waitFor({ state: 'attached' });
  await page.getByLabel('Description').fill('Warehouse');
  await dialogOf(page).getByRole('button', { name: 'Save' }).click();
  await page.getByText('The endpoint is changed').waitFor();
  expect(sent).toEqual([{ description: 'Warehouse' }]);
});

test('no page broke the content policy, and none wrote an error', () => {
  expect(stage.complaints).toEqual([]);
});
