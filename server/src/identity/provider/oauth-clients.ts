// The clients that may request tokens, as the library describes them: API credentials, applications, and our own pages.
import { SCOPES } from '@trefoil/contract';
import { rateOf } from '../../http/rate-limit.ts';
import { isCheapToVerify } from '../../lib/crypto/public-keys.ts';
import { isUuid } from '../../lib/ids.ts';
import type { Database } from '../../lib/postgres/database.ts';
import { findApp, type OAuthApp } from '../apps/change-app.ts';
import { hashSecret } from '../credentials/change-credential.ts';
import type { Client, FindClient } from '../credentials/find-client.ts';
import { WEB_CLIENT_ID } from '../rules/own-client.ts';

export { WEB_CLIENT_ID };

/** The library keeps a secret here; we put the live secrets' hashes there and compare hashes (see `provider.ts`). */
const secretsOf = (hashes: readonly Buffer[]) => hashes.map((hash) => hash.toString('base64url')).join(',') || 'none';

/** The library need not know who added a key. Leaves out old keys that are too expensive to verify; new ones are refused. */
const keysOf = ({ publicKeys }: Client) =>
  (publicKeys ?? []).filter(isCheapToVerify).map(({ made_by: _, ...key }) => key);

/** A credential whose keys have all ended cannot authenticate; the library would report that as our fault. */
const canProve = (client: Client) => client.authMethod === 'client_secret' || keysOf(client).length > 0;

function credentialMetadata(client: Client) {
  return {
    client_id: client.id,
    grant_types: ['client_credentials'],
    redirect_uris: [],
    response_types: [],
    tenant_id: client.tenantId,
    tenant_rate: rateOf(client),
    api_scopes: client.scopes.join(' '),
    allowed_networks: client.allowedNetworks?.join(' ') ?? '',
    token_epoch: client.tokenEpoch,
    ...(client.authMethod === 'private_key_jwt'
      ? { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: keysOf(client) } }
      : { token_endpoint_auth_method: 'client_secret_basic', client_secret: secretsOf(client.secretHashes) }),
  };
}

const SIGNS_PEOPLE_IN = {
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  api_scopes: SCOPES.join(' '),
};

function appMetadata(app: OAuthApp) {
  return {
    ...SIGNS_PEOPLE_IN,
    client_id: app.id,
    client_name: app.name,
    redirect_uris: app.redirectUris,
    post_logout_redirect_uris: app.redirectUris,
    ...(app.secretHash
      ? { token_endpoint_auth_method: 'client_secret_basic', client_secret: secretsOf([app.secretHash]) }
      : { token_endpoint_auth_method: 'none' }),
  };
}

export type WebClient = { readonly baseUrl: string; readonly secret: string };

export const callbackUrl = (baseUrl: string) => `${baseUrl}/v1/auth/callback`;

function webMetadata({ baseUrl, secret }: WebClient) {
  return {
    ...SIGNS_PEOPLE_IN,
    client_id: WEB_CLIENT_ID,
    client_name: 'Trefoil',
    redirect_uris: [callbackUrl(baseUrl)],
    token_endpoint_auth_method: 'client_secret_basic',
    client_secret: secretsOf([hashSecret(secret)]),
  };
}

export type FindMetadata = (clientId: string) => Promise<object | undefined>;

/** Undefined for an unknown or disabled client. */
export function createMetadataFinder(database: Database, findClient: FindClient, web: WebClient): FindMetadata {
  return async (clientId) => {
    if (clientId === WEB_CLIENT_ID) return webMetadata(web);
    if (!isUuid(clientId)) return undefined;
    const client = await findClient(clientId);
    if (client) {
      return client.isEnabled && client.isTenantEnabled && canProve(client) ? credentialMetadata(client) : undefined;
    }
    const app = await database.asSystem((tx) => findApp(tx, clientId));
    return app?.isEnabled ? appMetadata(app) : undefined;
  };
}
