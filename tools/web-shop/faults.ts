// The shop in live mode while the network and the shop itself fail: every order is still one report and one charge.
import assert from 'node:assert/strict';
import type { Trefoil } from '@trefoil/sdk';
import type { Browser } from 'playwright-core';
import type { FaultProxy } from './fault-proxy.ts';
import type { Scenario } from './main.ts';
import type { Shop } from './shop.ts';
import { type Details, openWalk, seeAsStaff, until } from './walk.ts';

export type Faulty = {
  readonly browser: Browser;
  /** Reaches Trefoil through the proxy. */
  readonly shop: Shop;
  readonly trefoil: Trefoil;
  readonly proxy: FaultProxy;
};

const COMPLETE = 'Your credit check is complete';

const PRICE = 2_000;

/** Every report of the company, and its credits. No other shop is the company's, so only the scenario changes them. */
async function takeStock(trefoil: Trefoil) {
  let reports = 0;
  for await (const _ of trefoil.listReports()) reports += 1;
  const { data } = await trefoil.getWallet();
  return { reports, balance: data.balance };
}

type Stock = Awaited<ReturnType<typeof takeStock>>;

async function checkOneBought(trefoil: Trefoil, { reports, balance }: Stock): Promise<void> {
  assert.deepEqual(await takeStock(trefoil), { reports: reports + 1, balance: balance - PRICE });
}

/** The order waits, because the service could not be reached. */
async function startWaiting({ browser, shop, proxy }: Faulty, weather: 'lose' | 'down', details: Details = {}) {
  const walk = await openWalk(browser, shop);
  await walk.fillIn(details);
  await walk.page.waitForFunction('window.deviceSession.then(() => true)');
  proxy.set(weather);
  await walk.send();
  await walk.sees('We could not check just now');
  proxy.set('fair');
  assert.match(await shop.readStaff(`/${walk.orderId()}`), /No answer \(connection\)/);
  return walk;
}

/** Ids of the events about a report that the shop has accepted. */
async function listAccepted(trefoil: Trefoil, shop: Shop, creditReportId: string): Promise<string[]> {
  const told = await trefoil.listEvents({ creditReportId });
  const ids = new Set(told.data.items.map(({ id }) => id));
  const { data } = await trefoil.listWebhookDeliveries(shop.endpoint.id, { limit: 100 });
  return data.items.filter(({ eventId, state }) => state === 'delivered' && ids.has(eventId)).map(({ id }) => id);
}

export const FAULTS: Readonly<Record<string, Scenario<Faulty>>> = {
  'a second click while the first is being answered: one report, one charge': async ({
    browser,
    shop,
    trefoil,
    proxy,
  }) => {
    const before = await takeStock(trefoil);
    const walk = await openWalk(browser, shop);
    await walk.fillIn();
    const sendAgain = await walk.copyForm('#order-form');
    proxy.set('hold');
    await walk.page.getByRole('button', { name: 'Check my credit file' }).click({ noWaitAfter: true });
    await until('the first answer', async () => proxy.countHeld() > 0);
    const second = sendAgain();
    // The shop answers this after it has read the second click.
    await shop.readStaff('');
    proxy.release();
    await walk.sees(COMPLETE);
    assert.ok((await (await second).text()).includes(COMPLETE), 'the second click leads to the same report');
    await checkOneBought(trefoil, before);
    await walk.close();
  },

  'the webhook comes before the answer': async ({ browser, shop, trefoil, proxy }) => {
    const walk = await openWalk(browser, shop);
    await walk.fillIn();
    const orderId = await walk.page.locator('[name=orderId]').inputValue();
    proxy.set('hold');
    await walk.page.getByRole('button', { name: 'Check my credit file' }).click({ noWaitAfter: true });
    const creditReportId = await until('the report', async () => {
      const { data } = await trefoil.listReports({ externalReference: orderId });
      return data.items[0]?.creditReportId;
    });
    await until('both webhooks', async () => (await listAccepted(trefoil, shop, creditReportId)).length === 2);
    assert.match(await shop.readStaff(`/${orderId}`), /none yet/, 'the shop does not know the report');
    proxy.release();
    await walk.sees(COMPLETE);
    const order = await shop.readStaff(`/${orderId}`);
    assert.match(order, /credit-report\.completed/);
    assert.match(order, /id="cost">2,000 credits/);
    await walk.close();
  },

  'no answer arrives, though the service works: the order waits, and it is one report': async (faulty) => {
    const before = await takeStock(faulty.trefoil);
    const walk = await startWaiting(faulty, 'lose');
    await walk.press('Try again');
    await walk.sees(COMPLETE);
    await checkOneBought(faulty.trefoil, before);
    await walk.close();
  },

  'the service is away: the order waits, and one report comes of it': async (faulty) => {
    const before = await takeStock(faulty.trefoil);
    const walk = await startWaiting(faulty, 'down');
    await walk.look('8-try-later');
    await walk.press('Try again');
    await walk.sees(COMPLETE);
    await checkOneBought(faulty.trefoil, before);
    await walk.close();
  },

  'a mistake that the service finds at the second try is marked in the form': async (faulty) => {
    const before = await takeStock(faulty.trefoil);
    const walk = await startWaiting(faulty, 'down', { Postcode: 'nowhere' });
    await walk.press('Try again');
    await walk.reads('Please correct what is marked.');
    const postcode = walk.page.getByLabel('Postcode');
    assert.equal(await postcode.getAttribute('aria-invalid'), 'true');
    assert.equal(await postcode.inputValue(), 'nowhere');
    await postcode.fill('HS10 6QA');
    await walk.send();
    await walk.sees(COMPLETE);
    await checkOneBought(faulty.trefoil, before);
    await walk.close();
  },

  'every event comes again after a restart of the shop: nothing is counted twice': async ({
    browser,
    shop,
    trefoil,
  }) => {
    const since = new Date(Date.now() - 60_000);
    const walk = await openWalk(browser, shop);
    await walk.fillIn();
    await walk.send();
    await walk.sees(COMPLETE);
    const id = walk.orderId();
    await seeAsStaff(browser, shop, id, 'credit-report.completed');
    await seeAsStaff(browser, shop, id, 'wallet.charged');
    const address = walk.page.url();
    // The order's page asks the shop every second, and the browser would note that it is away.
    await walk.page.goto('about:blank');
    await shop.restart();
    await trefoil.replayWebhookEvents(shop.endpoint.id, { since: since.toISOString() });
    const order = await until('the second delivery of both events', async () => {
      const text = await shop.readStaff(`/${id}`);
      return (text.match(/<td class="amount">2<\/td>/g) ?? []).length >= 2 && text;
    });
    assert.match(order, /id="cost">2,000 credits/);
    await walk.page.goto(address);
    await walk.sees(COMPLETE);
    await walk.close();
  },
};
