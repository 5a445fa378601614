// The closed catalogue of error codes: every code a client can meet, its HTTP status and a default sentence.
// This table alone knows the status of a code. Interface, "Errors"; docs/decisions/0008.
import { Type } from 'typebox';

type CatalogueEntry = { readonly status: number; readonly meaning: string };

export const ERRORS = {
  'validation-error': {
    status: 400,
    meaning: 'Fields of the request are missing or invalid; `details` lists every fault.',
  },
  unauthorized: { status: 401, meaning: 'The access token is missing, invalid or expired.' },
  'insufficient-funds': { status: 402, meaning: 'The wallet cannot cover the operation. Nothing was charged.' },
  forbidden: { status: 403, meaning: 'The token does not give access to this tenant or operation.' },
  'step-up-required': {
    status: 403,
    meaning:
      'This needs a second factor proved in the last ten minutes: sign in again with /v1/auth/login?stepUp=true.',
  },
  'credit-report-not-found': { status: 404, meaning: 'No credit report with this id.' },
  'challenge-not-found': { status: 404, meaning: 'No challenge with this id belongs to the report.' },
  'not-found': { status: 404, meaning: 'Nothing is at this address.' },
  'method-not-allowed': { status: 405, meaning: 'The address exists but not with this method; see the Allow header.' },
  conflict: { status: 409, meaning: 'The request does not fit what is there; the message says why.' },
  'challenge-closed': { status: 409, meaning: 'The challenge has ended and takes no more codes or messages.' },
  'request-in-progress': { status: 409, meaning: 'The same request is still running; try again after Retry-After.' },
  'challenge-expired': {
    status: 410,
    meaning: 'More than five minutes passed since the last message; generate again.',
  },
  'credit-report-purged': { status: 410, meaning: 'The report was kept for its retention time and then erased.' },
  'payload-too-large': { status: 413, meaning: 'The request body or its headers are too large.' },
  'unsupported-media-type': { status: 415, meaning: 'Send the body as application/json, uncompressed.' },
  'idempotency-key-reused': { status: 422, meaning: 'This Idempotency-Key was used for a different request.' },
  'rate-limited': { status: 429, meaning: 'Too many requests; wait for Retry-After seconds.' },
  'sms-limit-reached': { status: 429, meaning: 'The challenge has used all its messages; generate again.' },
  'internal-error': { status: 500, meaning: 'A fault on our side. Quote the requestId when you report it.' },
  'service-unavailable': { status: 503, meaning: 'The service cannot do this now; try again after Retry-After.' },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof ERRORS;

export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[];

export const ErrorDetail = Type.Object({
  path: Type.String({
    description: 'JSON pointer into the request body; /headers/… for a header, /query/… for a query parameter.',
  }),
  message: Type.String({ description: 'What is wrong there and what would be right.' }),
});

/** Never enveloped: the body of an error is this object itself (Interface, "Errors"). */
export const ErrorBody = Type.Object({
  code: Type.Union(
    ERROR_CODES.map((code) => Type.Literal(code)),
    { description: 'One code of the closed catalogue.' },
  ),
  message: Type.String({ description: 'A sentence for a developer: what happened and what to do.' }),
  requestId: Type.String({ description: 'The same value as the X-Request-Id response header.' }),
  details: Type.Optional(Type.Array(ErrorDetail, { description: 'On validation-error: every fault found.' })),
  required: Type.Optional(Type.Integer({ description: 'On insufficient-funds: credits the operation needs.' })),
  available: Type.Optional(Type.Integer({ description: 'On insufficient-funds: credits not held or spent.' })),
});
