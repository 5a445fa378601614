// The OAuth 2.0 and OpenID Connect server: oidc-provider in this process. It serves API credentials and signs people in;
// its clients, sessions and codes are rows in our database.
import { timingSafeEqual } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import { SCOPES, TOKEN_SENTENCES } from '@trefoil/contract';
import type { JWK } from 'jose';
import Provider, { type Configuration, errors, type KoaContextWithOIDC } from 'oidc-provider';
import type { RingHash } from '../../lib/crypto/hash-ring.ts';
import type { Limits } from '../../lib/limits/limits.ts';
import { describeError, type Log } from '../../lib/log.ts';
import type { Database } from '../../lib/postgres/database.ts';
import { hashSecret } from '../credentials/change-credential.ts';
import { createRetiredCheck } from '../credentials/find-client.ts';
import { findUser } from '../people/change-user.ts';
import { REFRESH_ABSOLUTE_MS, REFRESH_IDLE_MS } from '../rules/refresh.ts';
import type { RefreshTokens } from '../sessions/refresh-tokens.ts';
import { honestDiscovery } from './discovery.ts';
import type { FailureGuard } from './guard-failures.ts';
import { createInteractionPolicy, ONE_FACTOR, TWO_FACTORS } from './interaction-policy.ts';
import { signNobodyOut } from './nobody-signs-out.ts';
import { type FindMetadata, WEB_CLIENT_ID } from './oauth-clients.ts';
import { createAdapter } from './oidc-adapter.ts';
import { requireKeyId } from './require-key-id.ts';
import { createSignInProvider, describeApi, TOKEN_LIFETIME_SECONDS } from './sign-in-grants.ts';
import { createErrorMiddleware, orUnavailable, rememberWrongSecret } from './token-errors.ts';
import { SIGNING_ALGORITHM, TOKEN_AUDIENCE } from './verify-token.ts';

const ASSERTION_LIFETIME_MAX_SECONDS = 600;

/** The pages that we render for the library; a browser sees no others. */
export type ProviderPages = {
  renderError(ctx: KoaContextWithOIDC, error: { error: string; error_description?: string | undefined }): void;
  /** Asks whether to sign out; `form` is the library's empty form, which needs a button. */
  renderLogout(ctx: KoaContextWithOIDC, form: string): void;
};

export type ProviderOptions = {
  readonly issuer: string;
  readonly signingKeys: readonly JWK[];
  readonly database: Database;
  readonly findMetadata: FindMetadata;
  readonly guard: FailureGuard;
  readonly limits: Limits;
  readonly refreshTokens: RefreshTokens;
  /** Called for every credential that gets a token. */
  readonly noteUse?: (credentialId: string) => void;
  /** Signs the library's cookies: the first of the ring; every other is accepted. */
  readonly cookieKey: RingHash;
  readonly pages: ProviderPages;
  readonly log: Log;
};

/** Without `scope`, a token gets all of the credential's scopes; a scope the credential lacks is refused, not dropped. */
function settleScopes(ctx: KoaContextWithOIDC, available: string): void {
  const params = ctx.oidc.params as Record<string, unknown>;
  params['scope'] ??= available;
  const held = new Set(available.split(' '));
  const lacking = String(params['scope'])
    .split(' ')
    .filter((scope) => !held.has(scope));
  if (lacking.length > 0) {
    throw new errors.InvalidScope(TOKEN_SENTENCES.wrongScope, lacking.join(' '));
  }
}

/** Each code gets its own grant, since the grant is the sign-in; the person's earlier consent is carried over. */
async function loadGrant(ctx: KoaContextWithOIDC) {
  const { oidc } = ctx;
  const { client, provider, session } = oidc;
  if (!client || !session?.accountId) throw new Error('a grant was requested without a client or a person');
  const agreed = oidc.result?.consent?.grantId;
  if (agreed) return provider.Grant.find(agreed);
  // The consent page is about to ask the person about everything, not only about what is new.
  if (oidc.prompts.has('consent')) return undefined;
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  if (client.clientId === WEB_CLIENT_ID) {
    grant.addOIDCScope('openid');
    grant.addResourceScope(TOKEN_AUDIENCE, SCOPES.join(' '));
  } else {
    const lastId = session.grantIdFor(client.clientId);
    const last = lastId && (await provider.Grant.find(lastId));
    if (!last || last.accountId !== session.accountId) return undefined;
    grant.addOIDCScope(last.getOIDCScope());
    grant.addResourceScope(TOKEN_AUDIENCE, last.getResourceScope(TOKEN_AUDIENCE));
  }
  await grant.save();
  return grant;
}

function configure(options: ProviderOptions): Configuration {
  const { database, cookieKey, pages } = options;
  const cookie = { httpOnly: true, secure: true, sameSite: 'lax', signed: true } as const;
  return {
    adapter: createAdapter(options),
    jwks: { keys: options.signingKeys.map((key) => ({ ...key, use: 'sig', alg: SIGNING_ALGORITHM })) as never },
    routes: {
      authorization: '/v1/oauth/authorize',
      token: '/v1/oauth/token',
      jwks: '/v1/oauth/jwks',
      end_session: '/v1/oauth/logout',
      revocation: '/v1/oauth/revoke',
    },
    cookies: {
      keys: cookieKey.every('cookies').map((key) => key.toString('base64url')),
      long: cookie,
      short: cookie,
      names: {
        session: '__Host-trefoil_session',
        interaction: '__Secure-trefoil_interaction',
        resume: '__Secure-trefoil_resume',
      },
    },
    // API scopes belong to the API (see `describeApi`): if they were listed here too, the library would ask for them twice.
    scopes: ['openid', 'offline_access'],
    claims: { openid: ['sub', 'acr', 'amr', 'auth_time'] },
    acrValues: [ONE_FACTOR, TWO_FACTORS],
    responseTypes: ['code'],
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
    // A page on another origin may exchange its own codes, and nothing else.
    clientBasedCORS: (_ctx, origin, client) =>
      client.clientAuthMethod === 'none' &&
      (client.redirectUris ?? []).some((uri) => URL.parse(uri)?.origin === origin),
    clientDefaults: { id_token_signed_response_alg: SIGNING_ALGORITHM },
    enabledJWA: {
      clientAuthSigningAlgValues: ['ES256', 'PS256', 'EdDSA'] as never,
      idTokenSigningAlgValues: [SIGNING_ALGORITHM],
    },
    // A used assertion is remembered until it expires, so an assertion must not be valid for long.
    assertJwtClientAuthClaimsAndHeader(_ctx, claims) {
      const lifetimeSeconds = Number(claims['exp']) - Date.now() / 1_000;
      if (lifetimeSeconds > ASSERTION_LIFETIME_MAX_SECONDS) {
        throw new errors.InvalidClientAuth('client assertion lives too long');
      }
    },
    extraClientMetadata: { properties: ['tenant_id', 'api_scopes', 'allowed_networks', 'token_epoch', 'tenant_rate'] },
    extraTokenClaims: (ctx, token) =>
      token.kind === 'AccessToken'
        ? { sid: token.grantId }
        : { tenant_id: ctx.oidc.client?.['tenant_id'], epoch: ctx.oidc.client?.['token_epoch'] },
    async findAccount(_ctx, accountId) {
      const user = await orUnavailable(() => database.asSystem((tx) => findUser(tx, accountId)));
      return user?.isEnabled ? { accountId, claims: () => ({ sub: accountId }) } : undefined;
    },
    loadExistingGrant: loadGrant,
    interactions: {
      policy: createInteractionPolicy(),
      url: (_ctx, { uid, prompt }) => `/v1/auth/${prompt.name === 'consent' ? 'consent' : 'sign-in'}/${uid}`,
    },
    // We issue refresh tokens ourselves, and no token depends on the library's session (see `sign-in-grants.ts`).
    issueRefreshToken: () => false,
    expiresWithSession: () => false,
    ttl: {
      AccessToken: TOKEN_LIFETIME_SECONDS,
      AuthorizationCode: 60,
      ClientCredentials: TOKEN_LIFETIME_SECONDS,
      Grant: REFRESH_ABSOLUTE_MS / 1_000,
      IdToken: 600,
      Interaction: 1_800,
      Session: REFRESH_IDLE_MS / 1_000,
    },
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => client.clientId === token.clientId },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => pages.renderLogout(ctx, form),
        postLogoutSuccessSource: (ctx) => ctx.redirect('/v1/auth/signed-out'),
      },
      pushedAuthorizationRequests: { enabled: false },
      dPoP: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => TOKEN_AUDIENCE,
        useGrantedResource: () => true,
        getResourceServerInfo(ctx, resource, client) {
          if (resource !== TOKEN_AUDIENCE) throw new errors.InvalidTarget();
          const scope = String(client['api_scopes']);
          if (ctx.oidc.params?.['grant_type'] === 'client_credentials') settleScopes(ctx, scope);
          return describeApi(scope);
        },
      },
    },
    renderError: (ctx, out) => pages.renderError(ctx, out),
  };
}

/** Only the person can grant offline access, so requesting it asks for consent; the library would silently drop it. */
async function askForOfflineAccess(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  const { scope, prompt = '' } = ctx.query;
  const wants = (text: unknown, word: string) => typeof text === 'string' && text.split(' ').includes(word);
  const isAsked = ctx.path === '/v1/oauth/authorize' && wants(scope, 'offline_access');
  if (isAsked && typeof prompt === 'string' && !wants(prompt, 'consent') && !wants(prompt, 'none')) {
    ctx.query = { ...ctx.query, prompt: `${prompt} consent`.trim() };
  }
  await next();
}

/** Applies also to the library's own pages, such as the form that posts a response to an application. */
async function refuseFrames(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  ctx.set('content-security-policy', "base-uri 'none'; frame-ancestors 'none'");
  ctx.set('x-frame-options', 'DENY');
  await next();
}

/** Replaces a private method of the library, because we hold hashes; a test guards it against upgrades. */
function compareHashes(provider: Provider): void {
  const prototype = provider.Client.prototype as unknown as {
    compareClientSecret(this: { clientSecret: string }, actual: string): boolean;
  };
  prototype.compareClientSecret = function compare(actual) {
    const hash = hashSecret(actual);
    const isRight = this.clientSecret
      .split(',')
      .map((kept) => Buffer.from(kept, 'base64url'))
      .some((kept) => kept.length === hash.length && timingSafeEqual(kept, hash));
    if (!isRight) rememberWrongSecret(Provider.ctx, hash);
    return isRight;
  };
}

/** Cookies are `Secure` even where TLS ends at a proxy or, on a developer's machine, where there is none. */
function secureCookies(provider: Provider): void {
  const createContext = provider.createContext.bind(provider);
  provider.createContext = (request, response) => {
    const ctx = createContext(request, response);
    ctx.cookies.secure = true;
    return ctx;
  };
}

/** Signing out at the provider ends the application's sign-in too, unless the person granted it offline access. */
function endWithSession(provider: Provider): void {
  provider.on('authorization.success', ({ oidc }: KoaContextWithOIDC) => {
    const { client, session, params } = oidc;
    const isOffline = String(params?.['scope'] ?? '')
      .split(' ')
      .includes('offline_access');
    if (client && session && !isOffline) session.authorizationFor(client.clientId).persistsLogout = false;
  });
}

export function createProvider(options: ProviderOptions): Provider {
  const provider = createSignInProvider(options.issuer, configure(options), options);
  // Addresses in documents come from the configured base address; see identity/routes.ts.
  provider.proxy = true;
  compareHashes(provider);
  requireKeyId(provider);
  secureCookies(provider);
  endWithSession(provider);
  provider.use(refuseFrames);
  provider.use(askForOfflineAccess);
  const failures = { guard: options.guard, isRetired: createRetiredCheck(options.database) };
  provider.use(signNobodyOut);
  provider.use(createErrorMiddleware(failures, options.issuer));
  provider.use(async (ctx, next) => {
    await next();
    if (ctx.path.startsWith('/.well-known/')) ctx.body = honestDiscovery(ctx.body as Record<string, unknown>);
  });
  const logFailure = (error: Error) => options.log.error('token request failed', describeError(error));
  provider.on('server_error', (_ctx, error) => logFailure(error));
  // Without a listener the library's web framework would print the whole error, including fields that the log would drop.
  (provider as EventEmitter).on('error', logFailure);
  return provider;
}
