// The sample page of examples/consumer-journey, served for a live server, in a real browser.
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Trefoil } from '@trefoil/sdk';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { createSite } from '../../../examples/consumer-journey/site.ts';
import { findPerson } from '../../../tools/dev/ask-simulators.ts';
import { collectComplaints } from './chromium.ts';
import type { LiveServer } from './live.ts';

/** The name of the demo tenant, which its text messages have too. */
export const COMPANY = 'Demo Claims';

export type ConsumerSite = {
  readonly site: Server;
  readonly siteUrl: string;
  readonly person: Awaited<ReturnType<typeof findPerson>>;
  close(): Promise<unknown>;
};

type Changes = { readonly trefoil?: Trefoil; readonly isTest?: boolean; readonly company?: string };

export async function serveSite(server: LiveServer, changes: Changes = {}): Promise<ConsumerSite> {
  const { tenantId } = server.demo;
  const { baseUrl, trefoil } = server;
  const site = createSite({ trefoil, baseUrl, tenantId, company: COMPANY, isTest: false, ...changes });
  // Of IPv4 this machine has more than one address of its own to come from.
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  return {
    site,
    siteUrl: `http://localhost:${(site.address() as AddressInfo).port}`,
    person: await findPerson(server.providers.addresses.albion, 'person-0001'),
    close: () =>
      new Promise((resolve) => {
        site.close(resolve);
        // A browser opens connections ahead of need; those that never carried a request do not count as idle.
        site.closeAllConnections();
      }),
  };
}

/** The clock of the tests is a script, which the frame of the report refuses as it refuses every script. */
const OF_THE_CLOCK = /^Blocked script execution in '(about:blank|\S+\/report\/document)'/;

export async function newConsumer(chromium: Browser): Promise<{ context: BrowserContext; complaints: string[] }> {
  const context = await chromium.newContext({ viewport: { width: 390, height: 844 }, locale: 'en-GB' });
  context.setDefaultTimeout(30_000);
  // Runs as time does, until a test moves it on.
  await context.clock.install();
  return { context, complaints: collectComplaints(context, OF_THE_CLOCK) };
}

/** What a date of birth looks like on the form. */
export async function typeBirthDate(page: Page, day: string, month: string, year: string): Promise<void> {
  await page.getByLabel('Day').fill(day);
  await page.getByLabel('Month').fill(month);
  await page.getByLabel('Year').fill(year);
}

let phones = 0;
/** A number of a test's own; the digit chooses what the simulated carrier does with it. */
const nextNumber = (digit: number) => `+447700900${digit}${String(phones++).padStart(2, '0')}`;

/** Fills in the details of a person the bureaus know; the e-mail address chooses what the screening says. */
export async function fillDetails(page: Page, { siteUrl, person }: ConsumerSite, email: string, digit = 1) {
  const mobileNumber = nextNumber(digit);
  const { ukAddress } = person.addresses[0] ?? {};
  const [year = '', month = '', day = ''] = person.dateOfBirth.split('-');
  await page.goto(siteUrl);
  await page.getByLabel('First name').fill(person.firstName);
  await page.getByLabel('Last name').fill(person.lastName);
  await typeBirthDate(page, day, month, year);
  await page.getByLabel('Mobile number').fill(mobileNumber);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('House number or name').fill(ukAddress?.buildingNumber ?? ukAddress?.buildingName ?? '1');
  await page.getByLabel('Street').fill(ukAddress?.thoroughfare ?? '');
  await page.getByLabel('Town or city').fill(ukAddress?.townOrCity ?? '');
  await page.getByLabel('Postcode').fill(ukAddress?.postcode ?? '');
  await page.getByLabel(`I ask ${COMPANY}`).check();
  return mobileNumber;
}

export const ask = (page: Page) => page.getByRole('button', { name: 'Get my report' }).click();
export const startAgain = (page: Page) => page.getByRole('button', { name: 'Start again' }).click();
export const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
export const focused = (page: Page) => page.evaluate('document.activeElement.id') as Promise<string>;

export async function submitCode(page: Page, code: string): Promise<void> {
  await page.getByLabel('Code', { exact: true }).fill(code);
  await page.getByRole('button', { name: 'Continue' }).click();
}
