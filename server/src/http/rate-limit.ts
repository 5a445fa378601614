// The third check of every operation: the tenant's share of requests (429), shared over all nodes.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../lib/errors.ts';
import { networkOf } from '../lib/ip-address.ts';
import type { Limits, Rate } from '../lib/limits.ts';
import type { Access, Principal } from './authenticate.ts';

/** docs/decisions/0058; a tenant may have its own. */
const DEFAULT_RATE: Rate = { perSecond: 50, burst: 100 };

export function rateOf(override: { ratePerSecond: number | null; rateBurst: number | null }): Rate {
  const perSecond = override.ratePerSecond ?? DEFAULT_RATE.perSecond;
  return { perSecond, burst: override.rateBurst ?? Math.max(DEFAULT_RATE.burst, perSecond) };
}

/** Whose share a request is taken from. At the account's addresses a person has one of their own. */
export function shareOf({ kind, id, accesses }: Principal, access: Access | undefined): Share {
  const own = access ?? (kind === 'credential' ? accesses[0] : undefined);
  return own ? { key: `tenant:${own.tenantId}`, rate: own.rate } : { key: `person:${id}`, rate: DEFAULT_RATE };
}

type Share = { readonly key: string; readonly rate: Rate };

const inSeconds = (us: number) => Math.ceil(us / 1_000_000);

export async function limitRate(limits: Limits, { key, rate }: Share, reply: FastifyReply): Promise<void> {
  const { perSecond, burst } = rate;
  const verdict = await limits.take(key, rate);
  // The bucket holds `burst` requests and fills in burst ÷ rate seconds: that is the policy's quota and window.
  reply.header('ratelimit-policy', `"tenant";q=${burst};w=${Math.ceil(burst / perSecond)}`);
  reply.header('ratelimit', `"tenant";r=${verdict.remaining};t=${inSeconds(verdict.resetUs)}`);
  if (!verdict.isAllowed) {
    throw new ServiceError('rate-limited', undefined, { retryAfterSeconds: inSeconds(verdict.retryAfterUs) });
  }
}

/** For addresses that anybody may ask and that leave something behind: a share for each network, and 429 beyond. */
const SIGN_IN_SHARE: Share = { key: 'sign-in', rate: { perSecond: 10, burst: 200 } };

export function createAddressLimit(limits: Limits, { key, rate }: Share = SIGN_IN_SHARE) {
  return async ({ ip }: FastifyRequest): Promise<void> => {
    const { isAllowed, retryAfterUs } = await limits.take(`${key}:${networkOf(ip)}`, rate);
    if (!isAllowed) {
      throw new ServiceError('rate-limited', undefined, { retryAfterSeconds: inSeconds(retryAfterUs) });
    }
  };
}
