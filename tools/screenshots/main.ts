// Makes the pictures of the console that README and guides show: a demo server of its own with a morning's work, in a real
// browser, one picture for each page of PICTURES. Needs PostgreSQL, Redis and Chromium, and the built console.
import { mkdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { createTrefoil } from '@trefoil/sdk';
import type { Page } from 'playwright-core';
import { loadConfig } from '../../server/src/config.ts';
import { createDeviceSessions } from '../../server/src/fingerprints/device-session.ts';
import { openChromium } from '../../server/test/support/chromium.ts';
import { codeOf } from '../../server/test/support/totp-code.ts';
import { findPerson, type SimulatorAddresses } from '../dev/ask-simulators.ts';
import { type Demo, startDev } from '../dev/start-dev.ts';

const HELP = `Usage: npm run screenshots [-- --out <folder>]

Makes the pictures of the console in docs/images anew, from a demo server that it starts and stops. Look at them before you
commit them.`;

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const BUREAUS = ['equifax', 'experian', 'transunion'] as const;

type Signed = Demo & {
  readonly signIn: { readonly email: string; readonly password: string; readonly totpSecret: string };
  readonly simulators: SimulatorAddresses;
};

/** What the simulated screening does with a person, by the beginning of the address. */
const MORNING = ['allow', 'allow', 'challenge', 'allow', 'allow', 'block', 'allow', 'allow', 'allow', 'allow'] as const;

/** A report for each line of MORNING. Returns the one that is shown. */
async function work(demo: Signed): Promise<string> {
  const environment = parseEnv(readFileSync(`${ROOT}.trefoil/dev.env`, 'utf8')) as Record<string, string>;
  const sessions = createDeviceSessions(loadConfig(environment).vaultKeys);
  const trefoil = createTrefoil(demo);
  let shown = '';
  for (const [at, screening] of MORNING.entries()) {
    const now = new Date();
    const network = { ipAddress: '192.0.2.10', userAgentFamily: null };
    const { data } = await trefoil.generate({
      ...(await findPerson(demo.simulators.albion, `person-${String(at + 1).padStart(4, '0')}`)),
      email: `${screening}-${at}@example.com`,
      mobileNumber: `+4477009001${String(at).padStart(2, '0')}`,
      externalReference: `DC-2026-0${412 + at}`,
      bureaus: [...BUREAUS],
      ipAddress: '192.0.2.10',
      searchType: 'pcp',
      sessionId: sessions.seal({ deviceDigest: `${at}`.repeat(32), collectedAt: now.toISOString(), network }, now),
    } as Parameters<typeof trefoil.generate>[0]);
    console.log(`${data.status}: report ${at + 1} of ${MORNING.length}`);
    if (data.status === 'complete' && shown === '') shown = data.creditReportId;
  }
  if (shown === '') throw new Error('No report was complete.');
  return shown;
}

async function signIn(page: Page, { signIn: { email, password, totpSecret } }: Signed): Promise<void> {
  await page.goto('/v1/auth/login');
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByLabel('Code', { exact: true }).fill(codeOf(totpSecret));
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL('**/console/**');
}

type Picture = { readonly name: string; readonly path: string; readonly until: (page: Page) => Promise<unknown> };

/** Outcomes are counted by a job, some seconds later. */
async function untilCounted(page: Page): Promise<void> {
  const counted = page.getByRole('main').getByText('Answering').first();
  for (let tries = 0; !(await counted.isVisible()); tries += 1) {
    if (tries === 30) throw new Error('The outcomes were not counted.');
    await page.waitForTimeout(2_000);
    await page.reload({ waitUntil: 'networkidle' });
  }
}

const pictures = (reportId: string): readonly Picture[] => [
  {
    name: 'console-report',
    path: `/reports/${reportId}`,
    until: (page) => page.getByRole('heading', { name: /^Car finance/ }).waitFor(),
  },
  {
    name: 'console-wallet',
    path: '/wallet',
    until: (page) =>
      page
        .getByRole('link', { name: /DC-2026/ })
        .first()
        .waitFor(),
  },
  {
    name: 'console-home',
    path: '',
    until: untilCounted,
  },
];

async function main(options: readonly string[]): Promise<number> {
  if (options.includes('--help')) {
    console.log(HELP);
    return 0;
  }
  const out = options[0] === '--out' && options[1] !== undefined ? options[1] : `${ROOT}docs/images`;
  mkdirSync(out, { recursive: true });
  const server = await startDev();
  const demo = server.demo as Signed;
  const chromium = await openChromium();
  try {
    const reportId = await work(demo);
    const page = await chromium.newPage({
      baseURL: demo.baseUrl,
      viewport: { width: 1_280, height: 860 },
      reducedMotion: 'reduce',
      colorScheme: 'light',
    });
    await signIn(page, demo);
    for (const { name, path, until } of pictures(reportId)) {
      await page.goto(`/console/${demo.tenantId}${path}`, { waitUntil: 'networkidle' });
      await until(page);
      await page.screenshot({ path: `${out}/${name}.png` });
      console.log(`${out}/${name}.png`);
    }
    return 0;
  } finally {
    await chromium.close();
    await server.stop();
  }
}

process.exitCode = await main(process.argv.slice(2));
