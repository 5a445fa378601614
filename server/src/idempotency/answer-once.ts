// One request, one effect: the same key with the same request gets the first answer again (docs/decisions/0056).
// Only 200s are kept, and only as a reference without personal data; the feature renders the answer from it.
import { ServiceError } from '../lib/errors.ts';
import type { KeyedHash } from '../lib/keyed-hash.ts';
import type { Tx } from '../lib/sql.ts';
import { identify, type KeyedRequest, requestInProgress } from './identify.ts';
import { deleteKeys, getKey, insertKey, lockKey, updateAnswer, updateReportOfKey } from './store.ts';

/** What an operation came to: an answer to keep, or a refusal that must be committed before it is thrown. */
export type Settled<Reference, Result> =
  | {
      readonly kind: 'answered';
      readonly creditReportId: string;
      readonly reference: Reference;
      readonly result: Result;
    }
  /** The answer comes later, from whoever settles the report (`keepAnswers`); until then the key is in progress. */
  | { readonly kind: 'deferred'; readonly creditReportId: string; readonly result: Result }
  | { readonly kind: 'refused'; readonly refusal: ServiceError };

export type Once<Reference, Result> =
  | Settled<Reference, Result>
  | { readonly kind: 'replayed'; readonly reference: Reference };

export async function answerOnce<Reference extends object, Result>(
  tx: Tx,
  hash: KeyedHash,
  request: KeyedRequest | undefined,
  work: () => Promise<Settled<Reference, Result>>,
): Promise<Once<Reference, Result>> {
  if (!request) return work();
  const { scope, fingerprint } = identify(hash, request);
  // Refused and not made to wait: a waiting request would hold a connection for as long as the first one runs.
  if (!(await lockKey(tx, scope))) throw requestInProgress();
  if (!(await insertKey(tx, scope, fingerprint))) {
    const kept = await getKey(tx, scope);
    if (!kept.fingerprint.equals(fingerprint)) throw new ServiceError('idempotency-key-reused');
    if (kept.answer === null) throw requestInProgress();
    return { kind: 'replayed', reference: kept.answer as Reference };
  }
  const settled = await work();
  // A refusal is not kept: the client may correct its request and use the key again.
  if (settled.kind === 'refused') await deleteKeys(tx, [scope]);
  else if (settled.kind === 'deferred') await updateReportOfKey(tx, scope, settled.creditReportId);
  else await updateAnswer(tx, scope, settled.creditReportId, settled.reference);
  return settled;
}
