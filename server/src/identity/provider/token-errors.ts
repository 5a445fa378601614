// Errors of the OAuth addresses: RFC 6749's body with the fields of our other errors, and the count of
// failed authentications (docs/decisions/0021-token-errors.md, 0058-rate-limits.md).
import { ERRORS, type ErrorCode, errorDocs, TOKEN_SENTENCES } from '@trefoil/contract';
import { errors, type KoaContextWithOIDC } from 'oidc-provider';
import { isUnavailable } from '../../lib/postgres/unavailable.ts';
import { addressKey, type FailureGuard } from './guard-failures.ts';
import { originOf } from './request-origin.ts';

const RETRY_AFTER_SECONDS = 2;

export class TooManyFailures extends errors.OIDCProviderError {
  constructor() {
    super(429, 'slow_down');
    this.error_description = 'Too many failed attempts. Wait for the seconds in Retry-After, then try again.';
  }
}

/** For authenticated clients (`limit-tokens.ts`). */
export class TooManyTokens extends errors.OIDCProviderError {
  constructor() {
    super(429, 'slow_down');
    this.error_description = 'Too many tokens were requested. Use each one until it expires.';
  }
}

class Unavailable extends errors.OIDCProviderError {
  constructor(cause: unknown) {
    super(503, 'temporarily_unavailable', { cause });
    this.error_description = ERRORS['service-unavailable'].meaning;
    // The library hides the details of a 5xx; the client may read this one.
    this.expose = true;
  }
}

/** An unavailable database is not a fault of the server, and is worth a retry. */
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

/** The OAuth library's sentences for common mistakes of a first integration, and ours. Other sentences pass unchanged. */
const SENTENCES: readonly (readonly [theirs: RegExp, ours: string])[] = [
  [/^client authentication failed$/, TOKEN_SENTENCES.wrongClient],
  [/^no client authentication mechanism provided$/, TOKEN_SENTENCES.noClient],
  [/^missing required parameter 'grant_type'$/, TOKEN_SENTENCES.noGrantType],
  [/^unsupported grant_type requested$/, TOKEN_SENTENCES.wrongGrantType],
  [/^only application\/x-www-form-urlencoded content-type bodies/, TOKEN_SENTENCES.notAForm],
  [/^grant request is invalid$/, TOKEN_SENTENCES.wrongGrant],
];

const inOurWords = (description: string) => SENTENCES.find(([theirs]) => theirs.test(description))?.[1] ?? description;

export type RefusedClient = { readonly requestId: string; readonly baseUrl: string };

export function tokenErrorBody(error: string, description: string, { requestId, baseUrl }: RefusedClient) {
  const code = CODES[error] ?? 'validation-error';
  return {
    error,
    error_description: description,
    code,
    message: description,
    requestId,
    docs: errorDocs(baseUrl, code),
  };
}

export type RefusalBody = { readonly code: ErrorCode; readonly message: string };

/** An error raised before the library was called, with the two fields of RFC 6749 (docs/decisions/0021-token-errors.md). */
export function withErrorWords(body: RefusalBody): object {
  const [error = 'invalid_request'] = Object.entries(CODES).find(([, code]) => code === body.code) ?? [];
  return { error, error_description: body.message, ...body };
}

/** The addresses where a client authenticates, and where an attacker could guess. */
const PROVES_CLIENTS = new Set(['/v1/oauth/token', '/v1/oauth/revoke']);

type ErrorBody = { error?: string; error_description?: string };

export type Failures = {
  readonly guard: FailureGuard;
  /** Whether the client once had the secret with this hash. */
  readonly isRetired: (clientId: string, secretHash: Buffer) => Promise<boolean>;
};

/** Keeps the hash of a wrong secret for `isGuess`. */
export function rememberWrongSecret(ctx: KoaContextWithOIDC | undefined, secretHash: Buffer): void {
  if (ctx) ctx.state['wrongSecretHash'] = secretHash;
}

/**
 * A valid proof from a wrong address is no guess. Neither is a replaced secret, since its sender once knew it: one worker
 * that missed a rotation must not lock out the other clients behind its address.
 */
async function isGuess({ isRetired }: Failures, ctx: KoaContextWithOIDC): Promise<boolean> {
  if (ctx.state['isAddressRefused']) return false;
  const secretHash: Buffer | undefined = ctx.state['wrongSecretHash'];
  const { client } = ctx.oidc;
  return !(client && secretHash && (await isRetired(client.clientId, secretHash)));
}

/** Counts a failed authentication, and turns it into a 429 when the count exceeds the limit. */
async function countFailure(guard: FailureGuard, ctx: KoaContextWithOIDC, body: ErrorBody): Promise<void> {
  // Decided by the count after this failure, not before: of any number of parallel guesses, no more than the
  // limit learn that they were wrong.
  if ((await guard.recordFailure(addressKey(originOf(ctx.req).ip))) === 0) return;
  const refusal = new TooManyFailures();
  ctx.status = refusal.statusCode;
  ctx.remove('www-authenticate');
  Object.assign(body, { error: refusal.message, error_description: refusal.error_description });
}

/** Gives every JSON error the published body; pages and redirects pass unchanged. */
export function createErrorMiddleware(failures: Failures, baseUrl: string) {
  const { guard } = failures;
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>) => {
    await next();
    if (ctx.status === 503) ctx.set('retry-after', String(RETRY_AFTER_SECONDS));
    const body = ctx.body as ErrorBody | undefined;
    if (typeof body?.error !== 'string') return;
    const hasFailed = body.error === 'invalid_client' && PROVES_CLIENTS.has(ctx.path);
    if (hasFailed && (await isGuess(failures, ctx))) await countFailure(guard, ctx, body);
    const description = body.error === 'server_error' ? ERRORS['internal-error'].meaning : body.error_description;
    const { requestId } = originOf(ctx.req);
    ctx.body = tokenErrorBody(body.error, inOurWords(description ?? body.error), { requestId, baseUrl });
    if (ctx.status === 429) ctx.set('retry-after', String(ctx.state['retryAfterSeconds'] ?? guard.windowSeconds));
  };
}
