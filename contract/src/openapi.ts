// Builds the OpenAPI 3.1 document from the operations table. Pure: tools/openapi.ts writes it to openapi.json.
import { AuditItem, AuditResponse } from './audit.ts';
import {
  AddedSecretResponse,
  AddSecretRequest,
  ChangeCredentialRequest,
  CreateCredentialRequest,
  CreatedCredentialResponse,
  CredentialItem,
  CredentialResponse,
  CredentialSecret,
  CredentialsResponse,
  ReplaceKeysRequest,
} from './credentials.ts';
import { AccountRecord, CreditReport, Money, ReportUkAddress, Residency } from './credit-report.ts';
import { ERROR_CODES, ERRORS, ErrorBody, type ErrorCode } from './errors.ts';
import type { Examples } from './examples.ts';
import { CollectionRequest, CollectionResponse, fingerprintEndpoints } from './fingerprints.ts';
import {
  ChangeMemberRequest,
  Invitation,
  InvitationListResponse,
  InvitationResponse,
  InviteMemberRequest,
  Member,
  MemberListResponse,
  MemberResponse,
  RemovedMemberResponse,
} from './members.ts';
import type { Operation } from './operation.ts';
import { OPERATIONS } from './operations.ts';
import {
  AddressEntry,
  GenerateRequest,
  ResendSmsRequest,
  SelectTenantRequest,
  SubmitOtpRequest,
  UkAddress,
} from './requests.ts';
import {
  AuthenticationRequired,
  Blocked,
  BureauResult,
  CompleteAfterChallenge,
  CompleteAtOnce,
  CreditReportItem,
  CreditReportListResponse,
  CreditReportResponse,
  Failed,
  GenerateResponse,
  Profile,
  ResendSmsResponse,
  Retry,
  SelectedTenant,
  SubmitOtpResponse,
  TenantItem,
  TenantList,
  WalletMeta,
} from './responses.ts';
import { SCOPES } from './scopes.ts';
import { tokenEndpoint } from './token-endpoint.ts';
import { PriceChange, PricesResponse, WalletEntriesResponse, WalletEntry, WalletResponse } from './wallet.ts';

type Json = Record<string, unknown>;

/** Schemas that get a name of their own in the document, so that readers and generators meet each once. */
const scopesByName = Object.fromEntries(SCOPES.map((scope) => [scope, scope]));

const NAMED: Record<string, unknown> = {
  Error: ErrorBody,
  GenerateRequest,
  AddressEntry,
  UkAddress,
  SubmitOtpRequest,
  ResendSmsRequest,
  SelectTenantRequest,
  GenerateResponse,
  CompleteAtOnce,
  AuthenticationRequired,
  Blocked,
  Failed,
  SubmitOtpResponse,
  CompleteAfterChallenge,
  Retry,
  ResendSmsResponse,
  CollectionRequest,
  CollectionResponse,
  BureauResult,
  CreditReportResponse,
  CreditReportListResponse,
  CreditReportItem,
  WalletMeta,
  WalletResponse,
  WalletEntriesResponse,
  WalletEntry,
  PricesResponse,
  PriceChange,
  CredentialsResponse,
  CredentialResponse,
  CreatedCredentialResponse,
  AddedSecretResponse,
  CredentialItem,
  CredentialSecret,
  CreateCredentialRequest,
  ChangeCredentialRequest,
  AddSecretRequest,
  ReplaceKeysRequest,
  AuditResponse,
  AuditItem,
  CreditReport,
  Residency,
  ReportUkAddress,
  AccountRecord,
  Money,
  Profile,
  TenantList,
  TenantItem,
  SelectedTenant,
  Member,
  MemberResponse,
  MemberListResponse,
  RemovedMemberResponse,
  ChangeMemberRequest,
  Invitation,
  InvitationResponse,
  InvitationListResponse,
  InviteMemberRequest,
};

const names = new Map(Object.entries(NAMED).map(([name, schema]) => [schema, name]));

/** The same document with every named schema replaced by a reference to its component. */
function withReferences(value: unknown): unknown {
  const name = names.get(value);
  return name ? { $ref: `#/components/schemas/${name}` } : withinReferences(value);
}

function withinReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withReferences);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withReferences(inner)]));
}

const json = (schema: unknown, examples: Examples): Json => ({ 'application/json': { schema, examples } });

const header = (description: string, type = 'string'): Json => ({ description, schema: { type } });

const REQUEST_ID = { 'X-Request-Id': header('Names this answer; quote it when you ask about it.') };
const RATE = {
  RateLimit: header("What is left of the tenant's limit and when it is whole again."),
  'RateLimit-Policy': header("The tenant's limit: quota and window in seconds."),
};
const RETRY_AFTER = { 'Retry-After': header('Seconds to wait before trying again.', 'integer') };

/** The headers of an answer by its status, beside the request id that every answer has. */
function headersOf(status: number, operation: Operation): Json {
  if (status === 200) {
    const replayed = { 'Idempotent-Replayed': header('`true` when this is the kept answer of an earlier request.') };
    const more = { Link: header('On CSV only: rel="next" where to go on, when the file is not whole.') };
    return { ...REQUEST_ID, ...RATE, ...(operation.idempotent && replayed), ...(operation.csvExamples && more) };
  }
  if (status === 401 || status === 403) {
    return { ...REQUEST_ID, 'WWW-Authenticate': header('What the token lacks (RFC 6750).') };
  }
  return [409, 429, 503].includes(status) ? { ...REQUEST_ID, ...RETRY_AFTER } : REQUEST_ID;
}

const PARAMETERS: Record<string, string> = {
  tenantId: "The tenant's id. An unknown tenant and someone else's get the same 403.",
  creditReportId: 'creditReportId of the generate response.',
  credentialId: 'The credential, by its client id.',
  secretId: 'The secret, by its id in the list.',
  userId: 'A member of the tenant.',
  invitationId: 'An open invitation of the tenant.',
};

const headerParameter = (name: string, description: string): Json => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string', minLength: 1, maxLength: 255 },
});

/** Refusals that any operation can meet. */
function commonErrors(operation: Operation): ErrorCode[] {
  const codes: ErrorCode[] = ['unauthorized', 'forbidden', 'rate-limited', 'internal-error', 'service-unavailable'];
  if (operation.body) codes.push('validation-error', 'unsupported-media-type', 'payload-too-large');
  if (operation.query) codes.push('validation-error');
  if (operation.needsStepUp) codes.push('step-up-required');
  if (operation.idempotent) codes.push('request-in-progress', 'idempotency-key-reused');
  return codes;
}

function errorExample(code: ErrorCode): { summary: string; value: Json } {
  const value: Json = { code, message: ERRORS[code].meaning, requestId: '01998a3e-7c10-7b11-8c22-3d4e5f607182' };
  if (code === 'validation-error') {
    value['details'] = [{ path: '/dateOfBirth', message: 'Use a real date as YYYY-MM-DD, aged 18 to 120.' }];
  }
  if (code === 'insufficient-funds') Object.assign(value, { required: 840, available: 120 });
  return { summary: code, value };
}

function errorResponses(operation: Operation): Json {
  const codes: readonly ErrorCode[] = [...commonErrors(operation), ...operation.errors];
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of ERROR_CODES.filter((known) => codes.includes(known))) {
    const status = ERRORS[code].status;
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus]
      .toSorted(([a], [b]) => a - b)
      .map(([status, group]) => [
        String(status),
        {
          description: group.map((code) => `\`${code}\`: ${ERRORS[code].meaning}`).join('\n\n'),
          headers: headersOf(status, operation),
          content: json(ErrorBody, Object.fromEntries(group.map((code) => [code, errorExample(code)]))),
        },
      ]),
  );
}

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
    description: operation.description,
    security: [{ oauth: operation.scope ? [operation.scope] : [] }, { signIn: [] }],
    parameters: operation.idempotent
      ? [
          ...parameters,
          headerParameter(
            'Idempotency-Key',
            'Makes a retry safe: for 24 hours the same key with the same request gives the first answer again, ' +
              'marked `Idempotent-Replayed: true`.',
          ),
        ]
      : parameters,
    ...(operation.body && {
      requestBody: { required: true, content: json(operation.body, operation.bodyExamples ?? {}) },
    }),
    responses: {
      '200': {
        description: 'Done.',
        headers: headersOf(200, operation),
        content: {
          ...json(operation.response, operation.responseExamples),
          ...(operation.csvExamples && {
            'text/csv': { schema: { type: 'string' }, examples: operation.csvExamples },
          }),
        },
      },
      ...errorResponses(operation),
    },
  };
}

export function buildOpenApi(version: string): Json {
  const paths: Record<string, Json> = { '/v1/oauth/token': tokenEndpoint, ...fingerprintEndpoints };
  for (const [id, operation] of Object.entries<Operation>(OPERATIONS)) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describeOperation(id, operation) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Trefoil',
      version,
      description:
        'UK credit reports from three bureaus as one clean report, with an SMS challenge where the screening asks for ' +
        'one, metered against a prepaid wallet. Additive changes may come at any time inside v1: ignore fields you do ' +
        'not know.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This server' }],
    tags: [
      { name: 'Tokens' },
      { name: 'Device fingerprint' },
      { name: 'Credit reports' },
      { name: 'Wallet' },
      { name: 'Members' },
      { name: 'Account' },
    ],
    paths: withReferences(paths),
    components: {
      schemas: Object.fromEntries(Object.entries(NAMED).map(([name, schema]) => [name, withinReferences(schema)])),
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
