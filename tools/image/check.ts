// Starts an image as an installation would and visits it: read-only, without rights, secrets as files; migration, command line,
// API, worker, health checks, the fast rows of the conformance kit, a live report, and a stop that drains.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTrefoil, type GenerateRequest } from '@trefoil/sdk';
import rootPackage from '../../package.json' with { type: 'json' };
import { isSecret, type Setting } from '../../server/src/config/settings.ts';
import { loadLocalServers } from '../../server/src/config.ts';
import { findPerson } from '../dev/ask-simulators.ts';
import { type CommandLine, createTenantByCommand } from '../dev/command-line.ts';
import { freePort } from '../dev/free-port.ts';
import { databaseEnvironment, dropDatabase, ensureDatabase } from '../dev/local-database.ts';
import { createSecrets } from '../dev/local-secrets.ts';
import type { DemoTenant } from '../dev/seed.ts';
import { type SimulatedProviders, startProviders } from '../dev/simulated-providers.ts';
import { withProcess } from '../package/with-process.ts';
import { type Place, runInside, SECRETS_FOLDER, startContainer } from './container.ts';

const CONFORMANCE = fileURLToPath(new URL('../../conformance/src/main.ts', import.meta.url));
const DRAIN_MS = 2_000;
/** After the drain: the requests that still run, and the connections. */
const CLOSE_MS_MAX = 5_000;
const CREDITS = 1_000_000;

type Environment = Readonly<Record<string, string>>;

export type ImageFigures = {
  readonly migrateMs: number;
  readonly apiReadyMs: number;
  readonly workerReadyMs: number;
  readonly stopMs: number;
  readonly rows: { readonly passed: number; readonly skipped: number };
};

/** Writes secrets into files of the image's user and returns the settings that name the files. */
async function hideSecrets(folder: string, environment: Environment, user: string): Promise<Environment> {
  const [uid = 0, gid = 0] = user.split(':').map(Number);
  const hide = async (name: string, content: string) => {
    await writeFile(join(folder, name), content, { mode: 0o400 });
    await chown(join(folder, name), uid, gid);
    return `${SECRETS_FOLDER}/${name}`;
  };
  const shown: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (name === 'TREFOIL_LENDERS_FILE') shown[name] = await hide('lenders.json', await readFile(value, 'utf8'));
    else if (isSecret(name as Setting)) shown[`${name}_FILE`] = await hide(name.toLowerCase(), value);
    else shown[name] = value;
  }
  return shown;
}

async function mustSucceed(place: Place, environment: Environment, command: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runInside(place, environment, command);
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}\n${stdout}${stderr}`);
  return stdout;
}

/** Ends with the places where the user of the image can write, and with their id. */
const LOOK_AROUND = `
const { writeFileSync, readdirSync } = require('node:fs');
const folders = ['/', '/opt/trefoil', '/opt/trefoil/server/src', '/tmp', '/var/tmp', '/run', '/run/secrets', '/etc', '/root'];
const isWritable = (folder) => { try { writeFileSync(folder + '/written', ''); return true; } catch { return false; } };
const capabilities = require('node:fs').readFileSync('/proc/self/status', 'utf8').match(/^CapEff:\\s+(\\w+)/m)[1];
console.log(JSON.stringify({ uid: process.getuid(), gid: process.getgid(), groups: process.getgroups(), capabilities, writable: folders.filter(isWritable) }));
`;

async function checkConfinement(place: Place): Promise<void> {
  const said = JSON.parse(await mustSucceed(place, {}, ['/opt/trefoil/bin/node', '-e', LOOK_AROUND])) as object;
  const expected = { uid: 10_001, gid: 10_001, groups: [10_001], capabilities: '0'.repeat(16), writable: [] };
  if (JSON.stringify(said) !== JSON.stringify(expected)) throw new Error(`not confined: ${JSON.stringify(said)}`);
}

type HealthCheck = { readonly name: 'api' | 'worker'; readonly environment: Environment; readonly isAlive: boolean };

/** The image's own health check. For a worker, compose replaces its last word. */
async function expectHealth(place: Place, { name, environment, isAlive }: HealthCheck): Promise<void> {
  const [kind, ...command] = place.config.Healthcheck.Test;
  if (kind !== 'CMD' || command.at(-1) !== 'api') throw new Error(`another health check: ${command.join(' ')}`);
  const { code } = await runInside(place, environment, [...command.slice(0, -1), name]);
  if ((code === 0) !== isAlive) throw new Error(`the health check of ${name} ended with ${code}`);
}

/** Without the rows that wait five minutes, which the step "conformance" has. */
function conform(baseUrl: string, tenants: readonly [DemoTenant, DemoTenant]): Promise<ImageFigures['rows']> {
  const credentials = tenants.flatMap(({ tenantId, clientId, clientSecret }, place) => {
    const other = place === 0 ? '' : 'other-';
    return [`--${other}tenant`, tenantId, `--${other}client-id`, clientId, `--${other}client-secret`, clientSecret];
  });
  return new Promise((resolve, reject) => {
    const parameters = [CONFORMANCE, '--json', '--base-url', baseUrl, ...credentials];
    execFile(process.execPath, parameters, { maxBuffer: 16 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (!error) return resolve(JSON.parse(stdout) as ImageFigures['rows']);
      const { rows = [] } = stdout.startsWith('{') ? (JSON.parse(stdout) as { rows?: { status: string }[] }) : {};
      const failed = rows.filter(({ status }) => status === 'failed');
      return reject(
        new Error(`the conformance kit found:\n${failed.map((row) => JSON.stringify(row)).join('\n')}${stderr}`),
      );
    });
  });
}

/** All three bureaus, charged: it also shows that the threads which parse bureau files start. */
async function generateLive(
  baseUrl: string,
  { tenant, sessionId, albion }: { readonly tenant: DemoTenant; readonly sessionId: string; readonly albion: string },
): Promise<void> {
  const consumer = await findPerson(albion, 'person-0001');
  const { data, meta } = await createTrefoil({ baseUrl, ...tenant }).generate({
    ...(consumer as Pick<GenerateRequest, 'firstName' | 'lastName' | 'dateOfBirth' | 'addresses'>),
    ...{ sessionId, searchType: 'pcp', email: 'allow@example.com', ipAddress: '192.0.2.10' },
    bureaus: ['equifax', 'experian', 'transunion'],
  });
  const isRight =
    data.status === 'complete' && meta.wallet.balance === CREDITS - meta.wallet.cost && meta.wallet.cost > 0;
  if (!isRight) throw new Error(`a live report was answered with ${data.status} for ${meta.wallet.cost} credits`);
}

/** A node that drains says that it is not ready and goes on answering. */
async function expectDrain(baseUrl: string): Promise<void> {
  const limit = AbortSignal.timeout(DRAIN_MS / 2);
  while ((await fetch(`${baseUrl}/readyz`)).status !== 503) limit.throwIfAborted();
  const { status } = await fetch(`${baseUrl}/v1/oauth/token`, { method: 'POST' });
  if (status >= 500) throw new Error(`while it drained, a request was answered with ${status}`);
}

async function visit(place: Place, environment: Environment, providers: SimulatedProviders): Promise<ImageFigures> {
  const [program = '', main = ''] = place.config.Entrypoint;
  const said = await mustSucceed(place, {}, [program, main, '--version']);
  if (!said.startsWith(`trefoil ${rootPackage.version} `)) throw new Error(`--version said: ${said}`);
  await checkConfinement(place);
  const migratedAt = performance.now();
  await mustSucceed(place, environment, [program, main, 'migrate']);
  const migrateMs = Math.round(performance.now() - migratedAt);
  // By its name in PATH, as `docker exec` and `kubectl exec` find it.
  const trefoil: CommandLine = async (...parameters) =>
    JSON.parse(await mustSucceed(place, environment, ['/opt/trefoil/bin/trefoil', ...parameters, '--json']));
  const tenants = await Promise.all([
    createTenantByCommand(trefoil, { name: 'Example Claims', email: 'ada@example.com', credits: CREDITS }),
    createTenantByCommand(trefoil, { name: 'Other Claims', email: 'otto@example.com', credits: CREDITS }),
  ]);
  const { sessionId } = (await trefoil('session', 'mint')) as { sessionId: string };
  await expectHealth(place, { name: 'api', environment, isAlive: false });
  const baseUrl = environment['TREFOIL_BASE_URL'] ?? '';
  let rows: ImageFigures['rows'] = { passed: 0, skipped: 0 };
  const api = { name: 'api', readyUrl: `${baseUrl}/readyz`, start: () => startContainer(place, environment) };
  const apiTimes = await withProcess(
    api,
    async () => {
      await expectHealth(place, { name: 'api', environment, isAlive: true });
      await generateLive(baseUrl, { tenant: tenants[0], sessionId, albion: providers.addresses.albion });
      rows = await conform(baseUrl, tenants);
    },
    () => expectDrain(baseUrl),
  );
  if (apiTimes.stopMs < DRAIN_MS || apiTimes.stopMs > DRAIN_MS + CLOSE_MS_MAX) {
    throw new Error(`with a drain of ${DRAIN_MS} ms it stopped after ${apiTimes.stopMs} ms`);
  }
  const readyUrl = `http://127.0.0.1:${environment['TREFOIL_METRICS_PORT']}/metrics`;
  const start = () => startContainer(place, environment, 'worker');
  const workerTimes = await withProcess({ name: 'worker', readyUrl, start }, () =>
    expectHealth(place, { name: 'worker', environment, isAlive: true }),
  );
  return { migrateMs, apiReadyMs: apiTimes.readyMs, workerReadyMs: workerTimes.readyMs, stopMs: apiTimes.stopMs, rows };
}

/** `folder` is for the secrets, which another run must not see. */
export async function checkImage(image: Omit<Place, 'secrets'>, folder: string): Promise<ImageFigures> {
  const { adminUrl, redisUrl } = loadLocalServers();
  const databaseName = `trefoil_image_${randomBytes(6).toString('hex')}`;
  const secrets = join(folder, 'secrets');
  await mkdir(secrets);
  const providers = await startProviders();
  try {
    const port = await freePort();
    const environment = {
      ...createSecrets(),
      ...databaseEnvironment(adminUrl, databaseName),
      ...providers.environment,
      TREFOIL_REDIS_URL: redisUrl,
      TREFOIL_REDIS_PREFIX: `${databaseName}:`,
      TREFOIL_BASE_URL: `http://127.0.0.1:${port}`,
      TREFOIL_HOST: '127.0.0.1',
      TREFOIL_PORT: String(port),
      TREFOIL_METRICS_HOST: '127.0.0.1',
      TREFOIL_METRICS_PORT: String(await freePort()),
      TREFOIL_LOG_LEVEL: 'error',
      TREFOIL_DRAIN_MS: String(DRAIN_MS),
    };
    await ensureDatabase(adminUrl, databaseName);
    const place = { ...image, secrets };
    return await visit(place, await hideSecrets(secrets, environment, image.config.User), providers);
  } finally {
    await providers.stop();
    await dropDatabase(adminUrl, databaseName);
  }
}
