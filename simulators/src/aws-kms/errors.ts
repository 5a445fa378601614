// The errors of AWS KMS as its wire writes them: a name under `__type` and, mostly, a sentence.
import { randomUUID } from 'node:crypto';
import type { Reply } from '../wire.ts';

/** Those that the reference lists with another status than 400. */
const STATUSES: Readonly<Record<string, number>> = {
  DependencyTimeoutException: 500,
  KMSInternalException: 500,
  KeyUnavailableException: 500,
  InternalFailure: 500,
  ServiceUnavailableException: 503,
};

export class KmsError extends Error {
  readonly type: string;

  constructor(type: string, message = '') {
    super(message);
    this.type = type;
  }

  reply(): Reply {
    // AWS writes this one key of this one error with a capital letter.
    const name = this.type === 'AccessDeniedException' ? 'Message' : 'message';
    return written(STATUSES[this.type] ?? 400, {
      __type: this.type,
      ...(this.message !== '' && { [name]: this.message }),
    });
  }
}

/** An action without a result answers with an empty body. */
export const written = (status: number, result: object | null): Reply => ({
  status,
  headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amzn-requestid': randomUUID() },
  body: result === null ? '' : JSON.stringify(result),
});

export const invalid = (field: string, value: unknown, constraint: string) =>
  new KmsError(
    'ValidationException',
    `1 validation error detected: Value ${value === undefined ? 'null' : `'${String(value)}'`} at '${field}' failed to satisfy constraint: ${constraint}`,
  );
