// The provider's discovery document: it lists what this server supports, not everything the library could do.
import { SCOPES } from '@trefoil/contract';

const PUBLISHED = [
  'issuer',
  'authorization_endpoint',
  'token_endpoint',
  'revocation_endpoint',
  'end_session_endpoint',
  'jwks_uri',
  'acr_values_supported',
  'authorization_response_iss_parameter_supported',
  'code_challenge_methods_supported',
  'id_token_signing_alg_values_supported',
  'request_uri_parameter_supported',
  'token_endpoint_auth_methods_supported',
  'token_endpoint_auth_signing_alg_values_supported',
  'subject_types_supported',
] as const;

export function honestDiscovery(discovery: Record<string, unknown>): object {
  return {
    ...Object.fromEntries(PUBLISHED.map((name) => [name, discovery[name]])),
    claims_supported: ['iss', 'sub', 'aud', 'exp', 'iat', 'auth_time', 'nonce', 'acr', 'amr'],
    grant_types_supported: ['authorization_code', 'client_credentials', 'refresh_token'],
    request_parameter_supported: false,
    response_modes_supported: ['query', 'form_post'],
    response_types_supported: ['code'],
    scopes_supported: ['openid', 'offline_access', ...SCOPES],
  };
}
