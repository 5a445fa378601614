// One step of the check of an audit chain. `findStep` examines the first waiting row and returns the step; it changes
// nothing. It tries which change to an undamaged chain would give these rows (docs/decisions/0135-audit-log.md). `takeStep`
// then reports the damage, if there is any, and moves the rows.
import {
  accept,
  acceptFirst,
  fits,
  fitsHere,
  lastHash,
  REACH,
  report,
  rowsInWords,
  type StoredRow,
  type Walk,
} from './chain-walk.ts';

/** `at` is an index in the waiting rows or, with `from-aside`, in the rows put aside; `count` is a number of rows. */
type Step =
  // No damage, or damage that was reported before.
  | { readonly kind: 'in-order' }
  | { readonly kind: 'from-aside'; readonly at: number; readonly row: StoredRow }
  // Rows are missing. Either their numbers are missing too, or the later rows were renumbered.
  | { readonly kind: 'gap'; readonly own: number }
  | { readonly kind: 'closed-gap'; readonly count: number }
  // A later row belongs here. Either the first row was moved, or the service did not append the rows before `at`.
  | { readonly kind: 'moved'; readonly at: number; readonly row: StoredRow }
  | { readonly kind: 'inserted'; readonly at: number; readonly row: StoredRow }
  // The contents of two rows were exchanged, but not their hashes.
  | { readonly kind: 'exchanged'; readonly at: number; readonly other: StoredRow }
  // The service did not append the last accepted rows, although their hashes fit.
  | { readonly kind: 'intruders'; readonly count: number }
  // The row was changed: only its hash, or a field that the hash covers.
  | { readonly kind: 'hash-edited'; readonly right: string }
  | { readonly kind: 'edited' };

type FromAside = Extract<Step, { kind: 'from-aside' }>;

/** Finds a row that was put aside and belongs here. */
function findAside(walk: Walk): FromAside | undefined {
  const at = walk.aside.findIndex((row) => fitsHere(walk, row));
  const row = walk.aside[at];
  return row && { kind: 'from-aside', at, row };
}

/** Whether the row was appended after one of the later rows, or after the row that belongs here. */
function belongsLater(walk: Walk, row: StoredRow, here: StoredRow): boolean {
  if (fits(walk, row, walk.place + 2, here.hash)) return true;
  return walk.waiting
    .slice(1, REACH)
    .some((other) => [0, 1, 2].some((distance) => fits(walk, row, other.seq - walk.shift + distance, other.hash)));
}

function findFurtherOn(walk: Walk, first: StoredRow): Step | undefined {
  const at = walk.waiting.slice(0, REACH).findIndex((row, index) => index > 0 && fitsHere(walk, row));
  const row = walk.waiting[at];
  if (at < 1 || !row) return undefined;
  return { kind: belongsLater(walk, first, row) ? 'moved' : 'inserted', at, row };
}

function findExchanged(walk: Walk, first: StoredRow): Step | undefined {
  const at = walk.waiting
    .slice(0, REACH)
    .findIndex((row, index) => index > 0 && fitsHere(walk, { ...row, hash: first.hash }));
  const other = walk.waiting[at];
  return at < 1 || !other ? undefined : { kind: 'exchanged', at, other };
}

/** The row was appended directly after an earlier accepted row, so the rows between were inserted. */
function findIntruders(walk: Walk, first: StoredRow): Step | undefined {
  const { accepted, place } = walk;
  for (let count = 1; count < Math.min(accepted.length, REACH); count += 1) {
    if (fits(walk, first, place + 1 - count, accepted.at(-1 - count) ?? '')) return { kind: 'intruders', count };
  }
  return undefined;
}

/** The next row had a higher number when it was appended, so rows before it were removed. */
function findClosedGap(walk: Walk, first: StoredRow): Step | undefined {
  const next = walk.waiting[1];
  if (!next) return undefined;
  for (let count = 1; count <= REACH; count += 1) {
    if (fits(walk, next, next.seq - walk.shift + count, first.hash)) return { kind: 'closed-gap', count };
  }
  return undefined;
}

function findEdited(walk: Walk, first: StoredRow): Step {
  const next = walk.waiting[1];
  const right = walk.hashOf({ ...first, seq: walk.place + 1 }, lastHash(walk));
  return next && fits(walk, next, walk.place + 2, right) ? { kind: 'hash-edited', right } : { kind: 'edited' };
}

function findStep(walk: Walk, first: StoredRow): Step {
  const fromAside = findAside(walk);
  if (fromAside) return fromAside;
  const own = first.seq - walk.shift;
  if (own > walk.place + 1 && walk.aside.length === 0) return { kind: 'gap', own };
  if (fitsHere(walk, first)) return { kind: 'in-order' };
  return (
    findFurtherOn(walk, first) ??
    findExchanged(walk, first) ??
    findIntruders(walk, first) ??
    findClosedGap(walk, first) ??
    findEdited(walk, first)
  );
}

function reportStep(walk: Walk, { seq }: StoredRow, step: Step): void {
  switch (step.kind) {
    case 'in-order':
    case 'from-aside':
      return;
    case 'gap': {
      const from = walk.place + 1 + walk.shift;
      const verb = step.own === walk.place + 2 ? 'is' : 'are';
      report(walk, 'deleted', from, `${rowsInWords(from, seq - 1)} ${verb} missing`);
      return;
    }
    case 'closed-gap': {
      const rows = step.count === 1 ? 'row is' : 'rows are';
      report(walk, 'deleted', seq, `${step.count} ${rows} missing before row ${seq}`);
      return;
    }
    case 'moved':
      report(walk, 'reordered', seq, `${rowsInWords(seq, step.row.seq)} are not in their order`);
      return;
    case 'exchanged':
      report(walk, 'reordered', seq, `${rowsInWords(seq, step.other.seq)} are not in their order`);
      return;
    case 'inserted':
      report(walk, 'inserted', seq, `${rowsInWords(seq, seq + step.at - 1)} came in later`);
      return;
    case 'intruders':
      report(walk, 'inserted', seq - step.count, `${rowsInWords(seq - step.count, seq - 1)} came in later`);
      return;
    case 'hash-edited':
      report(walk, 'edited', seq, `the hash of row ${seq} was changed`);
      return;
    case 'edited': {
      const before = walk.place > 0 ? `, or row ${seq - 1} together with its hash` : '';
      report(walk, 'edited', seq, `row ${seq} was changed${before}`);
      return;
    }
  }
}

function acceptAside(walk: Walk, { at, row }: FromAside): void {
  walk.aside.splice(at, 1);
  accept(walk, row, walk.place + 1);
}

function moveRows(walk: Walk, first: StoredRow, step: Step): void {
  const { waiting, aside, accepted } = walk;
  const next = walk.place + 1;
  switch (step.kind) {
    case 'from-aside':
      acceptAside(walk, step);
      return;
    case 'gap':
      // Its hash cannot be checked, because the row before it is missing.
      acceptFirst(walk, first, step.own);
      return;
    case 'closed-gap':
      walk.shift -= step.count;
      acceptFirst(walk, first, next + step.count);
      return;
    case 'moved':
      waiting.splice(step.at, 1);
      aside.push(...waiting.splice(0, 1));
      accept(walk, step.row, next);
      return;
    case 'inserted':
      waiting.splice(0, step.at + 1);
      walk.shift += step.at;
      accept(walk, step.row, next);
      return;
    case 'exchanged':
      // Undoes the exchange; the next step then accepts the first row.
      waiting[0] = { ...step.other, seq: first.seq, hash: first.hash };
      waiting[step.at] = { ...first, seq: step.other.seq, hash: step.other.hash };
      return;
    case 'intruders':
      accepted.splice(-step.count);
      walk.shift += step.count;
      acceptFirst(walk, first, next - step.count);
      return;
    case 'hash-edited':
      acceptFirst(walk, first, next, step.right);
      return;
    case 'in-order':
    case 'edited':
      acceptFirst(walk, first, next);
      return;
  }
}

/** Examines the first waiting row, or a row that was put aside and belongs before it. */
export function takeStep(walk: Walk, first: StoredRow): void {
  const step = findStep(walk, first);
  reportStep(walk, first, step);
  moveRows(walk, first, step);
}

/** Call it after the last row, until it returns false: it accepts a row that was put aside and belongs here. */
export function takeAside(walk: Walk): boolean {
  const step = findAside(walk);
  if (step) acceptAside(walk, step);
  return step !== undefined;
}
