// The shop in live mode, against simulators of the other companies: here credits move, so here a refund can be seen.
import assert from 'node:assert/strict';
import { type Trefoil, webhooks } from '@trefoil/sdk';
import type { Browser } from 'playwright-core';
import type { Scenario } from './main.ts';
import type { Shop } from './shop.ts';
import { openWalk, seeAsStaff, until } from './walk.ts';

export type Live = {
  readonly browser: Browser;
  readonly shop: Shop;
  readonly trefoil: Trefoil;
  /** The simulated phones. */
  readonly inbox: string;
};

const COMPLETE = 'Your credit check is complete';
const CODE = 'Type the code from your phone';

/** The code of the newest message to a number, once `count` messages have arrived there. */
async function readCode(inbox: string, mobile: string, count: number): Promise<string> {
  return until(`message ${count} to ${mobile}`, async () => {
    const answer = await fetch(`${inbox}.json?to=${encodeURIComponent(mobile)}`);
    const own = (await answer.json()) as { body: string }[];
    return own.length >= count && own[0]?.body.slice(0, 6);
  });
}

const wrongFor = (code: string) => (code === '111111' ? '222222' : '111111');

export const LIVE: Readonly<Record<string, Scenario<Live>>> = {
  'a report at once: the page shows it, and the webhook says what it cost': async ({ browser, shop }) => {
    const walk = await openWalk(browser, shop, { isTyped: true });
    await walk.page.goto(shop.url);
    await walk.look('1-form');
    await walk.fillIn();
    await walk.send();
    await walk.sees(COMPLETE);
    assert.ok((await walk.page.locator('.accounts li').count()) > 0, 'the report has accounts');
    await walk.look('2-report');
    const order = await seeAsStaff(browser, shop, walk.orderId(), 'wallet.charged');
    assert.match(order, /This order cost\s+2,000 credits \(£2\.00\)/);
    await walk.close();
  },

  'a wrong code, another message, the right code': async ({ browser, shop, inbox }) => {
    const walk = await openWalk(browser, shop);
    const mobile = await walk.fillIn({ 'E-mail address': 'challenge@example.com' });
    await walk.send();
    await walk.sees(CODE);
    await walk.look('3-code');
    const first = await readCode(inbox, mobile, 1);
    await walk.submitCode(wrongFor(first));
    await walk.reads('That code is not right.');
    await walk.reads('You can try 2 times.');
    await walk.look('4-wrong-code');
    await walk.press('Send another message');
    await walk.reads('We have sent another message.');
    await walk.reads('We can send one more.');
    await walk.submitCode(await readCode(inbox, mobile, 2));
    await walk.sees(COMPLETE);
    await seeAsStaff(browser, shop, walk.orderId(), 'challenge.verified');
    await walk.close();
  },

  'three wrong codes: the refund is seen': async ({ browser, shop, inbox }) => {
    const walk = await openWalk(browser, shop);
    const mobile = await walk.fillIn({ 'E-mail address': 'challenge@example.com' });
    await walk.send();
    await walk.sees(CODE);
    const wrong = wrongFor(await readCode(inbox, mobile, 1));
    for (const left of ['You can try 2 times.', 'You can try once more.']) {
      await walk.submitCode(wrong);
      await walk.reads(left);
    }
    await walk.submitCode(wrong);
    await walk.sees('The check could not be finished');
    await walk.look('5-failed');
    const order = await seeAsStaff(browser, shop, walk.orderId(), 'Refunded: 2,000 credits (£2.00)', '6-staff-refund');
    assert.match(order, /wallet\.charged\s+-2,000/);
    assert.match(order, /wallet\.refunded\s+2,000/);
    await walk.close();
  },

  'a person whom no bureau knows is told so, and sees no empty report': async ({ browser, shop }) => {
    const walk = await openWalk(browser, shop);
    await walk.fillIn({ 'Last name': 'Nobody' });
    await walk.send();
    await walk.sees('The bureaus did not find you');
    assert.equal(await walk.page.locator('.accounts').count(), 0);
    await walk.look('7-not-found');
    await walk.close();
  },

  'forged webhooks are refused, each with the mistake': async ({ browser, shop, trefoil }) => {
    const walk = await openWalk(browser, shop);
    await walk.fillIn();
    await walk.send();
    await walk.sees(COMPLETE);
    const id = walk.orderId();
    await seeAsStaff(browser, shop, id, 'credit-report.completed');
    const { data } = await trefoil.listReports({ externalReference: id });
    const creditReportId = data.items[0]?.creditReportId;
    const event = { id: 'evt_f0f0f0f0f0f0f0f0', type: 'wallet.refunded', createdAt: new Date().toISOString() };
    const body = JSON.stringify({ ...event, data: { creditReportId, amount: 2_000 } });
    const otherSecret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
    const timestamp = Math.floor(Date.now() / 1_000);
    const { secret } = shop.endpoint;
    const sign = (signed: string, by: string, at = timestamp) =>
      webhooks.sign(signed, { id: event.id, secret: by, timestamp: at });
    const forged: readonly (readonly [string, Record<string, string>])[] = [
      ['headers-missing', {}],
      ['secret-wrong', await sign(body, otherSecret)],
      ['secret-wrong', await sign(body.replace('2000', '1'), secret)],
      ['timestamp-old', await sign(body, secret, timestamp - 600)],
    ];
    for (const [mistake, headers] of forged) {
      const answer = await fetch(`${shop.url}/webhooks`, { method: 'POST', headers, body });
      assert.equal(answer.status, 400);
      assert.ok((await answer.text()).startsWith(`${mistake}: `), `${mistake} is named`);
    }
    assert.doesNotMatch(await shop.readStaff(`/${id}`), /refunded/i);
    const staff = await seeAsStaff(browser, shop, '', 'refused', '14-staff-orders');
    for (const [mistake, times] of Object.entries({ 'headers-missing': 1, 'secret-wrong': 2, 'timestamp-old': 1 })) {
      const lines = staff.match(new RegExp(`\\d+ refused: ${mistake}`, 'g'));
      assert.deepEqual(lines, [`${times} refused: ${mistake}`], 'one line for each kind of mistake');
    }
    await walk.close();
  },

  'an order is its visitor’s, and the staff’s pages are closed to others': async ({ browser, shop }) => {
    const walk = await openWalk(browser, shop);
    await walk.fillIn({ 'E-mail address': 'block@example.com' });
    await walk.send();
    await walk.sees('We cannot continue online');
    await walk.look('9-blocked');
    assert.equal((await fetch(walk.page.url())).status, 404);
    assert.equal((await fetch(`${shop.url}/staff/orders`)).status, 401);
    await walk.close();
  },
};
