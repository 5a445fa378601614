// Selects the pairs of rows that are worth comparing. Up to a usual file's size, all of them; beyond, only rows that
// share a value or start next to each other, so that the work grows with the rows and not with their square. It reads
// columns of numbers and never the rows themselves.
import type { Columns } from './match-rows.ts';

/** Up to this many rows, every pair is compared. */
export const ALL_PAIRS_MAX = 200;
/** For each shared value, a row is compared with this many of the rows that follow it in order of start. */
const WINDOW = 8;
/** How many rows before and after it, in order of start, a row outside any circle is compared with. */
const REACH = 1_000;

export type Visit = (a: number, b: number) => void;
/** The rows of one circle, in order of start: `from` inclusive, `to` exclusive. */
export type Circle = { readonly from: number; readonly to: number };

export function visitAllPairs(rowCount: number, visit: Visit): void {
  for (let a = 0; a < rowCount; a += 1) for (let b = a + 1; b < rowCount; b += 1) visit(a, b);
}

/** Visits every circle in order. Rows outside any circle come first in canonical order and are skipped. */
export function visitCircles({ circle }: Columns, visitCircle: (circle: Circle) => void): void {
  for (let from = 0, to = 0; from < circle.length; from = to) {
    for (to = from + 1; to < circle.length && circle[to] === circle[from]; ) to += 1;
    if (circle[from] !== 0) visitCircle({ from, to });
  }
}

/** Whether `late` starts near enough to `early`, which starts no later, to be compared with it. */
const isNear = ({ startDay, lastDay }: Columns, early: number, late: number) =>
  (startDay[late] as number) <= (lastDay[early] as number);

/** Two rows of one bureau with two start days are two agreements. */
const areTwo = ({ bureau, startDay, isMonth }: Columns, a: number, b: number) =>
  bureau[a] === bureau[b] && startDay[a] !== startDay[b] && isMonth[a] === 0 && isMonth[b] === 0;

const isShared = (column: Int32Array, a: number, b: number) => column[a] !== 0 && column[a] === column[b];
const shareSomething = ({ tail, amount, payment }: Columns, a: number, b: number) =>
  isShared(tail, a, b) || isShared(amount, a, b) || isShared(payment, a, b);

/** The rows of one key as a chain, the last added first. A table of numbers: a Map of lists costs far more. */
class Chains {
  readonly #keys: Int32Array;
  readonly #heads: Int32Array;
  readonly #next: Int32Array;
  #last = 0;

  constructor(keys: Int32Array) {
    this.#keys = keys;
    this.#heads = new Int32Array(2 << Math.ceil(Math.log2(keys.length + 1)));
    this.#next = new Int32Array(keys.length);
  }

  /** Empties the table and sizes it for this many rows. */
  clear(rowCount: number): void {
    this.#last = (2 << Math.ceil(Math.log2(rowCount + 1))) - 1;
    this.#heads.fill(-1, 0, this.#last + 1);
  }

  /** Puts a row at the head of its chain and returns the previous head, or -1. */
  add(row: number): number {
    const key = this.#keys[row] as number;
    if (key === 0) return -1;
    let slot = (Math.imul(key, 0x9e3779b1) >>> 7) & this.#last;
    let head = this.#heads[slot] as number;
    while (head !== -1 && this.#keys[head] !== key) {
      slot = (slot + 1) & this.#last;
      head = this.#heads[slot] as number;
    }
    this.#heads[slot] = row;
    this.#next[row] = head;
    return head;
  }

  next(row: number): number {
    return this.#next[row] as number;
  }
}

/** Visits the pairs of a circle that share a number, an amount or a payment. */
export function createSharingSearch(columns: Columns, visit: Visit): (circle: Circle) => void {
  const things = [columns.tail, columns.amount, columns.payment].map((keys) => new Chains(keys));
  const visitedBy = new Int32Array(columns.circle.length).fill(-1);
  return ({ from, to }) => {
    for (const chains of things) chains.clear(to - from);
    // From the latest start backwards, so that the first rows in a chain are those that start soonest after this one.
    for (let a = to - 1; a >= from; a -= 1) {
      for (const chains of things) {
        let b = chains.add(a);
        for (let count = 0; count < WINDOW && b !== -1 && isNear(columns, a, b); count += 1) {
          if (visitedBy[b] !== a && !areTwo(columns, a, b)) {
            visitedBy[b] = a;
            visit(a, b);
          }
          b = chains.next(b);
        }
      }
    }
  };
}

/**
 * Visits the pairs of rows, given in order of start, that share none of these values but start next to each other.
 * Marks rows with more such neighbours than they were compared with.
 */
export function visitNearPairs(columns: Columns, open: readonly number[], crowded: Uint8Array, visit: Visit): void {
  for (let place = 0; place < open.length; place += 1) {
    const a = open[place] as number;
    const last = Math.min(open.length, place + 1 + WINDOW);
    for (let next = place + 1; next < last; next += 1) {
      const b = open[next] as number;
      if (!isNear(columns, a, b)) break;
      if (!areTwo(columns, a, b) && !shareSomething(columns, a, b)) visit(a, b);
    }
    const unseen = open[last];
    if (unseen !== undefined && isNear(columns, a, unseen)) {
      crowded[a] = 1;
      crowded[unseen] = 1;
    }
  }
}

/**
 * Visits the pairs of rows outside any circle, which may match any row: with rows that start next to them, and with
 * rows further away that share a value. Takes rows in order of start.
 */
export function visitPairsOutside(columns: Columns, byStart: readonly number[], visit: Visit): void {
  const isOutside = (place: number) => columns.circle[byStart[place] as number] === 0;
  const look = (early: number, late: number): boolean => {
    const [a, b] = [byStart[early] as number, byStart[late] as number];
    if (!isNear(columns, a, b)) return false;
    if (late - early <= WINDOW || shareSomething(columns, a, b) || isShared(columns.house, a, b)) {
      visit(Math.min(a, b), Math.max(a, b));
    }
    return true;
  };
  for (let place = 0; place < byStart.length; place += 1) {
    if (!isOutside(place)) continue;
    const last = Math.min(byStart.length - 1, place + REACH);
    for (let late = place + 1; late <= last && look(place, late); ) late += 1;
    const first = Math.max(0, place - REACH);
    for (let early = place - 1; early >= first; early -= 1) {
      // Two rows outside any circle would meet twice: once is enough.
      if (!isOutside(early) && !look(early, place)) break;
    }
  }
}
