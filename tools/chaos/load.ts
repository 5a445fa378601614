// Starts flows at a steady pace, fewer when too many are in progress: a slow machine gets less load, not a backlog.
import { setTimeout as sleep } from 'node:timers/promises';

export type Load = {
  underWay(): number;
  isEnding(): boolean;
  /** Starts no more, and waits for the flows in progress. */
  stop(): Promise<void>;
};

/**
 * As many as are under way while all nodes live. With more the run would measure how long one young node, beside the starts of
 * others, refuses a crowd that comes again and again: with 80, half of all answers were 503, and one operation in ten thousand heard
 * nothing else for 90 seconds.
 */
const UNDER_WAY_MAX = 40;

export function startLoad(flow: () => Promise<void>, flowsPerSecond: number, onFault: (error: unknown) => void): Load {
  const underWay = new Set<Promise<void>>();
  let isStopped = false;
  const pacing = (async () => {
    while (!isStopped) {
      await sleep(1_000 / flowsPerSecond);
      if (underWay.size >= UNDER_WAY_MAX) continue;
      const running = flow()
        .catch(onFault)
        .finally(() => underWay.delete(running));
      underWay.add(running);
    }
  })();
  return {
    underWay: () => underWay.size,
    isEnding: () => isStopped,
    async stop() {
      isStopped = true;
      await pacing;
      await Promise.all(underWay);
    },
  };
}
