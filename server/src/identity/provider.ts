// The OAuth 2.0 server: oidc-provider in this process, issuing ES256 access tokens for client credentials.
// Its clients are our credentials; it keeps nothing but the ids of used assertions.
import { timingSafeEqual } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import { ERRORS, type ErrorCode, SCOPES } from '@trefoil/contract';
import type { JWK } from 'jose';
import Provider, {
  type Adapter,
  type AdapterPayload,
  type Configuration,
  errors,
  type KoaContextWithOIDC,
} from 'oidc-provider';
import type { Database } from '../lib/database.ts';
import { describeError, type Log } from '../lib/log.ts';
import { isUnavailable } from '../lib/unavailable.ts';
import { hashSecret } from './change-credential.ts';
import type { Client, FindClient } from './find-client.ts';
import { addressKey, clientKey, type FailureGuard } from './guard-failures.ts';
import { originOf } from './request-origin.ts';
import { findPayload, insertPayload } from './store.ts';
import { SIGNING_ALGORITHM, TOKEN_AUDIENCE } from './verify-token.ts';

const TOKEN_LIFETIME_SECONDS = 900;
const ASSERTION_LIFETIME_MAX_SECONDS = 600;
const RETRY_AFTER_SECONDS = 2;

export type ProviderOptions = {
  readonly issuer: string;
  readonly signingKeys: readonly JWK[];
  readonly database: Database;
  readonly findClient: FindClient;
  readonly guard: FailureGuard;
  readonly log: Log;
};

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

/** A database that is away is not a fault of ours, and worth a retry. */
async function orUnavailable<T>(work: () => Promise<T>): Promise<T> {
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

/** RFC 6749's body that also reads like every other error of ours (docs/decisions/0021). */
export function tokenErrorBody(error: string, description: string, requestId: unknown) {
  return {
    error,
    error_description: description,
    code: CODES[error] ?? ('validation-error' satisfies ErrorCode),
    message: description,
    requestId,
  };
}

function toMetadata(client: Client) {
  return {
    client_id: client.id,
    grant_types: ['client_credentials'],
    redirect_uris: [],
    response_types: [],
    tenant_id: client.tenantId,
    api_scopes: client.scopes.join(' '),
    ...(client.authMethod === 'private_key_jwt'
      ? { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: client.publicKeys } }
      : {
          token_endpoint_auth_method: 'client_secret_basic',
          // The library keeps a secret here; we put the hashes of the live ones and compare hashes below.
          client_secret: client.secretHashes.map((hash) => hash.toString('base64url')).join(',') || 'none',
        }),
  };
}

function createAdapter(options: ProviderOptions) {
  return class StoreAdapter implements Adapter {
    readonly #model: string;
    constructor(model: string) {
      this.#model = model;
    }
    async find(id: string): Promise<AdapterPayload | undefined> {
      if (this.#model !== 'Client') {
        const found = await orUnavailable(() => options.database.asSystem((tx) => findPayload(tx, this.#model, id)));
        return found as AdapterPayload | undefined;
      }
      const client = await orUnavailable(() => options.findClient(id));
      if (!client?.isEnabled || !client.isTenantEnabled) return undefined;
      const lockedSeconds = await options.guard.lockedSeconds(clientKey(client.id));
      if (lockedSeconds > 0) throw new TooManyFailures();
      return toMetadata(client) as AdapterPayload;
    }
    async upsert(id: string, payload: object, ttlSeconds: number) {
      const isFirst = await orUnavailable(() =>
        options.database.asSystem((tx) => insertPayload(tx, { model: this.#model, id, payload, ttlSeconds })),
      );
      // Two copies of one assertion at the same moment: the library looked before either was stored.
      if (!isFirst) throw new errors.InvalidClientAuth('client assertion has already been used');
    }
    async findByUid() {
      return undefined;
    }
    async findByUserCode() {
      return undefined;
    }
    async consume() {}
    async destroy() {}
    async revokeByGrantId() {}
  };
}

/** Without `scope` a token gets all of the credential's scopes; a scope the credential lacks is refused, not dropped. */
function settleScopes(ctx: KoaContextWithOIDC, available: string): void {
  const params = ctx.oidc.params as Record<string, unknown>;
  params['scope'] ??= available;
  const held = new Set(available.split(' '));
  const lacking = String(params['scope'])
    .split(' ')
    .filter((scope) => !held.has(scope));
  if (lacking.length > 0) {
    throw new errors.InvalidScope('The credential does not hold every requested scope.', lacking.join(' '));
  }
}

export function createProvider(options: ProviderOptions): Provider {
  const configuration: Configuration = {
    adapter: createAdapter(options),
    jwks: { keys: options.signingKeys.map((key) => ({ ...key, use: 'sig', alg: SIGNING_ALGORITHM })) as never },
    routes: { token: '/v1/oauth/token', jwks: '/v1/oauth/jwks' },
    scopes: [],
    responseTypes: ['code'],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    clientDefaults: { id_token_signed_response_alg: SIGNING_ALGORITHM },
    enabledJWA: {
      clientAuthSigningAlgValues: ['ES256', 'PS256', 'EdDSA'] as never,
      idTokenSigningAlgValues: [SIGNING_ALGORITHM],
    },
    // A used assertion is remembered until it expires, so none may live long.
    assertJwtClientAuthClaimsAndHeader(_ctx, claims) {
      const lifetimeSeconds = Number(claims['exp']) - Date.now() / 1_000;
      if (lifetimeSeconds > ASSERTION_LIFETIME_MAX_SECONDS) {
        throw new errors.InvalidClientAuth('client assertion lives too long');
      }
    },
    extraClientMetadata: { properties: ['tenant_id', 'api_scopes'] },
    extraTokenClaims: (ctx) => ({ tenant_id: ctx.oidc.client?.['tenant_id'] }),
    ttl: { ClientCredentials: TOKEN_LIFETIME_SECONDS },
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      dPoP: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => TOKEN_AUDIENCE,
        getResourceServerInfo(ctx, resource, client) {
          if (resource !== TOKEN_AUDIENCE) throw new errors.InvalidTarget();
          const scope = String(client['api_scopes']);
          settleScopes(ctx, scope);
          return {
            scope,
            audience: TOKEN_AUDIENCE,
            accessTokenFormat: 'jwt',
            accessTokenTTL: TOKEN_LIFETIME_SECONDS,
            jwt: { sign: { alg: SIGNING_ALGORITHM } },
          };
        },
      },
    },
    renderError(ctx, out) {
      ctx.type = 'json';
      ctx.body = out;
    },
  };
  const provider = new Provider(options.issuer, configuration);
  // Addresses in documents come from the base address of the configuration; see identity/routes.ts.
  provider.proxy = true;
  // A private method of the library, replaced because we hold hashes; a test covers it against upgrades.
  const prototype = provider.Client.prototype as unknown as {
    clientSecret: string;
    compareClientSecret(this: { clientSecret: string }, actual: string): boolean;
  };
  prototype.compareClientSecret = function compare(actual) {
    const hash = hashSecret(actual);
    return this.clientSecret
      .split(',')
      .map((kept) => Buffer.from(kept, 'base64url'))
      .some((kept) => kept.length === hash.length && timingSafeEqual(kept, hash));
  };
  provider.use(createErrorMiddleware(options));
  const logFailure = (error: Error) => options.log.error('token request failed', describeError(error));
  provider.on('server_error', (_ctx, error) => logFailure(error));
  // Without a listener the library's web framework would print the whole error, past the allow-list.
  (provider as EventEmitter).on('error', logFailure);
  return provider;
}

/** What is true of us today, whatever else the library could do: people cannot log in yet. */
const PUBLISHED = [
  'issuer',
  'token_endpoint',
  'jwks_uri',
  'token_endpoint_auth_methods_supported',
  'token_endpoint_auth_signing_alg_values_supported',
  'subject_types_supported',
] as const;

function honestDiscovery(discovery: Record<string, unknown>): object {
  return {
    ...Object.fromEntries(PUBLISHED.map((name) => [name, discovery[name]])),
    grant_types_supported: ['client_credentials'],
    response_types_supported: [],
    scopes_supported: SCOPES,
  };
}

/** Counts failed authentications, answers 429 once there are too many, and gives every error the published body. */
function createErrorMiddleware({ guard }: ProviderOptions) {
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>) => {
    await next();
    if (ctx.path.startsWith('/.well-known/')) ctx.body = honestDiscovery(ctx.body as Record<string, unknown>);
    const body = ctx.body as { error?: string; error_description?: string } | undefined;
    if (typeof body?.error !== 'string') return;
    const origin = originOf(ctx.req);
    if (body.error === 'invalid_client') {
      // Judged by the count after this failure and not before: of any number of parallel guesses no more than the
      // limit learn that they were wrong.
      const keys = [addressKey(origin.ip), ...(ctx.oidc.client ? [clientKey(ctx.oidc.client.clientId)] : [])];
      const lockedSeconds = Math.max(...(await Promise.all(keys.map((key) => guard.recordFailure(key)))));
      if (lockedSeconds > 0) {
        const refusal = new TooManyFailures();
        ctx.status = refusal.statusCode;
        ctx.remove('www-authenticate');
        Object.assign(body, { error: refusal.message, error_description: refusal.error_description });
      }
    }
    const description = body.error === 'server_error' ? ERRORS['internal-error'].meaning : body.error_description;
    ctx.body = tokenErrorBody(body.error, description ?? body.error, origin.requestId);
    if (ctx.status === 429) ctx.set('retry-after', String(guard.windowSeconds));
    if (ctx.status === 503) ctx.set('retry-after', String(RETRY_AFTER_SECONDS));
  };
}
