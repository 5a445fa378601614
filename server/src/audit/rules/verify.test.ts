// Every kind of damage is found and named, at the beginning, in the middle and at the end of a chain.
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type AuditRow, linkText } from './chain.ts';
import { type Anchor, createChainCheck, FINDINGS_MAX, FIRST_HASH, type Head, type StoredRow } from './verify.ts';

const hashOf = (row: AuditRow, previousHash: string) =>
  createHash('sha256')
    .update(linkText(row, Buffer.from(previousHash, 'hex')))
    .digest('hex');

const fresh = (seq: number, actor = `actor-${seq}`): AuditRow => ({
  tenantId: '01890000-0000-7000-8000-000000000001',
  seq,
  actor,
  action: 'report.read',
  subjectId: '01890000-0000-7000-8000-000000000002',
  details: '{"status":"complete"}',
  occurredAt: '2026-06-01T09:14:22.100Z',
});

function link(row: AuditRow, previousHash: string): StoredRow {
  return { ...row, hash: hashOf(row, previousHash) };
}

function build(length: number): StoredRow[] {
  const chain: StoredRow[] = [];
  for (let seq = 1; seq <= length; seq += 1) chain.push(link(fresh(seq), chain.at(-1)?.hash ?? FIRST_HASH));
  return chain;
}

const LENGTH = 30;
const chain = build(LENGTH);
const row = (seq: number) => chain[seq - 1] as StoredRow;
const head: Head = { seq: LENGTH, hash: row(LENGTH).hash };
const hashBefore = (seq: number) => (seq === 1 ? FIRST_HASH : row(seq - 1).hash);
const renumber = (rows: readonly StoredRow[]) => rows.map((each, index) => ({ ...each, seq: index + 1 }));
const without = (from: number, count = 1) => chain.toSpliced(from - 1, count);

function check(rows: readonly StoredRow[], end: Head = head, anchors: readonly Anchor[] = []) {
  const checking = createChainCheck(hashOf, anchors);
  // In small batches, so that some breaks lie across the border of two batches.
  for (let at = 0; at < rows.length; at += 7) checking.add(rows.slice(at, at + 7));
  return checking.end(end);
}

const FIRST = 1;
const MIDDLE = 15;
const LAST = LENGTH;

test.each([0, 1, 2, 700])('a clean chain of %d rows gives no alarm', (length) => {
  const clean = build(length);
  const last = clean.at(-1);
  expect(check(clean, last ?? { seq: 0, hash: FIRST_HASH }, last ? [last] : [])).toEqual([]);
});

describe.each([FIRST, MIDDLE, LAST - 1])('row %d', (seq) => {
  test('deleted', () => {
    expect(check(without(seq))).toMatchObject([{ kind: 'deleted', seq }]);
  });
  test('deleted with its neighbours', () => {
    expect(check(without(seq, 3)).map(({ kind }) => kind)).toEqual([seq === LAST - 1 ? 'truncated' : 'deleted']);
  });
  test('deleted, and the rest numbered anew', () => {
    const [first] = check(renumber(without(seq)));
    expect(first).toMatchObject(seq === LAST - 1 ? { kind: 'edited', seq } : { kind: 'deleted', seq });
  });
});

describe.each([FIRST, MIDDLE, LAST])('row %d', (seq) => {
  const edits: Partial<StoredRow>[] = [
    { actor: 'system' },
    { action: 'report.listed' },
    { details: '{"status": "complete"}' },
    { occurredAt: '2026-06-01T09:14:22.1001Z' },
    { subjectId: '01890000-0000-7000-8000-000000000009' },
  ];
  test.each(edits)('edited: %j', (edit) => {
    expect(check(chain.with(seq - 1, { ...row(seq), ...edit }))).toMatchObject([{ kind: 'edited', seq }]);
  });
  test('its hash edited', () => {
    const [finding, ...rest] = check(chain.with(seq - 1, { ...row(seq), hash: 'a'.repeat(64) }));
    expect(finding).toMatchObject({ kind: 'edited', seq });
    expect(rest.map(({ kind }) => kind)).toEqual(seq === LAST ? ['edited'] : []);
  });
  test('edited together with its hash', () => {
    const forged = link({ ...row(seq), actor: 'system' }, hashBefore(seq));
    const findings = check(chain.with(seq - 1, forged));
    // The break shows at the next row; for the last row, the head does not fit.
    expect(findings).toMatchObject([{ kind: 'edited', seq: seq === LAST ? seq : seq + 1 }]);
    expect(findings[0]?.message).toContain(`row ${seq}`);
  });
  test('inserted before it, and the rest numbered anew', () => {
    const planted = { ...fresh(seq, 'planted'), hash: 'b'.repeat(64) };
    expect(check(renumber(chain.toSpliced(seq - 1, 0, planted)))).toMatchObject([{ kind: 'inserted', seq }]);
  });
  test('inserted before it with a hash that fits', () => {
    const planted = link(fresh(seq, 'planted'), hashBefore(seq));
    expect(check(renumber(chain.toSpliced(seq - 1, 0, planted)))).toMatchObject([{ kind: 'inserted', seq }]);
  });
  test('inserted before it, and the head moved on by one', () => {
    const planted = link(fresh(seq, 'planted'), hashBefore(seq));
    const findings = check(renumber(chain.toSpliced(seq - 1, 0, planted)), { ...head, seq: LENGTH + 1 });
    expect(findings).toMatchObject([{ kind: 'inserted', seq }]);
  });
});

describe.each([
  [1, 2],
  [15, 16],
  [29, 30],
  [3, 21],
  [1, 30],
])('rows %d and %d', (one, other) => {
  const swapped = () => {
    const rows = [...chain];
    rows[one - 1] = { ...row(other), seq: one };
    rows[other - 1] = { ...row(one), seq: other };
    return rows;
  };
  test('exchanged', () => {
    expect(check(swapped())).toMatchObject([{ kind: 'reordered', seq: one }]);
  });
  test('exchanged, their hashes left in place', () => {
    const rows = swapped();
    rows[one - 1] = { ...(rows[one - 1] as StoredRow), hash: row(one).hash };
    rows[other - 1] = { ...(rows[other - 1] as StoredRow), hash: row(other).hash };
    expect(check(rows)).toMatchObject([{ kind: 'reordered', seq: one }]);
  });
});

test('a row moved back or forward: reordered', () => {
  const moved = (from: number, to: number) => {
    const rows = [...chain];
    const [taken] = rows.splice(from - 1, 1);
    rows.splice(to - 1, 0, taken as StoredRow);
    return renumber(rows);
  };
  expect(check(moved(5, 9)).map(({ kind }) => kind)).toContain('reordered');
  expect(check(moved(9, 5)).map(({ kind }) => kind)).toContain('reordered');
});

describe.each([1, 2, 15, 30])('%d rows cut off the end', (count) => {
  const rest = chain.slice(0, LENGTH - count);
  const last = rest.at(-1);
  const forged = last ? { seq: last.seq, hash: last.hash } : { seq: 0, hash: FIRST_HASH };
  test('truncated: the head shows it', () => {
    expect(check(rest)).toMatchObject([{ kind: 'truncated', seq: LENGTH - count + 1 }]);
  });
  test('with a forged head only an anchor shows it', () => {
    expect(check(rest, forged)).toEqual([]);
    expect(check(rest, forged, [head])).toMatchObject([{ kind: 'truncated', seq: LENGTH - count + 1 }]);
  });
});

test('rows behind the head: inserted', () => {
  const planted = link(fresh(LENGTH + 1, 'planted'), head.hash);
  for (const hash of [planted.hash, 'b'.repeat(64)]) {
    expect(check([...chain, { ...planted, hash }])).toMatchObject([{ kind: 'inserted', seq: LENGTH + 1 }]);
  }
});

test('no head: truncated', () => {
  const checking = createChainCheck(hashOf, []);
  checking.add(chain);
  expect(checking.end(undefined)).toMatchObject([{ kind: 'truncated' }]);
});

test('a chain rewritten from a row on, with every hash and the head: an anchor shows it', () => {
  const rewritten: StoredRow[] = chain.slice(0, 9);
  for (let seq = 10; seq <= LENGTH; seq += 1) {
    rewritten.push(link(seq === 10 ? fresh(seq, 'planted') : fresh(seq), rewritten.at(-1)?.hash ?? FIRST_HASH));
  }
  const end = rewritten.at(-1) as StoredRow;
  expect(check(rewritten, { seq: end.seq, hash: end.hash })).toEqual([]);
  expect(check(rewritten, { seq: end.seq, hash: end.hash }, [row(20)])).toMatchObject([{ kind: 'edited', seq: 20 }]);
  expect(check(rewritten, { seq: end.seq, hash: end.hash }, [row(9)])).toEqual([]);
});

test('two damages far apart are both found', () => {
  const rows = chain.with(4, { ...row(5), actor: 'system' }).toSpliced(19, 1);
  expect(check(rows)).toMatchObject([
    { kind: 'edited', seq: 5 },
    { kind: 'deleted', seq: 20 },
  ]);
});

test('in a chain with every row edited the check stops after a hundred findings', () => {
  const long = build(400).map((each) => ({ ...each, actor: 'system' }));
  expect(check(long)).toHaveLength(FINDINGS_MAX);
});
