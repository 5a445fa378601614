// Lets a test request wait (docs/decisions/0207-a-sandbox-that-can-fail.md). A waiting request holds no connection, no
// transaction and no lock, only its socket and a timer. Their number is bounded for each tenant and for the node.
import { setTimeout } from 'node:timers/promises';
import { busy, ServiceError, tooLate } from '../../lib/errors.ts';
import { remainingMs } from '../../lib/request-scope.ts';

export type Delay = (tenantId: string, delayMs: number) => Promise<void>;

const OF_TENANT = 50;
const OF_NODE = 1_000;
const RETRY_SECONDS = 10;

function tooMany(): ServiceError {
  const sentence = `At most ${OF_TENANT} requests of a tenant may wait at once with delayMs.`;
  return new ServiceError('rate-limited', sentence, { retryAfterSeconds: RETRY_SECONDS });
}

export function createDelay(): Delay {
  const waiting = new Map<string, number>();
  let all = 0;

  function count(tenantId: string, by: 1 | -1): void {
    all += by;
    const own = (waiting.get(tenantId) ?? 0) + by;
    if (own === 0) waiting.delete(tenantId);
    else waiting.set(tenantId, own);
  }

  return async (tenantId, delayMs) => {
    if (delayMs === 0) return;
    if ((waiting.get(tenantId) ?? 0) >= OF_TENANT) throw tooMany();
    if (all >= OF_NODE) throw busy();
    const leftMs = Math.max(0, remainingMs());
    count(tenantId, 1);
    try {
      await setTimeout(Math.min(delayMs, leftMs));
    } finally {
      count(tenantId, -1);
    }
    // The deadline answers the request: nothing may be stored for it any more. Timers may fire a little early.
    if (delayMs >= leftMs || remainingMs() <= 0) throw tooLate();
  };
}
