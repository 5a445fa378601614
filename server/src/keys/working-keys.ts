// The working keys of months in memory. They are looked up without waiting; one that is not there is loaded with nothing open
// (`KeyNotAtHand`). Bounded in number, and in time since the key service last confirmed each: while the service is away, what
// is in memory goes on until its bound, and the rest is 503 (docs/decisions/0258-a-key-service.md).
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { KeyNotAtHand } from '../lib/crypto/key-not-at-hand.ts';
import { type WorkingKeys, workingKeyId } from '../lib/crypto/vault.ts';
import { ServiceError } from '../lib/errors.ts';
import type { Job } from '../lib/jobs.ts';
import type { Log } from '../lib/log.ts';
import type { Database } from '../lib/postgres/database.ts';
import { outsideScope, timeOutside } from '../lib/request-scope.ts';
import { CACHE_SECONDS } from './key-answers.ts';
import type { KeyMetrics } from './key-metrics.ts';
import type { KeyAnswer, KeyService } from './port.ts';
import { endOfMonth, monthOf, monthsNeeded } from './rules/month.ts';
import { findWorkingKey, insertWorkingKey, type WorkingKeyRow } from './store.ts';

/** Reports live for 90 days at most, so four months are in use; rows of a restored backup may need more. */
const KEYS_MAX = 12;
/** A key is confirmed this many times within its bound: a few calls may fail before it ends. */
const CONFIRMATIONS = 5;
const AWAY_RETRY_SECONDS = 5;

type Held = { readonly key: KeyObject; confirmedAtMs: number; usedAtMs: number };

export type WorkingKeyOptions = {
  readonly service: KeyService;
  readonly database: Pick<Database, 'asSystem'>;
  readonly metrics: KeyMetrics;
  readonly log: Log;
  readonly now: () => Date;
  readonly cacheSeconds?: number | undefined;
  readonly keysMax?: number;
  /** For tests: the clock of the bound, in milliseconds. */
  readonly clock?: () => number;
};

export type OpenWorkingKeys = WorkingKeys & {
  /** Loads what this month and the next need; never rejects, since a node starts without its key service. */
  prepare(): Promise<void>;
  /** Confirms what is in memory and in use, and forgets the rest. For every process. */
  readonly job: Job;
  /** How many are in memory. */
  size(): number;
};

/** The client may send the same request again; nothing of it has happened. */
const unavailable = (cause: unknown) =>
  new ServiceError(
    'service-unavailable',
    'A key is not available at the moment. Send the same request again after Retry-After.',
    {
      retryAfterSeconds: AWAY_RETRY_SECONDS,
      cause,
    },
  );

const checkOf = (id: string, key: Buffer) => createHmac('sha256', key).update(`trefoil/working-key/${id}`).digest();

export function openWorkingKeys(options: WorkingKeyOptions): OpenWorkingKeys {
  const { service, database, metrics, log, now, clock = () => performance.now(), keysMax = KEYS_MAX } = options;
  const boundMs = (options.cacheSeconds ?? CACHE_SECONDS) * 1_000;
  const held = new Map<string, Held>();
  const loading = new Map<string, Promise<void>>();
  const failures = new Map<string, { readonly error: unknown; readonly untilMs: number }>();
  let current = { id: '', endMs: Number.NEGATIVE_INFINITY, beginMs: Number.POSITIVE_INFINITY };

  /** The id of the key that wraps now; the month is worked out once. */
  function currentId(): string {
    const at = now();
    const ms = at.getTime();
    if (ms >= current.endMs || ms < current.beginMs) {
      const month = monthOf(at);
      const beginMs = Date.parse(`${month}-01`);
      current = { id: workingKeyId(month, service.kind), endMs: endOfMonth(month), beginMs };
    }
    return current.id;
  }

  async function ask<T>(call: string, answering: Promise<KeyAnswer<T>>): Promise<KeyAnswer<T>> {
    const answer = await answering;
    const reason = answer.kind === 'away' ? answer.cause.reason : '';
    metrics.keyCalls.inc({ call, outcome: answer.kind, reason });
    return answer;
  }

  /** Throws what the client may be told. */
  function orUnavailable<T>(answer: KeyAnswer<T>, id: string): T {
    if (answer.kind === 'done') return answer.value;
    // Not 410: a service with another account's settings has none of our keys either, and that destroys no report.
    if (answer.kind === 'gone') {
      log.error('the key service has no key for a working key', { kid: id });
      throw unavailable(new Error('the month key is gone'));
    }
    throw unavailable(answer.cause);
  }

  function wrongBytes(id: string): ServiceError {
    log.error('the key service gave other bytes than it wrapped', { kid: id });
    return unavailable(new Error('a working key is not the one that was wrapped'));
  }

  function unknownKey(id: string, sentence: string): ServiceError {
    log.error(sentence, { kid: id });
    return unavailable(new Error(sentence));
  }

  function keep(id: string, bytes: Buffer): void {
    const atMs = clock();
    const before = held.get(id);
    held.set(id, { key: createSecretKey(bytes), confirmedAtMs: atMs, usedAtMs: before?.usedAtMs ?? atMs });
    bytes.fill(0);
    while (held.size > keysMax) {
      const others = [...held].filter(([each]) => each !== id && each !== current.id);
      const [oldest] = others.toSorted(([, a], [, b]) => a.usedAtMs - b.usedAtMs)[0] ?? [];
      if (oldest === undefined) return;
      held.delete(oldest);
    }
  }

  async function unwrap({ id, month, wrappedKey, checkValue, closedAt, service: kind }: WorkingKeyRow): Promise<void> {
    // The month is over for good: what it wrapped can never be read again.
    if (closedAt) {
      held.delete(id);
      throw new ServiceError('credit-report-purged');
    }
    if (kind !== service.kind) throw unknownKey(id, 'a working key needs another key service');
    const answer = await ask('unwrap', service.unwrap(month, wrappedKey));
    if (answer.kind === 'gone') held.delete(id);
    const key = orUnavailable(answer, id);
    // Reports wrapped by other bytes than these could be opened by nobody later.
    if (!checkOf(id, key).equals(checkValue)) throw wrongBytes(id);
    keep(id, key);
  }

  /** Makes the month's working key where there is none. */
  async function create(id: string, month: string): Promise<void> {
    const { key, wrappedKey } = orUnavailable(await ask('create', service.createWorkingKey(month)), id);
    const checkValue = checkOf(id, key);
    const again = orUnavailable(await ask('unwrap', service.unwrap(month, wrappedKey)), id);
    // Before anything is wrapped by it: what cannot be unwrapped is no key.
    if (!again.equals(key)) throw wrongBytes(id);
    again.fill(0);
    await database.asSystem((tx) => insertWorkingKey(tx, { id, month, service: service.kind, wrappedKey, checkValue }));
    const row = await database.asSystem((tx) => findWorkingKey(tx, id));
    if (!row) throw new Error('a working key is gone');
    // Another process may have been first.
    if (row.checkValue.equals(checkValue)) keep(id, key);
    else await unwrap(row);
  }

  async function read(id: string): Promise<void> {
    const row = await database.asSystem((tx) => findWorkingKey(tx, id));
    if (row) return unwrap(row);
    const month = monthsNeeded(now()).find((each) => workingKeyId(each, service.kind) === id);
    if (month === undefined) throw unknownKey(id, 'a report needs a working key that does not exist');
    await create(id, month);
  }

  /**
   * One load of a key at a time, however many ask for it. A failure counts for as long as clients are told to wait: a load may
   * make a key in the service, or sign in there, and must not do so with every request.
   */
  function load(id: string): Promise<void> {
    const running = loading.get(id);
    if (running) return running;
    const failure = failures.get(id);
    if (failure && clock() < failure.untilMs) return Promise.reject(failure.error);
    failures.delete(id);
    // No single request's deadline applies: others may wait for the same key.
    const begun = outsideScope(() => read(id))
      .catch((error) => {
        failures.set(id, { error, untilMs: clock() + AWAY_RETRY_SECONDS * 1_000 });
        throw error;
      })
      .finally(() => loading.delete(id));
    loading.set(id, begun);
    return begun;
  }

  function find(id: string): KeyObject {
    const found = held.get(id);
    const atMs = clock();
    if (found && atMs < found.confirmedAtMs + boundMs) {
      found.usedAtMs = atMs;
      return found.key;
    }
    held.delete(id);
    throw new KeyNotAtHand(id, () => timeOutside(load(id)));
  }

  async function confirm(): Promise<number> {
    const needed = monthsNeeded(now()).map((month) => workingKeyId(month, service.kind));
    const idleSinceMs = clock() - boundMs;
    for (const [id, { usedAtMs }] of held) if (usedAtMs < idleSinceMs && !needed.includes(id)) held.delete(id);
    const ids = [...new Set([...needed, ...held.keys()])];
    const done = await Promise.allSettled(ids.map(load));
    const failed = done.filter((each) => each.status === 'rejected');
    metrics.keysHeld.set([...held.values()].filter(({ confirmedAtMs }) => clock() < confirmedAtMs + boundMs).length);
    if (failed.length > 0) log.warn('the key service did not confirm keys', { count: failed.length });
    return 0;
  }

  return {
    current() {
      const id = currentId();
      return { id, key: find(id) };
    },
    find,
    prepare: async () => {
      await confirm().catch(() => undefined);
    },
    job: { name: 'working-keys', everyMs: boundMs / CONFIRMATIONS, run: confirm },
    size: () => held.size,
  };
}
