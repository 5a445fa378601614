// Keys of operations that span two transactions: claimed with the first, answered with the second. Many at a time, since
// many requests share a transaction.
import type { Tx } from '../lib/sql.ts';
import { insertKeys, type KeyScope, listKeys, type NewKey, takeVoidKeys } from './store.ts';

export { identify, type KeyedRequest, requestInProgress } from './identify.ts';
export {
  deleteKeys as releaseKeys,
  type NewKey,
  updateAnswersOfReports as keepAnswers,
} from './store.ts';

export type Claim =
  | { readonly kind: 'claimed' }
  | { readonly kind: 'replayed'; readonly reference: object }
  | { readonly kind: 'in-progress' }
  | { readonly kind: 'reused' };

const nameOf = ({ tenantId, callerId, route, keyHash }: KeyScope) =>
  `${tenantId}/${callerId}/${route}/${keyHash.toString('base64')}`;

/** One claim per key, in their order. Of the same key twice in one list, the later one finds it in progress. */
export async function claimKeys(tx: Tx, keys: readonly NewKey[]): Promise<Claim[]> {
  if (keys.length === 0) return [];
  const firstOf = new Map<string, NewKey>();
  for (const key of keys) if (!firstOf.has(nameOf(key))) firstOf.set(nameOf(key), key);
  const claimed = new Set((await insertKeys(tx, [...firstOf.values()])).map(nameOf));
  const taken = [...firstOf].filter(([name]) => !claimed.has(name)).map(([, key]) => key);
  const kept = new Map((taken.length > 0 ? await listKeys(tx, taken) : []).map((row) => [nameOf(row), row]));
  const outlived = taken.filter((key) => kept.get(nameOf(key))?.isVoid);
  if (outlived.length > 0) for (const key of await takeVoidKeys(tx, outlived)) claimed.add(nameOf(key));
  return keys.map((key): Claim => {
    const name = nameOf(key);
    if (firstOf.get(name) === key && claimed.has(name)) return { kind: 'claimed' };
    const first = firstOf.get(name);
    const row = kept.get(name);
    const fingerprint = row?.fingerprint ?? first?.fingerprint;
    if (!fingerprint?.equals(key.fingerprint)) return { kind: 'reused' };
    // Ours already: an earlier attempt of this very request was committed although its connection broke.
    if (row && row.creditReportId === key.creditReportId) return { kind: 'claimed' };
    // A void row that somebody else has just taken over is theirs by now.
    return row?.answer && !row.isVoid ? { kind: 'replayed', reference: row.answer } : { kind: 'in-progress' };
  });
}
