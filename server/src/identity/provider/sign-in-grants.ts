// Connects the library's grants to our sign-ins. Exchanging a code opens a sign-in. Refreshing is entirely our own code,
// since two tabs cannot use the library's refresh tokens at once.
import { SCOPES } from '@trefoil/contract';
import Provider, {
  type Configuration,
  errors,
  type KoaContextWithOIDC,
  type TokenEndpointGrantContext,
} from 'oidc-provider';
import type { Limits } from '../../lib/limits/limits.ts';
import type { Database } from '../../lib/postgres/database.ts';
import { auditPerson } from '../people/audit-person.ts';
import { refreshSignIn } from '../sessions/refresh-sign-in.ts';
import type { RefreshTokens } from '../sessions/refresh-tokens.ts';
import { insertSignIn } from '../sessions/sign-in-store.ts';
import { issueToCredential } from './credential-tokens.ts';
import { TWO_FACTORS } from './interaction-policy.ts';
import { signInTokens, takeToken } from './limit-tokens.ts';
import { WEB_CLIENT_ID } from './oauth-clients.ts';
import { orUnavailable } from './token-errors.ts';
import { SIGNING_ALGORITHM, TOKEN_AUDIENCE } from './verify-token.ts';

export type SignInGrants = {
  readonly database: Database;
  readonly refreshTokens: RefreshTokens;
  readonly limits: Limits;
  readonly noteUse?: (credentialId: string) => void;
};

export const TOKEN_LIFETIME_SECONDS = 900;

/** Describes our API to the library. */
export function describeApi(scope: string) {
  return {
    scope,
    audience: TOKEN_AUDIENCE,
    accessTokenFormat: 'jwt' as const,
    accessTokenTTL: TOKEN_LIFETIME_SECONDS,
    jwt: { sign: { alg: SIGNING_ALGORITHM } },
  };
}

const API_SCOPES: ReadonlySet<string> = new Set(SCOPES);
const onlyApiScopes = (scope: string) =>
  scope
    .split(' ')
    .filter((each) => API_SCOPES.has(each))
    .join(' ');

/** Runs after the library has exchanged a code: without this row its access token is not valid. */
async function openSignIn({ database, refreshTokens }: SignInGrants, ctx: KoaContextWithOIDC): Promise<void> {
  const code = ctx.oidc.entities.AuthorizationCode;
  const { client } = ctx.oidc;
  if (!code?.accountId || !code.grantId || !client)
    throw new Error('an authorization code without a person was exchanged');
  const authenticatedAt = new Date((code.authTime ?? 0) * 1_000);
  const scope = code.scope ?? '';
  const isNew = await database.asSystem((tx) =>
    insertSignIn(tx, {
      id: code.grantId ?? '',
      userId: code.accountId ?? '',
      clientId: client.clientId,
      scope: onlyApiScopes(scope),
      authenticatedAt,
      secondFactorAt: code.acr === TWO_FACTORS ? authenticatedAt : undefined,
      sessionUid: code.sessionUid,
    }),
  );
  if (!isNew) throw new errors.InvalidGrant('grant already used');
  const details = { clientId: client.clientId, methods: code.amr ?? [] };
  await auditPerson(database, code.accountId, 'person.signed-in', details);
  await auditPerson(database, code.accountId, 'token.issued', { clientId: client.clientId });
  if (client.clientId !== WEB_CLIENT_ID && !scope.split(' ').includes('offline_access')) return;
  Object.assign(ctx.body as object, { refresh_token: refreshTokens.make(code.grantId, 0) });
}

function narrowScope(granted: string, requested: unknown): string {
  if (typeof requested !== 'string') return granted;
  const held = new Set([...granted.split(' '), 'openid', 'offline_access']);
  const lacking = requested.split(' ').filter((scope) => !held.has(scope));
  if (lacking.length > 0)
    throw new errors.InvalidScope('The sign-in does not hold every requested scope.', lacking.join(' '));
  return onlyApiScopes(requested);
}

async function refresh(grants: SignInGrants, provider: Provider, ctx: KoaContextWithOIDC): Promise<void> {
  const { client, params } = ctx.oidc;
  const token = params?.['refresh_token'];
  if (!client) throw new errors.InvalidClient('client is invalid', 'client not found');
  if (typeof token !== 'string') throw new errors.InvalidRequest("missing required parameter 'refresh_token'");
  const { database, refreshTokens, limits } = grants;
  const presented = refreshTokens.read(token);
  // Before the token is consumed: it stays valid for the next attempt.
  if (presented) await takeToken(limits, ctx, signInTokens(presented.signInId));
  const refreshed = await refreshSignIn(database, refreshTokens, {
    token,
    clientId: client.clientId,
    narrowScope: (granted) => narrowScope(granted, params?.['scope']),
  });
  if (!refreshed) throw new errors.InvalidGrant('refresh token is invalid, expired or was used before');
  const { signInId, userId, scope, refreshToken } = refreshed;
  const accessToken = new provider.AccessToken({ accountId: userId, client, grantId: signInId, gty: 'refresh_token' });
  accessToken.resourceServer = new provider.ResourceServer(TOKEN_AUDIENCE, describeApi(scope));
  accessToken.scope = scope;
  ctx.body = {
    access_token: await accessToken.save(),
    token_type: 'Bearer',
    expires_in: accessToken.expiration,
    refresh_token: refreshToken,
    scope,
  };
  await auditPerson(database, userId, 'token.issued', { clientId: client.clientId });
}

type Handler<Params extends object> = (ctx: TokenEndpointGrantContext<Params>) => void | Promise<void>;
type Names = string | readonly string[] | ReadonlySet<string>;

/** The library's provider with three of its grants replaced, inside the library's own error handling. */
export function createSignInProvider(issuer: string, configuration: Configuration, grants: SignInGrants): Provider {
  class SignInProvider extends Provider {
    // The library's constructor calls this once for each grant of its own.
    override registerGrantType<Params extends object = Record<string, unknown>>(
      name: string,
      handler: Handler<Params>,
      params?: Names,
      duplicates?: Names,
    ): void {
      const changed: Record<string, Handler<Params>> = {
        authorization_code: async (ctx) => {
          await handler(ctx);
          await orUnavailable(() => openSignIn(grants, ctx));
        },
        client_credentials: (ctx) => issueToCredential(grants, ctx, () => handler(ctx)),
        refresh_token: (ctx) => orUnavailable(() => refresh(grants, ctx.oidc.provider, ctx)),
      };
      super.registerGrantType(name, changed[name] ?? handler, params, duplicates);
    }
  }
  return new SignInProvider(issuer, configuration);
}
