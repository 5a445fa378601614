// Everything a run needs around the servers: its own database, the simulators, two funded tenants and the front.
// What is opened here is closed here, whatever happens.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool, type QueryResultRow } from 'pg';
import type { Random } from '../../bench/merge/random.ts';
import { type Config, loadConfig, loadLocalServers } from '../../server/src/config.ts';
import { createDeviceSessions } from '../../server/src/fingerprints/device-session.ts';
import { newId } from '../../server/src/lib/ids.ts';
import { type OpenDatabase, openDatabase } from '../../server/src/lib/postgres/database.ts';
import { migrate } from '../../server/src/lib/postgres/migrate.ts';
import { isHeldUp } from '../../server/src/lib/postgres/unavailable.ts';
import { topUp } from '../../server/src/wallet/top-up.ts';
import type { Breakage } from '../breakages/breakages.ts';
import { copyBroken, copyTree } from '../breakages/copy.ts';
import { databaseEnvironment, dropDatabase, ensureDatabase } from '../dev/local-database.ts';
import { createSecrets } from '../dev/local-secrets.ts';
import { type DemoTenant, seedDemoTenants } from '../dev/seed.ts';
import { type SimulatedProviders, startProviders } from '../dev/simulated-providers.ts';
import { type Fleet, openFleet } from './fleet.ts';
import { type Front, openFront } from './front.ts';
import type { Tally } from './tally.ts';

export type Stage = {
  readonly providers: SimulatedProviders;
  readonly front: Front;
  readonly fleet: Fleet;
  readonly database: OpenDatabase;
  readonly tenants: readonly [DemoTenant, DemoTenant];
  mintSession(): string;
  fund(tenant: DemoTenant, credits: number): Promise<void>;
  /** As a superuser, which bypasses row-level security. */
  query<Row extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>;
};

/** What the final check reads, whatever kind of run it ends. */
export type Books = Pick<Stage, 'providers' | 'database' | 'query'> & { readonly front: Pick<Front, 'acknowledged'> };

/** What is looked at, and given, while a run goes on. */
export type Watched = Pick<Stage, 'database' | 'query' | 'fund' | 'tenants'>;

const NODES = 3;
const PLENTY = 1_000_000_000_000;
const RATE_PER_SECOND = 100_000;
const FACTS = {
  deviceDigest: 'a'.repeat(32),
  collectedAt: '2026-06-01T09:00:00.000Z',
  network: { ipAddress: '192.0.2.10', userAgentFamily: 'Chromium' },
};

/** A PostgreSQL of the run's own, which ends with the run: its database is not dropped. */
export type Place = {
  readonly adminUrl: string;
  readonly nodes: number;
  /** Added to the servers' environment. */
  readonly environment: Readonly<Record<string, string>>;
};

export type Setting = {
  readonly random: Random;
  readonly tally: Tally;
  readonly plant: Breakage | undefined;
  /** By default the developer's PostgreSQL and three nodes. */
  readonly place?: Place;
};

type Closing = { push(close: () => Promise<unknown>): void };

type Surroundings = {
  readonly databaseName: string;
  readonly baseUrl: string;
  readonly providers: SimulatedProviders;
};

function environmentOf(
  { adminUrl, nodes, environment }: Place,
  { databaseName, baseUrl, providers }: Surroundings,
): Record<string, string> {
  const { redisUrl } = loadLocalServers();
  return {
    ...createSecrets(),
    ...databaseEnvironment(adminUrl, databaseName),
    ...providers.environment,
    TREFOIL_REDIS_URL: redisUrl,
    TREFOIL_REDIS_PREFIX: `${databaseName}:`,
    TREFOIL_BASE_URL: baseUrl,
    TREFOIL_METRICS_PORT: '0',
    // Here all tenants come from one address.
    TREFOIL_CONNECTIONS_PER_ADDRESS: '10000',
    TREFOIL_NODES: String(nodes),
    // A developer's PostgreSQL has a hundred connections in all.
    TREFOIL_DATABASE_CONNECTIONS: '8',
    TREFOIL_SYSTEM_DATABASE_CONNECTIONS: '2',
    TREFOIL_LOG_LEVEL: 'info',
    ...environment,
  };
}

async function openBooks(config: Config, databaseName: string, closing: Closing) {
  const database = openDatabase({ ...config.database, appConnections: 2, onConnectionError: () => undefined });
  closing.push(() => database.close());
  await migrate(config.database.ownerUrl ?? '');
  const admin = new Pool({
    ...{ connectionString: config.database.ownerUrl, application_name: `chaos-${databaseName}`, max: 2 },
    connectionTimeoutMillis: 5_000,
  });
  // A broken idle connection is replaced at the next use; without a listener it would end the run.
  admin.on('error', () => undefined);
  closing.push(() => admin.end());
  const tenants = await seedDemoTenants(database, { ratePerSecond: RATE_PER_SECOND });
  // This run does not test the daily cap on messages.
  await admin.query('update tenants set sms_daily_credits = $1, sms_daily_messages = 1e9, sms_minute_messages = 1e9', [
    PLENTY,
  ]);
  return { database, admin, tenants };
}

/** The servers run from a copy, so that edits in the tree do not disturb a run of many minutes. */
async function copyServers(plant: Breakage | undefined, closing: Closing): Promise<string> {
  const workshop = await mkdtemp(join(tmpdir(), 'trefoil-chaos-'));
  closing.push(() => rm(workshop, { recursive: true, force: true }));
  const [unbroken, broken] = [join(workshop, 'unbroken'), join(workshop, 'broken')];
  await copyTree(unbroken);
  if (!plant) return unbroken;
  await copyBroken(unbroken, broken, plant);
  return broken;
}

async function open({ random, tally, plant, place }: Setting, closing: Closing): Promise<Stage> {
  const directory = await copyServers(plant, closing);
  const target = place ?? { ...loadLocalServers(), nodes: NODES, environment: {} };
  const { adminUrl, nodes } = target;
  const databaseName = `trefoil_chaos_${randomBytes(6).toString('hex')}`;
  await ensureDatabase(adminUrl, databaseName);
  if (!place) closing.push(() => dropDatabase(adminUrl, databaseName));
  const providers = await startProviders();
  closing.push(() => providers.stop());
  const front = await openFront(random, tally);
  closing.push(() => front.close());
  const environment = environmentOf(target, { databaseName, baseUrl: front.baseUrl, providers });
  const config = loadConfig(environment);
  const { database, admin, tenants } = await openBooks(config, databaseName, closing);
  const fund: Stage['fund'] = async ({ tenantId }, credits) => {
    const order = { credits, sourceId: newId(), note: 'chaos' };
    // A node that was frozen in the middle of a transaction holds the wallet for a while: that is intended.
    for (;;) {
      try {
        await database.forTenants([tenantId], (tx) => topUp(tx, tenantId, order));
        return;
      } catch (error) {
        if (!isHeldUp(error)) throw error;
      }
    }
  };
  await fund(tenants[0], PLENTY);
  const fleet = await openFleet({ directory, environment, size: nodes }, random, tally);
  closing.push(() => fleet.stop());
  front.open(fleet);
  await fleet.start(nodes - 1);
  const sessions = createDeviceSessions(config.vaultKeys);
  return {
    ...{ providers, front, fleet, database, tenants, fund },
    mintSession: () => sessions.seal(FACTS, new Date()),
    query: async <Row extends QueryResultRow>(text: string, values: readonly unknown[] = []) =>
      (await admin.query<Row>(text, [...values])).rows,
  };
}

export async function onStage<T>(setting: Setting, work: (stage: Stage) => Promise<T>): Promise<T> {
  const closings: (() => Promise<unknown>)[] = [];
  try {
    return await work(await open(setting, closings));
  } finally {
    for (const close of closings.reverse()) await close().catch((error) => process.stderr.write(`${error}\n`));
  }
}
