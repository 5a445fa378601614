// Keys of operations that span two transactions: claimed with the first, answered with the second. Takes lists, since
// many requests share a transaction. A key has a row under each key of the hash ring and is claimed with all of them or not
// at all (docs/decisions/0260-the-hash-key-is-a-ring.md).
import type { Tx } from '../lib/postgres/sql.ts';
import type { IdentifiedKey } from './identify.ts';
import {
  deleteKeys,
  insertKeys,
  type KeptKey,
  type KeyScope,
  listKeys,
  type NewKeyRow,
  takeVoidKeys,
} from './store.ts';

export { type IdentifiedKey, identify, type KeyedRequest, requestInProgress } from './identify.ts';
export { updateAnswersOfSubjects as keepAnswers } from './store.ts';

/** With the subject that the request is about to create. */
export type NewKey = { readonly rows: IdentifiedKey; readonly subjectId: string };

export type Claim =
  | { readonly kind: 'claimed' }
  | { readonly kind: 'replayed'; readonly reference: object }
  | { readonly kind: 'in-progress' }
  | { readonly kind: 'reused' };

const nameOf = ({ tenantId, callerId, route, keyHash }: KeyScope) =>
  `${tenantId}/${callerId}/${route}/${keyHash.toString('base64')}`;

const nameOfKey = ({ rows: [first] }: NewKey) => nameOf(first);

const rowsOf = ({ rows, subjectId }: NewKey): NewKeyRow[] => rows.map((row) => ({ ...row, subjectId }));

/** The claim on a key that we did not get, from its current row. */
function judgeKept(row: KeptKey, key: NewKeyRow): Claim {
  if (!row.fingerprint.equals(key.fingerprint)) return { kind: 'reused' };
  // Already ours: an earlier attempt of this request was committed although its connection broke.
  if (row.subjectId === key.subjectId) return { kind: 'claimed' };
  return row.answer ? { kind: 'replayed', reference: row.answer } : { kind: 'in-progress' };
}

async function findRows(tx: Tx, rows: readonly KeyScope[]): Promise<Map<string, KeptKey>> {
  return new Map((rows.length > 0 ? await listKeys(tx, rows) : []).map((row) => [nameOf(row), row]));
}

/** What a transaction has of the keys it wants: rows that it inserted or took over, and those of others. */
function openClaims() {
  const ours = new Set<string>();
  const kept = new Map<string, KeptKey>();
  const isOurRow = (row: KeyScope) => ours.has(nameOf(row));
  return {
    add(rows: readonly KeyScope[]): void {
      for (const row of rows) ours.add(nameOf(row));
    },
    note(rows: ReadonlyMap<string, KeptKey>): void {
      for (const [name, row] of rows) kept.set(name, row);
    },
    isOurs: (key: NewKey) => key.rows.every(isOurRow),
    ourRows: (key: NewKey) => rowsOf(key).filter(isOurRow),
    otherRows: (key: NewKey) => rowsOf(key).filter((row) => !isOurRow(row)),
    /** Whether no row of another request is in the way. */
    isFree: (key: NewKey) => key.rows.every((row) => isOurRow(row) || kept.get(nameOf(row))?.isVoid === true),
    judge(key: NewKey): Claim {
      for (const row of rowsOf(key)) {
        const found = isOurRow(row) ? undefined : kept.get(nameOf(row));
        // Of a key that a node with a smaller ring took over, only the rows under that ring are of the new request. The
        // others stay void.
        if (found?.isVoid === false) return judgeKept(found, row);
      }
      // The rows are gone, void again, or not known to be void yet: a retry a second later finds out.
      return { kind: 'in-progress' };
    },
  };
}

/** One claim per key, in order. If a list has a key twice, the later one finds it in progress. */
export async function claimKeys(tx: Tx, keys: readonly NewKey[]): Promise<Claim[]> {
  if (keys.length === 0) return [];
  const firstOf = new Map<string, NewKey>();
  for (const key of keys) if (!firstOf.has(nameOfKey(key))) firstOf.set(nameOfKey(key), key);
  const claims = openClaims();
  claims.add(await insertKeys(tx, [...firstOf.values()].flatMap(rowsOf)));
  const left = [...firstOf.values()].filter((key) => !claims.isOurs(key));
  claims.note(await findRows(tx, left.flatMap(claims.otherRows)));
  const free = left.filter(claims.isFree);
  if (free.length > 0) {
    claims.add(await takeVoidKeys(tx, free.flatMap(claims.otherRows)));
    // Another transaction was faster: from now on its request is the one to compare with.
    const lost = free.filter((key) => !claims.isOurs(key));
    claims.note(await findRows(tx, lost.flatMap(claims.otherRows)));
  }
  // All rows or none: what we have of a key that is another request's must not outlive this transaction.
  await deleteKeys(tx, left.filter((key) => !claims.isOurs(key)).flatMap(claims.ourRows));
  return keys.map((key): Claim => {
    const first = firstOf.get(nameOfKey(key));
    if (!first || !claims.isOurs(first)) return claims.judge(key);
    if (first === key) return { kind: 'claimed' };
    return first.rows[0].fingerprint.equals(key.rows[0].fingerprint) ? { kind: 'in-progress' } : { kind: 'reused' };
  });
}

/** Frees keys that this transaction claimed. */
export async function releaseKeys(tx: Tx, keys: readonly NewKey[]): Promise<void> {
  await deleteKeys(
    tx,
    keys.flatMap(({ rows }) => rows),
  );
}
