// What identifies a request with an Idempotency-Key: the owner of the key, and what makes two requests the same.

import type { KeyedHash } from '../lib/crypto/keyed-hash.ts';
import { ServiceError } from '../lib/errors.ts';
import { canonicalJson } from './rules/canonical-json.ts';
import type { KeyScope } from './store.ts';

/** The parts of a request that its key covers. */
export type KeyedRequest = {
  readonly tenantId: string;
  readonly callerId: string;
  readonly route: string;
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
};

const IN_PROGRESS_RETRY_SECONDS = 1;

export function requestInProgress(): ServiceError {
  return new ServiceError('request-in-progress', undefined, { retryAfterSeconds: IN_PROGRESS_RETRY_SECONDS });
}

export function identify(hash: KeyedHash, request: KeyedRequest): { scope: KeyScope; fingerprint: Buffer } {
  const { tenantId, callerId, route } = request;
  const body = canonicalJson(request.body);
  if (body === undefined) {
    throw new ServiceError('validation-error', 'The body is nested too deeply.', {
      details: [{ path: '', message: 'With an Idempotency-Key, nest at most 64 levels.' }],
    });
  }
  return {
    scope: { tenantId, callerId, route, keyHash: hash('key', request.key) },
    fingerprint: hash('request', request.method, request.path, body),
  };
}
