// The stored answer of a request whose subject another transaction settled. It only reads: the settlement may have
// freed the key, and a claim would take it over.
import type { RingHash } from '../lib/crypto/hash-ring.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { identify, type KeyedRequest, requestInProgress } from './identify.ts';
import { listKeys } from './store.ts';

/** Undefined when the key no longer belongs to this subject: it was free, and another request has taken it over. */
export async function findAnswer(
  tx: Tx,
  hash: RingHash,
  request: KeyedRequest,
  subjectId: string,
): Promise<object | undefined> {
  const found = await listKeys(tx, identify(hash, request));
  const kept = found.find((row) => row.subjectId === subjectId);
  if (!kept) return undefined;
  if (kept.answer === null) throw requestInProgress();
  return kept.answer;
}
