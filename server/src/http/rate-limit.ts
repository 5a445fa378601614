// The third check of every operation: the tenant's share of requests (429), shared over all nodes.
import type { FastifyReply } from 'fastify';
import { ServiceError } from '../lib/errors.ts';
import type { Limits, Rate } from '../lib/limits.ts';
import type { Caller } from './authenticate.ts';

/** docs/decisions/0058; a tenant may have its own. */
const DEFAULT_RATE: Rate = { perSecond: 50, burst: 100 };

export function rateOf(override: { ratePerSecond: number | null; rateBurst: number | null }): Rate {
  const perSecond = override.ratePerSecond ?? DEFAULT_RATE.perSecond;
  return { perSecond, burst: override.rateBurst ?? Math.max(DEFAULT_RATE.burst, perSecond) };
}

const inSeconds = (us: number) => Math.ceil(us / 1_000_000);

export async function limitRate(limits: Limits, caller: Caller, reply: FastifyReply): Promise<void> {
  const { perSecond, burst } = caller.rate;
  const verdict = await limits.take(`tenant:${caller.tenantId}`, caller.rate);
  // The bucket holds `burst` requests and fills in burst ÷ rate seconds: that is the policy's quota and window.
  reply.header('ratelimit-policy', `"tenant";q=${burst};w=${Math.ceil(burst / perSecond)}`);
  reply.header('ratelimit', `"tenant";r=${verdict.remaining};t=${inSeconds(verdict.resetUs)}`);
  if (!verdict.isAllowed) {
    throw new ServiceError('rate-limited', undefined, { retryAfterSeconds: inSeconds(verdict.retryAfterUs) });
  }
}
