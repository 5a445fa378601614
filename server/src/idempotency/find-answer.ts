// The stored answer of a request whose subject another transaction settled. It only reads: the settlement may have
// freed the key, and a claim would take it over.
import type { KeyedHash } from '../lib/crypto/keyed-hash.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { identify, type KeyedRequest, requestInProgress } from './identify.ts';
import { listKeys } from './store.ts';

/** Undefined when the key no longer belongs to this subject: it was free, and another request has taken it over. */
export async function findAnswer(
  tx: Tx,
  hash: KeyedHash,
  request: KeyedRequest,
  subjectId: string,
): Promise<object | undefined> {
  const [kept] = await listKeys(tx, [identify(hash, request).scope]);
  if (kept?.subjectId !== subjectId) return undefined;
  if (kept.answer === null) throw requestInProgress();
  return kept.answer;
}
