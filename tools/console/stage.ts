// The built console in a real browser, with the real content policy and answers that a test gives: every state of a page,
// also those that a server is seldom in. Needs no database.
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { readConsole } from '../../server/src/http/console/read-console.ts';
import { registerConsole } from '../../server/src/http/console/register-console.ts';
import { createHttpServer } from '../../server/src/http/server.ts';
import { createLog } from '../../server/src/lib/log.ts';
import { openMetrics } from '../../server/src/open-metrics.ts';
import { collectComplaints, openChromium } from '../../server/test/support/chromium.ts';
import { ANSWERS, type Answer, TENANT } from './answers.ts';
import { HOME_ANSWERS } from './home-answers.ts';
import { NEW_REPORT_ANSWERS } from './new-report-answers.ts';

const DIST = fileURLToPath(new URL('../../console/dist', import.meta.url));

export type Stage = {
  /**
   * A page of the console. `changes` replaces answers by their path without the company; `hang` never comes. The answer of
   * `events?wait` is for requests with that parameter.
   */
  open(path: string, changes?: Readonly<Record<string, Answer | 'hang'>>): Promise<Page>;
  /** A first visit to a page: nothing is cached, and the network and the processor are slow. */
  visitSlowly(path: string, changes?: Readonly<Record<string, Answer | 'hang'>>): Promise<Visit>;
  /** What the page that was opened last has asked for from the API. */
  readonly asked: readonly URL[];
  /** What browsers complained about so far: among it would be violations of the policy. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
};

/** What a visitor on a slow line waits for, in milliseconds, and how much of the page moved under their finger. */
export type Visit = { readonly firstPaintMs: number; readonly largestPaintMs: number; readonly layoutShift: number };

/** 1.6 Mbit/s with 150 ms of delay, as browsers' own tools call slow 4G. */
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };
const SLOWER_PROCESSOR = 4;
/** What MEASURE takes on the processor that is slowed down to a quarter: two cores with nothing else to do. */
const REFERENCE_MS = 40;
/** A fixed piece of work, the middle of its times: numbers made into texts and sorted. */
const MEASURE = `(() => {
  const times = Array.from({ length: 15 }, () => {
    const begun = performance.now();
    let number = 1;
    Array.from({ length: 60_000 }, () => String((number = (number * 48_271) % 2_147_483_647))).sort();
    return performance.now() - begun;
  });
  return times.sort((one, other) => one - other)[7];
})()`;
const SETTLED_MS = 1_000;
const WATCH = `
  window.visit = { firstPaintMs: 0, largestPaintMs: 0, layoutShift: 0 };
  const watch = (type, note) => new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
  watch('paint', ({ name, startTime }) => { if (name === 'first-contentful-paint') window.visit.firstPaintMs = startTime; });
  watch('largest-contentful-paint', ({ startTime }) => { window.visit.largestPaintMs = startTime; });
  watch('layout-shift', ({ value, hadRecentInput }) => { if (!hadRecentInput) window.visit.layoutShift += value; });`;

/** A processor that is slow or busy by itself is slowed down by less, so that the visitor's is always about the same. */
const slowerBy = (measuredMs: number) =>
  Math.min(SLOWER_PROCESSOR, Math.max(1, (SLOWER_PROCESSOR * REFERENCE_MS) / measuredMs));

/** An ordinary day. */
const ORDINARY: Readonly<Record<string, Answer>> = { ...ANSWERS, ...HOME_ANSWERS, ...NEW_REPORT_ANSWERS };

/** Answers of the API to a page, by their path without the company; `hang` never comes. */
async function giveAnswers(page: Page, answers: Readonly<Record<string, Answer | 'hang'>>, delayMs = 0): Promise<void> {
  await page.route(
    (url) => !url.pathname.startsWith('/console'),
    async (route) => {
      const { pathname, searchParams } = new URL(route.request().url());
      const name = pathname.replace(`/${TENANT}/v1/`, '');
      const given = [...searchParams].filter(([, value]) => value !== 'false').map(([each]) => `${name}?${each}`);
      // A request in test mode says so in its body.
      if (/"test":true/.test(route.request().postData() ?? '')) given.push(`${name}?test`);
      const special = given.find((each) => answers[each]);
      const answer = answers[special ?? name] ?? {
        status: 404,
        json: { code: 'not-found', message: `no answer for ${name}` },
      };
      if (answer === 'hang') return;
      if (delayMs > 0) await sleep(delayMs);
      await route.fulfill({ status: 200, ...answer });
    },
  );
}

export async function openStage(): Promise<Stage> {
  const built = readConsole(DIST);
  if (!built) throw new Error('The console is not built: run "npm run console" first.');
  const app = createHttpServer({
    ...{ log: createLog('silent'), metrics: openMetrics(), now: () => new Date(), baseUrl: 'http://localhost' },
    ...{ trustedProxies: [], connections: { perAddress: 100, inAll: 100 }, hstsSeconds: 0 },
    isKnownOrigin: async () => false,
  });
  // A base address on another port, so that nothing is redirected to it.
  registerConsole(app, built, 'http://localhost');
  await app.listen({ port: 0, host: '127.0.0.1' });
  const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const chromium: Browser = await openChromium();
  const context = await chromium.newContext({
    baseURL: origin,
    viewport: { width: 1_280, height: 900 },
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(30_000);
  // An answer of 5xx is noted by the browser, as one of 4xx is.
  const complaints = collectComplaints(context, /status of 5\d\d/);
  const asked: URL[] = [];
  return {
    complaints,
    asked,
    async open(path, changes = {}) {
      for (const page of context.pages()) await page.close();
      // A test before may have ended without a connection.
      await context.setOffline(false);
      const page = await context.newPage();
      asked.length = 0;
      page.on('request', (request) => {
        const url = new URL(request.url());
        if (!url.pathname.startsWith('/console')) asked.push(url);
      });
      await giveAnswers(page, { ...ORDINARY, ...changes });
      await page.goto(`/console/${TENANT}${path}`);
      return page;
    },
    async visitSlowly(path, changes = {}) {
      const visitor = await chromium.newContext({ baseURL: origin, viewport: { width: 1_280, height: 900 } });
      try {
        const page = await visitor.newPage();
        const session = await visitor.newCDPSession(page);
        await session.send('Network.enable');
        await session.send('Network.emulateNetworkConditions', SLOW_4G);
        await session.send('Emulation.setCPUThrottlingRate', {
          rate: slowerBy((await page.evaluate(MEASURE)) as number),
        });
        await page.addInitScript(WATCH);
        // The answers are given inside the browser, past its slow network: they come after one delay.
        await giveAnswers(page, { ...ORDINARY, ...changes }, SLOW_4G.latency);
        page.setDefaultTimeout(60_000);
        await page.goto(`/console/${TENANT}${path}`);
        await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
        // Until the code of the page has come, and what the page asked for, something says so.
        await page
          .getByText(/^Loading/)
          .first()
          .waitFor({ state: 'detached' });
        // What comes last, such as a font, may still move something.
        await sleep(SETTLED_MS);
        return (await page.evaluate('window.visit')) as Visit;
      } finally {
        await visitor.close();
      }
    },
    async close() {
      await chromium.close();
      await app.close();
    },
  };
}
