// Walks a chain row by row and says what was done to it. Hashes decide whether there is damage; what kind it was is found
// by trying which undamaged chain the rows could come from (docs/decisions/0135). Pure: hashing is handed in.
import type { AuditRow } from './chain.ts';

export type Damage = 'deleted' | 'edited' | 'reordered' | 'inserted' | 'truncated';
export type Finding = {
  readonly kind: Damage;
  /** The first place that is concerned, as the rows are numbered now. */
  readonly seq: number;
  readonly message: string;
};
export type StoredRow = AuditRow & { readonly hash: string };
export type HashOf = (row: AuditRow, previousHash: string) => string;
export type Head = { readonly seq: number; readonly hash: string };
/** Where a chain once stood, as it was written down elsewhere. */
export type Anchor = Head;

export const FIRST_HASH = '0'.repeat(64);
/** Rows looked at on either side of a break, to tell what it is. */
const REACH = 256;
/** Nobody reads further; and a chain rewritten throughout must not take days. */
export const FINDINGS_MAX = 100;

const rowsInWords = (from: number, to: number) => (from === to ? `row ${from}` : `rows ${from} to ${to}`);

export interface ChainCheck {
  /** Rows in the order of their places. */
  add(rows: readonly StoredRow[]): void;
  /** After the last row. */
  end(head: Head | undefined): readonly Finding[];
  readonly isFull: boolean;
}

export function createChainCheck(hashOf: HashOf, anchors: readonly Anchor[]): ChainCheck {
  const findings: Finding[] = [];
  /** Rows not judged yet, and rows that were found out of their place. */
  const queue: StoredRow[] = [];
  const aside: StoredRow[] = [];
  /** The last rows that were taken: hash by hash, to see that rows came between. */
  const past: string[] = [FIRST_HASH];
  let place = 0;
  let lastStored = 0;
  /** By how much rows are numbered higher now than when they were written. */
  let shift = 0;

  const report = (kind: Damage, seq: number, message: string) => findings.push({ kind, seq, message });
  const previous = () => past.at(-1) ?? FIRST_HASH;
  const fits = (row: StoredRow, seq: number, before: string) => hashOf({ ...row, seq }, before) === row.hash;

  function take(row: StoredRow, at: number, hash = row.hash): void {
    place = at;
    lastStored = Math.max(lastStored, row.seq);
    past.push(hash);
    if (past.length > 2 * REACH) past.splice(0, REACH);
    for (const anchor of anchors) {
      if (anchor.seq !== at || anchor.hash === hash) continue;
      report('edited', row.seq, `row ${row.seq} is not the row that was anchored: the chain was rewritten`);
    }
  }

  /** Whether the row once followed one of those that come later, or the one that belongs here. */
  function belongsLater(row: StoredRow, here: StoredRow): boolean {
    if (fits(row, place + 2, here.hash)) return true;
    return queue
      .slice(1, REACH)
      .some((other) => [0, 1, 2].some((step) => fits(row, other.seq - shift + step, other.hash)));
  }

  /** A row further on belongs here: the one that stands here was moved, or was never written by us. */
  function findMoved(first: StoredRow): boolean {
    const at = queue.slice(0, REACH).findIndex((row, index) => index > 0 && fits(row, place + 1, previous()));
    const row = queue[at];
    if (at < 1 || !row) return false;
    if (belongsLater(first, row)) {
      report('reordered', first.seq, `${rowsInWords(first.seq, row.seq)} are not in their order`);
      queue.splice(at, 1);
      aside.push(...queue.splice(0, 1));
    } else {
      report('inserted', first.seq, `${rowsInWords(first.seq, first.seq + at - 1)} came in later`);
      queue.splice(0, at + 1);
      shift += at;
    }
    take(row, place + 1);
    return true;
  }

  /** Contents exchanged, hashes left where they were. */
  function findExchanged(first: StoredRow): boolean {
    const at = queue
      .slice(0, REACH)
      .findIndex((row, index) => index > 0 && fits({ ...row, hash: first.hash }, place + 1, previous()));
    const other = queue[at];
    if (at < 1 || !other) return false;
    report('reordered', first.seq, `${rowsInWords(first.seq, other.seq)} are not in their order`);
    queue[0] = { ...other, seq: first.seq, hash: first.hash };
    queue[at] = { ...first, seq: other.seq, hash: other.hash };
    return true;
  }

  /** The row follows one we took a while ago: whatever lies between was put there, with hashes that fit. */
  function findIntruders(first: StoredRow): boolean {
    for (let count = 1; count < Math.min(past.length, REACH); count += 1) {
      const seq = place + 1 - count;
      if (!fits(first, seq, past.at(-1 - count) ?? '')) continue;
      report('inserted', first.seq - count, `${rowsInWords(first.seq - count, first.seq - 1)} came in later`);
      shift += count;
      past.splice(-count);
      queue.shift();
      take(first, seq);
      return true;
    }
    return false;
  }

  /** The row after it was once numbered higher: rows were taken out and the rest moved up. */
  function findClosedGap(first: StoredRow): boolean {
    const next = queue[1];
    if (!next) return false;
    for (let count = 1; count <= REACH; count += 1) {
      if (!fits(next, next.seq - shift + count, first.hash)) continue;
      report('deleted', first.seq, `${count} ${count === 1 ? 'row is' : 'rows are'} missing before row ${first.seq}`);
      shift -= count;
      queue.shift();
      take(first, place + 1 + count);
      return true;
    }
    return false;
  }

  function judgeEdited(first: StoredRow): void {
    const { seq } = first;
    const next = queue[1];
    queue.shift();
    const right = hashOf({ ...first, seq: place + 1 }, previous());
    if (next && fits(next, place + 2, right)) {
      report('edited', seq, `the hash of row ${seq} was changed`);
      take(first, place + 1, right);
      return;
    }
    const before = place > 0 ? `, or row ${seq - 1} together with its hash` : '';
    report('edited', seq, `row ${seq} was changed${before}`);
    take(first, place + 1);
  }

  /** A row found out of its place earlier has its place here. */
  function takeAside(): boolean {
    const at = aside.findIndex((row) => fits(row, place + 1, previous()));
    const [row] = at < 0 ? [] : aside.splice(at, 1);
    if (row) take(row, place + 1);
    return row !== undefined;
  }

  function judgeNext(first: StoredRow): void {
    if (takeAside()) return;
    const own = first.seq - shift;
    if (own > place + 1 && aside.length === 0) {
      const from = place + 1 + shift;
      report('deleted', from, `${rowsInWords(from, first.seq - 1)} ${own === place + 2 ? 'is' : 'are'} missing`);
      queue.shift();
      // Its link cannot be checked: what it was chained to is gone.
      take(first, own);
      return;
    }
    if (fits(first, place + 1, previous())) {
      queue.shift();
      take(first, place + 1);
      return;
    }
    if (findMoved(first) || findExchanged(first) || findIntruders(first) || findClosedGap(first)) return;
    judgeEdited(first);
  }

  function judge(leave: number): void {
    while (queue.length > leave && findings.length < FINDINGS_MAX) {
      const [first] = queue;
      if (first) judgeNext(first);
    }
  }

  function judgeHead(head: Head | undefined): void {
    if (!head) {
      if (place > 0) report('truncated', lastStored, 'the head of the chain is missing');
      return;
    }
    const isEnd = head.seq === place || head.seq === lastStored;
    if (isEnd && head.hash === previous()) return;
    if (head.seq > Math.max(place, lastStored)) {
      const from = lastStored + 1;
      report(
        'truncated',
        from,
        `${rowsInWords(from, head.seq)} ${from === head.seq ? 'is' : 'are'} missing at the end`,
      );
    } else if (isEnd) {
      report('edited', lastStored, `the head does not fit row ${lastStored}: one of them was changed`);
    } else {
      // What is wrong with rows that should not be there at all is no news of its own.
      const kept = findings.filter(({ seq }) => seq <= head.seq);
      findings.splice(0, findings.length, ...kept);
      report('inserted', head.seq + 1, `${rowsInWords(head.seq + 1, lastStored)} came in behind the head`);
    }
  }

  return {
    get isFull() {
      return findings.length >= FINDINGS_MAX;
    },
    add(rows) {
      queue.push(...rows);
      judge(REACH);
    },
    end(head) {
      judge(0);
      while (takeAside());
      if (findings.length >= FINDINGS_MAX) return findings;
      for (const row of aside.splice(0)) lastStored = Math.max(lastStored, row.seq);
      judgeHead(head);
      for (const { seq } of anchors.filter((anchor) => anchor.seq > place)) {
        report('truncated', place + 1, `the chain ended at row ${seq} once, and ends before it now`);
      }
      return findings;
    },
  };
}
