// The calls about a tenant's API credentials and its audit log. A credential with the scope can read; every change
// needs the token of a person who has just passed a second factor.
import type { Client } from 'openapi-fetch';
import type { PageQuery } from './members.ts';
import type { components, paths } from './openapi-types.ts';

type Schemas = components['schemas'];
export type AuditQuery = PageQuery & {
  readonly action?: string;
  readonly actor?: string;
  readonly subjectId?: string;
  readonly from?: string;
  readonly to?: string;
};

type Call<T> = Promise<{ data?: T; error?: unknown; response: Response }>;
type BodyOf = <T>(call: Call<T>) => Promise<T>;

const ONE = '/{tenantId}/v1/credentials/{credentialId}';

export function createCredentialCalls(http: Client<paths>, tenantId: string, bodyOf: BodyOf) {
  const inTenant = { path: { tenantId } };
  const of = (credentialId: string) => ({ path: { tenantId, credentialId } });
  return {
    listCredentials: (query: PageQuery = {}) =>
      bodyOf(http.GET('/{tenantId}/v1/credentials', { params: { ...inTenant, query } })),
    getCredential: (credentialId: string) => bodyOf(http.GET(ONE, { params: of(credentialId) })),
    /** Only this response contains the secret. */
    createCredential: (body: Schemas['CreateCredentialRequest']) =>
      bodyOf(http.POST('/{tenantId}/v1/credentials', { params: inTenant, body })),
    changeCredential: (credentialId: string, body: Schemas['ChangeCredentialRequest']) =>
      bodyOf(http.PATCH(ONE, { params: of(credentialId), body })),
    /** Only this response contains the new secret. The older one works for one more day by default. */
    addCredentialSecret: (credentialId: string, body: Schemas['AddSecretRequest'] = {}) =>
      bodyOf(http.POST(`${ONE}/secrets`, { params: of(credentialId), body })),
    endCredentialSecret: (credentialId: string, secretId: string) =>
      bodyOf(http.DELETE(`${ONE}/secrets/{secretId}`, { params: { path: { tenantId, credentialId, secretId } } })),
    replaceCredentialKeys: (credentialId: string, body: Schemas['ReplaceKeysRequest']) =>
      bodyOf(http.POST(`${ONE}/public-keys`, { params: of(credentialId), body })),
    listAudit: (query: AuditQuery = {}) => bodyOf(http.GET('/{tenantId}/v1/audit', { params: { ...inTenant, query } })),
  };
}
