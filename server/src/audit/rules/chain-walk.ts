// The state of a check of an audit chain. A row that was read is WAITING. It is then ACCEPTED, put ASIDE until the check
// reaches its place, or DROPPED because the service did not append it. chain-step.ts decides which.
import type { AuditRow } from './chain.ts';

export type Damage = 'deleted' | 'edited' | 'reordered' | 'inserted' | 'truncated';
export type Finding = {
  readonly kind: Damage;
  /** The present number of the first damaged row. */
  readonly seq: number;
  readonly message: string;
};
export type StoredRow = AuditRow & { readonly hash: string };
export type HashOf = (row: AuditRow, previousHash: string) => string;
export type Head = { readonly seq: number; readonly hash: string };
/** The end of a chain at an earlier time, recorded outside the database. */
export type Anchor = Head;

export const FIRST_HASH = '0'.repeat(64);
/** How many rows before and after a break are examined to determine the kind of damage. */
export const REACH = 256;
/** An operator does not read more. Without this limit, the check of a completely rewritten chain would take days. */
export const FINDINGS_MAX = 100;

export type Walk = {
  readonly hashOf: HashOf;
  readonly anchors: readonly Anchor[];
  readonly findings: Finding[];
  /** Rows to judge, in the order of their present numbers. */
  readonly waiting: StoredRow[];
  /** Rows that were found before the place where they belong. */
  readonly aside: StoredRow[];
  /** Hashes of the last accepted rows, oldest first. With them the check finds rows that were inserted among them. */
  readonly accepted: string[];
  /** The number that the last accepted row had when it was appended. */
  place: number;
  /** The highest present number of an accepted row. */
  lastStored: number;
  /** The present number of a row minus its number when it was appended. */
  shift: number;
};

export function startWalk(hashOf: HashOf, anchors: readonly Anchor[]): Walk {
  return {
    hashOf,
    anchors,
    findings: [],
    waiting: [],
    aside: [],
    accepted: [FIRST_HASH],
    place: 0,
    lastStored: 0,
    shift: 0,
  };
}

export const isFull = ({ findings }: Walk) => findings.length >= FINDINGS_MAX;
export const lastHash = ({ accepted }: Walk) => accepted.at(-1) ?? FIRST_HASH;

/** Whether the row was appended with this number, after a row with the hash `before`. */
export function fits({ hashOf }: Walk, row: StoredRow, seq: number, before: string): boolean {
  return hashOf({ ...row, seq }, before) === row.hash;
}

/** Whether the row is the next one of the undamaged chain. */
export const fitsHere = (walk: Walk, row: StoredRow) => fits(walk, row, walk.place + 1, lastHash(walk));

export function report({ findings }: Walk, kind: Damage, seq: number, message: string): void {
  findings.push({ kind, seq, message });
}

export const rowsInWords = (from: number, to: number) => (from === to ? `row ${from}` : `rows ${from} to ${to}`);

/** `at` is the row's number when it was appended; `hash` is the hash it should have. */
export function accept(walk: Walk, row: StoredRow, at: number, hash = row.hash): void {
  walk.place = at;
  walk.lastStored = Math.max(walk.lastStored, row.seq);
  walk.accepted.push(hash);
  if (walk.accepted.length > 2 * REACH) walk.accepted.splice(0, REACH);
  for (const anchor of walk.anchors) {
    if (anchor.seq !== at || anchor.hash === hash) continue;
    report(walk, 'edited', row.seq, `row ${row.seq} is not the row that was anchored: the chain was rewritten`);
  }
}

/** Accepts the first waiting row. */
export function acceptFirst(walk: Walk, first: StoredRow, at: number, hash = first.hash): void {
  walk.waiting.shift();
  accept(walk, first, at, hash);
}
