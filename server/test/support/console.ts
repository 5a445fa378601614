// A person in the console, in a real browser: signed in, with everything noted that must not happen there.
import { fileURLToPath } from 'node:url';
import type { GenerateRequest, Role } from '@trefoil/contract';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { generateBody, startServer, type TestServer } from '../harness.ts';
import { type Account, addAccount } from './browser.ts';
import { lookAt } from './chromium.ts';
import { type LiveServer, liveBody, startLiveServer } from './live.ts';
import { letPasswordsIn } from './people.ts';
import { codeOf, enrolTotp, enterSignedIn, givePassword, openVisitor } from './person-pages.ts';
import { DEVELOPMENT } from './webhooks.ts';

const DIST = fileURLToPath(new URL('../../../console/dist', import.meta.url));

/** The console as it was built: `npm run console`. */
const SERVED = { hostName: 'localhost', environment: { TREFOIL_CONSOLE_FOLDER: DIST } };
/** In test mode alone. Webhooks may go to this machine. */
export const startConsoleServer = () =>
  startServer({ ...SERVED, environment: { ...DEVELOPMENT, ...SERVED.environment } });
/** With simulators. */
export const startLiveConsoleServer = () => startLiveServer(SERVED);

/** With simulators, money, and a live report "Case 4711" beside a test one "Case 4712". */
export async function startConsoleWithCases(): Promise<{ server: LiveServer; liveId: string }> {
  const server = await startLiveConsoleServer();
  await server.fund(server.demo.tenantId, 100_000);
  const liveId = await completeLive(server, { externalReference: 'Case 4711' });
  await server.trefoil.generate(generateBody({ externalReference: 'Case 4712' }));
  return { server, liveId };
}

/** For a whole journey: each page on the way is held against the rules in light and dark. */
export const PATIENCE_MS = 120_000;

export type Colleague = {
  readonly page: Page;
  readonly tenantId: string;
  readonly userId: string;
  readonly account: Account;
  /** Every address that was asked for or shown since the person came to the console. */
  readonly addresses: readonly string[];
  /** Waits for the page's heading, and holds the page against the rules of every page. */
  see(heading: string, name: string): Promise<void>;
  /** Goes to a page of this company by its address. */
  go(path: string): Promise<void>;
  /** Throws if anything happened that may not happen on any page, but for complaints that the journey caused on purpose. */
  checkQuiet(caused?: RegExp): void;
};

type Signing = {
  readonly tenantId?: string;
  /** Another company of the same person. */
  readonly alsoIn?: { readonly tenantId: string; readonly role: Role };
  readonly browser?: BrowserContextOptions;
  /** Through the pages of the sign-in, which cost more time: for the journeys that promise them. */
  readonly byPages?: boolean;
};

/** Widths from a small phone to a desk. */
const WIDTHS = [320, 390, 1_280, 1_920];

async function checkWidths(page: Page, name: string): Promise<void> {
  const size = page.viewportSize();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    const wide = await page.evaluate('document.documentElement.scrollWidth');
    expect(wide, `${name} at ${width} pixels`).toBeLessThanOrEqual(width);
  }
  if (size) await page.setViewportSize(size);
}

/** Signs a new person of this role in, and opens the console. */
export async function openConsole(
  chromium: Browser,
  server: TestServer,
  role: Role,
  { tenantId = server.demo.tenantId, alsoIn, browser = {}, byPages = false }: Signing = {},
): Promise<Colleague> {
  const account = await addAccount(server, tenantId, role);
  await letPasswordsIn(server, tenantId);
  if (alsoIn) {
    const query = 'insert into memberships (tenant_id, user_id, role) values ($1, $2, $3)';
    await server.query(query, [alsoIn.tenantId, account.userId, alsoIn.role]);
    await letPasswordsIn(server, alsoIn.tenantId);
    await server.query('update users set selected_tenant_id = $2 where id = $1', [account.userId, tenantId]);
  }
  const { page, complaints } = await openVisitor(chromium, server.baseUrl, {
    viewport: { width: 1_280, height: 900 },
    // A colour on its way from light to dark would be held against the rules.
    reducedMotion: 'reduce',
    ...browser,
  });
  const strangers: string[] = [];
  const addresses: string[] = [];
  // Also of a step that loads nothing, as from one page of the console to another.
  page.on('framenavigated', (frame) => addresses.push(frame.url()));
  page.context().on('request', (request) => {
    const url = new URL(request.url());
    addresses.push(request.url());
    if (url.protocol !== 'data:' && url.origin !== server.baseUrl) strangers.push(url.origin);
  });
  if (byPages) {
    await page.goto('/v1/auth/login');
    await givePassword(page, account);
  } else {
    await enterSignedIn(page, server, account);
    await page.goto('/console');
  }
  await page.waitForURL(`**/console/${tenantId}`);
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  return {
    page,
    tenantId,
    userId: account.userId,
    account,
    addresses,
    async see(heading, name) {
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      await lookAt(page, `console-${name}`);
      await checkWidths(page, name);
    },
    go: async (path) => {
      await page.goto(`/console/${tenantId}${path}`);
    },
    checkQuiet(caused = /^$/) {
      // Among the complaints would be every violation of the content policy.
      expect(complaints.filter((complaint) => !caused.test(complaint))).toEqual([]);
      expect(strangers).toEqual([]);
    },
  };
}

const withoutEscapes = (text: string) =>
  text.replaceAll('+', ' ').replaceAll(/(%[0-9a-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
const bare = (text: string) => text.toLowerCase().replaceAll(/\s/g, '');

/** Which of these words a text says, also as an address would write them, or as an address inside another would. */
export function wordsIn(text: string, words: readonly string[]): string[] {
  const once = withoutEscapes(text);
  const spelled = bare(`${text}\n${once}\n${withoutEscapes(once)}`);
  return words.filter((word) => spelled.includes(bare(word)));
}

/** What the browser has kept, but for how far pages were scrolled, which the router keeps for the tab. */
export const keptBy = (page: Page) =>
  page.evaluate(`JSON.stringify(
    [localStorage, sessionStorage].map((kept) => Object.entries(kept).filter(([name]) => !name.startsWith('tsr-scroll'))),
  )`) as Promise<string>;

/** Gives the person an authenticator app; returns a function that confirms with it in the tab that the link opens. */
export async function giveSecondFactor({ page, userId }: Colleague, server: TestServer) {
  const { secret } = await enrolTotp(page, server, userId);
  return async function confirmBeside(): Promise<Page> {
    const opened = page.context().waitForEvent('page');
    await page.getByRole('link', { name: 'Confirm in a new tab' }).click();
    const tab = await opened;
    // A code is right once: the row forgets that this one was used to set the app up.
    await server.query('update user_totps set last_step = 0 where user_id = $1', [userId]);
    await tab.getByLabel('Code', { exact: true }).fill(codeOf(secret));
    await tab.getByRole('button', { name: 'Continue' }).click();
    await tab.waitForURL('**/console/confirmed');
    // Only then has it told the other tab.
    await tab.getByText('You have confirmed that it is you').waitFor();
    return tab;
  };
}

/** A live report that is complete, and charged. On a busy machine a simulator may answer too late for one. */
export async function completeLive(server: LiveServer, changes: Partial<GenerateRequest> = {}): Promise<string> {
  for (let tries = 0; tries < 5; tries += 1) {
    const { data } = await server.trefoil.generate(liveBody(server.mintSession(), changes));
    if (data.status === 'complete') return data.creditReportId;
  }
  throw new Error('no live report was complete');
}
