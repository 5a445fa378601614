// The calls about a tenant's API credentials and its audit log. A credential with the scope can read; every change
// needs the token of a person who has just passed a second factor.
import type { Call } from './call.ts';
import type { Http } from './http.ts';
import type { PageQuery } from './members.ts';
import type {
  AddedSecretResponse,
  AddSecretRequest,
  AuditResponse,
  ChangeCredentialRequest,
  CreateCredentialRequest,
  CreatedCredentialResponse,
  CredentialResponse,
  CredentialsResponse,
  ReplaceKeysRequest,
} from './openapi-names.ts';
import { createPage, type Page } from './page.ts';
import type { CallOptions } from './send.ts';

/** The filters of `listAudit`. */
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
    listCredentials: (query: PageQuery = {}, call?: CallOptions): Page<CredentialsResponse> =>
      createPage(query, (page) => http.get('/{tenantId}/v1/credentials', { query: page }, call)),
    getCredential: (credentialId: string, call?: CallOptions): Call<CredentialResponse> =>
      http.get(ONE, { path: { credentialId } }, call),
    createCredential: (body: CreateCredentialRequest, call?: CallOptions): Call<CreatedCredentialResponse> =>
      http.post('/{tenantId}/v1/credentials', { body }, call),
    changeCredential: (
      credentialId: string,
      body: ChangeCredentialRequest,
      call?: CallOptions,
    ): Call<CredentialResponse> => http.patch(ONE, { path: { credentialId }, body }, call),
    addCredentialSecret: (
      credentialId: string,
      body: AddSecretRequest = {},
      call?: CallOptions,
    ): Call<AddedSecretResponse> => http.post(`${ONE}/secrets`, { path: { credentialId }, body }, call),
    endCredentialSecret: (credentialId: string, secretId: string, call?: CallOptions): Call<CredentialResponse> =>
      http.delete(`${ONE}/secrets/{secretId}`, { path: { credentialId, secretId } }, call),
    replaceCredentialKeys: (
      credentialId: string,
      body: ReplaceKeysRequest,
      call?: CallOptions,
    ): Call<CredentialResponse> => http.post(`${ONE}/public-keys`, { path: { credentialId }, body }, call),
    listAudit: (query: AuditQuery = {}, call?: CallOptions): Page<AuditResponse> =>
      createPage(query, (page) => http.get('/{tenantId}/v1/audit', { query: page }, call)),
  };
}
