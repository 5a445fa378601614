// Limits shared by all nodes through Redis, each judged by one atomic script on Redis's own clock. When Redis is down
// or hangs, the same arithmetic runs in this process on a share of the limit: still limiting, never failing
// (docs/decisions/0109-rate-limiting.md). A single node may do without Redis: it keeps all limits itself. Nothing here decides money or attempts: those live in PostgreSQL.

import { batchSizeOf, createLimitBatches } from './limit-batches.ts';
import { createJudge } from './limit-fallback.ts';
import { createLocalStore, type LimitStore } from './local-limits.ts';
import { openRedisLimits, type RedisOptions } from './redis-limits.ts';

export type { Rate } from './local-limits.ts';

export type LimitsOptions = Omit<RedisOptions, 'redisUrl'> & {
  /** Undefined: this is the only node, and it keeps the limits itself. */
  readonly redisUrl: string | undefined;
  /** How many nodes share the load: each takes this part of the limit when it must decide alone. */
  readonly nodes: number;
  readonly onFallback: (error: Error) => void;
};

export interface Limits extends LimitStore {
  close(): void;
}

/** Of a node without Redis: its keys have nowhere else to be remembered. */
const ONLY_KEYS_MAX = 200_000;

export function openLimits({ redisUrl, ...options }: LimitsOptions): Limits {
  if (redisUrl === undefined) return { ...createLocalStore(1, { keysMax: ONLY_KEYS_MAX }), close: () => undefined };
  const redis = openRedisLimits({ ...options, redisUrl });
  const local = createLocalStore(options.nodes);
  const takeFromBatch = createLimitBatches(redis.take);
  const judge = createJudge(options.onFallback);
  return {
    take: (key, rate) =>
      judge(
        () => (batchSizeOf(rate) > 1 ? takeFromBatch(key, rate) : redis.take(key, rate, 1)),
        () => local.take(key, rate),
      ),
    failures: (key, policy, record) =>
      judge(
        () => redis.failures(key, policy, record),
        () => local.failures(key, policy, record),
      ),
    forgive: (key) =>
      judge(
        () => redis.forgive(key),
        () => local.forgive(key),
      ),
    close: redis.close,
  };
}
