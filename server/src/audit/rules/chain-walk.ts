// Where the check of an audit chain stands. A row that was read is WAITING; it is then ACCEPTED, put ASIDE until the walk
// reaches its place, or DROPPED because the service never appended it. chain-step.ts says which.
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
/** Rows looked at on either side of a break, to name the damage. */
export const REACH = 256;
/** Nobody reads further; and a chain rewritten throughout must not take days. */
export const FINDINGS_MAX = 100;

export type Walk = {
  readonly hashOf: HashOf;
  readonly anchors: readonly Anchor[];
  readonly findings: Finding[];
  /** Rows to judge, in the order of their present numbers. */
  readonly waiting: StoredRow[];
  /** Rows that stood before their place. */
  readonly aside: StoredRow[];
  /** Hashes of the last accepted rows, oldest first: they show that rows came between. */
  readonly accepted: string[];
  /** The number of the last accepted row when it was appended. */
  place: number;
  /** The highest present number of an accepted row. */
  lastStored: number;
  /** By how much rows are numbered higher now than when they were appended. */
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

/** Whether the row was appended with this number, behind the row with that hash. */
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

/** The first waiting row is judged. */
export function acceptFirst(walk: Walk, first: StoredRow, at: number, hash = first.hash): void {
  walk.waiting.shift();
  accept(walk, first, at, hash);
}
