// An installation as processes: PostgreSQL, simulators, two API nodes and a worker of the previous version, HAProxy in front, and
// the new version beside it in a folder of its own. What is opened here is closed here.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Pool, type QueryResultRow } from 'pg';
import { type Config, loadConfig, loadLocalServers } from '../../server/src/config.ts';
import { newId } from '../../server/src/lib/ids.ts';
import { type OpenDatabase, openDatabase } from '../../server/src/lib/postgres/database.ts';
import { topUp } from '../../server/src/wallet/top-up.ts';
import { copyTree } from '../breakages/copy.ts';
import type { Watched } from '../chaos/stage.ts';
import { type CommandLine, createTenantByCommand } from '../dev/command-line.ts';
import { freePort } from '../dev/free-port.ts';
import { databaseEnvironment, dropDatabase, ensureDatabase } from '../dev/local-database.ts';
import { createSecrets } from '../dev/local-secrets.ts';
import type { DemoTenant } from '../dev/seed.ts';
import { type SimulatedProviders, startProviders } from '../dev/simulated-providers.ts';
import { type Control, plantMigration } from './controls.ts';
import { checkOutPrevious } from './previous-tree.ts';
import { type HaProxy, openProxy } from './proxy.ts';

export type Version = 'previous' | 'new';

export type Stage = Watched & {
  readonly directories: Readonly<Record<Version, string>>;
  readonly nodePorts: readonly number[];
  /** Without the port of a node. */
  readonly environment: Readonly<Record<string, string>>;
  readonly config: Config;
  readonly database: OpenDatabase;
  readonly providers: SimulatedProviders;
  readonly proxy: HaProxy;
  readonly tenants: readonly [DemoTenant, DemoTenant];
  /** The command line of this version. */
  commandLine(version: Version): CommandLine;
  migrate(version: Version): Promise<void>;
  /** Closed with the stage, before everything that was opened earlier. */
  onClose(close: () => Promise<unknown>): void;
};

const NODES = 2;
const PLENTY = 1_000_000_000;
/** The second tenant sometimes runs short of credits, and gets 402. */
const POOR = 40_000;
const RATE_PER_SECOND = 10_000;
/** Longer than two questions of the proxy, as docs/operate/deploy.md asks. */
export const DRAIN_MS = 5_000;

function environmentOf(name: string, baseUrl: string, providers: SimulatedProviders): Record<string, string> {
  const { adminUrl, redisUrl } = loadLocalServers();
  return {
    ...createSecrets(),
    ...databaseEnvironment(adminUrl, name),
    ...providers.environment,
    TREFOIL_REDIS_URL: redisUrl,
    TREFOIL_REDIS_PREFIX: `${name}:`,
    TREFOIL_BASE_URL: baseUrl,
    TREFOIL_TRUSTED_PROXIES: '127.0.0.1',
    // Here all tenants come from one address.
    TREFOIL_CONNECTIONS_PER_ADDRESS: '10000',
    TREFOIL_NODES: String(NODES),
    // A developer's PostgreSQL has a hundred connections in all.
    TREFOIL_DATABASE_CONNECTIONS: '8',
    TREFOIL_SYSTEM_DATABASE_CONNECTIONS: '2',
    TREFOIL_DRAIN_MS: String(DRAIN_MS),
    TREFOIL_LOG_LEVEL: 'warn',
  };
}

type Closings = (() => Promise<unknown>)[];

async function openTrees(control: Control | undefined, workshop: string): Promise<Stage['directories']> {
  const directories = { previous: join(workshop, 'previous'), new: join(workshop, 'new') };
  const installed = await checkOutPrevious(directories.previous);
  if (installed.length > 0) process.stderr.write(`installed for the previous version: ${installed.join(', ')}\n`);
  await copyTree(directories.new);
  if (control) await plantMigration(directories.new, control);
  return directories;
}

/** As a superuser, which bypasses row-level security. */
function openQuery(connectionString: string, closings: Closings): Stage['query'] {
  const pool = new Pool({ connectionString, application_name: 'upgrade-drill', max: 2 });
  closings.push(() => pool.end());
  return async <Row extends QueryResultRow>(text: string, values: readonly unknown[] = []) =>
    (await pool.query<Row>(text, [...values])).rows;
}

async function createTenants(trefoil: CommandLine): Promise<[DemoTenant, DemoTenant]> {
  const names = ['Example Claims', 'Other Claims'] as const;
  const tenants = await Promise.all(
    names.map((name, place) =>
      createTenantByCommand(trefoil, {
        name,
        email: `owner-${place}@example.com`,
        credits: place === 0 ? PLENTY : POOR,
      }),
    ),
  );
  return tenants as [DemoTenant, DemoTenant];
}

async function open(control: Control | undefined, closings: Closings): Promise<Stage> {
  const workshop = await mkdtemp(join(tmpdir(), 'trefoil-drill-'));
  closings.push(() => rm(workshop, { recursive: true, force: true }));
  const directories = await openTrees(control, workshop);
  const { adminUrl } = loadLocalServers();
  const name = `trefoil_drill_${randomBytes(6).toString('hex')}`;
  await ensureDatabase(adminUrl, name);
  closings.push(() => dropDatabase(adminUrl, name));
  const providers = await startProviders();
  closings.push(() => providers.stop());
  const nodePorts = await Promise.all(Array.from({ length: NODES }, freePort));
  const proxy = await openProxy(workshop, await freePort(), nodePorts);
  closings.push(() => proxy.close());
  const environment = environmentOf(name, proxy.baseUrl, providers);
  const config = loadConfig(environment);
  const database = openDatabase({ ...config.database, appConnections: 2, onConnectionError: () => undefined });
  closings.push(() => database.close());
  const query = openQuery(config.database.ownerUrl ?? '', closings);
  const trefoil = async (version: Version, parameters: readonly string[]) => {
    const main = join(directories[version], 'server/src/main.ts');
    return (await promisify(execFile)(process.execPath, [main, ...parameters], { env: environment })).stdout;
  };
  const commandLine: Stage['commandLine'] =
    (version) =>
    async (...parameters) =>
      JSON.parse(await trefoil(version, [...parameters, '--json']));
  const migrate: Stage['migrate'] = async (version) => void (await trefoil(version, ['migrate']));
  await migrate('previous');
  const tenants = await createTenants(commandLine('previous'));
  // This run tests neither the limit of requests nor the daily cap on messages.
  await query(
    `update tenants set rate_per_second = $1, rate_burst = $1,
                        sms_daily_credits = $2, sms_daily_messages = 1e9, sms_minute_messages = 1e9`,
    [RATE_PER_SECOND, PLENTY],
  );
  return {
    ...{
      directories,
      nodePorts,
      environment,
      config,
      database,
      providers,
      proxy,
      tenants,
      commandLine,
      migrate,
      query,
    },
    async fund({ tenantId }, credits) {
      const order = { credits, sourceId: newId(), note: 'upgrade drill' };
      await database.forTenants([tenantId], (tx) => topUp(tx, tenantId, order));
    },
    onClose: (close) => void closings.push(close),
  };
}

export async function onStage<T>(control: Control | undefined, work: (stage: Stage) => Promise<T>): Promise<T> {
  const closings: Closings = [];
  try {
    return await work(await open(control, closings));
  } finally {
    for (const close of closings.reverse()) await close().catch((error) => process.stderr.write(`${error}\n`));
  }
}
