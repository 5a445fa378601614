// Which tenants are active on a node: whether one tenant has the node to itself, so that it keeps no other tenant waiting,
// and how large one tenant's part of all requests is.

export interface Presence {
  /** Called for every request. */
  note(tenantId: string): void;
  /** Whether no other tenant has come within this time. */
  isAlone(forMs: number): boolean;
  /** The busiest tenant's part of all requests, in the last second or two. */
  largestShare(): number;
}

const WINDOW_MS = 1_000;

function shareOf(counts: ReadonlyMap<string, number>): number {
  let [all, most] = [0, 0];
  for (const count of counts.values()) {
    all += count;
    most = Math.max(most, count);
  }
  return all === 0 ? 0 : most / all;
}

export function createPresence(): Presence {
  let last = { tenantId: '', atMs: Number.NEGATIVE_INFINITY };
  let otherAtMs = Number.NEGATIVE_INFINITY;
  let beganMs = performance.now();
  let [counts, before] = [new Map<string, number>(), new Map<string, number>()];

  function turnOver(): void {
    const nowMs = performance.now();
    if (nowMs - beganMs < WINDOW_MS) return;
    // After a pause the previous window counts as empty: requests before the pause say nothing about now.
    before = nowMs - beganMs < 2 * WINDOW_MS ? counts : new Map();
    [counts, beganMs] = [new Map(), nowMs];
  }

  return {
    note(tenantId) {
      turnOver();
      counts.set(tenantId, (counts.get(tenantId) ?? 0) + 1);
      if (tenantId !== last.tenantId) otherAtMs = last.atMs;
      last = { tenantId, atMs: performance.now() };
    },
    isAlone: (forMs) => performance.now() - otherAtMs > forMs,
    // The current window counts too: a flood that has just begun is as large as one that continues.
    largestShare() {
      turnOver();
      const all = new Map(before);
      for (const [tenantId, count] of counts) all.set(tenantId, (all.get(tenantId) ?? 0) + count);
      return shareOf(all);
    },
  };
}
