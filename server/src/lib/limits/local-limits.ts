// The limits of lib/limits/limits.ts kept in this process, for when Redis cannot answer. Each node takes its share of the
// rate, so that all nodes together stay near the limit.

export type Rate = { readonly perSecond: number; readonly burst: number };

export type Verdict = {
  readonly isAllowed: boolean;
  /** Requests that would still be allowed right now. */
  readonly remaining: number;
  /** Microseconds until the next request is allowed; 0 when it is allowed now. */
  readonly retryAfterUs: number;
  /** Microseconds until the whole burst is available again. */
  readonly resetUs: number;
};

export type FailurePolicy = { readonly max: number; readonly windowUs: number };

export interface LimitStore {
  /** Takes one request from the bucket, or says when the next one may come. */
  take(key: string, rate: Rate): Promise<Verdict>;
  /** Microseconds for which the key is locked by earlier failures; with `record`, counts one more failure first. */
  failures(key: string, policy: FailurePolicy, record: boolean): Promise<number>;
  /** Takes back one recorded failure: for those who count an attempt before they know how it ends. */
  forgive(key: string): Promise<void>;
}

const KEYS_MAX = 10_000;

function nowUs(): number {
  return Math.round(performance.now() * 1_000);
}

/** Keeps the newest keys only: memory stays bounded whatever the traffic. */
export function remember<T>(entries: Map<string, T>, key: string, value: T, keysMax = KEYS_MAX): void {
  entries.delete(key);
  entries.set(key, value);
  if (entries.size > keysMax) {
    const [oldest] = entries.keys();
    if (oldest !== undefined) entries.delete(oldest);
  }
}

type LocalOptions = { readonly now?: () => number; readonly keysMax?: number };

export function createLocalStore(nodes: number, { now = nowUs, keysMax }: LocalOptions = {}): LimitStore {
  const arrivals = new Map<string, number>();
  const failureTimes = new Map<string, number[]>();

  function take(key: string, rate: Rate): Verdict {
    const interval = Math.round((1_000_000 * nodes) / rate.perSecond);
    const burst = Math.max(1, Math.floor(rate.burst / nodes));
    const at = now();
    const arrival = Math.max(arrivals.get(key) ?? 0, at);
    const early = arrival + interval - burst * interval - at;
    if (early > 0) return { isAllowed: false, remaining: 0, retryAfterUs: early, resetUs: arrival - at };
    const next = arrival + interval;
    remember(arrivals, key, next, keysMax);
    const remaining = Math.floor(burst - (next - at) / interval);
    return { isAllowed: true, remaining, retryAfterUs: 0, resetUs: next - at };
  }

  function failures(key: string, policy: FailurePolicy, record: boolean): number {
    const times = failureTimes.get(key) ?? [];
    const at = now();
    const oldest = times[policy.max - 1];
    if (oldest !== undefined && at - oldest < policy.windowUs) return policy.windowUs - (at - oldest);
    if (record) remember(failureTimes, key, [at, ...times].slice(0, policy.max), keysMax);
    return 0;
  }

  return {
    take: async (key, rate) => take(key, rate),
    failures: async (key, policy, record) => failures(key, policy, record),
    async forgive(key) {
      failureTimes.get(key)?.shift();
    },
  };
}
