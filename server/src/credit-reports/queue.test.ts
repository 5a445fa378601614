// The node's queue when its connection breaks. Every promise about a statement must be looked at: one that is not ends the process.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newId } from '../lib/ids.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import type { Reservation } from './live/reserve-reports.ts';
import { createReportQueue } from './queue.ts';

const unhandled: unknown[] = [];
const note = (error: unknown) => void unhandled.push(error);
beforeEach(() => void process.on('unhandledRejection', note));
afterEach(() => void process.off('unhandledRejection', note));

const failure = (code: string) => Object.assign(new Error('a fault of the database'), { code });

/** Locked once, so that the request gets a lane of its own; from then on every statement meets a broken connection. */
function openBrokenQueue() {
  const seen = { runs: 0, statements: 0 };
  const tx: Tx = {
    query() {
      seen.statements += 1;
      return Promise.reject(failure('ECONNRESET'));
    },
  };
  const queue = createReportQueue(
    {
      connections: 3,
      async forTenants(_tenantIds, work) {
        seen.runs += 1;
        if (seen.runs === 1) throw failure('55P03');
        return work(tx, () => undefined);
      },
    },
    () => undefined,
  );
  return { queue, seen };
}

test('a lane whose first statements meet a broken connection fails its request and leaves the process alive', async () => {
  const { queue, seen } = openBrokenQueue();
  const report = { tenantId: newId(), id: newId(), sealedRequest: Buffer.alloc(0) };
  const reserved = queue.reserve({ report } as unknown as Reservation, performance.now() + 300);
  await expect(reserved).rejects.toMatchObject({ code: 'ECONNRESET' });
  // Two statements of one run: the limit of the lane's waits, and the look for an earlier attempt.
  expect(seen.statements).toBeGreaterThanOrEqual(2);
  expect(unhandled).toEqual([]);
});
