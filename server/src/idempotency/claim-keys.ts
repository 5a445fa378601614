// Keys of operations that span two transactions: claimed with the first, answered with the second. Takes lists, since
// many requests share a transaction.
import type { Tx } from '../lib/postgres/sql.ts';
import { insertKeys, type KeptKey, type KeyScope, listKeys, type NewKey, takeVoidKeys } from './store.ts';

export { identify, type KeyedRequest, requestInProgress } from './identify.ts';
export {
  deleteKeys as releaseKeys,
  type NewKey,
  updateAnswersOfSubjects as keepAnswers,
} from './store.ts';

export type Claim =
  | { readonly kind: 'claimed' }
  | { readonly kind: 'replayed'; readonly reference: object }
  | { readonly kind: 'in-progress' }
  | { readonly kind: 'reused' };

const nameOf = ({ tenantId, callerId, route, keyHash }: KeyScope) =>
  `${tenantId}/${callerId}/${route}/${keyHash.toString('base64')}`;

/** The claim on a key that we did not get, from its current row. */
function judgeKept(row: KeptKey | undefined, key: NewKey): Claim {
  // The row is gone, void again, or not known to be void yet: a retry a second later finds out.
  if (row?.isVoid !== false) return { kind: 'in-progress' };
  if (!row.fingerprint.equals(key.fingerprint)) return { kind: 'reused' };
  // Already ours: an earlier attempt of this request was committed although its connection broke.
  if (row.subjectId === key.subjectId) return { kind: 'claimed' };
  return row.answer ? { kind: 'replayed', reference: row.answer } : { kind: 'in-progress' };
}

async function findRows(tx: Tx, keys: readonly NewKey[]): Promise<Map<string, KeptKey>> {
  return new Map((keys.length > 0 ? await listKeys(tx, keys) : []).map((row) => [nameOf(row), row]));
}

/** One claim per key, in order. If a list has a key twice, the later one finds it in progress. */
export async function claimKeys(tx: Tx, keys: readonly NewKey[]): Promise<Claim[]> {
  if (keys.length === 0) return [];
  const firstOf = new Map<string, NewKey>();
  for (const key of keys) if (!firstOf.has(nameOf(key))) firstOf.set(nameOf(key), key);
  const claimed = new Set((await insertKeys(tx, [...firstOf.values()])).map(nameOf));
  const left = [...firstOf.values()].filter((key) => !claimed.has(nameOf(key)));
  const kept = await findRows(tx, left);
  const free = left.filter((key) => kept.get(nameOf(key))?.isVoid);
  if (free.length > 0) {
    for (const key of await takeVoidKeys(tx, free)) claimed.add(nameOf(key));
    // Another transaction was faster: from now on its request is the one to compare with.
    const lost = free.filter((key) => !claimed.has(nameOf(key)));
    for (const [name, row] of await findRows(tx, lost)) kept.set(name, row);
  }
  return keys.map((key): Claim => {
    const name = nameOf(key);
    const first = firstOf.get(name);
    if (!first || !claimed.has(name)) return judgeKept(kept.get(name), key);
    if (first === key) return { kind: 'claimed' };
    return first.fingerprint.equals(key.fingerprint) ? { kind: 'in-progress' } : { kind: 'reused' };
  });
}
