// Refusals of the OAuth addresses: RFC 6749's body that also reads like every other error of ours, and the count of
// failed authentications (docs/decisions/0021, 0058).
import { ERRORS, type ErrorCode } from '@trefoil/contract';
import { errors, type KoaContextWithOIDC } from 'oidc-provider';
import { isUnavailable } from '../../lib/unavailable.ts';
import { addressKey, clientKey, type FailureGuard } from '../guard-failures.ts';
import { originOf } from './request-origin.ts';

const RETRY_AFTER_SECONDS = 2;

export class TooManyFailures extends errors.OIDCProviderError {
  constructor() {
    super(429, 'slow_down');
    this.error_description = 'Too many failed attempts. Try again after the seconds that Retry-After tells.';
  }
}

class Unavailable extends errors.OIDCProviderError {
  constructor(cause: unknown) {
    super(503, 'temporarily_unavailable', { cause });
    this.error_description = ERRORS['service-unavailable'].meaning;
    // The library hides what went wrong behind a 5xx; this one is the client's to know.
    this.expose = true;
  }
}

/** For pages of ours that ask the library: what lies behind its words for a database that is away. */
export function withoutWords(error: unknown): unknown {
  return error instanceof Unavailable ? error.cause : error;
}

/** A database that is away is not a fault of ours, and worth a retry. */
export async function orUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isUnavailable(error) ? new Unavailable(error) : error;
  }
}

const CODES: Record<string, ErrorCode> = {
  invalid_client: 'unauthorized',
  slow_down: 'rate-limited',
  server_error: 'internal-error',
  temporarily_unavailable: 'service-unavailable',
};

export function tokenErrorBody(error: string, description: string, requestId: unknown) {
  return {
    error,
    error_description: description,
    code: CODES[error] ?? ('validation-error' satisfies ErrorCode),
    message: description,
    requestId,
  };
}

/** Where a client proves who it is, and somebody could guess. */
const PROVES_CLIENTS = new Set(['/v1/oauth/token', '/v1/oauth/revoke']);

type ErrorBody = { error?: string; error_description?: string };

/** Counts a failed authentication and turns it into a 429 once there are too many. */
async function countFailure(guard: FailureGuard, ctx: KoaContextWithOIDC, body: ErrorBody): Promise<void> {
  // Judged by the count after this failure and not before: of any number of parallel guesses no more than the
  // limit learn that they were wrong.
  const keys = [addressKey(originOf(ctx.req).ip), ...(ctx.oidc.client ? [clientKey(ctx.oidc.client.clientId)] : [])];
  const lockedSeconds = Math.max(...(await Promise.all(keys.map((key) => guard.recordFailure(key)))));
  if (lockedSeconds === 0) return;
  const refusal = new TooManyFailures();
  ctx.status = refusal.statusCode;
  ctx.remove('www-authenticate');
  Object.assign(body, { error: refusal.message, error_description: refusal.error_description });
}

/** Gives every error that is JSON the published body; pages and redirects are left as they are. */
export function createErrorMiddleware(guard: FailureGuard) {
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>) => {
    await next();
    if (ctx.status === 503) ctx.set('retry-after', String(RETRY_AFTER_SECONDS));
    const body = ctx.body as ErrorBody | undefined;
    if (typeof body?.error !== 'string') return;
    const isGuess = body.error === 'invalid_client' && !ctx.state['isAddressRefused'];
    if (isGuess && PROVES_CLIENTS.has(ctx.path)) await countFailure(guard, ctx, body);
    const description = body.error === 'server_error' ? ERRORS['internal-error'].meaning : body.error_description;
    ctx.body = tokenErrorBody(body.error, description ?? body.error, originOf(ctx.req).requestId);
    if (ctx.status === 429) ctx.set('retry-after', String(guard.windowSeconds));
  };
}
