// Who may ask for tokens, in the library's words: API credentials, applications that sign people in, and our own pages.
import { SCOPES } from '@trefoil/contract';
import type { Database } from '../../lib/database.ts';
import { isUuid } from '../../lib/ids.ts';
import { hashSecret } from '../credentials/change-credential.ts';
import type { Client, FindClient } from '../credentials/find-client.ts';
import { WEB_CLIENT_ID } from '../rules/own-client.ts';
import { findApp, type OAuthApp } from './change-app.ts';

export { WEB_CLIENT_ID };

/** The library keeps a secret here; we put the hashes of the live ones, and compare hashes (see `provider.ts`). */
const secretsOf = (hashes: readonly Buffer[]) => hashes.map((hash) => hash.toString('base64url')).join(',') || 'none';

function credentialMetadata(client: Client) {
  return {
    client_id: client.id,
    grant_types: ['client_credentials'],
    redirect_uris: [],
    response_types: [],
    tenant_id: client.tenantId,
    api_scopes: client.scopes.join(' '),
    allowed_networks: client.allowedNetworks?.join(' ') ?? '',
    ...(client.authMethod === 'private_key_jwt'
      ? { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: client.publicKeys } }
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

/** Undefined for whoever is unknown or disabled. */
export function createMetadataFinder(database: Database, findClient: FindClient, web: WebClient): FindMetadata {
  return async (clientId) => {
    if (clientId === WEB_CLIENT_ID) return webMetadata(web);
    if (!isUuid(clientId)) return undefined;
    const client = await findClient(clientId);
    if (client) return client.isEnabled && client.isTenantEnabled ? credentialMetadata(client) : undefined;
    const app = await database.asSystem((tx) => findApp(tx, clientId));
    return app?.isEnabled ? appMetadata(app) : undefined;
  };
}
