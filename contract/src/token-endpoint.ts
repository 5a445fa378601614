// The token endpoint in the API reference. The OAuth library implements it, so the server validates nothing by these
// schemas. RFC 6749; docs/decisions/0021-token-errors.md.
import { ERRORS, type ErrorCode, errorExample } from './errors.ts';

/** The error descriptions for a refused client. RFC 6749, 5.2, allows ASCII without quotation marks and backslashes. */
export const TOKEN_SENTENCES = {
  wrongClient:
    'The client could not be authenticated. Check the client id and the secret or assertion, and that the credential is enabled.',
  noClient:
    'The request has no client authentication. Send the client id and secret by HTTP Basic or as client_id and client_secret in the form, or send a signed assertion.',
  noGrantType: 'The parameter grant_type is missing.',
  wrongGrantType: 'This grant_type is not known. Use client_credentials, authorization_code or refresh_token.',
  notAForm: 'Send the parameters as a form, with Content-Type: application/x-www-form-urlencoded.',
  wrongScope: 'The credential does not hold every requested scope.',
  wrongGrant:
    'The code or refresh token is not valid: it is wrong, expired or already used, or it belongs to another client.',
} as const;

export const TokenError = {
  type: 'object',
  description: 'A refusal of the token endpoint: the fields of RFC 6749, and those of every other error.',
  required: ['error', 'error_description', 'code', 'message', 'requestId', 'docs'],
  properties: {
    error: { type: 'string', description: 'The code of RFC 6749.' },
    error_description: { type: 'string' },
    code: { type: 'string', description: 'One code of the catalogue, as in every other error.' },
    message: { type: 'string' },
    requestId: { type: 'string' },
    docs: { type: 'string', description: 'The address of a page about the code.' },
  },
};

type Refusal = readonly [error: string, code: ErrorCode, message: string];

const REFUSALS: Record<string, readonly Refusal[]> = {
  '400': [
    ['invalid_request', 'validation-error', TOKEN_SENTENCES.noGrantType],
    ['invalid_scope', 'validation-error', TOKEN_SENTENCES.wrongScope],
    ['invalid_grant', 'validation-error', TOKEN_SENTENCES.wrongGrant],
    ['unsupported_grant_type', 'validation-error', TOKEN_SENTENCES.wrongGrantType],
  ],
  '401': [['invalid_client', 'unauthorized', TOKEN_SENTENCES.wrongClient]],
  '429': [['slow_down', 'rate-limited', ERRORS['rate-limited'].meaning]],
  '500': [['server_error', 'internal-error', ERRORS['internal-error'].meaning]],
  '503': [['temporarily_unavailable', 'service-unavailable', ERRORS['service-unavailable'].meaning]],
};

function refusal([error, code, message]: Refusal) {
  const { requestId, docs } = errorExample(code);
  return { summary: error, value: { error, error_description: message, code, message, requestId, docs } };
}

const refusals = Object.fromEntries(
  Object.entries(REFUSALS).map(([status, group]) => [
    status,
    {
      description: group.map(([error]) => `\`${error}\``).join(', '),
      content: {
        'application/json': {
          schema: TokenError,
          examples: Object.fromEntries(group.map((each) => [each[0], refusal(each)])),
        },
      },
    },
  ]),
);

export const tokenEndpoint = {
  post: {
    operationId: 'requestToken',
    tags: ['Tokens'],
    summary: 'Get an access token',
    description:
      'OAuth 2.0 client credentials. Authenticate with HTTP Basic, with `client_id` and `client_secret` in the form, ' +
      'or with a signed assertion (`private_key_jwt`). The token is a JWT that lives 900 seconds. Without `scope` it ' +
      'carries every scope of the credential. After ten failures in a minute from one network address, further requests from it ' +
      'are refused for a minute.\n\n' +
      'With curl: `curl -u CLIENT_ID:CLIENT_SECRET -d grant_type=client_credentials BASE_ADDRESS/v1/oauth/token`. (HTTP Basic ' +
      'sends id and secret in base64; curl does that by itself.)\n\n' +
      'The parameters are a form, not JSON. Errors have the two fields of RFC 6749 (`error`, `error_description`) beside ' +
      'those of every other error, and no `details`: `message` names the fault.\n\n' +
      'Applications that sign people in exchange their code here (`authorization_code`, with PKCE) and refresh ' +
      '(`refresh_token`): each refresh token works once, and the answer holds the next one.',
    security: [{ basic: [] }, {}],
    requestBody: {
      required: true,
      content: {
        'application/x-www-form-urlencoded': {
          schema: {
            type: 'object',
            required: ['grant_type'],
            properties: {
              grant_type: { enum: ['client_credentials', 'authorization_code', 'refresh_token'] },
              scope: {
                type: 'string',
                description: 'Separated by spaces; a scope that the credential lacks is refused.',
              },
              code: { type: 'string', description: 'For `authorization_code`: valid for a minute, used once.' },
              code_verifier: { type: 'string', description: 'For `authorization_code`: the verifier of PKCE.' },
              redirect_uri: {
                type: 'string',
                description: 'For `authorization_code`: the `redirect_uri` of the authorization request.',
              },
              refresh_token: { type: 'string', description: 'For `refresh_token`.' },
              client_id: { type: 'string' },
              client_secret: { type: 'string' },
              client_assertion_type: { const: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer' },
              client_assertion: { type: 'string', description: 'Valid for at most ten minutes, used once.' },
            },
          },
          examples: {
            basic: { summary: 'With HTTP Basic', value: { grant_type: 'client_credentials', scope: 'reports:write' } },
          },
        },
      },
    },
    responses: {
      '200': {
        description: 'A token.',
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['access_token', 'token_type', 'expires_in', 'scope'],
              properties: {
                access_token: { type: 'string' },
                token_type: { const: 'Bearer' },
                expires_in: { type: 'integer' },
                scope: { type: 'string' },
                refresh_token: { type: 'string', description: 'Only where a person signed in, with offline access.' },
                id_token: { type: 'string', description: 'Only where a person signed in, with the scope `openid`.' },
              },
            },
            examples: {
              token: {
                summary: 'A token',
                value: { access_token: 'eyJ…', token_type: 'Bearer', expires_in: 900, scope: 'reports:write' },
              },
            },
          },
        },
      },
      ...refusals,
    },
  },
};
