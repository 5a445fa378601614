// How the token endpoint reads in the API reference. It is the OAuth library's, not an operation of ours, so it has no
// schemas that the server validates by. RFC 6749; docs/decisions/0021.
import { ERRORS, type ErrorCode } from './errors.ts';

const TokenError = {
  type: 'object',
  required: ['error', 'error_description', 'code', 'message', 'requestId'],
  properties: {
    error: { type: 'string', description: 'The code of RFC 6749.' },
    error_description: { type: 'string' },
    code: { type: 'string', description: 'One code of the catalogue, as in every other error.' },
    message: { type: 'string' },
    requestId: { type: 'string' },
  },
};

const REFUSALS: Record<string, readonly (readonly [error: string, code: ErrorCode])[]> = {
  '400': [
    ['invalid_request', 'validation-error'],
    ['invalid_scope', 'validation-error'],
    ['invalid_grant', 'validation-error'],
    ['unsupported_grant_type', 'validation-error'],
  ],
  '401': [['invalid_client', 'unauthorized']],
  '429': [['slow_down', 'rate-limited']],
  '500': [['server_error', 'internal-error']],
  '503': [['temporarily_unavailable', 'service-unavailable']],
};

function refusal(error: string, code: ErrorCode) {
  const { meaning } = ERRORS[code];
  const requestId = '01998a3e-7c10-7b11-8c22-3d4e5f607182';
  return { summary: error, value: { error, error_description: meaning, code, message: meaning, requestId } };
}

const refusals = Object.fromEntries(
  Object.entries(REFUSALS).map(([status, group]) => [
    status,
    {
      description: group.map(([error]) => `\`${error}\``).join(', '),
      content: {
        'application/json': {
          schema: TokenError,
          examples: Object.fromEntries(group.map(([error, code]) => [error, refusal(error, code)])),
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
      "carries every scope of the credential. Ten failures a minute lock the credential's and the address's tries.\n\n" +
      'Applications that sign people in exchange their code here (`authorization_code`, with PKCE) and refresh ' +
      '(`refresh_token`): each refresh token is good once and comes with its successor.',
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
              scope: { type: 'string', description: 'Space-separated; a scope the credential lacks is refused.' },
              code: { type: 'string', description: 'For `authorization_code`: valid for a minute, used once.' },
              code_verifier: { type: 'string' },
              redirect_uri: { type: 'string', description: 'The one the code was asked for with.' },
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
                refresh_token: { type: 'string', description: 'For people alone, with offline access.' },
                id_token: { type: 'string', description: 'With the code of a person, and the scope `openid`.' },
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
