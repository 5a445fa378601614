// Transactions on PostgreSQL. The app role sees only the tenants named when the transaction opens; the system role
// serves look-ups across tenants. No network call belongs inside `work`.
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { withKeys } from '../crypto/key-not-at-hand.ts';
import { busy, tooLate } from '../errors.ts';
import { isUuid } from '../ids.ts';
import { createPlaces } from '../limits/places.ts';
import { remainingMs } from '../request-scope.ts';
import { inSpan } from '../traces/span.ts';
import { type ConnectionEvents, type ConnectionPool, openConnections, type Watch } from './connections.ts';
import { type Query, sql, type Tx } from './sql.ts';
import type { Send } from './statement-group.ts';
import { isConnectionLost, isCutOff, isStandby, unknownCommit } from './unavailable.ts';

export type SystemOptions = {
  /** What one statement may take; for checks that read whole tables. */
  readonly statementMs?: number;
};

/** What everything that reads or writes is given. */
export interface Database {
  /**
   * One transaction as the app role, which sees these tenants and no others. Work that has sent its last statement may
   * call `commitNow`: the commit then travels with it instead of waiting for its answer, where statements are grouped.
   * Work that meets a key which is not in memory is rolled back and run again once the key is there (`KeyNotAtHand`): until
   * then it must have changed nothing but rows.
   */
  forTenants<T>(tenantIds: readonly string[], work: (tx: Tx, commitNow: () => void) => Promise<T>): Promise<T>;
  /** One transaction as the system role. */
  asSystem<T>(work: (tx: Tx) => Promise<T>, options?: SystemOptions): Promise<T>;
}

/** Its own transactions are those of requests; each tenant has a fair share of their connections. */
export interface OpenDatabase extends Database {
  /** For the queue whose members share transactions. */
  readonly queue: Pick<Database, 'forTenants'> & { readonly connections: number };
  /** For jobs, and whatever else goes on while no request waits for it. */
  readonly jobs: Database;
  /** For how long nothing was wrong with the way to the database; since the start at most. */
  reachableForMs(): number;
  close(): Promise<void>;
}

export type DatabaseOptions = {
  readonly appUrl: string;
  readonly systemUrl: string;
  /** Of the app role, over all pools: about a third for the queue, a few for jobs, the rest for requests. */
  readonly appConnections: number;
  readonly systemConnections: number;
  readonly onConnectionError: (error: Error) => void;
  readonly onSilence?: ConnectionEvents['onSilence'];
  /** How long a connection lives; half an hour unless told. */
  readonly connectionSeconds?: number;
  /**
   * Whether the statements of one event-loop tick are one message; unless told they are
   * (docs/decisions/0138-one-message-per-tick.md, 0195-grouping-can-be-turned-off.md).
   */
  readonly isGrouped?: boolean;
  /** How many times as long as usual every wait may take. */
  readonly patience?: number;
};

const BEGIN = sql`begin`;
const COMMIT = sql`commit`;
const ROLLBACK = sql`rollback`;

/** Requests that may wait for a connection, and for how long. */
const WAITING_MAX = 1_000;
const WAIT_MS = 10_000;

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

type Work<T> = (tx: Tx, commitNow: () => void) => Promise<T>;

async function transaction<T>(
  pool: ConnectionPool,
  watch: Watch,
  { opening, groupMs }: { readonly opening: readonly Query[]; readonly groupMs: number },
  work: Work<T>,
): Promise<T> {
  // Nobody waits for it any more, and a statement that is given no time would cost a healthy connection.
  if (remainingMs() <= 0) throw tooLate();
  const client = await pool.checkOut();
  let broken: Error | undefined;
  // The pool listens to idle clients only: a connection that breaks in here would otherwise end the process.
  const noteBreak = (error: Error) => {
    broken = error;
  };
  client.on('error', noteBreak);
  const send = pool.senderFor(client, groupMs);
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
    const isLost = isConnectionLost(error);
    if (isLost) watch.troubleAtMs = performance.now();
    // Behind whatever waits to be sent, the beginning perhaps, and in a group of its own: a failure there would skip it.
    await setImmediate();
    await send(ROLLBACK).catch((rollbackError: Error) => {
      // The connection is in an unknown state: it must not return to the pool.
      broken = rollbackError;
    });
    // Somewhere else there is a server that takes writes: this connection will not lead to it.
    if (isStandby(error)) broken ??= error as Error;
    throw (isLost || isCutOff(error)) && committing
      ? unknownCommit('the connection broke while a commit was under way', error)
      : error;
  } finally {
    client.off('error', noteBreak);
    client.release(broken);
  }
}

function openingFor(tenantIds: readonly string[]): readonly Query[] {
  if (!tenantIds.every(isUuid)) throw new TypeError('a tenant id is not a UUID');
  return [BEGIN, sql`select set_config('trefoil.tenants', ${`{${tenantIds.join(',')}}`}, true)`];
}

function systemOpening(statementMs: number | undefined): readonly Query[] {
  if (statementMs === undefined) return [BEGIN];
  return [BEGIN, sql`select set_config('statement_timeout', ${String(statementMs)}, true)`];
}

/** What the server may take beyond a statement's time before its silence means something. */
const GRACE_MS = 2_000;

function transactionsOn(pools: { app: ConnectionPool; system: ConnectionPool }, watch: Watch): Database {
  const { app, system } = pools;
  return {
    forTenants: (tenantIds, work) =>
      inSpan('transaction', { attributes: { 'trefoil.pool': app.name } }, () =>
        transaction(app, watch, { opening: openingFor(tenantIds), groupMs: app.groupMs }, work),
      ),
    asSystem(work, { statementMs } = {}) {
      const groupMs = statementMs === undefined ? system.groupMs : statementMs + GRACE_MS;
      return inSpan('transaction', { attributes: { 'trefoil.pool': system.name } }, () =>
        transaction(system, watch, { opening: systemOpening(statementMs), groupMs }, work),
      );
    },
  };
}

/** How many connections each pool gets; every one at least one. */
function share({ appConnections, systemConnections }: Pick<DatabaseOptions, 'appConnections' | 'systemConnections'>) {
  const between = (low: number, high: number, value: number) => Math.max(low, Math.min(high, Math.round(value)));
  const queue = between(1, 6, appConnections / 3);
  const jobs = between(1, 4, appConnections / 8);
  const systemJobs = between(1, 3, systemConnections / 2);
  return {
    queue,
    jobs,
    requests: Math.max(1, appConnections - queue - jobs),
    systemJobs,
    lookUps: Math.max(1, systemConnections - systemJobs),
  };
}

/** The most connections that a process with these settings opens, as each role. */
export function countConnections(options: Pick<DatabaseOptions, 'appConnections' | 'systemConnections'>) {
  const { queue, jobs, requests, systemJobs, lookUps } = share(options);
  return { app: queue + jobs + requests, system: systemJobs + lookUps };
}

export function openDatabase(options: DatabaseOptions): OpenDatabase {
  const { appUrl, systemUrl, connectionSeconds: lifeSeconds, onConnectionError, onSilence = () => undefined } = options;
  const { isGrouped = true, patience = 1 } = options;
  const watch: Watch = { suspectBeforeMs: 0, troubleAtMs: performance.now() };
  const events = { onLost: onConnectionError, onSilence };
  const counts = share(options);
  const common = { lifeSeconds, isGrouped, patience };
  const openApp = (name: 'queue' | 'requests' | 'jobs') =>
    openConnections({ name, url: appUrl, max: counts[name], role: 'app', ...common }, watch, events);
  const openSystem = (name: 'look-ups' | 'system-jobs', max: number) =>
    openConnections({ name, url: systemUrl, max, role: 'system', ...common }, watch, events);
  const pools = {
    queue: openApp('queue'),
    requests: openApp('requests'),
    jobs: openApp('jobs'),
    lookUps: openSystem('look-ups', counts.lookUps),
    systemJobs: openSystem('system-jobs', counts.systemJobs),
  };
  const queue = transactionsOn({ app: pools.queue, system: pools.systemJobs }, watch);
  const requests = transactionsOn({ app: pools.requests, system: pools.lookUps }, watch);
  // One tenant's readers, or its guesses at a locked wallet, must not have every connection.
  const places = createPlaces({ counts: { connection: counts.requests }, waitingMax: WAITING_MAX });
  async function inTurn<T>(tenantIds: readonly string[], work: Work<T>): Promise<T> {
    const release = await places.take(['connection'], tenantIds[0] ?? '', Math.min(patience * WAIT_MS, remainingMs()));
    if (!release) throw busy();
    try {
      return await requests.forTenants(tenantIds, work);
    } finally {
      release();
    }
  }
  const jobs = transactionsOn({ app: pools.jobs, system: pools.systemJobs }, watch);
  return {
    // Its connection and its place are free again before the key is loaded.
    forTenants: (tenantIds, work) => withKeys(() => inTurn(tenantIds, work)),
    asSystem: requests.asSystem,
    queue: { forTenants: queue.forTenants, connections: counts.queue },
    jobs: {
      asSystem: jobs.asSystem,
      forTenants: (tenantIds, work) => withKeys(() => jobs.forTenants(tenantIds, work)),
    },
    reachableForMs: () => performance.now() - watch.troubleAtMs,
    async close() {
      await Promise.all(Object.values(pools).map((pool) => pool.end()));
    },
  };
}
