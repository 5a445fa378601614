// Failed authentications at the token endpoint: ten a minute per credential and per address (docs/decisions/0058).
import { networkOf } from '../lib/ip-address.ts';
import type { Limits } from '../lib/limits.ts';

const POLICY = { max: 10, windowUs: 60_000_000 };

export interface FailureGuard {
  readonly windowSeconds: number;
  /** Seconds for which the key is locked; 0 when it is not. */
  lockedSeconds(key: string): Promise<number>;
  /** Counts a failure; the answer is above 0 when the failure came on top of the limit. */
  recordFailure(key: string): Promise<number>;
}

export const clientKey = (clientId: string) => `client:${clientId}`;
/** A household or a cloud account holds a whole IPv6 network, so the network is what counts. */
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
