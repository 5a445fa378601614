// What a consumer and a member of staff do in the shop, step by step, in a real browser.
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { lookAt } from './look.ts';
import { type Shop, STAFF } from './shop.ts';

const PATIENCE_MS = 20_000;
let phones = 0;

/** Known to the simulated bureaus (docs/guides/live-mode-by-hand.md). */
const INES = {
  'First name': 'Ines',
  'Last name': 'Lowgill',
  Day: '26',
  Month: '2',
  Year: '1999',
  'House number or name': '103',
  'Street (optional)': 'Mill Lane',
  'Town or city': 'Tarrageo',
  Postcode: 'HS10 6QA',
  'E-mail address': 'allow@example.com',
};

export type Label = keyof typeof INES | 'Mobile number';
export type Details = Partial<Record<Label, string>>;

/** Until `look` returns something. The time is for a busy machine: usually it takes a second or two. */
export async function until<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T> {
  const endAtMs = performance.now() + PATIENCE_MS;
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    if (performance.now() > endAtMs) throw new Error(`waited in vain: ${what}`);
    await pause(100);
  }
}

/** As a browser fills in a form that it knows: all fields at once. Typing into each costs half a second of a processor. */
const FILL = `(values) => {
  for (const label of document.querySelectorAll('label')) {
    const value = values[label.textContent];
    if (value !== undefined) label.control.value = value;
  }
}`;

/** As wide as a phone. */
const VIEWPORT = { width: 390, height: 844 };

/** `isTyped`: the consumer types into each field. It is needed where the page runs no scripts. */
type WalkOptions = { readonly isTyped?: boolean; readonly javaScriptEnabled?: boolean };

export async function openWalk(browser: Browser, shop: Shop, { isTyped = false, ...options }: WalkOptions = {}) {
  const context: BrowserContext = await browser.newContext({ locale: 'en-GB', viewport: VIEWPORT, ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  const complaints: string[] = [];
  context.on('console', (message) => {
    // Refused forms answer 400 on purpose; the browser notes each.
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) complaints.push(message.text());
  });
  context.on('weberror', (error) => complaints.push(error.error().message));
  const page: Page = await context.newPage();
  const press = (name: string) => page.getByRole('button', { name }).click();

  return {
    page,
    context,
    press,
    async fillIn(details: Details = {}): Promise<string> {
      const mobile = `07700 9001${String(phones++).padStart(2, '0')}`;
      if (!page.url().startsWith(shop.url) || /\/orders/.test(page.url())) await page.goto(shop.url);
      const values = { ...INES, 'Mobile number': mobile, ...details };
      if (isTyped) {
        for (const [label, value] of Object.entries(values)) await page.getByLabel(label, { exact: true }).fill(value);
      } else await page.evaluate(`(${FILL})(${JSON.stringify(values)})`);
      return `+44${mobile.slice(1).replace(' ', '')}`;
    },
    choose: (trial: string) => page.getByLabel('what shall happen').selectOption(trial),
    send: () => press('Check my credit file'),
    async sees(heading: string): Promise<void> {
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    },
    async reads(text: string): Promise<void> {
      await page.getByText(text).first().waitFor();
    },
    async submitCode(code: string): Promise<void> {
      await page.getByLabel('Code', { exact: true }).fill(code);
      await press('Continue');
    },
    /**
     * Returns a function that sends a form of the page as it is now, beside the browser. A browser drops the first of two
     * quick clicks or sends both, as it happens; this always sends.
     */
    async copyForm(selector: string): Promise<() => Promise<Response>> {
      const [action, fields] = (await page.evaluate(
        `((form) => [form.action, [...new FormData(form)]])(document.querySelector('${selector}'))`,
      )) as [string, [string, string][]];
      const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
      return () => fetch(action, { method: 'POST', headers: { cookie }, body: new URLSearchParams(fields) });
    },
    orderId: () => /\/orders\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? assert.fail(`no order: ${page.url()}`),
    look: (name: string) => lookAt(page, name),
    async close(): Promise<void> {
      await context.close();
      assert.deepEqual(complaints, [], 'the browser complains about nothing');
    },
  };
}

/** The staff's page of an order, or without an id of all orders, in a browser, once it shows this. */
export async function seeAsStaff(browser: Browser, shop: Shop, orderId: string, text: string, look?: string) {
  const context = await browser.newContext({ locale: 'en-GB', viewport: VIEWPORT, httpCredentials: STAFF });
  context.setDefaultTimeout(PATIENCE_MS);
  try {
    const page = await context.newPage();
    await page.goto(`${shop.url}/staff/orders${orderId && `/${orderId}`}`);
    // The page loads itself again when a webhook arrives.
    await page.getByText(text).first().waitFor();
    if (look) await lookAt(page, look);
    return await page.locator('main').innerText();
  } finally {
    await context.close();
  }
}
