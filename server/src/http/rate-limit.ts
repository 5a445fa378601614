// The third check of every operation: the tenant's share of requests (429), counted over all nodes.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../lib/errors.ts';
import type { Limits, Rate } from '../lib/limits/limits.ts';
import { networkOf } from '../lib/values/ip-address.ts';
import type { Access, Principal } from './authenticate.ts';
import type { AddressOf } from './connections/visitor-address.ts';

/** docs/decisions/0058-rate-limits.md; a tenant may have its own rate. */
const DEFAULT_RATE: Rate = { perSecond: 50, burst: 100 };

export function rateOf(override: { ratePerSecond: number | null; rateBurst: number | null }): Rate {
  const perSecond = override.ratePerSecond ?? DEFAULT_RATE.perSecond;
  return { perSecond, burst: override.rateBurst ?? Math.max(DEFAULT_RATE.burst, perSecond) };
}

/** The share that a request counts against. At account addresses a person has their own. */
export function shareOf({ kind, id, accesses }: Principal, access: Access | undefined): Share {
  const own = access ?? (kind === 'credential' ? accesses[0] : undefined);
  return own ? { key: `tenant:${own.tenantId}`, rate: own.rate } : { key: `person:${id}`, rate: DEFAULT_RATE };
}

export type Share = { readonly key: string; readonly rate: Rate };

const inSeconds = (us: number) => Math.ceil(us / 1_000_000);

/** What a request leaves of its share: the bucket, and when it is full again. */
export type Quota = { readonly max: number; readonly used: number; readonly resetUs: number };

export async function limitRate(limits: Limits, { key, rate }: Share, reply: FastifyReply): Promise<Quota> {
  const { perSecond, burst } = rate;
  const verdict = await limits.take(key, rate);
  // The bucket holds `burst` requests and fills in burst ÷ rate seconds: that is the policy's quota and window.
  reply.header('ratelimit-policy', `"tenant";q=${burst};w=${Math.ceil(burst / perSecond)}`);
  reply.header('ratelimit', `"tenant";r=${verdict.remaining};t=${inSeconds(verdict.resetUs)}`);
  if (!verdict.isAllowed) {
    throw new ServiceError('rate-limited', undefined, { retryAfterSeconds: inSeconds(verdict.retryAfterUs) });
  }
  return { max: burst, used: burst - verdict.remaining, resetUs: verdict.resetUs };
}

/** For addresses that need no sign-in and that store something: each network has a share, and gets 429 beyond it. */
const SIGN_IN_SHARE: Share = { key: 'sign-in', rate: { perSecond: 10, burst: 200 } };
/** Separate, because one sign-in takes several steps: continuing sign-ins must not use up the share of new ones. */
export const SIGN_IN_STEPS: Share = { key: 'sign-in-step', rate: SIGN_IN_SHARE.rate };
/** For all pages together: five for each sign-in that a network may begin (docs/decisions/0188-pages-by-network.md). */
export const PAGES: Share = { key: 'page', rate: { perSecond: 50, burst: 1_000 } };
/** Verification pages, and questions whether a file was issued: many documents may be verified from one office. */
export const EVIDENCE_PAGES: Share = { key: 'evidence-page', rate: { perSecond: 2, burst: 120 } };
/** Only refused receipts count. Large enough that, after a token is replaced, the carrier's operator sees 403 first. */
export const REFUSED_RECEIPTS: Share = { key: 'receipt-refused', rate: { perSecond: 1, burst: 60 } };

export function createAddressLimit(
  limits: Limits,
  { key, rate }: Share = SIGN_IN_SHARE,
  addressOf: AddressOf = ({ clientAddress }) => clientAddress,
) {
  return async (request: FastifyRequest): Promise<void> => {
    const { isAllowed, retryAfterUs } = await limits.take(`${key}:${networkOf(addressOf(request))}`, rate);
    if (!isAllowed) {
      throw new ServiceError('rate-limited', undefined, { retryAfterSeconds: inSeconds(retryAfterUs) });
    }
  };
}
