// Groups of the group-commit queue that something holds up, with their calls: those that were held up, and those that
// came later. A parked group is READY for a run of its own, or has one RUNNING, which may wait for its lock. After that run
// the group is free and leaves, or it is ready again behind the others.
import type { InLine } from '../limits/fair-lines.ts';

export interface Parking<Call extends InLine> {
  has(group: string): boolean;
  /** Behind the calls of its group. A group that was not parked is ready then. */
  add(call: Call): void;
  /** In front of the calls of its group, which is parked. */
  putBack(call: Call): void;
  /** Ready → running: the next group and its first calls; undefined when no run may begin. */
  start(itemsMax: number): { readonly group: string; readonly calls: Call[] } | undefined;
  /** Running → ready. Behind the others: a group that stays locked must not keep them from their run. */
  endHeld(group: string): void;
  /** Running → free: the calls that are left, in their order. */
  endFree(group: string): Call[];
  /** Takes the calls out that the test names. */
  remove(test: (call: Call) => boolean): Call[];
  readonly size: number;
}

export function createParking<Call extends InLine>(runsMax: number): Parking<Call> {
  const groups = new Map<string, Call[]>();
  const ready: string[] = [];
  let running = 0;

  return {
    has: (group) => groups.has(group),
    add(call) {
      const calls = groups.get(call.group);
      if (calls) calls.push(call);
      else {
        groups.set(call.group, [call]);
        ready.push(call.group);
      }
    },
    putBack(call) {
      groups.get(call.group)?.unshift(call);
    },
    start(itemsMax) {
      while (running < runsMax) {
        const group = ready.shift();
        if (group === undefined) return undefined;
        // Lower ranks first here too; the sort keeps the order within a rank.
        const calls = (groups.get(group) ?? []).sort((a, b) => a.rank - b.rank).splice(0, itemsMax);
        if (calls.length > 0) {
          running += 1;
          return { group, calls };
        }
        // Its calls were refused at their deadlines.
        groups.delete(group);
      }
      return undefined;
    },
    endHeld(group) {
      running -= 1;
      ready.push(group);
    },
    endFree(group) {
      running -= 1;
      const calls = groups.get(group) ?? [];
      groups.delete(group);
      return calls;
    },
    remove(test) {
      const removed: Call[] = [];
      for (const [group, calls] of groups) {
        removed.push(...calls.filter(test));
        groups.set(
          group,
          calls.filter((call) => !test(call)),
        );
      }
      return removed;
    },
    get size() {
      return groups.size;
    },
  };
}
