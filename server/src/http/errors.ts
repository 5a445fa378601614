// From any error to the published error body. The contract's table alone decides the status; what is not expected
// becomes a 500 (or a 503 when the database cannot be reached) that says nothing of its cause.
import { ERRORS } from '@trefoil/contract';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../lib/errors.ts';
import { describeError, type Log } from '../lib/log.ts';
import { isUnavailable } from '../lib/unavailable.ts';

const RETRY_AFTER_SECONDS = 2;

export function notJson(): ServiceError {
  return new ServiceError('validation-error', 'The body is not valid JSON.', {
    details: [{ path: '', message: 'Send one JSON object, encoded as UTF-8.' }],
  });
}

/** The framework's own refusals in the catalogue's words. */
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

export function errorBody(error: ServiceError, requestId: string) {
  return {
    code: error.code,
    message: error.message,
    requestId,
    ...(error.details && { details: error.details }),
    ...(error.required !== undefined && { required: error.required }),
    ...(error.available !== undefined && { available: error.available }),
  };
}

export function createErrorHandler(log: Log) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const refusal = toServiceError(error);
    const { status } = ERRORS[refusal.code];
    if (status >= 500 && refusal.cause) {
      log.error('request failed', {
        requestId: request.id,
        route: request.routeOptions.url,
        code: refusal.code,
        ...describeError(refusal.cause),
      });
    }
    return reply.code(status).headers(refusal.headers).send(errorBody(refusal, request.id));
  };
}
