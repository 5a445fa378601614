// How many tokens one tenant, and one sign-in, may get. The limit is far above what honest clients need, since a token is
// valid for fifteen minutes: it bounds what a looping client costs the other clients. Redis counts before anything is
// written (docs/decisions/0058-rate-limits.md).
import type { KoaContextWithOIDC } from 'oidc-provider';
import type { Share } from '../../http/rate-limit.ts';
import type { Limits, Rate } from '../../lib/limits/limits.ts';
import { TooManyTokens } from './token-errors.ts';

/** The burst, in seconds of the rate: a fleet that starts requests all of its tokens at once. */
const BURST_SECONDS = 10;

/** The same rate as for requests, so that even a client that fetches a token for every request is served. */
export const tenantTokens = (tenantId: string, { perSecond, burst }: Rate): Share => ({
  key: `token:${tenantId}`,
  rate: { perSecond, burst: Math.max(burst, BURST_SECONDS * perSecond) },
});

/** Tabs and processes of one person refresh at the same moment. */
export const signInTokens = (signInId: string): Share => ({
  key: `refresh:${signInId}`,
  rate: { perSecond: 1, burst: 100 },
});

/** Throws a 429 in the token endpoint's error format. */
export async function takeToken(limits: Limits, ctx: KoaContextWithOIDC, { key, rate }: Share): Promise<void> {
  const { isAllowed, retryAfterUs } = await limits.take(key, rate);
  if (isAllowed) return;
  ctx.state['retryAfterSeconds'] = Math.ceil(retryAfterUs / 1_000_000);
  throw new TooManyTokens();
}
