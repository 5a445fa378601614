// A database for looking and nothing else: every transaction is read only, every wait has an end, and a connection that hangs
// is destroyed. Unlike the connections of the service it also works on a standby, and with roles that may not write.
import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { createTurns, type Turns } from '../limits/turns.ts';
import { types } from './connections.ts';
import type { Database } from './database.ts';
import { type Query, sql, type Tx } from './sql.ts';

export type ReadOnlyDatabase = Database & {
  /** One transaction as the app role that names no tenant. */
  asApp<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Ends at once, whatever is under way. */
  close(): Promise<void>;
};

type Addresses = { readonly appUrl: string; readonly systemUrl: string };

/** Few: the server may be the one that has none left. */
const CONNECTIONS = 3;

function openPool(connectionString: string, limitMs: number, lifeOf: Set<PoolClient>): Pool {
  const settings: PoolConfig = {
    connectionString,
    max: CONNECTIONS,
    options: '-c TimeZone=UTC',
    types,
    connectionTimeoutMillis: limitMs,
    query_timeout: limitMs,
    statement_timeout: limitMs,
    lock_timeout: Math.min(limitMs, 2_000),
    idle_in_transaction_session_timeout: 2 * limitMs,
    application_name: 'trefoil doctor',
  };
  const pool = new Pool(settings);
  pool.on('connect', (client) => {
    lifeOf.add(client);
    // Whoever waits for the connection hears of it; without a listener it would end the process.
    client.on('error', () => undefined);
  });
  pool.on('remove', (client) => lifeOf.delete(client));
  pool.on('error', () => undefined);
  return pool;
}

/** A pool, and the turns for its places: the pool itself would count waiting for one as connecting, which has to be quick. */
type Place = { readonly pool: Pool; readonly turns: Turns };

type Look = { readonly opening?: readonly Query[]; readonly statementMs: number };

async function transaction<T>(
  pool: Pool,
  { opening = [], statementMs }: Look,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let isOver = false;
  const query = (query: Query | string, values: unknown[] = []) => {
    if (isOver) return Promise.reject(new Error('the transaction is over'));
    const asked = typeof query === 'string' ? { text: query, values } : query;
    // The driver's own patience, for a server that says nothing at all.
    return client.query(Object.assign({ query_timeout: statementMs }, asked));
  };
  try {
    await client.query('begin read only');
    await client.query(sql`select set_config('statement_timeout', ${String(statementMs)}, true)`);
    for (const each of opening) await client.query(each);
    const result = await work({ query } as Tx);
    await client.query('rollback');
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  } finally {
    isOver = true;
  }
}

async function look<T>({ pool, turns }: Place, how: Look, work: (tx: Tx) => Promise<T>): Promise<T> {
  await turns.take();
  try {
    return await transaction(pool, how, work);
  } finally {
    turns.give();
  }
}

const streamOf = (client: PoolClient) =>
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream;

/**
 * `limitMs` is for a connection and for each statement. Work that asks for more time has it, up to `longMs`. Waiting for one
 * of the few places has no limit here: whoever asks has one, and `close` ends it.
 */
export function openReadOnly({ appUrl, systemUrl }: Addresses, limitMs: number, longMs = limitMs): ReadOnlyDatabase {
  const clients = new Set<PoolClient>();
  const [app, system] = [appUrl, systemUrl].map((url) => ({
    ...{ pool: openPool(url, limitMs, clients), turns: createTurns(CONNECTIONS) },
  })) as [Place, Place];
  return {
    asApp: (work) => look(app, { statementMs: limitMs }, work),
    asSystem: (work, { statementMs = limitMs } = {}) =>
      look(system, { statementMs: Math.min(statementMs, longMs) }, work),
    forTenants(tenantIds, work) {
      const opening = [sql`select set_config('trefoil.tenants', ${`{${tenantIds.join(',')}}`}, true)`];
      return look(app, { opening, statementMs: limitMs }, (tx) => work(tx, () => undefined));
    },
    async close() {
      // A silent server would not answer a farewell either.
      for (const client of clients) streamOf(client).destroy();
      await Promise.allSettled([app.pool.end(), system.pool.end()]);
    },
  };
}
