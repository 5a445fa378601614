// What identifies a request with an Idempotency-Key: the owner of the key, and what makes two requests the same.

import type { RingHash } from '../lib/crypto/hash-ring.ts';
import { ServiceError } from '../lib/errors.ts';
import { canonicalJson } from './rules/canonical-json.ts';
import type { KeyRow } from './store.ts';

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

/**
 * The key's row under each key of the ring. Every one of them is claimed, so that of two nodes with a hash key in common only
 * one gets the idempotency key, whichever key their rings begin with (docs/decisions/0260-the-hash-key-is-a-ring.md).
 */
export type IdentifiedKey = readonly [KeyRow, ...KeyRow[]];

export function identify(hash: RingHash, request: KeyedRequest): IdentifiedKey {
  const { tenantId, callerId, route } = request;
  const body = canonicalJson(request.body);
  if (body === undefined) {
    throw new ServiceError('validation-error', 'The body is nested too deeply.', {
      details: [{ path: '', message: 'With an Idempotency-Key, nest at most 64 levels.' }],
    });
  }
  const fingerprints = hash.every('request', request.method, request.path, body);
  const rows = hash.every('key', request.key).map((keyHash, place) => {
    const fingerprint = fingerprints[place] ?? fingerprints[0];
    return { tenantId, callerId, route, keyHash, fingerprint };
  });
  return rows as [KeyRow, ...KeyRow[]];
}
