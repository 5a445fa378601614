// The responses of an operation in the OpenAPI document: headers, contents and examples by status.
import { ERROR_CODES, ERRORS, ErrorBody, type ErrorCode, errorExample } from './errors.ts';
import type { Examples } from './examples.ts';
import type { Operation } from './operation.ts';

type Json = Record<string, unknown>;

export const json = (schema: unknown, examples: Examples): Json => ({ 'application/json': { schema, examples } });

const header = (description: string, type = 'string'): Json => ({ description, schema: { type } });

const REQUEST_ID = { 'X-Request-Id': header('The id of this request; quote it when you ask about it.') };
const RATE = {
  RateLimit: header(
    '`r`: requests that the tenant may make at once now. `t`: seconds until the whole quota is free again.',
  ),
  'RateLimit-Policy': header(
    '`q`: the most requests that the tenant may make at once. `w`: seconds in which that many become free again, so `q` ÷ `w` is the lasting rate.',
  ),
};
const RETRY_AFTER = { 'Retry-After': header('Seconds to wait before trying again.', 'integer') };

/** The headers of a response by its status, besides the request id that every response has. */
function headersOf(status: number, operation: Operation): Json {
  if (status === 200) {
    const replayed = { 'Idempotent-Replayed': header('`true` when this is the stored answer of an earlier request.') };
    const more = {
      Link: header('On CSV only: rel="next" holds the address of the next file, if older lines may follow.'),
    };
    return { ...REQUEST_ID, ...RATE, ...(operation.idempotent && replayed), ...(operation.csvExamples && more) };
  }
  if (status === 401 || status === 403) {
    return { ...REQUEST_ID, 'WWW-Authenticate': header('What the token lacks (RFC 6750).') };
  }
  return [409, 429, 503].includes(status) ? { ...REQUEST_ID, ...RETRY_AFTER } : REQUEST_ID;
}

/** Error codes that any operation can return. */
function commonErrors(operation: Operation): ErrorCode[] {
  const codes: ErrorCode[] = ['unauthorized', 'forbidden', 'rate-limited', 'internal-error', 'service-unavailable'];
  if (operation.body) codes.push('validation-error', 'unsupported-media-type', 'payload-too-large');
  if (operation.query) codes.push('validation-error');
  if (operation.path.startsWith('/:tenantId/')) codes.push('second-factor-required');
  if (operation.needsStepUp) codes.push('step-up-required');
  if (operation.idempotent) codes.push('request-in-progress', 'idempotency-key-reused');
  return codes;
}

type Fields = { readonly properties?: Readonly<Record<string, unknown>>; readonly required?: readonly string[] };

/** A validation fault that this operation can have. The catalogue's own example is about the generate request. */
function faultOf({ body, query }: Operation): { path: string; message: string } | undefined {
  const { properties: fields = {}, required = [] } = (body ?? {}) as Fields;
  if ('dateOfBirth' in fields) return undefined;
  const [missing] = required;
  if (missing !== undefined) return { path: `/${missing}`, message: 'This field is required.' };
  const [field] = Object.keys(fields);
  if (field !== undefined) return { path: `/${field}`, message: 'This value is not valid.' };
  const [parameter = ''] = Object.keys((query as Fields | undefined)?.properties ?? {});
  return { path: `/query/${parameter}`, message: 'Send this parameter only once.' };
}

function exampleOf(operation: Operation, code: ErrorCode): Json {
  const fault = code === 'validation-error' ? faultOf(operation) : undefined;
  return { ...errorExample(code), ...(fault && { details: [fault] }) };
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
          content: json(
            ErrorBody,
            Object.fromEntries(group.map((code) => [code, { summary: code, value: exampleOf(operation, code) }])),
          ),
        },
      ]),
  );
}

/** A file has no schema beyond its type; the first media type has the operation's examples. */
function contentOf({ response, responseExamples, csvExamples, mediaTypes }: Operation): Json {
  if (mediaTypes) {
    return Object.fromEntries(
      mediaTypes.map((mediaType, place) => [
        mediaType,
        place === 0
          ? { schema: response, examples: responseExamples }
          : { schema: { type: 'string', contentMediaType: mediaType } },
      ]),
    );
  }
  return {
    ...json(response, responseExamples),
    ...(csvExamples && { 'text/csv': { schema: { type: 'string' }, examples: csvExamples } }),
  };
}

export function responsesOf(operation: Operation): Json {
  return {
    '200': {
      description: 'Done.',
      headers: headersOf(200, operation),
      content: contentOf(operation),
    },
    ...errorResponses(operation),
  };
}
