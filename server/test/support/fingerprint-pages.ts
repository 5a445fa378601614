// The fingerprint script on tenants' pages in a real browser: a server, a browser and a site of another origin, and what a
// test looks at in them.
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { createDeviceSessions, type DeviceFacts } from '../../src/fingerprints/device-session.ts';
import { startServer, type TestServer } from '../harness.ts';
import { openChromium } from './chromium.ts';
import { openTenantSite, type TenantSite } from './tenant-page.ts';

export type Call = { readonly sessionId: string; readonly degraded?: boolean; readonly atMs: number };

export const COLLECTION = '**/v1/fingerprints/collections';

/** Registers the function, and notes every call of it. */
export const REGISTER =
  'window.service = window.service || {}; ' +
  'window.service.deviceFingerprint = (given) => calls.push({ ...given, atMs: performance.now() });';

export const inline = (code: string) => `<script>${code}</script>`;
export const html = (...head: string[]) =>
  `<!doctype html><html lang="en"><title>Apply</title><script>const calls = [];</script>${head.join('')}<h1>Apply</h1></html>`;

export type FingerprintStage = {
  readonly server: TestServer;
  readonly site: TenantSite;
  /** The script's tag, as a tenant would write it. */
  readonly tag: string;
  /** A page in a browser that was never here. */
  newPage(options?: BrowserContextOptions): Promise<Page>;
  /** What the newest page would have shown in its console as an error, or reported to its own monitoring. */
  errors(): readonly string[];
  /** Undefined when the server does not know the session. */
  open(call: Call): DeviceFacts | undefined;
  close(): Promise<void>;
};

export const callsOf = (page: Page) => page.evaluate('calls') as Promise<Call[]>;

export async function firstCall(page: Page): Promise<Call> {
  // Asked from outside: a wait inside the page would need its policy to allow eval.
  await eventually(async () => expect(await callsOf(page)).not.toHaveLength(0));
  const [call] = await callsOf(page);
  if (!call) throw new Error('there was no call');
  return call;
}

/** Long enough for a second call to come, if one were to come: each is due at once or at the deadline. */
export async function expectOneCall(page: Page, waitMs = 1_000): Promise<void> {
  // steady: only tests of `npm run prove` look at these pages.
  await page.waitForTimeout(waitMs);
  expect(await callsOf(page)).toHaveLength(1);
}

export async function openFingerprintStage(): Promise<FingerprintStage> {
  const server = await startServer({ environment: { TREFOIL_COLLECTION_RATE: '10000' } });
  const chromium: Browser = await openChromium();
  const site = await openTenantSite(server.baseUrl);
  const sessions = createDeviceSessions(server.config.vaultKeys);
  let context: BrowserContext | undefined;
  let errors: string[] = [];
  return {
    server,
    site,
    tag: `<script async src="${server.baseUrl}/v1/fingerprints/device"></script>`,
    async newPage(options = {}) {
      await context?.close();
      context = await chromium.newContext({ locale: 'en-GB', timezoneId: 'Europe/London', ...options });
      context.setDefaultTimeout(30_000);
      const seen: string[] = [];
      errors = seen;
      context.on('weberror', (error) => seen.push(error.error().message));
      context.on('console', (message) => {
        if (message.type() === 'error') seen.push(message.text());
      });
      return context.newPage();
    },
    errors: () => errors,
    open({ sessionId }) {
      const opened = sessions.open(sessionId, new Date());
      return opened.kind === 'known' ? opened.facts : undefined;
    },
    async close() {
      await chromium.close();
      await site.close();
      await server.close();
    },
  };
}
