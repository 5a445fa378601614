// Transactions on PostgreSQL. The app role sees only the tenants named when the transaction opens; the system role
// serves look-ups across tenants. No network call belongs inside `work`.
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { types as builtinTypes, Pool, type PoolClient } from 'pg';
import { isUuid } from './ids.ts';
import { type Query, sql, type Tx } from './sql.ts';
import { createSender, type Send } from './statement-group.ts';
import { unknownCommit } from './unavailable.ts';

export interface Database {
  /**
   * One transaction as the app role, which sees these tenants and no others. Work that has sent its last statement may
   * call `commitNow`: the commit then travels with it instead of waiting for its answer.
   */
  forTenants<T>(tenantIds: readonly string[], work: (tx: Tx, commitNow: () => void) => Promise<T>): Promise<T>;
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

/**
 * The app role looks rows up by their keys and does nothing else. Left to itself the planner sometimes takes the wall's
 * own condition for the way in and reads all rows of a tenant, or plans for a table as small as it was at the start.
 * Forbidding a plan makes the only one left look dear, and a dear plan would be compiled: hence no JIT.
 */
const BY_KEY_ONLY =
  '-c enable_hashjoin=off -c enable_mergejoin=off -c enable_seqscan=off -c enable_bitmapscan=off -c jit=off ' +
  // One plan per statement, made once: with lists of keys the planner would think about each list anew.
  '-c plan_cache_mode=force_generic_plan';

/**
 * Idle time counts from the answer to a group, not in the middle of one: a server that waits for the rest of a group from
 * a node that was cut off holds its locks for as long as the network lets it. Hence it asks whether the node is there.
 */
const CUT_OFF_IS_NOTICED =
  '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3 -c tcp_user_timeout=10000';

type PoolOptions = { readonly connectionString: string; readonly max: number; readonly options?: string };

function openPool(pooled: PoolOptions, onConnectionError: (error: Error) => void): Pool {
  const pool = new Pool({
    ...pooled,
    options: `${CUT_OFF_IS_NOTICED} ${pooled.options ?? ''}`,
    // A group need not wait for the answer to the one before; the server still runs them in their order.
    pipeline: true,
    types,
    connectionTimeoutMillis: 5_000,
    // Every wait ends: a lost lock holder must not hold a request for ever, nor long those who share its transaction.
    lock_timeout: 2_000,
    statement_timeout: 10_000,
    // A node that is stopped or cut off in the middle of a transaction gives its locks up.
    idle_in_transaction_session_timeout: 5_000,
    application_name: 'trefoil',
  });
  // An idle connection that breaks is replaced at the next use; without a listener it would end the process.
  pool.on('error', onConnectionError);
  return pool;
}

const BEGIN = sql`begin`;
const COMMIT = sql`commit`;
const ROLLBACK = sql`rollback`;

/** A branch of the work that goes on after another has failed must not write outside the transaction. */
function guardTx(send: Send): { tx: Tx; end(): void } {
  let isOver = false;
  const query = (query: Query | string, values: unknown[] = []) => {
    if (isOver) return Promise.reject(new Error('the transaction is over'));
    return send(typeof query === 'string' ? { text: query, values } : query);
  };
  return {
    tx: { query },
    end() {
      isOver = true;
    },
  };
}

/**
 * A commit that was told not to wait for its standby has happened here and perhaps nowhere else: the driver reports it
 * as done, and it is unknown. Whoever repeats the work asks by its key first.
 */
async function commit(client: PoolClient, send: Send): Promise<void> {
  let isUnconfirmed = false;
  const noteWarning = ({ message = '' }: { message?: string | undefined }) => {
    isUnconfirmed ||= /synchronous replication/.test(message);
  };
  client.on('notice', noteWarning);
  try {
    const { command } = await send(COMMIT);
    assert.equal(command, 'COMMIT', 'a failed transaction was committed');
  } finally {
    client.off('notice', noteWarning);
  }
  if (isUnconfirmed) throw unknownCommit('a commit was not confirmed by a standby');
}

async function transaction<T>(
  pool: Pool,
  opening: readonly Query[],
  work: (tx: Tx, commitNow: () => void) => Promise<T>,
): Promise<T> {
  const client: PoolClient = await pool.connect();
  let broken: Error | undefined;
  // The pool listens to idle clients only: a connection that breaks in here would otherwise end the process.
  const noteBreak = (error: Error) => {
    broken = error;
  };
  client.on('error', noteBreak);
  const send = createSender(client);
  const { tx, end } = guardTx(send);
  let committing: Promise<void> | undefined;
  const commitNow = () => {
    end();
    committing ??= commit(client, send);
    // Looked at below; until then a failure must not count as unhandled.
    committing.catch(() => undefined);
  };
  try {
    // Sent together with the first statement of the work; whatever fails it fails that statement too.
    const [, result] = await Promise.all([Promise.all(opening.map(send)), work(tx, commitNow)]);
    commitNow();
    await committing;
    return result;
  } catch (error) {
    end();
    // Behind whatever waits to be sent, the beginning perhaps, and in a group of its own: a failure there would skip it.
    await setImmediate();
    await send(ROLLBACK).catch((rollbackError: Error) => {
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
  const { appUrl, appConnections, systemUrl, systemConnections, onConnectionError } = options;
  const app = openPool({ connectionString: appUrl, max: appConnections, options: BY_KEY_ONLY }, onConnectionError);
  const system = openPool({ connectionString: systemUrl, max: systemConnections }, onConnectionError);
  return {
    forTenants(tenantIds, work) {
      if (!tenantIds.every(isUuid)) throw new TypeError('a tenant id is not a UUID');
      return transaction(
        app,
        [BEGIN, sql`select set_config('trefoil.tenants', ${`{${tenantIds.join(',')}}`}, true)`],
        work,
      );
    },
    asSystem: (work) => transaction(system, [BEGIN], work),
    async close() {
      await Promise.all([app.end(), system.end()]);
    },
  };
}
