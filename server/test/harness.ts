// Test servers: the real app on a database of its own, real Redis, real HTTP. Nothing of ours is replaced.
import { randomBytes } from 'node:crypto';
import type { GenerateRequest } from '@trefoil/contract';
import { createTrefoil, type Trefoil } from '@trefoil/sdk';
import { Client, type QueryResultRow } from 'pg';
import { inject } from 'vitest';
import { freePort } from '../../tools/dev/free-port.ts';
import { databaseEnvironment, dropDatabase, ensureDatabase } from '../../tools/dev/local-database.ts';
import { createSecrets } from '../../tools/dev/local-secrets.ts';
import { type DemoTenant, seedDemoTenants } from '../../tools/dev/seed.ts';
import { type App, createApp, type Overrides } from '../src/app.ts';
import { type Config, loadConfig, loadLocalServers } from '../src/config.ts';
import { type OpenDatabase, openDatabase } from '../src/lib/postgres/database.ts';

export type ServerOptions = {
  /** Requests per second for both demo tenants; high by default, so that only limit tests meet the limit. */
  readonly ratePerSecond?: number;
  readonly environment?: Record<string, string>;
  /** The machine's own address unless told; passkeys need a name, such as localhost. */
  readonly hostName?: string;
  /**
   * What cannot be set by the environment, such as shorter rests. The service waits PATIENCE times as long as in production for its
   * own parts; tests about these waits set 1.
   */
  readonly overrides?: Pick<Overrides, 'ports' | 'rests' | 'patience' | 'webhookBudgets' | 'readBundle'>;
};

/** A machine that stands still for some seconds fails no test that is about something else. */
export const PATIENCE = 5;

/** Tests see each answer themselves, however long a busy machine takes. */
export const CLIENT = { maxRetries: 0, timeoutMs: 120_000 } as const;

const MANY = 1_000_000_000;
/** All receivers of a test listen on this machine: only tests about what a receiver gets set the budgets of production. */
const AMPLE: NonNullable<Overrides['webhookBudgets']> = {
  ...{ unprovenPerHour: MANY, firstOfCompany: MANY, perMinute: MANY, doublesAfter: 100, perMinuteMax: MANY },
  ...{ confirmationsPerHour: MANY, replaysPerDay: MANY, creationsPerDay: MANY, movesPerDay: MANY },
  deliveriesMax: MANY,
};

export type TestServer = {
  readonly app: App;
  readonly config: Config;
  readonly environment: Record<string, string>;
  readonly baseUrl: string;
  readonly metricsAddress: string;
  readonly databaseName: string;
  readonly demo: DemoTenant;
  readonly other: DemoTenant;
  readonly trefoil: Trefoil;
  readonly otherTrefoil: Trefoil;
  /** Transactions as the two roles of the service. */
  readonly database: OpenDatabase;
  /** Everything logged so far, as text. */
  readonly logText: () => string;
  /** SQL as a superuser: for building states and for looking behind the walls. */
  query<Row extends QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  /** A second node on the same database and Redis keys; pass the settings and ports that should differ. */
  startNode(
    changes?: Record<string, string>,
    overrides?: ServerOptions['overrides'],
  ): Promise<{ baseUrl: string; metricsAddress: string; close(): Promise<void> }>;
  /** Ends the first node alone, for a test that goes on with others; the database stays. */
  stopFirst(): Promise<void>;
  close(): Promise<void>;
};

export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  const { adminUrl, redisUrl } = loadLocalServers();
  const databaseName = `trefoil_test_${randomBytes(6).toString('hex')}`;
  // A start that fails gives back what it took so far.
  await using taken = new AsyncDisposableStack();
  taken.defer(() => dropDatabase(adminUrl, databaseName));
  await ensureDatabase(adminUrl, databaseName, inject('templateName'));
  const port = await freePort();
  const baseUrl = `http://${options.hostName ?? '127.0.0.1'}:${port}`;
  const environment: Record<string, string> = {
    ...createSecrets(),
    ...databaseEnvironment(adminUrl, databaseName),
    TREFOIL_REDIS_URL: redisUrl,
    TREFOIL_REDIS_PREFIX: `${databaseName}:`,
    TREFOIL_BASE_URL: baseUrl,
    TREFOIL_PORT: String(port),
    TREFOIL_METRICS_PORT: '0',
    TREFOIL_DATABASE_CONNECTIONS: '10',
    TREFOIL_SYSTEM_DATABASE_CONNECTIONS: '2',
    TREFOIL_DATABASE_GROUPING: inject('databaseGrouping'),
    TREFOIL_LOG_LEVEL: 'debug',
    // Tests do not depend on whether the site has been built here.
    TREFOIL_SITE_FOLDER: 'off',
    TREFOIL_CONSOLE_FOLDER: 'off',
    ...options.environment,
  };
  const config = loadConfig(environment);
  const { patience = PATIENCE } = options.overrides ?? {};
  const database = openDatabase({
    ...config.database,
    patience,
    appConnections: 5,
    onConnectionError: () => undefined,
  });
  taken.defer(() => database.close());
  const [demo, other] = await seedDemoTenants(database, { ratePerSecond: options.ratePerSecond ?? 100_000 });
  const logs: string[] = [];
  const app = await createApp(config, {
    patience: PATIENCE,
    webhookBudgets: AMPLE,
    ...options.overrides,
    logDestination: { write: (line) => logs.push(line) },
  });
  let isFirstOpen = true;
  taken.defer(async () => {
    if (isFirstOpen) await app.close();
  });
  const { metricsAddress } = await app.listen();
  const admin = new Client({ connectionString: environment['TREFOIL_OWNER_DATABASE_URL'] ?? '' });
  await admin.connect();
  // Most tests about people are about something else; companies that a test adds require a second factor, as all new ones do.
  await admin.query('update tenants set require_second_factor = false');
  taken.defer(() => admin.end());
  // A connection takes one statement at a time; tests may ask for more.
  let before: Promise<unknown> = Promise.resolve();
  const all = taken.move();

  return {
    app,
    config,
    environment,
    baseUrl,
    metricsAddress,
    databaseName,
    demo,
    other,
    // Without retries: a test sees each answer of the server, refusals included.
    trefoil: createTrefoil({ ...CLIENT, baseUrl, ...demo }),
    otherTrefoil: createTrefoil({ ...CLIENT, baseUrl, ...other }),
    database,
    logText: () => logs.join(''),
    query<Row extends QueryResultRow>(text: string, values: unknown[] = []) {
      const asked = before.then(async () => (await admin.query<Row>(text, values)).rows);
      before = asked.catch(() => undefined);
      return asked;
    },
    async startNode(changes = {}, overrides = {}) {
      const nodePort = await freePort();
      // The same issuer: a token of one node is good on every node.
      const node = await createApp(loadConfig({ ...environment, ...changes, TREFOIL_PORT: String(nodePort) }), {
        patience: PATIENCE,
        webhookBudgets: AMPLE,
        ...overrides,
        logDestination: { write: (line) => logs.push(line) },
      });
      const { metricsAddress: nodeMetrics } = await node.listen();
      return { baseUrl: `http://127.0.0.1:${nodePort}`, metricsAddress: nodeMetrics, close: () => node.close() };
    },
    async stopFirst() {
      isFirstOpen = false;
      await app.close();
    },
    close: () => all.disposeAsync(),
  };
}

/** A valid test-mode request; pass what should differ. */
export function generateBody(changes: Partial<GenerateRequest> = {}): GenerateRequest {
  return {
    test: true,
    sessionId: 'test-session',
    bureaus: ['equifax', 'experian', 'transunion'],
    ipAddress: '192.0.2.10',
    searchType: 'pcp',
    firstName: 'Ada',
    lastName: 'Example',
    dateOfBirth: '1984-03-09',
    addresses: [
      {
        type: 'current',
        ukAddress: { buildingNumber: '14', thoroughfare: 'Mill Lane', townOrCity: 'Ludforth', postcode: 'HR10 2AB' },
      },
    ],
    ...changes,
  };
}

/** A fresh challenge in test mode. */
export async function startChallenge(
  trefoil: Trefoil,
  changes: Partial<GenerateRequest> = {},
): Promise<{ creditReportId: string; challengeId: string }> {
  const { data } = await trefoil.generate(generateBody({ challengeOptions: { status: 'challenge' }, ...changes }));
  if (data.status !== 'authentication-required') throw new Error(`expected a challenge, got ${data.status}`);
  return { creditReportId: data.creditReportId, challengeId: data.challenge.challengeId };
}
