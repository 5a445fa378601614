// The limits as Redis judges them. It fails when Redis does not answer in time: limit-fallback.ts says what then.
import { Redis } from 'ioredis';
import type { KeyedHash } from '../crypto/keyed-hash.ts';
import { FAILURES, TAKE } from './limit-scripts.ts';
import type { LimitStore, Rate, Verdict } from './local-limits.ts';

export type RedisOptions = {
  readonly redisUrl: string;
  readonly keyPrefix: string;
  readonly timeoutMs: number;
  /** Keys name addresses of people and of networks: Redis sees this hash of them. */
  readonly hashKey: KeyedHash;
};

export type Taken = Verdict & { readonly taken: number };

export interface RedisLimits extends Pick<LimitStore, 'failures' | 'forgive'> {
  /** Takes as many as are allowed, up to `wanted`. */
  take(key: string, rate: Rate, wanted: number): Promise<Taken>;
  close(): void;
}

type Question = {
  readonly key: string;
  readonly rate: Rate;
  readonly wanted: number;
  resolve(taken: Taken): void;
  reject(error: unknown): void;
};

type Run = (command: 'limitTake' | 'limitFailures', ...args: (string | number)[]) => Promise<unknown>;

/** Of the hash: enough that no two keys meet. */
const NAME_BYTES = 16;

function intervalUs(rate: Rate): number {
  return Math.max(1, Math.round(1_000_000 / rate.perSecond));
}

function connect(options: RedisOptions): Redis {
  const redis = new Redis(options.redisUrl, {
    keyPrefix: options.keyPrefix,
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 1_000,
    commandTimeout: options.timeoutMs,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
  });
  redis.on('error', () => undefined);
  redis.connect().catch(() => undefined);
  redis.defineCommand('limitTake', { lua: TAKE });
  redis.defineCommand('limitFailures', { numberOfKeys: 1, lua: FAILURES });
  return redis;
}

/** The questions of one event-loop tick go as one command: a write and a script for each would cost ten times that. */
function createQuestions(run: Run, nameOf: (key: string) => string): RedisLimits['take'] {
  let open: Question[] = [];

  async function askAll(): Promise<void> {
    const asked = open;
    open = [];
    try {
      const keys = asked.map(({ key }) => nameOf(key));
      const wishes = asked.flatMap(({ rate, wanted }) => [intervalUs(rate), rate.burst, wanted]);
      const numbers = (await run('limitTake', keys.length, ...keys, ...wishes)) as number[];
      for (const [place, { resolve }] of asked.entries()) {
        const [taken = 0, remaining = 0, retryAfterUs = 0, resetUs = 0] = numbers.slice(4 * place, 4 * place + 4);
        resolve({ isAllowed: taken > 0, taken, remaining, retryAfterUs, resetUs });
      }
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }

  return (key, rate, wanted) =>
    new Promise((resolve, reject) => {
      if (open.length === 0) setImmediate(() => void askAll());
      open.push({ key, rate, wanted, resolve, reject });
    });
}

export function openRedisLimits(options: RedisOptions): RedisLimits {
  const redis = connect(options);
  const run: Run = async (command, ...args) =>
    (redis as unknown as Record<string, (...args: (string | number)[]) => Promise<unknown>>)[command]?.(...args);

  /** The kind of a key stays readable for an operator who looks into Redis; whom it is about does not. */
  function nameOf(family: string, key: string): string {
    const kind = key.slice(0, key.indexOf(':') + 1);
    return `${family}:${kind}${options.hashKey(key).toString('base64url', 0, NAME_BYTES)}`;
  }

  return {
    take: createQuestions(run, (key) => nameOf('rate', key)),
    failures: async (key, policy, record) =>
      Number(await run('limitFailures', nameOf('failures', key), policy.max, policy.windowUs, record ? '1' : '0')),
    async forgive(key) {
      await redis.lpop(nameOf('failures', key));
    },
    close: () => redis.disconnect(),
  };
}
