// The items that wait for a run of the queue, by rank and within a rank by group. The lowest rank always goes first. Within
// a rank every group gets one place in turn, so a group with a thousand items does not keep the other groups waiting.

export type InLine = { readonly rank: number; readonly group: string };

export interface FairLines<Item extends InLine> {
  add(item: Item): void;
  /** Puts an item back to the front of its line, when it was taken too early. */
  putBack(item: Item): void;
  /** Takes up to `room` items of groups that are free, and of each rank no more than its limit. */
  take(room: number, isFree: (group: string) => boolean, limitOf: (rank: number) => number): Item[];
  /** Removes the items that pass the test, and returns them. */
  remove(test: (item: Item) => boolean): Item[];
  [Symbol.iterator](): Iterator<Item>;
  readonly size: number;
}

export function createFairLines<Item extends InLine>(): FairLines<Item> {
  /** By rank; the groups of a rank in the order of their turns. */
  const ranks: Map<string, Item[]>[] = [];
  let size = 0;

  function lineOf({ rank, group }: InLine): Item[] {
    const groups = ranks[rank] ?? new Map<string, Item[]>();
    ranks[rank] = groups;
    const line = groups.get(group) ?? [];
    if (line.length === 0) groups.set(group, line);
    return line;
  }

  function takeOfRank(groups: Map<string, Item[]>, room: number, isFree: (group: string) => boolean): Item[] {
    const taken: Item[] = [];
    const counts = new Map<string, number>();
    let open = [...groups.keys()].filter(isFree);
    for (let turn = 0; taken.length < room && open.length > 0; turn += 1) {
      const left: string[] = [];
      for (const group of open) {
        if (taken.length === room) break;
        const item = groups.get(group)?.[turn];
        if (!item) continue;
        taken.push(item);
        counts.set(group, turn + 1);
        left.push(group);
      }
      open = left;
    }
    for (const [group, count] of counts) {
      const rest = groups.get(group)?.slice(count) ?? [];
      // The group goes to the end of the turns.
      groups.delete(group);
      if (rest.length > 0) groups.set(group, rest);
    }
    size -= taken.length;
    return taken;
  }

  function* all(): Generator<Item> {
    for (const groups of ranks) if (groups) for (const line of groups.values()) yield* line;
  }

  return {
    add(item) {
      lineOf(item).push(item);
      size += 1;
    },
    putBack(item) {
      lineOf(item).unshift(item);
      size += 1;
    },
    take(room, isFree, limitOf) {
      const taken: Item[] = [];
      for (const [rank, groups] of ranks.entries()) {
        if (!groups || groups.size === 0) continue;
        const left = Math.min(room - taken.length, limitOf(rank));
        if (left > 0) taken.push(...takeOfRank(groups, left, isFree));
      }
      return taken;
    },
    remove(test) {
      const removed = [...all()].filter(test);
      if (removed.length === 0) return removed;
      const gone = new Set(removed);
      for (const groups of ranks) {
        for (const [group, line] of groups ?? []) {
          const rest = line.filter((item) => !gone.has(item));
          if (rest.length > 0) groups.set(group, rest);
          else groups.delete(group);
        }
      }
      size -= removed.length;
      return removed;
    },
    [Symbol.iterator]: all,
    get size() {
      return size;
    },
  };
}
