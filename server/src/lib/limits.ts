// Limits shared by all nodes through Redis, each judged by one atomic script on Redis's own clock. When Redis is down
// or hangs, the same arithmetic runs in this process on a share of the limit: still limiting, never failing
// (docs/decisions/0109). Nothing here decides money or attempts: those live in PostgreSQL.
import { Redis } from 'ioredis';
import { createLocalStore, type LimitStore, type Rate, remember, type Verdict } from './local-limits.ts';

export type { Rate } from './local-limits.ts';

export type LimitsOptions = {
  readonly redisUrl: string;
  readonly keyPrefix: string;
  readonly timeoutMs: number;
  /** How many nodes share the load: each takes this part of the limit when it must decide alone. */
  readonly nodes: number;
  readonly onFallback: (error: Error) => void;
};

export interface Limits extends LimitStore {
  close(): void;
}

// The generic cell rate algorithm: one number per key, the theoretical arrival time of the next request. Takes as many
// keys as asked together, each with its interval, burst and wish, and answers four numbers for each.
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local answers = {}
for place, key in ipairs(KEYS) do
  local interval, burst, wanted = tonumber(ARGV[3 * place - 2]), tonumber(ARGV[3 * place - 1]), tonumber(ARGV[3 * place])
  local arrival = math.max(tonumber(redis.call('GET', key) or '0'), now)
  local early = arrival + interval - burst * interval - now
  local taken, remaining = 0, 0
  if early <= 0 then
    early = 0
    taken = math.min(wanted, math.floor(burst - (arrival - now) / interval))
    arrival = arrival + taken * interval
    redis.call('SET', key, string.format('%.0f', arrival), 'PX', math.ceil((arrival - now) / 1000))
    remaining = math.floor(burst - (arrival - now) / interval)
  end
  for _, number in ipairs({taken, remaining, early, arrival - now}) do answers[#answers + 1] = number end
end
return answers`;

// The times of the last few failures: locked while the oldest of them is inside the window.
const FAILURES = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local max, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local oldest = tonumber(redis.call('LINDEX', KEYS[1], max - 1) or '-1')
if oldest >= 0 and now - oldest < window then return window - (now - oldest) end
if ARGV[3] == '1' then
  redis.call('LPUSH', KEYS[1], string.format('%.0f', now))
  redis.call('LTRIM', KEYS[1], 0, max - 1)
  redis.call('PEXPIRE', KEYS[1], math.ceil(window / 1000))
end
return 0`;

/** After a failure Redis is left alone this long, so that a hung Redis costs one timeout and not one per request. */
const REST_MS = 1_000;

/**
 * A busy tenant's requests are taken in small lots, each good for a moment, so that not every one of thousands a second
 * costs a round trip. What is left of a lot is lost: at most this part of a second's requests, in the tenant's disfavour.
 */
const LOTS_PER_SECOND = 200;
const LOT_LIFETIME_MS = 50;

const NOTHING: Verdict = { isAllowed: false, remaining: 0, retryAfterUs: 0, resetUs: 0 };

type Taken = Verdict & { readonly taken: number };

type Asked = {
  readonly key: string;
  readonly rate: Rate;
  readonly wanted: number;
  resolve(taken: Taken): void;
  reject(error: unknown): void;
};

type Lot = { left: number; untilMs: number; verdict: Verdict; filling: Promise<Verdict> | undefined };

function intervalUs(rate: Rate): number {
  return Math.max(1, Math.round(1_000_000 / rate.perSecond));
}

export function openLimits(options: LimitsOptions): Limits {
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
  const run = async (command: string, ...args: (string | number)[]): Promise<unknown> =>
    (redis as unknown as Record<string, (...args: (string | number)[]) => Promise<unknown>>)[command]?.(...args);

  const local = createLocalStore(options.nodes);
  let restUntil = 0;

  async function shared<T>(ask: () => Promise<T>, fallback: () => Promise<T>): Promise<T> {
    if (Date.now() < restUntil) return fallback();
    try {
      return await ask();
    } catch (error) {
      restUntil = Date.now() + REST_MS;
      options.onFallback(error as Error);
      return fallback();
    }
  }

  let asked: Asked[] = [];

  /** What was asked in one turn of the loop goes as one command: a write and a script of its own would cost ten times that. */
  async function askTogether(): Promise<void> {
    const all = asked;
    asked = [];
    try {
      const keys = all.map(({ key }) => `rate:${key}`);
      const wishes = all.flatMap(({ rate, wanted }) => [intervalUs(rate), rate.burst, wanted]);
      const numbers = (await run('limitTake', keys.length, ...keys, ...wishes)) as number[];
      for (const [place, { resolve }] of all.entries()) {
        const [taken = 0, remaining = 0, retryAfterUs = 0, resetUs = 0] = numbers.slice(4 * place, 4 * place + 4);
        resolve({ isAllowed: taken > 0, taken, remaining, retryAfterUs, resetUs });
      }
    } catch (error) {
      for (const { reject } of all) reject(error);
    }
  }

  const ask = (key: string, rate: Rate, wanted: number): Promise<Taken> =>
    new Promise((resolve, reject) => {
      if (asked.length === 0) setImmediate(() => void askTogether());
      asked.push({ key, rate, wanted, resolve, reject });
    });

  const lots = new Map<string, Lot>();

  async function fill(lot: Lot, key: string, rate: Rate, wanted: number): Promise<Verdict> {
    try {
      const { taken, ...verdict } = await ask(key, rate, wanted);
      Object.assign(lot, { left: taken, untilMs: performance.now() + LOT_LIFETIME_MS, verdict });
      return verdict;
    } finally {
      lot.filling = undefined;
    }
  }

  async function takeFromLot(key: string, rate: Rate, wanted: number): Promise<Verdict> {
    const lot = lots.get(key) ?? { left: 0, untilMs: 0, verdict: NOTHING, filling: undefined };
    remember(lots, key, lot);
    for (;;) {
      if (lot.left > 0 && performance.now() < lot.untilMs) {
        lot.left -= 1;
        return { ...lot.verdict, remaining: lot.verdict.remaining + lot.left };
      }
      lot.filling ??= fill(lot, key, rate, wanted);
      const verdict = await lot.filling;
      if (!verdict.isAllowed) return verdict;
    }
  }

  return {
    take(key, rate) {
      const wanted = Math.floor(rate.perSecond / LOTS_PER_SECOND);
      return shared(
        () => (wanted > 1 ? takeFromLot(key, rate, wanted) : ask(key, rate, 1)),
        () => local.take(key, rate),
      );
    },
    failures: (key, policy, record) =>
      shared(
        async () =>
          Number(await run('limitFailures', `failures:${key}`, policy.max, policy.windowUs, record ? '1' : '0')),
        () => local.failures(key, policy, record),
      ),
    forgive: (key) =>
      shared(
        async () => void (await redis.lpop(`failures:${key}`)),
        () => local.forgive(key),
      ),
    close: () => redis.disconnect(),
  };
}
