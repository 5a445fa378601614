// An expected refusal. The code decides the HTTP status through the contract's table; the sentence is for the client,
// the cause for us and never for the wire.
import { ERRORS, type ErrorCode } from '@trefoil/contract';

export type Fault = { readonly path: string; readonly message: string };

export type ServiceErrorOptions = {
  readonly cause?: unknown;
  readonly details?: readonly Fault[];
  readonly retryAfterSeconds?: number;
  /** With insufficient-funds: credits the operation needs, and credits neither held nor spent. */
  readonly required?: number;
  readonly available?: number;
  readonly headers?: Readonly<Record<string, string>>;
};

export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly details: readonly Fault[] | undefined;
  readonly required: number | undefined;
  readonly available: number | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, sentence: string = ERRORS[code].meaning, options: ServiceErrorOptions = {}) {
    super(sentence, { cause: options.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.details = options.details;
    this.required = options.required;
    this.available = options.available;
    this.headers = {
      ...options.headers,
      ...(options.retryAfterSeconds !== undefined && { 'retry-after': String(options.retryAfterSeconds) }),
    };
  }
}

/** Ends a switch over a union: a new member that is not handled does not compile. */
export function unreachable(value: never): never {
  throw new Error(`unhandled case ${JSON.stringify(value)}`);
}
