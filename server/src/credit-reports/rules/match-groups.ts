// The rows in groups that only ever grow together, and the pairs that lead out of each. Lists in number arrays: a report
// of 30,000 rows would otherwise make as many small objects, and looking after them costs more than the matching.
import type { Columns } from './match-rows.ts';
import { sortPart } from './merge-order.ts';

/** Two rows that may be one agreement. */
export type Edge = { readonly a: number; readonly b: number; readonly total: number };

const upwards = (x: number, y: number) => x - y;

export class Groups {
  /** For each row the row its group is known by. */
  readonly #known: Int32Array;
  /** For each row the next of its group, the last leading back to the first. */
  readonly #next: Int32Array;
  /** By the row a group is known by: one bit per bureau that has a row in it, and how many rows there are. */
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

  /** The same number for rows of one group. */
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

  /** The next row of the same group, round and round. */
  next(row: number): number {
    return this.#next[row] as number;
  }

  /** In canonical order. */
  membersOf(row: number): number[] {
    const second = this.next(row);
    const third = this.next(second);
    if (second === row) return [row];
    // Most groups have two or three; an array that grows one by one takes several times the room.
    const members = third === row ? [row, second] : [row, second, third];
    for (let member = this.next(third); third !== row && member !== row; member = this.next(member))
      members.push(member);
    sortPart(members, 0, members.length, upwards);
    return members;
  }

  areJoined({ a, b }: Edge): boolean {
    return this.of(a) === this.of(b);
  }

  /** Whether two groups hold no bureau twice. */
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
    // Two rings become one when two of their rows exchange what follows them.
    const afterLeft = this.next(left);
    this.#next[left] = this.next(right);
    this.#next[right] = afterLeft;
  }
}

/** For each row the edges it is part of, in the order of `edges`. */
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

  /** Whether any edge that leads out of the row's group is so. */
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

  /** Every edge that leads out of the row's group. */
  leaving(groups: Groups, row: number): Edge[] {
    const found: Edge[] = [];
    this.someLeaving(groups, row, (edge) => {
      found.push(edge);
      return false;
    });
    return found;
  }
}
