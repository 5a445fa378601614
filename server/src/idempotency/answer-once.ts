// One request, one effect: the same key with the same request gets the first answer again (docs/decisions/0056).
// Only 200s are kept, and only as a reference without personal data; the feature renders the answer from it.
import { ServiceError } from '../lib/errors.ts';
import type { KeyedHash } from '../lib/keyed-hash.ts';
import type { Tx } from '../lib/sql.ts';
import { canonicalJson } from './rules/canonical-json.ts';
import { deleteKey, getKey, insertKey, lockKey, updateAnswer } from './store.ts';

/** A request as the key sees it: whose it is, and what makes it the same request. */
export type KeyedRequest = {
  readonly tenantId: string;
  readonly callerId: string;
  readonly route: string;
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
};

/** What an operation came to: an answer to keep, or a refusal that must be committed before it is thrown. */
export type Settled<Reference, Result> =
  | {
      readonly kind: 'answered';
      readonly creditReportId: string;
      readonly reference: Reference;
      readonly result: Result;
    }
  | { readonly kind: 'refused'; readonly refusal: ServiceError };

export type Once<Reference, Result> =
  | Settled<Reference, Result>
  | { readonly kind: 'replayed'; readonly reference: Reference };

const IN_PROGRESS_RETRY_SECONDS = 1;

export async function answerOnce<Reference extends object, Result>(
  tx: Tx,
  hash: KeyedHash,
  request: KeyedRequest | undefined,
  work: () => Promise<Settled<Reference, Result>>,
): Promise<Once<Reference, Result>> {
  if (!request) return work();
  const { tenantId, callerId, route } = request;
  const scope = { tenantId, callerId, route, keyHash: hash('key', request.key) };
  const body = canonicalJson(request.body);
  if (body === undefined) {
    throw new ServiceError('validation-error', 'The body is nested too deeply.', {
      details: [{ path: '', message: 'With an Idempotency-Key, nest at most 64 levels.' }],
    });
  }
  const fingerprint = hash('request', request.method, request.path, body);
  // Refused and not made to wait: a waiting request would hold a connection for as long as the first one runs.
  if (!(await lockKey(tx, scope))) {
    throw new ServiceError('request-in-progress', undefined, { retryAfterSeconds: IN_PROGRESS_RETRY_SECONDS });
  }
  if (!(await insertKey(tx, scope, fingerprint))) {
    const kept = await getKey(tx, scope);
    if (!kept.fingerprint.equals(fingerprint)) throw new ServiceError('idempotency-key-reused');
    return { kind: 'replayed', reference: kept.answer as Reference };
  }
  const settled = await work();
  // A refusal is not kept: the client may correct its request and use the key again.
  if (settled.kind === 'refused') await deleteKey(tx, scope);
  else await updateAnswer(tx, scope, settled.creditReportId, settled.reference);
  return settled;
}
