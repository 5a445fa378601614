// An expected refusal. The code decides the HTTP status through the contract's table. The sentence is for the client;
// the cause is for us and is never sent.
import { ERRORS, type ErrorCode, type ErrorFields } from '@trefoil/contract';

export type Fault = { readonly path: string; readonly message: string };

export type ServiceErrorOptions = {
  readonly cause?: unknown;
  readonly details?: readonly Fault[];
  readonly retryAfterSeconds?: number;
  /** Extra body fields of this code, as the contract defines them. */
  readonly fields?: ErrorFields;
  readonly headers?: Readonly<Record<string, string>>;
};

export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly details: readonly Fault[] | undefined;
  readonly fields: ErrorFields;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, sentence: string = ERRORS[code].meaning, options: ServiceErrorOptions = {}) {
    super(sentence, { cause: options.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.details = options.details;
    this.fields = options.fields ?? {};
    this.headers = {
      ...options.headers,
      ...(options.retryAfterSeconds !== undefined && { 'retry-after': String(options.retryAfterSeconds) }),
    };
  }
}

const BUSY_RETRY_SECONDS = 1;
const LATE_RETRY_SECONDS = 5;

/** We lack capacity: the client may send the same request again. */
export function busy(): ServiceError {
  return new ServiceError(
    'service-unavailable',
    'The service is busy. Send the same request again after Retry-After.',
    {
      retryAfterSeconds: BUSY_RETRY_SECONDS,
    },
  );
}

/** The request has reached its deadline. */
export function tooLate(): ServiceError {
  return new ServiceError(
    'service-unavailable',
    'The request did not finish in time. Send it again, with the same Idempotency-Key if it had one. A creditReportId in this body names the report that the request started, and an erasureId the erasure.',
    { retryAfterSeconds: LATE_RETRY_SECONDS },
  );
}

/** Ends a switch over a union: an unhandled new member does not compile. */
export function unreachable(value: never): never {
  throw new Error(`unhandled case ${JSON.stringify(value)}`);
}
