// Starts a package as an installation would: from its folder alone. Node's permission model refuses every file outside the
// folder, so a path that leads into the repository fails here. Needs PostgreSQL and Redis.
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { loadLocalServers } from '../../server/src/config.ts';
import { freePort } from '../dev/free-port.ts';
import { databaseEnvironment, dropDatabase, ensureDatabase } from '../dev/local-database.ts';
import { createSecrets } from '../dev/local-secrets.ts';
import { listTexts } from './licences.ts';
import { withProcess } from './with-process.ts';

const DRAIN_MS = 500;

type Environment = Readonly<Record<string, string>>;
export type Figures = {
  readonly migrateMs: number;
  readonly apiReadyMs: number;
  readonly workerReadyMs: number;
  readonly stopMs: number;
};

/** What the program may read is its own folder; it may write nothing at all. */
const sealed = (folder: string, ...parameters: string[]) => [
  ...[
    '--permission',
    `--allow-fs-read=${folder}/*`,
    '--allow-worker',
    '--allow-addons',
    '--disable-warning=SecurityWarning',
  ],
  ...[join(folder, 'server/src/start.js'), ...parameters],
];

const runOnce = async (folder: string, environment: Environment, ...parameters: string[]) =>
  (
    await promisify(execFile)(join(folder, 'bin/node'), sealed(folder, ...parameters), {
      cwd: folder,
      env: environment,
    })
  ).stdout;

const startSealed = (folder: string, environment: Environment, name: string) => () =>
  spawn(join(folder, 'bin/node'), sealed(folder, name), {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit'],
  });

async function expectAnswers(baseUrl: string, addresses: Readonly<Record<string, RegExp>>): Promise<void> {
  for (const [address, expected] of Object.entries(addresses)) {
    const response = await fetch(baseUrl + address);
    if (response.status !== 200 || !expected.test(await response.text())) {
      throw new Error(`${address} answered ${response.status} and not what it should`);
    }
  }
}

async function checkStarts(folder: string, environment: Environment, version: string): Promise<Figures> {
  const said = await runOnce(folder, {}, '--version');
  if (!said.startsWith(`trefoil ${version} `)) throw new Error(`--version said: ${said}`);
  const startedAt = performance.now();
  await runOnce(folder, environment, 'migrate');
  const migrateMs = Math.round(performance.now() - startedAt);
  const baseUrl = environment['TREFOIL_BASE_URL'] ?? '';
  const pages = {
    '/v1/fingerprints/device': /FingerprintJS/,
    '/console': /<script type="module"/,
    '/docs/reference': /<html/,
    ...(existsSync(join(folder, 'server/web/site')) && {
      '/docs': /<html/,
      '/docs/js/scalar.js': /createApiReference/,
    }),
  };
  const start = (name: string) => startSealed(folder, environment, name);
  const api = await withProcess({ name: 'api', readyUrl: `${baseUrl}/readyz`, start: start('api') }, () =>
    expectAnswers(baseUrl, pages),
  );
  const metrics = `http://127.0.0.1:${environment['TREFOIL_METRICS_PORT']}/metrics`;
  const worker = await withProcess({ name: 'worker', readyUrl: metrics, start: start('worker') });
  return { migrateMs, apiReadyMs: api.readyMs, workerReadyMs: worker.readyMs, stopMs: api.stopMs };
}

/** What is no package too. */
function checkLicences(folder: string): void {
  const list = readFileSync(join(folder, 'LICENCES.txt'), 'utf8');
  const missing = listTexts(join(folder, 'licences')).filter(
    ({ name, text }) => !list.includes(`\n${name}: `) || !list.includes(text),
  );
  if (missing.length > 0) throw new Error(`LICENCES.txt lacks ${missing.map(({ name }) => name).join(', ')}`);
}

export async function checkPackage(folder: string, version: string): Promise<Figures> {
  checkLicences(folder);
  const { adminUrl, redisUrl } = loadLocalServers();
  const databaseName = `trefoil_package_${randomBytes(6).toString('hex')}`;
  const port = await freePort();
  const environment = {
    ...createSecrets(),
    ...databaseEnvironment(adminUrl, databaseName),
    TREFOIL_REDIS_URL: redisUrl,
    TREFOIL_REDIS_PREFIX: `${databaseName}:`,
    TREFOIL_BASE_URL: `http://127.0.0.1:${port}`,
    TREFOIL_PORT: String(port),
    TREFOIL_METRICS_PORT: String(await freePort()),
    TREFOIL_LOG_LEVEL: 'error',
    TREFOIL_DRAIN_MS: String(DRAIN_MS),
  };
  await ensureDatabase(adminUrl, databaseName);
  try {
    return await checkStarts(folder, environment, version);
  } finally {
    await dropDatabase(adminUrl, databaseName);
  }
}
