// One request, one effect: the same key with the same request returns the first answer again
// (docs/decisions/0056-idempotency.md). Only 200s are stored, and only as a reference without personal data; the feature
// renders the answer from it.

import type { RingHash } from '../lib/crypto/hash-ring.ts';
import { ServiceError } from '../lib/errors.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { identify, type KeyedRequest, requestInProgress } from './identify.ts';
import { deleteKeys, insertKey, type KeyRow, listKeys, lockKey, updateAnswer, updateSubjectOfKey } from './store.ts';

/** The outcome of an operation: an answer to store, or a refusal that must be committed before it is thrown. */
export type KeyedOutcome<Reference, Result> =
  | {
      readonly kind: 'answered';
      readonly subjectId: string;
      readonly reference: Reference;
      readonly result: Result;
    }
  /** The transaction that settles the subject stores the answer later (`keepAnswers`); until then the key is in progress. */
  | { readonly kind: 'deferred'; readonly subjectId: string; readonly result: Result }
  | { readonly kind: 'refused'; readonly refusal: ServiceError };

export type Once<Reference, Result> =
  | KeyedOutcome<Reference, Result>
  | { readonly kind: 'replayed'; readonly reference: Reference };

export async function answerOnce<Reference extends object, Result>(
  tx: Tx,
  hash: RingHash,
  request: KeyedRequest | undefined,
  work: () => Promise<KeyedOutcome<Reference, Result>>,
): Promise<Once<Reference, Result>> {
  if (!request) return work();
  const key = identify(hash, request);
  // Refused instead of waiting: a waiting request would hold a connection for as long as the first one runs.
  if (!(await lockKey(tx, key))) throw requestInProgress();
  const ours = await insertKey(tx, key);
  if (ours.length < key.length) {
    const isOurs = ({ keyHash }: KeyRow) => ours.some((row) => row.keyHash.equals(keyHash));
    const found = await listKeys(
      tx,
      key.filter((row) => !isOurs(row)),
    );
    if (found.length === 0) throw new Error('a locked idempotency key no longer exists');
    const kept = found.find(({ isVoid }) => isVoid === false);
    // The row has just become void, or that is not known yet: a retry a second later finds out.
    if (!kept) throw requestInProgress();
    const asked = key.find(({ keyHash }) => keyHash.equals(kept.keyHash));
    if (!asked?.fingerprint.equals(kept.fingerprint)) throw new ServiceError('idempotency-key-reused');
    if (kept.answer === null) throw requestInProgress();
    // All rows of a key or none: the key is another request's.
    await deleteKeys(tx, key.filter(isOurs));
    return { kind: 'replayed', reference: kept.answer as Reference };
  }
  const settled = await work();
  // A refusal is not stored: the client may correct its request and use the key again.
  if (settled.kind === 'refused') await deleteKeys(tx, key);
  else if (settled.kind === 'deferred') await updateSubjectOfKey(tx, key, settled.subjectId);
  else await updateAnswer(tx, key, settled.subjectId, settled.reference);
  return settled;
}
