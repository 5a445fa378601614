// Turns any error into the published error body. Only the contract's table decides the status; an unexpected error
// becomes a 500 (or a 503 when the database cannot be reached) that does not reveal its cause.
import { ERRORS, errorDocs } from '@trefoil/contract';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../lib/errors.ts';
import { describeError, type Log } from '../lib/log.ts';
import { isUnavailable } from '../lib/postgres/unavailable.ts';
import { traceFields } from '../lib/traces/span.ts';

const RETRY_AFTER_SECONDS = 2;

export function notJson(): ServiceError {
  return new ServiceError('validation-error', 'The body is not valid JSON.', {
    details: [{ path: '', message: 'Send one JSON object, encoded as UTF-8.' }],
  });
}

export function noBody(): ServiceError {
  return new ServiceError('validation-error', 'The request has no body.', {
    details: [{ path: '', message: 'Send a JSON object as the body, with Content-Type: application/json.' }],
  });
}

/** The framework's own errors as codes of the catalogue. */
function fromFramework(error: FastifyError): ServiceError | undefined {
  switch (error.code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ServiceError('unsupported-media-type');
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ServiceError('payload-too-large');
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new ServiceError('not-found');
    default:
      return error.statusCode === 400 ? notJson() : undefined;
  }
}

export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (!(error instanceof Error)) return new ServiceError('internal-error', undefined, { cause: error });
  const refusal = fromFramework(error as FastifyError);
  if (refusal) return refusal;
  return isUnavailable(error)
    ? new ServiceError('service-unavailable', undefined, { cause: error, retryAfterSeconds: RETRY_AFTER_SECONDS })
    : new ServiceError('internal-error', undefined, { cause: error });
}

type RefusedRequest = {
  readonly requestId: string;
  readonly baseUrl: string;
  /** What the request may have begun before it failed. */
  readonly begun?: Readonly<Record<string, string>> | undefined;
};

export function errorBody(error: ServiceError, { requestId, baseUrl, begun }: RefusedRequest) {
  return {
    code: error.code,
    message: error.message,
    requestId,
    docs: errorDocs(baseUrl, error.code),
    ...(error.details && { details: error.details }),
    ...error.fields,
    ...(error.code === 'service-unavailable' && begun),
  };
}

export function createErrorHandler({ log, baseUrl }: { readonly log: Log; readonly baseUrl: string }) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const refusal = toServiceError(error);
    const { status } = ERRORS[refusal.code];
    if (status >= 500 && refusal.cause) {
      log.error('request failed', {
        requestId: request.id,
        route: request.routeOptions.url,
        code: refusal.code,
        ...traceFields(request.scope?.span),
        ...describeError(refusal.cause),
      });
    }
    return reply
      .code(status)
      .headers(refusal.headers)
      .send(errorBody(refusal, { requestId: request.id, baseUrl, begun: request.scope?.begun }));
  };
}
