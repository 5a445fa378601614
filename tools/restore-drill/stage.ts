// An installation on a cluster of its own that archives into a repository of its own: the database, the simulators, two funded
// tenants, and the servers as processes. What is opened here is closed here, whatever happens.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Pool, type QueryResultRow } from 'pg';
import { type Config, loadConfig, loadLocalServers } from '../../server/src/config.ts';
import { newId } from '../../server/src/lib/ids.ts';
import { type OpenDatabase, openDatabase } from '../../server/src/lib/postgres/database.ts';
import { migrate } from '../../server/src/lib/postgres/migrate.ts';
import { topUp } from '../../server/src/wallet/top-up.ts';
import { freePort } from '../dev/free-port.ts';
import { databaseEnvironment, ensureDatabase } from '../dev/local-database.ts';
import { createSecrets } from '../dev/local-secrets.ts';
import { type DemoTenant, seedDemoTenants } from '../dev/seed.ts';
import { type SimulatedProviders, startProviders } from '../dev/simulated-providers.ts';
import { type Server, startServer } from '../faults/servers.ts';
import { archiveSettings, type Backups, createStanza, placeBackups, removeBackups } from './backups.ts';
import { type Cluster, initCluster, placeCluster, removeCluster, startCluster } from './cluster.ts';

/** Connections that end with the cluster: open them again after a restore. */
export type Connected = {
  readonly database: OpenDatabase;
  /** As a superuser, which bypasses row-level security. */
  query<Row extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  close(): Promise<void>;
};

export type Nodes = {
  pick(): { readonly baseUrl: string } | undefined;
  stop(): Promise<void>;
};

export type Stage = {
  readonly cluster: Cluster;
  readonly backups: Backups;
  readonly providers: SimulatedProviders;
  readonly config: Config;
  readonly tenants: readonly [DemoTenant, DemoTenant];
  connect(): Connected;
  /** Two API nodes and a worker; resolves when all work. */
  startNodes(): Promise<Nodes>;
  /** The operator's command line; returns what it printed. Rejects on an exit code other than 0. */
  trefoil(...parameters: string[]): Promise<string>;
};

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DATABASE = 'trefoil';
const NODES = 2;
const PLENTY = 1_000_000_000_000;
const RATE_PER_SECOND = 100_000;
/** As for the tests: it outlives a drill, so that the next one compiles nothing. */
const COMPILED = join(ROOT, 'node_modules/.cache/compiled');

function environmentOf(cluster: Cluster, baseUrl: string, providers: SimulatedProviders): Record<string, string> {
  return {
    ...createSecrets(),
    ...databaseEnvironment(cluster.adminUrl, DATABASE),
    ...providers.environment,
    TREFOIL_REDIS_URL: loadLocalServers().redisUrl,
    TREFOIL_REDIS_PREFIX: `restore-${cluster.port}:`,
    TREFOIL_BASE_URL: baseUrl,
    // Here all tenants come from one address.
    TREFOIL_CONNECTIONS_PER_ADDRESS: '10000',
    TREFOIL_NODES: String(NODES),
    TREFOIL_DATABASE_CONNECTIONS: '8',
    TREFOIL_SYSTEM_DATABASE_CONNECTIONS: '2',
    TREFOIL_LOG_LEVEL: 'warn',
  };
}

function connect(config: Config): Connected {
  const database = openDatabase({ ...config.database, appConnections: 2, onConnectionError: () => undefined });
  const pool = new Pool({ connectionString: config.database.ownerUrl, application_name: 'restore-drill', max: 2 });
  // The cluster is going to be killed.
  pool.on('error', () => undefined);
  return {
    database,
    query: async <Row extends QueryResultRow>(text: string, values: readonly unknown[] = []) =>
      (await pool.query<Row>(text, [...values])).rows,
    async close() {
      await Promise.all([pool.end(), database.close()]);
    },
  };
}

export async function creditTenant(
  { database }: Pick<Connected, 'database'>,
  { tenantId }: DemoTenant,
  order: { readonly credits: number; readonly sourceId: string },
): Promise<void> {
  await database.forTenants([tenantId], (tx) => topUp(tx, tenantId, { ...order, note: 'restore drill' }));
}

async function prepareBooks(config: Config): Promise<readonly [DemoTenant, DemoTenant]> {
  await migrate(config.database.ownerUrl ?? '');
  const connected = connect(config);
  try {
    const tenants = await seedDemoTenants(connected.database, { ratePerSecond: RATE_PER_SECOND });
    // The drill does not test the daily cap on messages.
    await connected.query(
      'update tenants set sms_daily_credits = $1, sms_daily_messages = 1e9, sms_minute_messages = 1e9',
      [PLENTY],
    );
    await creditTenant(connected, tenants[0], { credits: PLENTY, sourceId: newId() });
    return tenants;
  } finally {
    await connected.close();
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

type Closings = (() => Promise<unknown>)[];

async function startNodes(environment: Record<string, string>, ports: readonly number[]): Promise<Nodes> {
  const start = (name: 'api' | 'worker', changes: Record<string, string> = {}) =>
    startServer({ name, directory: ROOT, environment: { ...environment, ...changes }, cacheFolder: COMPILED });
  const started = await Promise.allSettled([
    start('worker'),
    ...ports.map((port) => start('api', { TREFOIL_PORT: String(port), TREFOIL_JOBS: 'off' })),
  ]);
  const servers = started.flatMap((each): Server[] => (each.status === 'fulfilled' ? [each.value] : []));
  const stop = async () => void (await Promise.all(servers.map((server) => server.stop())));
  const failed = started.find((each) => each.status === 'rejected');
  if (failed) {
    await stop();
    throw failed.reason;
  }
  let next = 0;
  return {
    pick() {
      next += 1;
      return { baseUrl: `http://127.0.0.1:${ports[next % ports.length]}` };
    },
    stop,
  };
}

async function open(archiveTimeoutSeconds: number, closings: Closings): Promise<Stage> {
  const cluster = await placeCluster();
  closings.push(() => removeCluster(cluster));
  const backups = await placeBackups(cluster);
  closings.push(() => removeBackups(backups));
  const starting = startProviders();
  closings.push(async () => (await starting).stop());
  await initCluster(cluster, archiveSettings(backups, archiveTimeoutSeconds));
  await startCluster(cluster);
  await ensureDatabase(cluster.adminUrl, DATABASE);
  await createStanza(backups);
  const providers = await starting;
  const ports = await Promise.all(Array.from({ length: NODES }, freePort));
  // The carrier's receipts go to the first node.
  const environment = environmentOf(cluster, `http://127.0.0.1:${ports[0]}`, providers);
  const config = loadConfig(environment);
  const tenants = await prepareBooks(config);
  const main = join(ROOT, 'server/src/main.ts');
  return {
    ...{ cluster, backups, providers, config, tenants },
    connect() {
      const connected = connect(config);
      closings.push(() => connected.close().catch(() => undefined));
      return connected;
    },
    async startNodes() {
      const starting = startNodes(environment, ports);
      closings.push(async () => (await starting.catch(() => undefined))?.stop());
      return starting;
    },
    trefoil: async (...parameters) =>
      (
        await promisify(execFile)(process.execPath, [main, ...parameters], {
          env: { ...environment, NODE_COMPILE_CACHE: COMPILED },
        })
      ).stdout,
  };
}

export async function onStage<T>(archiveTimeoutSeconds: number, work: (stage: Stage) => Promise<T>): Promise<T> {
  const closings: Closings = [];
  const closeAll = async () => {
    for (const close of closings.splice(0).reverse()) {
      await close().catch((error) => process.stderr.write(`${error}\n`));
    }
  };
  // The cluster is a daemon: nothing but this ends it when the drill is told to stop.
  // A signal can come twice, from npm and from the terminal.
  let isStopping = false;
  const endWith = (code: number) => {
    if (isStopping) return;
    isStopping = true;
    void closeAll().then(() => process.exit(code));
  };
  const stop = () => endWith(130);
  const breakOff = (error: Error) => {
    process.stderr.write(`${error.stack}\n`);
    // Not 1, which Node would choose and which says that something was found.
    endWith(2);
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  process.on('uncaughtException', breakOff);
  try {
    return await work(await open(archiveTimeoutSeconds, closings));
  } finally {
    await closeAll();
    for (const signal of SIGNALS) process.off(signal, stop);
    process.off('uncaughtException', breakOff);
  }
}
