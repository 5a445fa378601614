// The groups of the group-commit queue that wait for a lock of another transaction, with all their calls. A parked group is
// READY for a run of its own, or such a run is RUNNING; that run may wait for the lock. After the run the group leaves if it
// is free. Otherwise it is ready again, behind the other parked groups.
import type { InLine } from '../limits/fair-lines.ts';

export interface Parking<Call extends InLine> {
  has(group: string): boolean;
  /** Adds the call behind those of its group. If the group was not parked, it is now, and it is ready. */
  add(call: Call): void;
  /** Adds the call in front of those of its group, which must be parked. */
  putBack(call: Call): void;
  /** Ready → running. Returns the next group and its first calls; undefined when no run may begin. */
  start(itemsMax: number): { readonly group: string; readonly calls: Call[] } | undefined;
  /** Running → ready, behind the other groups: a group that stays locked must not delay them. */
  endHeld(group: string): void;
  /** Running → free. Returns the remaining calls in their order. */
  endFree(group: string): Call[];
  /** Removes and returns the calls that pass the test. */
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
        // The queue has refused all its calls at their deadlines.
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
