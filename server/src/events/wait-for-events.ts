// Requests that wait for the next event of their tenant. One query on one timer looks for all of them: a waiting request
// holds no connection, and the writers of events notify nobody (docs/decisions/0200-waiting-for-events.md).
import { describeError, type Log } from '../lib/log.ts';
import type { Database } from '../lib/postgres/database.ts';
import { outsideScope } from '../lib/request-scope.ts';
import { listWoken, type Waiting } from './feed-store.ts';
import type { EventCursor } from './store.ts';

const LOOK_MS = 300;
/** Requests that may wait at once on this node; a request beyond them is answered at once. */
const TENANT_MAX = 20;
const NODE_MAX = 1_000;

export type Wait = {
  readonly tenantId: string;
  readonly after: EventCursor;
  readonly ms: number;
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal;
};

export interface EventWaits {
  /** How many requests wait. */
  count(): number;
  /** True once the tenant has an event after the place; false when the time is over, or when nobody may wait. */
  wait(wait: Wait): Promise<boolean>;
  /** Ends all waits, and every later one at once. */
  close(): void;
}

type Waiter = Waiting & { end(hasNews: boolean): void };

export function createEventWaits(database: Pick<Database, 'asSystem'>, log: Log): EventWaits {
  const waiters = new Set<Waiter>();
  const counts = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function look(): Promise<void> {
    const asked = [...waiters];
    try {
      const woken = await database.asSystem((tx) => listWoken(tx, asked));
      for (const place of woken) asked[place]?.end(true);
    } catch (error) {
      // They wait on: the next look may succeed, and each ends when its own time is over.
      log.warn('events were not looked for', describeError(error));
    }
  }

  function lookAgain(): void {
    if (timer || waiters.size === 0) return;
    // Shared by all: the deadline of the request that begins it must not end it.
    timer = outsideScope(() =>
      setTimeout(() => {
        void look().finally(() => {
          timer = undefined;
          lookAgain();
        });
      }, LOOK_MS),
    );
  }

  return {
    count: () => waiters.size,
    wait({ tenantId, after, ms, signal }) {
      const own = counts.get(tenantId) ?? 0;
      const isFull = own >= TENANT_MAX || waiters.size >= NODE_MAX;
      if (isClosed || signal.aborted || ms <= 0 || isFull) return Promise.resolve(false);
      counts.set(tenantId, own + 1);
      return new Promise((resolve) => {
        const end = (hasNews: boolean) => {
          if (!waiters.delete(waiter)) return;
          const left = (counts.get(tenantId) ?? 1) - 1;
          if (left > 0) counts.set(tenantId, left);
          else counts.delete(tenantId);
          clearTimeout(over);
          signal.removeEventListener('abort', leave);
          resolve(hasNews);
        };
        const leave = () => end(false);
        const waiter: Waiter = { tenantId, after, end };
        const over = setTimeout(leave, ms);
        signal.addEventListener('abort', leave);
        waiters.add(waiter);
        lookAgain();
      });
    },
    close() {
      isClosed = true;
      for (const waiter of waiters) waiter.end(false);
    },
  };
}
