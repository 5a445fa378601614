// Connections to PostgreSQL, in separate pools so that one kind of work cannot use up another's: the queue, requests,
// look-ups of tokens and sign-ins, jobs. Every wait ends. A connection that stays silent is destroyed, and so is every other
// connection last heard from before that silence began, since they lead to the same host. No connection lives for ever, and
// none that leads to a standby is used (docs/decisions/0150-connections-to-the-database.md).
import { types as builtinTypes, Pool, type PoolClient } from 'pg';
import { outsideScope, remainingMs } from '../request-scope.ts';
import { sql } from './sql.ts';
import { createSender, createSingleSender, type Patience, type Send } from './statement-group.ts';
import { isConnectionLost, standby } from './unavailable.ts';

export type PoolName = 'queue' | 'requests' | 'look-ups' | 'jobs' | 'system-jobs';

/** Events on the connections to the database, over all pools of this process. */
export type ConnectionEvents = {
  /** A connection broke, or could not be opened. */
  onLost(error: Error): void;
  /** A group of statements got no answer in time. */
  onSilence(pool: PoolName): void;
};

const BIGINT_OID = 20;

// Credits and counts are bigint in SQL and checked safe integers here; anything larger is an error, never rounded.
function parseBigint(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('a bigint from the database is not a safe integer');
  return value;
}

/** How values come back, in every connection of ours. */
export const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === BIGINT_OID ? parseBigint : builtinTypes.getTypeParser(oid, format as 'text'),
};

/**
 * The app role only looks rows up by their keys. By default the planner sometimes uses the row-level security condition as
 * the access path and reads all rows of a tenant, or plans for a table as small as it was at the start. Disabling plan types
 * makes the remaining plan look expensive, and PostgreSQL would compile an expensive plan: hence no JIT.
 */
const BY_KEY_ONLY =
  '-c enable_hashjoin=off -c enable_mergejoin=off -c enable_seqscan=off -c enable_bitmapscan=off -c jit=off ' +
  // One generic plan per statement: with lists of keys the planner would plan each list again.
  '-c plan_cache_mode=force_generic_plan';

/**
 * The idle timeout starts after the answer to a group, not in the middle of one. A server that waits for the rest of a group
 * from a disconnected node holds its locks until the network reports the loss. Hence TCP keepalives from the server.
 */
const CUT_OFF_IS_NOTICED =
  '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3 -c tcp_user_timeout=10000';

/** Counted and reported days and minutes are in UTC, whatever the database's time zone. */
const UTC = '-c TimeZone=UTC';

const CONNECT_MS = 5_000;
/** After an unnoticed failover, a connection leads to the old server for at most this long. */
const LIFE_SECONDS = 30 * 60;
/** The minimum for a statement, however little time its request has left: it may wait for a lock, or be the commit. */
const LAST_MS = 2_500;

/** The time limits of a statement and of its group: the server's limit ends first, and reports it. */
const PATIENCE_MS: Readonly<Record<PoolName, { readonly statement: number; readonly group: number }>> = {
  // Both limits delay the first request that is served after a host dies.
  queue: { statement: 3_000, group: 4_000 },
  'look-ups': { statement: 3_000, group: 4_000 },
  requests: { statement: 10_000, group: 12_000 },
  jobs: { statement: 7_000, group: 9_000 },
  'system-jobs': { statement: 7_000, group: 9_000 },
};

export type ConnectionPool = {
  readonly name: PoolName;
  /** What a group of statements may take. */
  readonly groupMs: number;
  /** A connection with no reason for suspicion. */
  checkOut(): Promise<PoolClient>;
  /** How statements go to this connection. `groupMs` is what a group may take, within what is left to its request. */
  senderFor(client: PoolClient, groupMs: number): Send;
  end(): Promise<void>;
};

/** Shared by all pools of one process. */
export type Watch = {
  /** Connections last heard from before this moment are not trusted. */
  suspectBeforeMs: number;
  /** When a connection last failed; the start of the process counts. */
  troubleAtMs: number;
};

type PoolOptions = {
  readonly name: PoolName;
  readonly url: string;
  readonly max: number;
  readonly role: 'app' | 'system';
  readonly lifeSeconds?: number | undefined;
  readonly isGrouped: boolean;
  /** How many times as long as usual every wait may take. */
  readonly patience: number;
};

/** On a standby, and on a server during a switchover, every transaction is read-only. */
const IS_READ_ONLY = sql`select current_setting('transaction_read_only') = 'on' as "isReadOnly"`;

export function openConnections(
  { name, url, max, role, lifeSeconds = LIFE_SECONDS, isGrouped, patience }: PoolOptions,
  watch: Watch,
  { onLost, onSilence }: ConnectionEvents,
): ConnectionPool {
  const limits = PATIENCE_MS[name];
  const pool = new Pool({
    connectionString: url,
    max,
    options: [UTC, CUT_OFF_IS_NOTICED, ...(role === 'app' ? [BY_KEY_ONLY] : [])].join(' '),
    // A group need not wait for the answer to the previous one; the server still runs them in order.
    pipeline: isGrouped,
    types,
    connectionTimeoutMillis: patience * CONNECT_MS,
    // We send keepalives too: they reveal an idle connection to a dead host before a request uses it.
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    // Every wait ends: a lost lock holder must not block a request for ever, nor for long the requests in its transaction.
    lock_timeout: patience * 2_000,
    statement_timeout: patience * limits.statement,
    // A node that is stopped or cut off in the middle of a transaction releases its locks.
    idle_in_transaction_session_timeout: patience * 5_000,
    application_name: `trefoil ${name}`,
    maxLifetimeSeconds: lifeSeconds,
  });
  const heardMs = new WeakMap<PoolClient, number>();
  const provedMs = new WeakMap<PoolClient, number>();

  function noteTrouble(error: Error): void {
    watch.troubleAtMs = performance.now();
    onLost(error);
  }

  pool.on('connect', (client) => {
    heardMs.set(client, performance.now());
    // The pool listens to idle clients, a transaction to its own: an error in between would end the process.
    client.on('error', () => undefined);
  });
  // A broken idle connection is replaced at the next use; without a listener it would end the process. Its events come in the
  // context of the request that made the pool open it, which may be long over: they belong to no request.
  pool.on('error', (error) => outsideScope(() => noteTrouble(error)));

  const patienceFor = (client: PoolClient, groupMs: number): Patience => ({
    timeoutMs: () => Math.min(groupMs, Math.max(LAST_MS, remainingMs())),
    onAnswer: () => void heardMs.set(client, performance.now()),
    onSilence(sentMs, limitMs) {
      // The request ran out of time, which says little about the server.
      if (limitMs < groupMs) return false;
      watch.suspectBeforeMs = Math.max(watch.suspectBeforeMs, sentMs);
      watch.troubleAtMs = performance.now();
      onSilence(name);
      return true;
    },
  });

  const createFor = isGrouped ? createSender : createSingleSender;
  const senderFor = (client: PoolClient, groupMs: number) => createFor(client, patienceFor(client, groupMs));

  /** A new connection, and every connection after trouble, first proves that it leads to a server that accepts writes. */
  async function prove(client: PoolClient): Promise<void> {
    if ((provedMs.get(client) ?? Number.NEGATIVE_INFINITY) >= watch.troubleAtMs) return;
    const askedMs = performance.now();
    try {
      const { rows } = await senderFor(client, patience * limits.group)(IS_READ_ONLY);
      if (rows[0]?.isReadOnly) throw standby();
      provedMs.set(client, askedMs);
    } catch (error) {
      // Destroyed and not retried here: the next connection may lead to the same server.
      client.release(true);
      if (isConnectionLost(error)) noteTrouble(error as Error);
      throw error;
    }
  }

  return {
    name,
    groupMs: patience * limits.group,
    async checkOut() {
      for (;;) {
        // A connection outlives the request that opens it, and must not keep its scope for as long.
        const client = await outsideScope(() => pool.connect()).catch((error: Error) => {
          if (isConnectionLost(error)) noteTrouble(error);
          throw error;
        });
        if ((heardMs.get(client) ?? 0) < watch.suspectBeforeMs) {
          client.release(true);
          continue;
        }
        await prove(client);
        return client;
      }
    },
    senderFor,
    end: () => pool.end(),
  };
}
