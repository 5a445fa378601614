// An installation as processes of this tree: PostgreSQL, simulators, Vault's Transit engine as a simulator, two API nodes and a
// worker behind HAProxy. What is opened here is closed here.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Pool, type QueryResultRow } from 'pg';
import { type Config, loadConfig, loadLocalServers } from '../../server/src/config.ts';
import { newId } from '../../server/src/lib/ids.ts';
import { type OpenDatabase, openDatabase } from '../../server/src/lib/postgres/database.ts';
import { topUp } from '../../server/src/wallet/top-up.ts';
import { CREDENTIALS } from '../../simulators/src/credentials.ts';
import { startVaultTransit } from '../../simulators/src/vault-transit/server.ts';
import type { Watched } from '../chaos/stage.ts';
import { createTenantByCommand } from '../dev/command-line.ts';
import { freePort } from '../dev/free-port.ts';
import { databaseEnvironment, dropDatabase, ensureDatabase } from '../dev/local-database.ts';
import { createSecrets } from '../dev/local-secrets.ts';
import type { DemoTenant } from '../dev/seed.ts';
import { type SimulatedProviders, startProviders } from '../dev/simulated-providers.ts';
import { type HaProxy, openProxy } from '../upgrade-drill/proxy.ts';
import { type Control, makeSteps, type Settings, type Step } from './settings.ts';

export type Stage = Watched & {
  readonly folder: string;
  readonly nodePorts: readonly number[];
  /** Without the port of a node. */
  environmentOf(step: Step): Settings;
  readonly config: Config;
  readonly database: OpenDatabase;
  readonly providers: SimulatedProviders;
  readonly proxy: HaProxy;
  readonly tenants: readonly [DemoTenant, DemoTenant];
  /** Runs `trefoil` with the settings of a step. */
  command(step: Step, ...parameters: string[]): Promise<unknown>;
  onClose(close: () => Promise<unknown>): void;
};

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NODES = 2;
const PLENTY = 1_000_000_000;
const POOR = 40_000;
const RATE_PER_SECOND = 10_000;
/** Longer than two questions of the proxy, as docs/operate/deploy.md asks. */
export const DRAIN_MS = 5_000;

type Closings = (() => Promise<unknown>)[];

/** As a superuser, which bypasses row-level security. */
function openQuery(connectionString: string, closings: Closings): Stage['query'] {
  const pool = new Pool({ connectionString, application_name: 'key-drill', max: 2 });
  closings.push(() => pool.end());
  return async <Row extends QueryResultRow>(text: string, values: readonly unknown[] = []) =>
    (await pool.query<Row>(text, [...values])).rows;
}

async function open(closings: Closings, control: Control | undefined): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'trefoil-key-drill-'));
  closings.push(() => rm(folder, { recursive: true, force: true }));
  const { adminUrl, redisUrl } = loadLocalServers();
  const name = `trefoil_drill_${randomBytes(6).toString('hex')}`;
  await ensureDatabase(adminUrl, name);
  closings.push(() => dropDatabase(adminUrl, name));
  const providers = await startProviders();
  closings.push(() => providers.stop());
  const transit = await startVaultTransit({ port: 0 });
  closings.push(() => transit.close());
  const nodePorts = await Promise.all(Array.from({ length: NODES }, freePort));
  const proxy = await openProxy(folder, await freePort(), nodePorts);
  closings.push(() => proxy.close());
  const { roleId, secretId } = CREDENTIALS['vault-transit'];
  const service = { kind: 'vault-transit', address: transit.url, appRole: { roleId, secretId } };
  const steps = makeSteps(service, control?.id);
  // Its place is taken by the ring of each step.
  const { TREFOIL_HASH_KEY: _, ...secrets } = createSecrets();
  const common = {
    ...secrets,
    ...databaseEnvironment(adminUrl, name),
    ...providers.environment,
    TREFOIL_REDIS_URL: redisUrl,
    TREFOIL_REDIS_PREFIX: `${name}:`,
    TREFOIL_BASE_URL: proxy.baseUrl,
    TREFOIL_TRUSTED_PROXIES: '127.0.0.1',
    // Here all tenants come from one address.
    TREFOIL_CONNECTIONS_PER_ADDRESS: '10000',
    TREFOIL_NODES: String(NODES),
    TREFOIL_DATABASE_CONNECTIONS: '8',
    TREFOIL_SYSTEM_DATABASE_CONNECTIONS: '2',
    TREFOIL_DRAIN_MS: String(DRAIN_MS),
    TREFOIL_LOG_LEVEL: 'warn',
  };
  const environmentOf = (step: Step) => ({ ...common, ...steps[step] });
  const main = join(ROOT, 'server/src/main.ts');
  const run = async (step: Step, parameters: readonly string[]) =>
    (await promisify(execFile)(process.execPath, [main, ...parameters], { env: environmentOf(step) })).stdout;
  const command: Stage['command'] = async (step, ...parameters) =>
    JSON.parse(await run(step, [...parameters, '--json'])) as unknown;
  await run('old', ['migrate']);
  const config = loadConfig(environmentOf('first'));
  const database = openDatabase({ ...config.database, appConnections: 2, onConnectionError: () => undefined });
  closings.push(() => database.close());
  const query = openQuery(config.database.ownerUrl ?? '', closings);
  const tenants = (await Promise.all(
    ['Example Claims', 'Other Claims'].map((tenantName, place) =>
      createTenantByCommand((...parameters) => command('old', ...parameters), {
        ...{ name: tenantName, email: `owner-${place}@example.com`, credits: place === 0 ? PLENTY : POOR },
      }),
    ),
  )) as [DemoTenant, DemoTenant];
  // This run tests neither the limit of requests nor the daily cap on messages.
  await query(
    `update tenants set rate_per_second = $1, rate_burst = $1,
                        sms_daily_credits = $2, sms_daily_messages = 1e9, sms_minute_messages = 1e9`,
    [RATE_PER_SECOND, PLENTY],
  );
  return {
    ...{ folder, nodePorts, environmentOf, config, database, providers, proxy, tenants, command, query },
    async fund({ tenantId }, credits) {
      const order = { credits, sourceId: newId(), note: 'key drill' };
      await database.forTenants([tenantId], (tx) => topUp(tx, tenantId, order));
    },
    onClose: (close) => void closings.push(close),
  };
}

export async function onStage<T>(work: (stage: Stage) => Promise<T>, control: Control | undefined): Promise<T> {
  const closings: Closings = [];
  try {
    return await work(await open(closings, control));
  } finally {
    for (const close of closings.reverse()) await close().catch((error) => process.stderr.write(`${error}\n`));
  }
}
