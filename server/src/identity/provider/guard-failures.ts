// Failed authentications at the token endpoint: ten a minute per address, over all clients together. Never per client
// alone: a client id is no secret, and an attacker could use it to lock out its owner (docs/decisions/0058-rate-limits.md).

import type { Limits } from '../../lib/limits/limits.ts';
import { networkOf } from '../../lib/values/ip-address.ts';

const POLICY = { max: 10, windowUs: 60_000_000 };

export interface FailureGuard {
  readonly windowSeconds: number;
  /** Seconds until the key is unlocked; 0 when it is not locked. */
  lockedSeconds(key: string): Promise<number>;
  /** Counts a failure. Returns more than 0 when the failure exceeds the limit. */
  recordFailure(key: string): Promise<number>;
}

/** A household or a cloud account holds a whole IPv6 network, so the network is counted. */
export const addressKey = (ip: string) => `address:${networkOf(ip)}`;

export function createFailureGuard(limits: Limits): FailureGuard {
  const ask = async (key: string, record: boolean) =>
    Math.ceil((await limits.failures(key, POLICY, record)) / 1_000_000);
  return {
    windowSeconds: POLICY.windowUs / 1_000_000,
    lockedSeconds: (key) => ask(key, false),
    recordFailure: (key) => ask(key, true),
  };
}
