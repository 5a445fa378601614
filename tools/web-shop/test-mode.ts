// The shop in test mode: every outcome and refusal of the service, without anybody being asked.
import assert from 'node:assert/strict';
import type { Trefoil } from '@trefoil/sdk';
import type { Browser } from 'playwright-core';
import type { Scenario } from './main.ts';
import type { Shop } from './shop.ts';
import { openWalk, seeAsStaff } from './walk.ts';

export type Tested = { readonly browser: Browser; readonly shop: Shop; readonly trefoil: Trefoil };

/** The trial that is chosen on the page, the heading that it leads to, and what the staff read. */
const ENDS = [
  ['complete', 'Your credit check is complete', 'id="cost">0 credits (£0.00)'],
  ['partly', 'Your credit check is complete', 'Found nobody: experian'],
  ['not-traced', 'The bureaus did not find you', ''],
  ['blocked', 'We cannot continue online', ''],
  ['failed', 'The check could not be finished', ''],
  ['no-funds', 'We could not check just now', 'The wallet has too few credits'],
  ['no-credits', 'We could not check just now', 'The wallet has too few credits'],
  ['busy', 'We could not check just now', '429 rate-limited'],
] as const;

async function startChallenge({ browser, shop, trefoil }: Tested) {
  const walk = await openWalk(browser, shop);
  await walk.fillIn();
  await walk.choose('code');
  await walk.send();
  await walk.sees('Type the code from your phone');
  const { data } = await trefoil.listReports({ externalReference: walk.orderId() });
  return { walk, creditReportId: data.items[0]?.creditReportId ?? assert.fail('no report') };
}

export const OUTCOMES: Readonly<Record<string, Scenario<Tested>>> = {
  'every outcome and every refusal has its page': async ({ browser, shop }) => {
    const walk = await openWalk(browser, shop);
    for (const [trial, heading, note] of ENDS) {
      await walk.page.goto(shop.url);
      await walk.fillIn({ 'E-mail address': 'test003@example.com' });
      await walk.choose(trial);
      await walk.send();
      await walk.sees(heading);
      if (note) assert.ok((await shop.readStaff(`/${walk.orderId()}`)).includes(note), `${trial}: ${note}`);
    }
    await walk.close();
  },
};

export const TESTED: Readonly<Record<string, Scenario<Tested>>> = {
  'the challenge expires: the webhook moves the page on, and sends no form again': async (tested) => {
    const { walk, creditReportId } = await startChallenge(tested);
    const posts: string[] = [];
    walk.page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()));
    // From here on the page is the answer to a form.
    await walk.submitCode('000000');
    await walk.reads('That code is not right.');
    await tested.trefoil.advanceTestClock(creditReportId, 301);
    await walk.sees('The code has expired');
    assert.equal(posts.length, 1, 'the wrong code was sent once');
    await walk.look('10-expired');
    await seeAsStaff(tested.browser, tested.shop, walk.orderId(), 'credit-report.expired');
    await walk.close();
  },

  'a code after the expiry gets the same page': async (tested) => {
    const { walk, creditReportId } = await startChallenge(tested);
    await walk.page.route('**/status', (route) => route.abort());
    await walk.page.getByLabel('Code', { exact: true }).fill('123456');
    await tested.trefoil.advanceTestClock(creditReportId, 301);
    await walk.press('Continue');
    await walk.sees('The code has expired');
    await walk.context.close();
  },

  'a double click on a wrong code uses one attempt': async (tested) => {
    const { walk } = await startChallenge(tested);
    await walk.page.getByLabel('Code', { exact: true }).fill('000000');
    const send = await walk.copyForm('form[action$="/code"]');
    for (const answer of await Promise.all([send(), send()])) {
      assert.ok((await answer.text()).includes('You can try 2 times.'));
    }
    // The page's form has the key of both clicks; a new page has a new one.
    await walk.page.reload();
    await walk.submitCode('000000');
    await walk.reads('You can try once more.');
    await walk.submitCode('123456');
    await walk.sees('Your credit check is complete');
    await walk.close();
  },

  'what an order cannot do is not found, and sends no message': async (tested) => {
    const { walk } = await startChallenge(tested);
    const order = `${tested.shop.url}/orders/${walk.orderId()}`;
    const form = { key: '00000000-0000-4000-8000-000000000000' };
    for (const address of [order, `${order}/status`, `${order}/other`]) {
      const answer = await walk.page.request.post(address, { form, maxRedirects: 0 });
      assert.equal(answer.status(), 404, address);
    }
    await walk.page.reload();
    await walk.reads('We can send 2 more.');
    await walk.close();
  },

  'an order waits for a day at most: then its details are gone, and the consumer starts again': async ({
    browser,
    shop,
  }) => {
    const walk = await openWalk(browser, shop);
    await walk.fillIn();
    await walk.choose('no-funds');
    await walk.send();
    await walk.sees('We could not check just now');
    await walk.page.route('**/status', (route) => route.abort());
    shop.makeOld(walk.orderId());
    await walk.press('Try again');
    await walk.sees('Please start again');
    await walk.look('13-start-again');
    await walk.page.getByRole('link', { name: 'Start again' }).click();
    await walk.sees('The Carrier');
    await walk.context.close();
  },

  'three messages at most, and the code still works': async (tested) => {
    const { walk } = await startChallenge(tested);
    for (const left of ['We can send one more.', 'We can send no more messages.']) {
      await walk.press('Send another message');
      await walk.reads(left);
    }
    await walk.submitCode('123 456');
    await walk.sees('Your credit check is complete');
    await walk.close();
  },

  'a mistake in the form is marked at its field, and the corrected form is a new attempt': async ({
    browser,
    shop,
  }) => {
    const walk = await openWalk(browser, shop);
    await walk.fillIn({ Postcode: 'nowhere', Year: new Date().getFullYear().toString() });
    await walk.send();
    await walk.reads('Please correct what is marked.');
    for (const label of ['Postcode', 'Day']) {
      assert.equal(await walk.page.getByLabel(label, { exact: true }).getAttribute('aria-invalid'), 'true', label);
    }
    await walk.look('11-mistakes');
    await walk.page.getByLabel('Postcode').fill('HS10 6QA');
    await walk.page.getByLabel('Year').fill('1999');
    await walk.send();
    await walk.sees('Your credit check is complete');
    await walk.look('12-test-report');
    await walk.close();
  },

  'without scripts the shop works too': async ({ browser, shop }) => {
    const walk = await openWalk(browser, shop, { isTyped: true, javaScriptEnabled: false });
    await walk.fillIn();
    await walk.choose('code');
    await walk.send();
    await walk.submitCode('123456');
    await walk.sees('Your credit check is complete');
    await walk.close();
  },
};
