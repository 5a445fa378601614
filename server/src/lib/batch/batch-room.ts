// Counts the calls above rank 0 in the group-commit queue and their bytes, in total and for each group, and admits new ones.
import type { InLine } from '../limits/fair-lines.ts';

export type Bounds = { readonly items: number; readonly bytes: number };

export interface Room {
  admits(group: string, bytes: number): boolean;
  count(call: InLine & { readonly bytes: number }, by: 1 | -1): void;
  state(): { readonly items: number; readonly bytes: number };
}

/** A group may have up to this many times the number of free places, so that some room stays for other groups. */
const SHARE = 4;

export function createRoom(bounds: Bounds): Room {
  let [items, bytes] = [0, 0];
  const ofGroup = new Map<string, number>();
  return {
    admits(group, size) {
      const isShared = (ofGroup.get(group) ?? 0) < SHARE * (bounds.items - items);
      return isShared && items < bounds.items && bytes + size <= bounds.bytes;
    },
    count({ rank, group, bytes: size }, by) {
      if (rank === 0) return;
      items += by;
      bytes += by * size;
      const left = (ofGroup.get(group) ?? 0) + by;
      if (left === 0) ofGroup.delete(group);
      else ofGroup.set(group, left);
    },
    state: () => ({ items, bytes }),
  };
}
