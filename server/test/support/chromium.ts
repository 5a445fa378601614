// A real browser for the pages: Debian's Chromium, by preference without a window's own parts, which cost three times the
// processor time. Every page that is looked at is held against the accessibility rules
// in light and in dark.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';

/** Pictures are kept only if this names a folder. */
const SHOTS = process.env['TREFOIL_TEST_SHOTS'];

const BROWSERS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

export async function openChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['TREFOIL_TEST_CHROMIUM'] ?? BROWSERS.find((path) => existsSync(path)) ?? '',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** What the browser complained about: a policy that blocks one of our own parts would be among it. */
export function collectComplaints(context: BrowserContext, expected = /^$/): string[] {
  const complaints: string[] = [];
  context.on('console', (message) => {
    // Refused forms answer 4xx on purpose; the browser notes each.
    const isExpected = /status of 4\d\d/.test(message.text()) || expected.test(message.text());
    if (message.type() === 'error' && !isExpected) complaints.push(message.text());
  });
  context.on('weberror', (error) => complaints.push(error.error().message));
  return complaints;
}

/** The short text: every document that is looked at parses it. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

type Finding = { readonly id: string; readonly nodes: readonly { readonly html: string }[] };

/** As wide as a desk's screen and as a phone's. */
const WIDTHS = [1_280, 390];

async function keepPictures(page: Page, directory: string, name: string, widths: readonly number[]): Promise<void> {
  mkdirSync(directory, { recursive: true });
  const size = page.viewportSize();
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    // Until it has been painted at this size, a picture may show the size before.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    await page.screenshot({ path: join(directory, `${name}-${width}.png`), fullPage: true });
  }
  if (size) await page.setViewportSize(size);
}

const ALL_RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** What the colour scheme can break; all else is the same in both. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** What breaks an accessibility rule on the page as it is shown now. */
export async function findBarriers(page: Page, rules = ALL_RULES): Promise<string[]> {
  // Through the debugger, since the page's own policy lets no other script in; once for each document.
  if (await page.evaluate(`typeof axe === 'undefined'`)) await page.evaluate(AXE);
  // Without a look at the styles' text, which it would have to fetch: a sandboxed page may fetch nothing.
  const options = { runOnly: rules, resultTypes: ['violations'], preload: false };
  const findings = (await page.evaluate(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )) as Finding[];
  return findings.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

/** No accessibility finding in either colour scheme, and nothing wider than a small phone. `widths` are those of the pictures. */
export async function lookAt(page: Page, name: string, widths: readonly number[] = WIDTHS): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    if (SHOTS) await keepPictures(page, SHOTS, `${name}-${colorScheme}`, widths);
    const found = await findBarriers(page, colorScheme === 'light' ? ALL_RULES : COLOUR_RULES);
    const told = found.map((finding) => `${name}, ${colorScheme}: ${finding}`);
    expect(told).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  const size = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate('document.documentElement.scrollWidth'), `${name} at 320 pixels`).toBeLessThanOrEqual(320);
  if (size) await page.setViewportSize(size);
}

/** A device that holds passkeys and says yes to everything. */
export async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}
