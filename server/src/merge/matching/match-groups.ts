// The rows in groups that can only merge, and the edges that leave each group. Lists are number arrays: a report of
// 30,000 rows would otherwise create as many small objects, and managing them costs more than the matching.

import { sortPart } from '../merge-order.ts';
import type { Columns } from './match-rows.ts';

/** Two rows that may be one agreement. */
export type Edge = { readonly a: number; readonly b: number; readonly total: number };

const upwards = (x: number, y: number) => x - y;

export class Groups {
  /** For each row, the row that represents its group. */
  readonly #known: Int32Array;
  /** For each row, the next row of its group; the last leads back to the first. */
  readonly #next: Int32Array;
  /** By the representing row: one bit per bureau that has a row in the group, and the number of rows. */
  readonly #bureaus: Uint8Array;
  readonly #sizes: Int32Array;

  constructor({ bureau }: Columns) {
    this.#known = new Int32Array(bureau.length);
    this.#next = new Int32Array(bureau.length);
    this.#bureaus = Uint8Array.from(bureau);
    this.#sizes = new Int32Array(bureau.length).fill(1);
    for (let row = 0; row < bureau.length; row += 1) {
      this.#known[row] = row;
      this.#next[row] = row;
    }
  }

  /** The same number for all rows of a group. */
  of(row: number): number {
    return this.#known[row] as number;
  }

  sizeOf(row: number): number {
    return this.#sizes[this.of(row)] as number;
  }

  /** One bit per bureau. */
  bureausOf(row: number): number {
    return this.#bureaus[this.of(row)] as number;
  }

  /** The next row of the same group, in a ring. */
  next(row: number): number {
    return this.#next[row] as number;
  }

  /** In canonical order. */
  membersOf(row: number): number[] {
    const second = this.next(row);
    const third = this.next(second);
    if (second === row) return [row];
    // Most groups have two or three rows; an array that grows one by one takes several times the memory.
    const members = third === row ? [row, second] : [row, second, third];
    for (let member = this.next(third); third !== row && member !== row; member = this.next(member))
      members.push(member);
    sortPart(members, 0, members.length, upwards);
    return members;
  }

  areJoined({ a, b }: Edge): boolean {
    return this.of(a) === this.of(b);
  }

  /** Whether the two groups have no bureau in common. */
  complement({ a, b }: Edge): boolean {
    return (this.bureausOf(a) & this.bureausOf(b)) === 0;
  }

  join(a: number, b: number): void {
    const [left, right] = [this.of(a), this.of(b)];
    this.#bureaus[left] = this.bureausOf(a) | this.bureausOf(b);
    this.#sizes[left] = this.sizeOf(a) + this.sizeOf(b);
    let row = right;
    do {
      this.#known[row] = left;
      row = this.next(row);
    } while (row !== right);
    // Swapping the successors of two rows joins their rings.
    const afterLeft = this.next(left);
    this.#next[left] = this.next(right);
    this.#next[right] = afterLeft;
  }
}

/** For each row, its edges, in the order of `edges`. */
export class EdgesByRow {
  readonly #edges: readonly Edge[];
  readonly #places: Int32Array;
  readonly #ends: Int32Array;

  constructor(edges: readonly Edge[], rowCount: number) {
    this.#edges = edges;
    this.#ends = new Int32Array(rowCount + 1);
    this.#places = new Int32Array(edges.length * 2);
    const ends = this.#ends;
    for (const { a, b } of edges) {
      ends[a + 1] = (ends[a + 1] as number) + 1;
      ends[b + 1] = (ends[b + 1] as number) + 1;
    }
    for (let row = 0; row < rowCount; row += 1) ends[row + 1] = (ends[row + 1] as number) + (ends[row] as number);
    const filled = ends.slice(0, rowCount);
    const add = (row: number, index: number) => {
      const place = filled[row] as number;
      this.#places[place] = index;
      filled[row] = place + 1;
    };
    edges.forEach(({ a, b }, index) => {
      add(a, index);
      add(b, index);
    });
  }

  /** Whether `isSo` holds for any edge that leaves the row's group. */
  someLeaving(groups: Groups, row: number, isSo: (edge: Edge) => boolean): boolean {
    let member = row;
    do {
      for (let place = this.#ends[member] as number; place < (this.#ends[member + 1] as number); place += 1) {
        const edge = this.#edges[this.#places[place] as number] as Edge;
        if (!groups.areJoined(edge) && isSo(edge)) return true;
      }
      member = groups.next(member);
    } while (member !== row);
    return false;
  }

  /** Every edge that leaves the row's group. */
  leaving(groups: Groups, row: number): Edge[] {
    const found: Edge[] = [];
    this.someLeaving(groups, row, (edge) => {
      found.push(edge);
      return false;
    });
    return found;
  }
}
