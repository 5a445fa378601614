// The calls about a tenant's API credentials and its audit log. A credential with the scope can read; every change
// needs the token of a person who has just passed a second factor.
import type { Http } from './http.ts';
import type { PageQuery } from './members.ts';
import type { components } from './openapi-types.ts';
import { createPage } from './page.ts';
import type { CallOptions } from './send.ts';

type Schemas = components['schemas'];
export type AuditQuery = PageQuery & {
  readonly action?: string;
  readonly actor?: string;
  readonly subjectId?: string;
  readonly from?: string;
  readonly to?: string;
};

const ONE = '/{tenantId}/v1/credentials/{credentialId}';

export function createCredentialCalls(http: Http) {
  return {
    listCredentials: (query: PageQuery = {}, call?: CallOptions) =>
      createPage(query, (page) => http.get('/{tenantId}/v1/credentials', { query: page }, call)),
    getCredential: (credentialId: string, call?: CallOptions) => http.get(ONE, { path: { credentialId } }, call),
    /** Only this response contains the secret. */
    createCredential: (body: Schemas['CreateCredentialRequest'], call?: CallOptions) =>
      http.post('/{tenantId}/v1/credentials', { body }, call),
    changeCredential: (credentialId: string, body: Schemas['ChangeCredentialRequest'], call?: CallOptions) =>
      http.patch(ONE, { path: { credentialId }, body }, call),
    /** Only this response contains the new secret. The older one works for one more day by default. */
    addCredentialSecret: (credentialId: string, body: Schemas['AddSecretRequest'] = {}, call?: CallOptions) =>
      http.post(`${ONE}/secrets`, { path: { credentialId }, body }, call),
    endCredentialSecret: (credentialId: string, secretId: string, call?: CallOptions) =>
      http.delete(`${ONE}/secrets/{secretId}`, { path: { credentialId, secretId } }, call),
    replaceCredentialKeys: (credentialId: string, body: Schemas['ReplaceKeysRequest'], call?: CallOptions) =>
      http.post(`${ONE}/public-keys`, { path: { credentialId }, body }, call),
    listAudit: (query: AuditQuery = {}, call?: CallOptions) =>
      createPage(query, (page) => http.get('/{tenantId}/v1/audit', { query: page }, call)),
  };
}
