// Which pairs of rows are worth comparing. Up to a usual file's size, all of them; beyond, only rows that share
// something or start next to each other, so that the work grows with the rows and not with their square.
import { type ComparableAccount, type RowList, UNKNOWN } from './comparable-account.ts';

/** Up to so many rows every pair is compared. */
export const ALL_PAIRS_MAX = 200;
/** With how many of the rows that follow it, in order of their start, a row is compared for each thing they share. */
const WINDOW = 8;
/** How many rows before and after it, in order of their start, a row outside any circle looks at. */
const REACH = 1_000;
/** Starts further apart than this are never one agreement, counted from the end of a month where only that is told. */
const DAYS_APART_MAX = 62;

export type Rows = readonly ComparableAccount[];
export type Visit = (a: number, b: number) => void;
/** The rows from one place to before another: one circle, in order of their start. */
export type Circle = { readonly from: number; readonly to: number };

/** The last day on which a row that follows may start. A row without a start may belong to any. */
function lastDayFor({ startDay, startSpan }: ComparableAccount): number {
  return startDay === 0 ? Number.MAX_SAFE_INTEGER : startDay + startSpan + DAYS_APART_MAX;
}

/** One bureau that tells two days tells of two agreements. */
const areTwo = (a: ComparableAccount, b: ComparableAccount) =>
  a.bureau === b.bureau && a.startDay !== b.startDay && a.startSpan === 0 && b.startSpan === 0;

/** What rows of one agreement mostly share, as a number; 0 where there is nothing to share. The most telling first. */
const poundsOf = (pence: number) => (pence === UNKNOWN ? 0 : 1 + Math.floor(pence / 100));
const paymentOf = ({ payment }: ComparableAccount) => poundsOf(payment);
const amountOf = ({ startBalance }: ComparableAccount) => poundsOf(startBalance);
const tailOf = ({ tailOfThree }: ComparableAccount) => tailOfThree;

const isSame = (x: number, y: number) => x !== 0 && x === y;
const shareSomething = (a: ComparableAccount, b: ComparableAccount) =>
  isSame(tailOf(a), tailOf(b)) || isSame(amountOf(a), amountOf(b)) || isSame(paymentOf(a), paymentOf(b));

export function visitAllPairs(rows: Rows, visit: Visit): void {
  for (let a = 0; a < rows.length; a += 1) for (let b = a + 1; b < rows.length; b += 1) visit(a, b);
}

/** Every circle, one after the other. The rows outside any, which stand first in canonical order, are none. */
export function visitCircles(circles: Int32Array, count: number, visitCircle: (circle: Circle) => void): void {
  for (let from = 0, to = 0; from < count; from = to) {
    for (to = from + 1; to < count && circles[to] === circles[from]; ) to += 1;
    if (circles[from] !== 0) visitCircle({ from, to });
  }
}

/** The rows of one key as a chain, the one added last first. A table of numbers: a Map of lists costs far more. */
class Chains {
  readonly #heads: Int32Array;
  readonly #next: Int32Array;
  readonly #keys: Int32Array;
  #last = 0;

  constructor(capacity: number) {
    this.#heads = new Int32Array(2 << Math.ceil(Math.log2(capacity + 1)));
    this.#next = new Int32Array(capacity);
    this.#keys = new Int32Array(capacity);
  }

  clear(capacity: number): void {
    this.#last = (2 << Math.ceil(Math.log2(capacity + 1))) - 1;
    this.#heads.fill(-1, 0, this.#last + 1);
  }

  /** Puts a row at the head of its chain and gives the one that was there, or -1. */
  add(row: number, key: number): number {
    let slot = (Math.imul(key, 0x9e3779b1) >>> 7) & this.#last;
    let head = this.#heads[slot] as number;
    while (head !== -1 && this.#keys[head] !== key) {
      slot = (slot + 1) & this.#last;
      head = this.#heads[slot] as number;
    }
    this.#heads[slot] = row;
    this.#next[row] = head;
    this.#keys[row] = key;
    return head;
  }

  next(row: number): number {
    return this.#next[row] as number;
  }
}

/** Visits the pairs of a circle that share a number, an amount or a payment. */
export function createSharingSearch(rows: Rows, visit: Visit): (circle: Circle) => void {
  const things = [tailOf, amountOf, paymentOf].map((keyOf) => ({ keyOf, chains: new Chains(rows.length) }));
  const visitedBy = new Int32Array(rows.length).fill(-1);
  return ({ from, to }) => {
    for (const { chains } of things) chains.clear(to - from);
    // From the latest start back, so that the rows met first are those that start soonest after.
    for (let a = to - 1; a >= from; a -= 1) {
      const one = rows[a] as ComparableAccount;
      const lastDay = lastDayFor(one);
      for (const { keyOf, chains } of things) {
        const key = keyOf(one);
        if (key === 0) continue;
        let at = chains.add(a - from, key);
        for (let count = 0; count < WINDOW && at !== -1; count += 1) {
          const b = from + at;
          const other = rows[b] as ComparableAccount;
          if (other.startDay > lastDay) break;
          if (visitedBy[b] !== a && !areTwo(one, other)) {
            visitedBy[b] = a;
            visit(a, b);
          }
          at = chains.next(at);
        }
      }
    }
  };
}

/**
 * Visits the pairs of rows, given in order of their start, that share none of these but start next to each other. Marks
 * rows that had more such neighbours than they were compared with.
 */
export function visitNearPairs(rows: Rows, open: readonly number[], crowded: Uint8Array, visit: Visit): void {
  for (let place = 0; place < open.length; place += 1) {
    const a = open[place] as number;
    const one = rows[a] as ComparableAccount;
    const lastDay = lastDayFor(one);
    const last = Math.min(open.length, place + 1 + WINDOW);
    for (let next = place + 1; next < last; next += 1) {
      const b = open[next] as number;
      const other = rows[b] as ComparableAccount;
      if (other.startDay > lastDay) break;
      if (!areTwo(one, other) && !shareSomething(one, other)) visit(a, b);
    }
    const unseen = open[last];
    if (unseen !== undefined && (rows[unseen] as ComparableAccount).startDay <= lastDay) {
      crowded[a] = 1;
      crowded[unseen] = 1;
    }
  }
}

const shareLender = ({ lender: a }: ComparableAccount, { lender: b }: ComparableAccount) =>
  (a.only?.id ?? a.names[0]?.[0]) === (b.only?.id ?? b.names[0]?.[0]);

/**
 * Visits the pairs of rows outside any circle, which can belong to any row: with rows that start next to them, and with
 * those further away that share something. Takes rows in order of their start.
 */
export function visitPairsOutside({ rows, circles }: RowList, byStart: readonly number[], visit: Visit): void {
  const rowAt = (place: number) => rows[byStart[place] as number] as ComparableAccount;
  const isOutside = (place: number) => circles[byStart[place] as number] === 0;
  const look = (early: number, late: number): boolean => {
    const [one, other] = [rowAt(early), rowAt(late)];
    if (other.startDay > lastDayFor(one)) return false;
    if (late - early <= WINDOW || shareSomething(one, other) || shareLender(one, other)) {
      const [a, b] = [byStart[early] as number, byStart[late] as number];
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
      // Two rows outside see each other: once is enough.
      if (!isOutside(early) && !look(early, place)) break;
    }
  }
}
