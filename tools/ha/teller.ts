// Buys credits, a few each second, and knows which purchases were acknowledged. A purchase that failed is sent again under its
// own source, which posts once, until it is acknowledged: an unknown commit must neither be lost nor doubled.
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../../server/src/lib/ids.ts';
import type { Database } from '../../server/src/lib/postgres/database.ts';
import { topUp } from '../../server/src/wallet/top-up.ts';

export type Teller = {
  readonly ended: Promise<void>;
  /** Ends after the purchase in progress, or without its answer if the database stays away. */
  stop(): Promise<void>;
};

const PAUSE_MS = 100;
const STOP_MS_MAX = 30_000;

export function createTeller(
  database: Pick<Database, 'forTenants'>,
  tenantId: string,
  onAcknowledged: (sourceId: string) => void,
): Teller {
  let isStopped = false;
  let stoppedMs = Number.POSITIVE_INFINITY;

  async function buy(sourceId: string): Promise<void> {
    while (performance.now() < stoppedMs + STOP_MS_MAX) {
      try {
        await database.forTenants([tenantId], (tx) => topUp(tx, tenantId, { credits: 1, sourceId, note: 'teller' }));
        onAcknowledged(sourceId);
        return;
      } catch {
        await sleep(PAUSE_MS);
      }
    }
  }

  const ended = (async () => {
    while (!isStopped) {
      await buy(newId());
      await sleep(PAUSE_MS);
    }
  })();
  return {
    ended,
    async stop() {
      isStopped = true;
      stoppedMs = performance.now();
      await ended;
    },
  };
}
