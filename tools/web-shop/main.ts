// Runs the shop of examples/web-shop as its reader would, installed from the packed client library, against a server of its
// own, and walks through it in a real browser: `npm run web-shop`. `-- --shots <folder>` keeps pictures of its pages,
// `-- --only <words>` plays the scenarios with these words in their names.
// Needs PostgreSQL, Redis and Chromium.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTrefoil } from '@trefoil/sdk';
import type { Browser } from 'playwright-core';
import { openChromium } from '../../server/test/support/chromium.ts';
import { type Demo, startDev } from '../dev/start-dev.ts';
import { startFaultProxy } from './fault-proxy.ts';
import { FAULTS } from './faults.ts';
import { LIVE } from './live.ts';
import { ONLY } from './options.ts';
import { compileShop, installShop, startShop } from './shop.ts';
import { OUTCOMES, TESTED } from './test-mode.ts';

export type Scenario<World> = (world: World) => Promise<void>;
type Simulated = Demo & {
  readonly otherTenantId: string;
  readonly otherClientId: string;
  readonly otherClientSecret: string;
  readonly simulators: { readonly inbox: string };
};

const seconds = (sinceMs: number) => `${((performance.now() - sinceMs) / 1_000).toFixed(1)} s`;

/** All of them, also after one has failed. Returns what went wrong. */
async function play<World>(scenarios: Readonly<Record<string, Scenario<World>>>, world: World): Promise<string[]> {
  const faults: string[] = [];
  for (const [name, scenario] of Object.entries(scenarios)) {
    if (!name.includes(ONLY)) continue;
    const startedAtMs = performance.now();
    try {
      await scenario(world);
      console.log(`ok      ${name} (${seconds(startedAtMs)})`);
    } catch (error) {
      console.log(`FAILED  ${name} (${seconds(startedAtMs)})`);
      faults.push(`${name}\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    }
  }
  return faults;
}

async function playAll(folder: string, demo: Simulated, browser: Browser): Promise<string[]> {
  const { baseUrl } = demo;
  // A company of its own: its webhooks tell of its orders alone.
  const otherDemo = {
    baseUrl,
    tenantId: demo.otherTenantId,
    clientId: demo.otherClientId,
    clientSecret: demo.otherClientSecret,
  };
  const [trefoil, otherTrefoil] = [createTrefoil(demo), createTrefoil(otherDemo)];
  const proxy = await startFaultProxy(baseUrl);
  const shops = await Promise.all([
    startShop(folder, demo, { name: 'live', isTest: false, baseUrl }),
    startShop(folder, otherDemo, { name: 'faulty', isTest: false, baseUrl: proxy.url }),
    startShop(folder, demo, { name: 'test', isTest: true, baseUrl }),
  ]);
  const [live, faulty, tested] = shops;
  try {
    // Together, because most of them wait: for a webhook, a pause of the library, a message.
    const faults = await Promise.all([
      play(LIVE, { browser, trefoil, shop: live, inbox: demo.simulators.inbox }),
      play(FAULTS, { browser, trefoil: otherTrefoil, shop: faulty, proxy }),
      play(TESTED, { browser, trefoil, shop: tested }),
      play(OUTCOMES, { browser, trefoil, shop: tested }),
    ]);
    const found = faults.flat();
    const said = shops.map((shop) => shop.readLog()).join('');
    return found.length === 0 ? [] : [...found, `What the shops wrote:\n${said}`];
  } finally {
    proxy.stop();
    await Promise.all(shops.map((shop) => shop.stop()));
  }
}

async function main(): Promise<number> {
  const work = await mkdtemp(join(tmpdir(), 'trefoil-web-shop-'));
  const starting = startDev();
  // The installation may fail before the server is awaited.
  starting.catch(() => undefined);
  let browser: Browser | undefined;
  try {
    const folder = await installShop(work);
    await compileShop(folder);
    console.log(`installed from the packed client library, and compiled against its types (${seconds(0)})`);
    const { demo } = await starting;
    browser = await openChromium();
    console.log(`Trefoil and the browser are there (${seconds(0)})`);
    const faults = await playAll(folder, demo as Simulated, browser);
    console.log(`done (${seconds(0)})`);
    for (const fault of faults) console.error(`\n${fault}`);
    return faults.length === 0 ? 0 : 1;
  } finally {
    await browser?.close();
    await starting.then(
      (server) => server.stop(),
      () => undefined,
    );
    await rm(work, { recursive: true, force: true });
  }
}

process.exitCode = await main();
