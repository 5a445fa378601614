// Builds the OpenAPI 3.1 document from the operations table. Pure: tools/openapi.ts writes it to openapi.json.
import { fingerprintEndpoints } from './fingerprints.ts';
import { json, responsesOf } from './openapi-responses.ts';
import { codeSamples } from './openapi-samples.ts';
import { namedSchemas, withReferences } from './openapi-schemas.ts';
import { type Operations, shareParts } from './openapi-shared-parts.ts';
import { describeWebhooks } from './openapi-webhooks.ts';
import type { Operation } from './operation.ts';
import { OPERATIONS } from './operations.ts';
import { SCOPE_MEANINGS, SCOPES } from './scopes.ts';
import { tokenEndpoint } from './token-endpoint.ts';

type Json = Record<string, unknown>;

/** Those that an operation asks for: a reserved one would promise a right that does not exist. */
const ASKED = new Set(Object.values<Operation>(OPERATIONS).map(({ scope }) => scope));
const scopesByName = Object.fromEntries(
  SCOPES.filter((scope) => ASKED.has(scope)).map((scope) => [scope, SCOPE_MEANINGS[scope]]),
);

const PARAMETERS: Record<string, string> = {
  tenantId: "The tenant's id. An unknown tenant and another company's tenant get the same 403.",
  creditReportId: 'creditReportId of the generate response.',
  credentialId: 'The credential, by its client id.',
  secretId: 'The secret, by its id in the list.',
  userId: 'A member of the tenant.',
  invitationId: 'An open invitation of the tenant.',
  endpointId: 'The webhook endpoint.',
  deliveryId: 'The delivery, by its id in the list of deliveries.',
  eventId: 'The event: `evt_…`.',
};

const headerParameter = (name: string, description: string): Json => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string', minLength: 1, maxLength: 255 },
});

function queryParameters({ query }: Operation): Json[] {
  const { properties = {} } = (query ?? {}) as { properties?: Record<string, { description?: string }> };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: false,
    description,
    schema,
  }));
}

const LIVE_ONLY = new Map<Operation['liveOnly'], string>([
  [true, 'A credential for test mode alone gets 403.'],
  ['unless-asked', 'A credential for test mode alone gets 403 without `test=true`.'],
]);

function describeOperation(id: string, operation: Operation): Json {
  const pathParameters = [...operation.path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: PARAMETERS[name],
    schema: { type: 'string' },
  }));
  const parameters = [...pathParameters, ...queryParameters(operation)];
  return {
    operationId: id,
    tags: [operation.tag],
    summary: operation.summary,
    description: [operation.description, LIVE_ONLY.get(operation.liveOnly) ?? []].flat().join('\n\n'),
    security: [{ oauth: operation.scope ? [operation.scope] : [] }, { signIn: [] }],
    parameters: operation.idempotent
      ? [
          ...parameters,
          headerParameter(
            'Idempotency-Key',
            'Makes a retry safe: for 24 hours the same key with the same request gets the first answer again, marked ' +
              '`Idempotent-Replayed: true`. `meta.wallet` then repeats the first answer: nothing is charged again. Two ' +
              'requests are the same if the path and every value in the body are the same; the order of fields and the ' +
              'spaces between them do not matter. A different request with the key gets 422. Create a new key for each attempt, before ' +
              'the consumer can send it (when your form loads): without a key, a double click makes two reports. Do not use ' +
              'an order number: if the consumer tries again for that order, that is a new request and needs a new key.',
          ),
        ]
      : parameters,
    ...(operation.body && {
      requestBody: {
        required: !operation.isBodyOptional,
        content: json(operation.body, operation.bodyExamples ?? {}),
      },
    }),
    responses: responsesOf(operation),
    ...codeSamples(id, operation),
  };
}

export function buildOpenApi(version: string): Json {
  const paths: Record<string, Json> = { '/v1/oauth/token': tokenEndpoint, ...fingerprintEndpoints };
  for (const [id, operation] of Object.entries<Operation>(OPERATIONS)) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describeOperation(id, operation) };
  }
  const [described, webhooks] = [paths, describeWebhooks()].map(withReferences) as [Operations, Operations];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Trefoil',
      version,
      description:
        'UK credit reports from three bureaus as one clean report, with an SMS challenge where the screening asks for ' +
        'one, metered against a prepaid wallet.\n\n' +
        '1. `POST /v1/oauth/token` with your client id and secret gives an access token.\n' +
        '2. `POST /{tenantId}/v1/credit-reports` with `"test": true` gives a first report. No bureau is asked and nothing is charged.\n' +
        "3. If the answer is `authentication-required`, send the consumer's code to `…/otp-challenge`; in test mode it is " +
        '`123456`.\n\n' +
        'Every error code has a page: `/docs/errors`. Additive changes may come at any time inside v1: ignore fields you ' +
        'do not know. The service, too, ignores fields and query parameters that it does not know: a list with a ' +
        'misspelt filter is not filtered. The usual slips of `test` are 400, and so is every unknown field in a body about webhooks; ' +
        'while you build, use a test-only credential.\n\n' +
        'A tenant is a company that uses this service. Ids are accepted in capitals too.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This server' }],
    tags: [
      { name: 'Tokens' },
      { name: 'Device fingerprint' },
      { name: 'Credit reports' },
      { name: 'Wallet' },
      { name: 'Limits' },
      { name: 'Usage' },
      { name: 'Test mode' },
      { name: 'Settings' },
      { name: 'Subjects' },
      { name: 'Members' },
      { name: 'Credentials' },
      { name: 'Webhooks' },
      { name: 'Audit' },
      { name: 'Events' },
      { name: 'Account' },
    ],
    paths: described,
    webhooks,
    components: {
      schemas: namedSchemas(),
      ...shareParts(described, webhooks),
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic' },
        oauth: {
          type: 'oauth2',
          flows: {
            clientCredentials: {
              tokenUrl: '/v1/oauth/token',
              scopes: scopesByName,
            },
            authorizationCode: {
              authorizationUrl: '/v1/oauth/authorize',
              tokenUrl: '/v1/oauth/token',
              refreshUrl: '/v1/oauth/token',
              scopes: scopesByName,
            },
          },
        },
        signIn: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-trefoil_access',
          description:
            'Set by signing in at `/v1/auth/login`. Counts only without an `Authorization` header; anything but GET ' +
            'then needs an `Origin` equal to the base address.',
        },
      },
    },
  };
}
