// The stage of a scenario: a database, simulators, an API node and a worker in their own processes, and the proxies
// between them that the scenario requests. Everything opened is closed again, even when something fails half-way.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client as PgClient, Pool, type QueryResultRow } from 'pg';
import { type Stage as Books, openStage as openBooks, type StageTenant } from '../../bench/speed/stage.ts';
import { type Config, loadConfig, loadLocalServers } from '../../server/src/config.ts';
import { type Database, openDatabase } from '../../server/src/lib/postgres/database.ts';
import { type Certificate, makeCertificate } from '../../server/test/support/certificates.ts';
import { findPerson } from '../dev/ask-simulators.ts';
import { type SimulatedProviders, startProviders } from '../dev/simulated-providers.ts';
import { type Client, openClient, type Person } from './client.ts';
import { type MovableClock, openClock } from './clock.ts';
import { openSmallPostgres, type SmallPostgres } from './postgres.ts';
import { type FaultProxy, openProxy } from './proxy.ts';
import { type OwnRedis, openRedis } from './redis.ts';
import { type Server, startServer } from './servers.ts';

/** How long the windows are, and where progress goes. */
export type Pace = { readonly seconds: number; readonly say: (line: string) => void };

export type StageWish = {
  /** Tenants besides the hot one. */
  readonly tenants?: number;
  /** The servers reach PostgreSQL through a proxy. */
  readonly isProxied?: true;
  readonly hasOwnRedis?: true;
  readonly hasSmallDisk?: true;
  /** How many requests a node may have in progress at each bureau and at screening; by default the product's own number. */
  readonly places?: number;
  /** How long each bureau takes. */
  readonly bureauMs?: number;
  /** The servers' clock can be moved. */
  readonly hasMovableClock?: true;
  /** The servers trust a receiver of webhooks that calls itself localhost. */
  readonly hasCertificate?: true;
  /** The servers send webhooks to this machine. */
  readonly hasReceivers?: true;
  /** Rows that are there before the servers start. */
  readonly fill?: (session: PgClient, tenants: Pick<Stage, 'hot' | 'tenants'>, pace: Pace) => Promise<void>;
  /** The hot tenant's requests a second, and its burst; practically unlimited by default. */
  readonly hotRate?: number;
};

export type Stage = {
  readonly config: Config;
  readonly hot: StageTenant;
  /** The other tenants, and one of them by any number. */
  readonly tenants: readonly StageTenant[];
  tenantOf(number: number): StageTenant;
  readonly client: Client;
  readonly api: Server;
  readonly worker: Server;
  readonly providers: SimulatedProviders;
  readonly database: Database;
  /** Undefined unless the scenario requests them. */
  readonly proxy: FaultProxy | undefined;
  readonly redis: OwnRedis | undefined;
  readonly postgres: SmallPostgres | undefined;
  readonly clock: MovableClock | undefined;
  readonly certificate: Certificate | undefined;
  /** As a superuser, past every proxy: bypasses row-level security. */
  query<Row extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** A superuser's separate session, ended with the stage. */
  openSession(): Promise<PgClient>;
};

const TENANTS = 20;
const PEOPLE = 100;
const WARM_UP_ROUNDS = 3;
const PLENTY = 1_000_000_000_000;
/** A developer's PostgreSQL has a hundred connections in all. */
const WORKER_CONNECTIONS = { TREFOIL_DATABASE_CONNECTIONS: '8', TREFOIL_SYSTEM_DATABASE_CONNECTIONS: '3' };
const BUREAUS = ['albion', 'beacon', 'cygnet'] as const;

/** Closes everything in the reverse order of opening. */
class Closings {
  readonly #all: (() => unknown)[] = [];

  push(close: () => unknown): void {
    this.#all.push(close);
  }

  keep<T extends { close(): unknown }>(opened: T): T {
    this.push(() => opened.close());
    return opened;
  }

  async closeAll(): Promise<void> {
    for (const close of this.#all.toReversed()) {
      try {
        await close();
      } catch (error) {
        process.stderr.write(`${error}\n`);
      }
    }
  }
}

/** The providers' JSON configuration, with this many places each. */
function withPlaces(environment: Record<string, string>, places: number | undefined): Record<string, string> {
  if (places === undefined) return environment;
  const bureaus = JSON.parse(environment['TREFOIL_BUREAUS'] ?? '') as Record<string, object>;
  const screening = JSON.parse(environment['TREFOIL_SCREENING'] ?? '') as object;
  const widened = Object.entries(bureaus).map(([name, bureau]) => [name, { ...bureau, maxConcurrent: places }]);
  return {
    ...environment,
    TREFOIL_BUREAUS: JSON.stringify(Object.fromEntries(widened)),
    TREFOIL_SCREENING: JSON.stringify({ ...screening, maxConcurrent: places }),
  };
}

/** Sets the behaviour of all bureaus for all consumers (simulators/WIRE.md, section 5). */
async function setBureaus({ addresses }: SimulatedProviders, behaviour: string): Promise<void> {
  for (const name of BUREAUS) {
    const body = JSON.stringify({ match: { any: true }, behaviour });
    const { status } = await fetch(`${addresses[name]}/control`, { method: 'POST', body });
    if (status !== 201) throw new Error(`a simulator refused the rule ${body}`);
  }
}

function meetPeople({ addresses }: SimulatedProviders): Promise<Person[]> {
  return Promise.all(
    Array.from({ length: PEOPLE }, async (_, number) => {
      const id = `person-${String(number + 1).padStart(4, '0')}`;
      const { firstName, lastName, dateOfBirth, addresses: lived } = await findPerson(addresses.albion, id);
      return { firstName, lastName, dateOfBirth, addresses: lived };
    }),
  );
}

function throughProxy(environment: Record<string, string>, port: number): Record<string, string> {
  const names = ['TREFOIL_DATABASE_URL', 'TREFOIL_SYSTEM_DATABASE_URL'];
  return Object.fromEntries(
    names.map((name) => {
      const url = new URL(environment[name] ?? '');
      url.host = `127.0.0.1:${port}`;
      return [name, url.href];
    }),
  );
}

async function connectSuperuser(ownerUrl: string, closings: Closings): Promise<PgClient> {
  const session = new PgClient({ connectionString: ownerUrl, application_name: 'faults' });
  // A scenario may take the whole server down.
  session.on('error', () => undefined);
  await session.connect();
  closings.push(() => session.end());
  return session;
}

/** The first requests of a process wait for compilation: they say nothing about a fault. */
async function warmUp(client: Client, tenants: readonly StageTenant[]): Promise<void> {
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) {
    await Promise.all(tenants.map((tenant) => client.generate(tenant)));
  }
}

/** Bypasses row-level security, and works again after the server was down. */
function openQuery(ownerUrl: string, closings: Closings): Stage['query'] {
  const pool = new Pool({ connectionString: ownerUrl, application_name: 'faults', max: 2 });
  pool.on('error', () => undefined);
  closings.push(() => pool.end());
  return async <Row extends QueryResultRow>(text: string, values: readonly unknown[] = []) =>
    (await pool.query<Row>(text, [...values])).rows;
}

async function prepareRows({ wish, pace }: StageOptions, books: Books, session: PgClient): Promise<void> {
  // A scenario does not test the daily cap on messages.
  await session.query(
    'update tenants set sms_daily_credits = $1, sms_daily_messages = 1e9, sms_minute_messages = 1e9',
    [PLENTY],
  );
  if (wish.hotRate !== undefined) {
    const limit = [books.hot.tenantId, wish.hotRate];
    await session.query('update tenants set rate_per_second = $2, rate_burst = $2 where id = $1', limit);
  }
  await wish.fill?.(session, { hot: books.hot, tenants: books.spread }, pace);
}

function openCertificate(closings: Closings): { certificate: Certificate; environment: Record<string, string> } {
  const folder = mkdtempSync(join(tmpdir(), 'trefoil-certificate-'));
  closings.push(() => rmSync(folder, { recursive: true }));
  const certificate = makeCertificate(1);
  const file = join(folder, 'cert');
  writeFileSync(file, certificate.cert);
  return { certificate, environment: { NODE_EXTRA_CA_CERTS: file } };
}

/** The servers' dependencies, and the settings that point to them. */
async function openSurroundings(wish: StageWish, books: Books, closings: Closings) {
  const providers = await startProviders();
  closings.push(() => providers.stop());
  const { port } = new URL(books.ownerUrl);
  const proxy = wish.isProxied ? closings.keep(await openProxy(Number(port || '5432'))) : undefined;
  const redis = wish.hasOwnRedis ? closings.keep(await openRedis()) : undefined;
  const clock = wish.hasMovableClock ? closings.keep(await openClock()) : undefined;
  const trusted = wish.hasCertificate ? openCertificate(closings) : undefined;
  const environment: Record<string, string> = {
    ...books.environment,
    ...withPlaces(providers.environment, wish.places),
    ...(proxy && throughProxy(books.environment, proxy.port)),
    ...(redis && { TREFOIL_REDIS_URL: redis.url }),
    ...clock?.environment,
    ...trusted?.environment,
    ...(wish.hasReceivers && { TREFOIL_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' }),
    TREFOIL_JOBS: 'off',
  };
  return { providers, proxy, redis, clock, certificate: trusted?.certificate, environment };
}

async function open(options: StageOptions, closings: Closings): Promise<Stage> {
  const { directory, wish } = options;
  const postgres = wish.hasSmallDisk ? closings.keep(await openSmallPostgres()) : undefined;
  const servers = { ...loadLocalServers(), ...(postgres && { adminUrl: postgres.adminUrl }) };
  const books = closings.keep(await openBooks(wish.tenants ?? TENANTS, servers));
  const { hot, spread: tenants, ownerUrl } = books;
  const config = loadConfig(books.environment);
  const connections = { appConnections: 2, systemConnections: 2, onConnectionError: () => undefined };
  const database = closings.keep(openDatabase({ ...config.database, ...connections }));
  await prepareRows(options, books, await connectSuperuser(ownerUrl, closings));
  const { environment, ...surroundings } = await openSurroundings(wish, books, closings);
  const start = async (name: 'api' | 'worker', changes: Record<string, string>) => {
    const server = await startServer({ name, directory, environment: { ...environment, ...changes } });
    closings.push(() => server.stop());
    return server;
  };
  const api = await start('api', {});
  const worker = await start('worker', WORKER_CONNECTIONS);
  const client = closings.keep(openClient(config.port, await meetPeople(surroundings.providers)));
  await warmUp(client, tenants);
  if (wish.bureauMs !== undefined) await setBureaus(surroundings.providers, `slow=${wish.bureauMs}`);
  return {
    ...{ config, hot, tenants, api, worker, client, database, postgres },
    ...surroundings,
    tenantOf: (number) => tenants[number % tenants.length] ?? hot,
    query: openQuery(ownerUrl, closings),
    openSession: () => connectSuperuser(ownerUrl, closings),
  };
}

export type StageOptions = {
  /** The tree the servers run from. */
  readonly directory: string;
  readonly wish: StageWish;
  readonly pace: Pace;
};

export async function onStage<T>(options: StageOptions, work: (stage: Stage) => Promise<T>): Promise<T> {
  const closings = new Closings();
  try {
    return await work(await open(options, closings));
  } finally {
    await closings.closeAll();
  }
}
