// The closed catalogue of error codes: every code a client can receive, its HTTP status and a default sentence. Only
// this table maps a code to its status. Interface, "Errors"; docs/decisions/0008-error-catalogue.md.
import { type Static, Type } from 'typebox';
import { MemberEndings } from './members.ts';
import { Instant, oneOf, orNull } from './schema.ts';
import { RetentionEffect } from './settings.ts';

type CatalogueEntry = {
  readonly status: number;
  /** The default sentence, for a refusal without a sentence of its own. */
  readonly meaning: string;
  /** What the client should do, for the code's documentation page. */
  readonly remedy: string;
};

export const ERRORS = {
  'validation-error': {
    status: 400,
    meaning: 'Fields of the request are missing or invalid; `details` lists the faults.',
    remedy:
      'Correct what `details` names: `path` is a JSON pointer into the body (empty for the body itself), or begins with /headers or /query. Up to 100 faults are listed at once. Without `details`, as at `POST /v1/oauth/token`, `message` names the fault. The same request gets the same answer.',
  },
  unauthorized: {
    status: 401,
    meaning: 'The access token is missing, invalid or expired.',
    remedy:
      'Get a token at `POST /v1/oauth/token` and send it as `Authorization: Bearer <token>`. A token lives 900 seconds: then get a new one and send the request again. At the token endpoint itself, check the client id and the secret.',
  },
  'insufficient-funds': {
    status: 402,
    meaning:
      'The wallet cannot cover the operation. Nothing was charged. Ask the operator of this service to top it up.',
    remedy:
      '`required` is the credits that the operation needs; `available` is the credits that are neither held nor spent. The operator of this service tops the wallet up (`trefoil wallet top-up`); `GET /{tenantId}/v1/wallet` shows it. In test mode with `testOptions.charges` it is the test wallet: `POST /{tenantId}/v1/test/wallet/reset` sets its balance. Then send the same request again, with the same Idempotency-Key if it had one.',
  },
  // Interface, "Errors": an example there has this code, so clients accept both. Only test mode sends it, on request
  // (docs/decisions/0207-a-sandbox-that-can-fail.md).
  'insufficient-credits': {
    status: 402,
    meaning: 'The same as `insufficient-funds`. Only test mode answers with this code, when a request asks for it.',
    remedy:
      'Treat it as `insufficient-funds`: a client accepts both codes. To get neither, leave `insufficient-credits` out of `testOptions`.',
  },
  forbidden: {
    status: 403,
    meaning: 'The token does not give access to this tenant or operation.',
    remedy:
      'Check the tenant id in the path: `GET /v1/my/tenants` lists yours. If `message` names a scope, ask for a token or a credential that has it. The same request gets the same answer until then.',
  },
  'step-up-required': {
    status: 403,
    meaning:
      'This needs a second factor proved in the last ten minutes: sign in again with /v1/auth/login?stepUp=true.',
    remedy: 'Send the person to `/v1/auth/login?stepUp=true`, then send the request again within ten minutes.',
  },
  'second-factor-required': {
    status: 403,
    meaning:
      'This company requires a second factor, and this sign-in has proved none: set one up at /v1/auth/security, then sign in with it.',
    remedy:
      'Send the person to `/v1/auth/security`: without a second factor they set one up there, with a link that is sent to their address. Then they sign in again at `/v1/auth/login?stepUp=true`, or at your application. API credentials never get this answer.',
  },
  'credit-report-not-found': {
    status: 404,
    meaning: 'No credit report with this id.',
    remedy:
      'Use `creditReportId` of the generate response, with the tenant that generated it. A credential with `isTestOnly` finds only test reports.',
  },
  'challenge-not-found': {
    status: 404,
    meaning: 'No challenge with this id belongs to the report.',
    remedy: 'Use `challenge.challengeId` and `creditReportId` of the same generate response.',
  },
  'not-found': {
    status: 404,
    meaning: 'Nothing is at this address.',
    remedy:
      'Check the path: paths of a tenant begin with its id, as in `/{tenantId}/v1/credit-reports`, and none ends with a slash. `/openapi.json` lists all of them.',
  },
  'method-not-allowed': {
    status: 405,
    meaning: 'The address exists but not with this method; see the Allow header.',
    remedy: 'Use one of the methods in the `Allow` header.',
  },
  conflict: {
    status: 409,
    meaning: 'The request conflicts with the current state; `message` says how.',
    remedy: 'Change what `message` names, then send the request again.',
  },
  'challenge-closed': {
    status: 409,
    meaning: 'The challenge has ended and takes no more codes or messages.',
    remedy:
      'If it was completed, read the report: `GET /{tenantId}/v1/credit-reports/{creditReportId}`. If it failed, generate a new report.',
  },
  'request-in-progress': {
    status: 409,
    meaning: 'A request with this key, or for this report, is still running; try again after Retry-After.',
    remedy: 'Wait for the seconds in `Retry-After` and send the same request again.',
  },
  'challenge-expired': {
    status: 410,
    meaning:
      'More than five minutes passed since the last message; generate again. A charge for the report is refunded.',
    remedy: 'Generate a new report. The charge of this one is refunded; messages that were delivered stay charged.',
  },
  'credit-report-purged': {
    status: 410,
    meaning: 'The data of the report was erased: after its retention time, or because the consumer asked.',
    remedy:
      'It cannot be restored. If you need a report, generate a new one with a new Idempotency-Key: a generate request with an old key gets this answer once the report of that key is erased.',
  },
  'payload-too-large': {
    status: 413,
    meaning: 'The request body or its headers are too large.',
    remedy: 'Send a smaller request. No valid request comes near the limit.',
  },
  'unsupported-media-type': {
    status: 415,
    meaning: 'Send the body as application/json, uncompressed.',
    remedy: 'Set `Content-Type: application/json`, encode the body as UTF-8 and leave `Content-Encoding` out.',
  },
  'idempotency-key-reused': {
    status: 422,
    meaning: 'This Idempotency-Key was used for a different request.',
    remedy:
      'Use a new key for a new request. To repeat a request, send the same values with its key: the order of fields and the spaces between them do not matter, but every value does, to the last space.',
  },
  'rate-limited': {
    status: 429,
    meaning: 'Too many requests; wait for Retry-After seconds.',
    remedy: 'Wait for the seconds in `Retry-After`. The `RateLimit` headers of every answer say what is left.',
  },
  'sms-limit-reached': {
    status: 429,
    meaning: 'No further message can be sent; `limit` says which limit was reached.',
    remedy:
      '`limit.kind` says which limit was reached, and `limit.resetsAt` when it allows messages again. With `challenge`, generate a new report for more messages. With `company-number`, `company-day` and `company-minute`, wait for `limit.resetsAt`; where that is null, ask the operator of this service for a higher limit. With `destination`, generate a new report with another number. With `protection`, try later. The message says whether codes that were already sent still work.',
  },
  'internal-error': {
    status: 500,
    meaning: 'A fault on our side. Quote the requestId when you report it.',
    remedy:
      'Send the request again, with the same Idempotency-Key if it had one. If it happens again, tell the operator of this service the `requestId`.',
  },
  'service-unavailable': {
    status: 503,
    meaning: 'The service cannot do this now; try again after Retry-After.',
    remedy:
      'Wait for the seconds in `Retry-After` and send the same request again, with the same Idempotency-Key if it had one. If the body has a `creditReportId`, the request may have started a report: read it by this id. If it has an `erasureId`, an erasure may have begun, which finishes by itself: ask the operator of this service for its receipt.',
  },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof ERRORS;

/** The address of the code's documentation page. */
export const errorDocs = (baseUrl: string, code: ErrorCode) => `${baseUrl}/docs/errors/${code}`;

export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[];

/** The last kind is the cap across all companies: the error shows neither its usage nor when it resets. */
export const SMS_LIMIT_KINDS = [
  'challenge',
  'company-number',
  'company-day',
  'company-minute',
  'destination',
  'protection',
] as const;
export type SmsLimitKind = (typeof SMS_LIMIT_KINDS)[number];

export const SmsLimit = Type.Object(
  {
    kind: oneOf(SMS_LIMIT_KINDS, {
      description:
        "`challenge`: the challenge has used its three messages. `company-number`: your company has used up its messages or wrong codes for this number in 24 hours. `company-day`, `company-minute`: your company's budget of messages for the day or minute (UTC). `destination`: a number that your company's settings do not allow. `protection`: a limit over all companies that protects the number.",
    }),
    resetsAt: orNull(Instant('When the limit allows messages again.'), {
      description: 'Null where waiting does not help, and with `protection`.',
    }),
  },
  { description: 'On sms-limit-reached: the limit that was reached.' },
);
export type SmsLimit = Static<typeof SmsLimit>;

export const ErrorDetail = Type.Object({
  path: Type.String({
    description: 'JSON pointer into the request body; /headers/… for a header, /query/… for a query parameter.',
  }),
  message: Type.String({ description: 'What is wrong there and what would be right.' }),
});

/** Never in an envelope: this object is the whole error body (Interface, "Errors"). */
export const ErrorBody = Type.Object({
  code: Type.Union(
    ERROR_CODES.map((code) => Type.Literal(code)),
    { description: 'What went wrong, for programs: one of these codes. `/docs/errors` has a page about each.' },
  ),
  message: Type.String({ description: 'A sentence for a developer: what happened and what to do.' }),
  requestId: Type.String({ description: 'The same value as the X-Request-Id response header.' }),
  docs: Type.String({ description: 'The address of a page about the code: what it means and what to do.' }),
  details: Type.Optional(Type.Array(ErrorDetail, { description: 'On validation-error: the faults, up to 100.' })),
  required: Type.Optional(Type.Integer({ description: 'On 402: credits the operation needs.' })),
  available: Type.Optional(Type.Integer({ description: 'On 402: credits not held or spent.' })),
  wouldEnd: Type.Optional(MemberEndings),
  wouldErase: Type.Optional(RetentionEffect),
  limit: Type.Optional(SmsLimit),
  creditReportId: Type.Optional(
    Type.String({
      description:
        'On service-unavailable, when the request may have started a report: read it by this id, or send the request again with its Idempotency-Key.',
    }),
  ),
  erasureId: Type.Optional(
    Type.String({
      description:
        'On service-unavailable, when the request may have begun an erasure, which finishes by itself: the operator of this service has its receipt by this id.',
    }),
  ),
});

/** The fields that a code adds to its body. */
export type ErrorFields = Partial<
  Pick<Static<typeof ErrorBody>, 'required' | 'available' | 'wouldEnd' | 'wouldErase' | 'limit'>
>;

const EXTRAS: Partial<Record<ErrorCode, object>> = {
  'validation-error': {
    details: [{ path: '/dateOfBirth', message: 'Use a real date as YYYY-MM-DD, aged 18 to 120.' }],
  },
  'insufficient-funds': { required: 840, available: 120 },
  'insufficient-credits': { required: 840, available: 0 },
  'sms-limit-reached': { limit: { kind: 'challenge', resetsAt: null } },
};

/** An error body with this code, for the API reference and the code's documentation page. */
export function errorExample(code: ErrorCode, baseUrl = 'https://trefoil.example.com') {
  return {
    code,
    message: ERRORS[code].meaning,
    requestId: '01998a3e-7c10-7b11-8c22-3d4e5f607182',
    docs: errorDocs(baseUrl, code),
    ...EXTRAS[code],
  };
}
