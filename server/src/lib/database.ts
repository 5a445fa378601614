// Transactions on PostgreSQL. The app role sees only the tenants named when the transaction opens; the system role
// serves look-ups across tenants. No network call belongs inside `work`.
import { types as builtinTypes, Pool, type PoolClient } from 'pg';
import { isUuid } from './ids.ts';
import type { Tx } from './sql.ts';

export interface Database {
  /** One transaction as the app role, which sees these tenants and no others. */
  forTenants<T>(tenantIds: readonly string[], work: (tx: Tx) => Promise<T>): Promise<T>;
  /** One transaction as the system role. */
  asSystem<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export type DatabaseOptions = {
  readonly appUrl: string;
  readonly systemUrl: string;
  readonly appConnections: number;
  readonly systemConnections: number;
  readonly onConnectionError: (error: Error) => void;
};

const BIGINT_OID = 20;

// Credits and counts are bigint in SQL and checked safe integers here; anything larger is a fault, not a rounding.
function parseBigint(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('a bigint from the database is not a safe integer');
  return value;
}

const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === BIGINT_OID ? parseBigint : builtinTypes.getTypeParser(oid, format as 'text'),
};

function openPool(connectionString: string, max: number, onConnectionError: (error: Error) => void): Pool {
  const pool = new Pool({
    connectionString,
    max,
    types,
    connectionTimeoutMillis: 5_000,
    // Every wait ends: a lost lock holder must not hold a request for ever.
    lock_timeout: 5_000,
    statement_timeout: 10_000,
    idle_in_transaction_session_timeout: 15_000,
    application_name: 'trefoil',
  });
  // An idle connection that breaks is replaced at the next use; without a listener it would end the process.
  pool.on('error', onConnectionError);
  return pool;
}

async function transaction<T>(pool: Pool, begin: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  const client: PoolClient = await pool.connect();
  let broken: Error | undefined;
  // The pool listens to idle clients only: a connection that breaks in here would otherwise end the process.
  const noteBreak = (error: Error) => {
    broken = error;
  };
  client.on('error', noteBreak);
  try {
    await client.query(begin);
    const result = await work(client as Tx);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((rollbackError: Error) => {
      // The connection is in an unknown state: it must not return to the pool.
      broken = rollbackError;
    });
    throw error;
  } finally {
    client.off('error', noteBreak);
    client.release(broken);
  }
}

export function openDatabase(options: DatabaseOptions): Database {
  const app = openPool(options.appUrl, options.appConnections, options.onConnectionError);
  const system = openPool(options.systemUrl, options.systemConnections, options.onConnectionError);
  return {
    forTenants(tenantIds, work) {
      // The ids stand in the statement's text so that opening costs one round trip; hence this check.
      if (!tenantIds.every(isUuid)) throw new TypeError('a tenant id is not a UUID');
      return transaction(app, `begin; select set_config('trefoil.tenants', '{${tenantIds.join(',')}}', true)`, work);
    },
    asSystem: (work) => transaction(system, 'begin', work),
    async close() {
      await Promise.all([app.end(), system.end()]);
    },
  };
}
