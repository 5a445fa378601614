// Opens every page of the built site in a real browser, as a phone and as a desk, in light and in dark: nothing is blocked by
// the content policy, nothing goes to another host, nothing is wider than the screen, nothing breaks a rule of accessibility, a
// chosen language holds, and search finds a page. Pictures are kept with `--shots <folder>`. Run it after `npm run site`:
// `npm run site:browse`, or `npm run site:browse -- /docs/money` for some pages.
import { mkdirSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { findBarriers, openChromium } from '../../server/test/support/chromium.ts';
import { startDev } from '../dev/start-dev.ts';

const folder = fileURLToPath(new URL('../../site/dist', import.meta.url));
const { values, positionals } = parseArgs({ options: { shots: { type: 'string' } }, allowPositionals: true });
const { shots: SHOTS } = values;
const LOOKS = [
  { name: 'desk-light', colorScheme: 'light', viewport: { width: 1_280, height: 900 } },
  { name: 'phone-dark', colorScheme: 'dark', viewport: { width: 390, height: 844 } },
  // The other two only for pictures: what they could show is in one of the two above.
  ...(SHOTS
    ? ([
        { name: 'desk-dark', colorScheme: 'dark', viewport: { width: 1_280, height: 900 } },
        { name: 'phone-light', colorScheme: 'light', viewport: { width: 390, height: 844 } },
      ] as const)
    : []),
] as const;

const addresses = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => /(^|\/)index\.html$/.test(name))
  .map((name) => posix.join('/docs', posix.dirname(name)))
  .filter((address) => positionals.length === 0 || positionals.includes(address))
  .toSorted();

const faults: string[] = [];

function watch(context: BrowserContext, origin: string, look: string): void {
  const told = (page: Page | null, text: string) => faults.push(`${look} ${page?.url() ?? ''}: ${text}`);
  context.on('console', (message) => message.type() === 'error' && told(message.page(), message.text()));
  context.on('weberror', (error) => told(error.page(), error.error().message));
  context.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !/^(data|blob):/.test(url)) told(null, `asks another host: ${url}`);
  });
}

async function visit(page: Page, origin: string, address: string, look: string): Promise<void> {
  await page.goto(origin + address, { waitUntil: 'load' });
  if (address.endsWith('/reference'))
    await page.getByText('Generate a credit report').first().waitFor({ state: 'attached' });
  const width = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  if (width !== 0) faults.push(`${look} ${address}: ${width} pixels wider than the screen`);
  for (const barrier of await findBarriers(page)) faults.push(`${look} ${address}: ${barrier}`);
  if (!SHOTS) return;
  mkdirSync(SHOTS, { recursive: true });
  const name = `${address.slice(1).replaceAll('/', '-')}-${look}.png`;
  await page.screenshot({ path: join(SHOTS, name), fullPage: !address.endsWith('/reference') });
}

/** The reader's choice of dark goes with them, and search leads to a page. */
async function useIt(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/docs/money`);
  await page.getByRole('combobox', { name: 'Select theme' }).first().selectOption('dark');
  await page.getByRole('link', { name: 'Quickstart' }).first().click();
  await page.getByRole('heading', { name: 'Get a token' }).waitFor();
  const theme = await page.evaluate('document.documentElement.dataset.theme');
  if (theme !== 'dark') faults.push(`${origin}: the next page is ${theme} after a choice of dark`);
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('textbox', { name: 'Search' }).fill('insufficient-funds');
  await page.locator('.pagefind-ui__result-link').first().click();
  await page.waitForURL(/\/docs\/(?!quickstart)/);
}

/** Of each sample, one language is shown. */
async function chooseLanguage(page: Page, origin: string, hasScripts: boolean): Promise<void> {
  await page.goto(`${origin}/docs/quickstart`);
  const samples = hasScripts ? page.locator('.samples') : page.locator('.samples').first();
  await samples.first().getByText('Python', { exact: true }).click();
  const shown = samples.locator('> [data-language]:visible');
  const [count, others] = [
    await shown.count(),
    await shown.and(page.locator(':not([data-language="python"])')).count(),
  ];
  const told = `${count} samples are shown, ${others} not in the chosen language`;
  if (count !== (await samples.count()) || others > 0) faults.push(`${origin}, scripts ${hasScripts}: ${told}`);
}

async function browse(browser: Browser, baseUrl: string): Promise<void> {
  for (const { name, ...look } of LOOKS) {
    const context = await browser.newContext(look);
    watch(context, baseUrl, name);
    const page = await context.newPage();
    for (const address of addresses) await visit(page, baseUrl, address, name);
    await context.close();
  }
  // On the address of the API the pages are sandboxed; under the other name of the same server they are not.
  for (const origin of [baseUrl, baseUrl.replace('localhost', '127.0.0.1')]) {
    const context = await browser.newContext({ colorScheme: 'light', viewport: { width: 1_280, height: 900 } });
    watch(context, origin, 'in use');
    const page = await context.newPage();
    await useIt(page, origin);
    await chooseLanguage(page, origin, true);
    await context.close();
  }
  const context = await browser.newContext({ javaScriptEnabled: false });
  await chooseLanguage(await context.newPage(), baseUrl, false);
  await context.close();
}

const server = await startDev();
const browser = await openChromium();
try {
  await browse(browser, server.demo.baseUrl);
} finally {
  await browser.close();
  await server.stop();
}
for (const fault of faults) console.error(fault);
console.log(
  `${addresses.length} pages: ${faults.length === 0 ? 'nothing is blocked, nothing leaves, nothing bars a reader' : `${faults.length} faults`}`,
);
process.exitCode = faults.length === 0 ? 0 : 1;
