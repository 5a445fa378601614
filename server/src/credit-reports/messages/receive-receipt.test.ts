// How long a carrier waits for the answer to a receipt that cannot be stored, on a clock that stands still.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { endsAfter, startClock, stopClock } from '../../lib/testing/stopped-clock.ts';
import { openReceipts } from './receive-receipt.ts';

beforeEach(stopClock);
afterEach(startClock);

test.each([
  [undefined, 4_500],
  [5, 22_500],
])('patience %s: a receipt that waits behind one that hangs is refused after %i ms', async (patience, ms) => {
  const hanging = { forTenants: () => new Promise(() => undefined) };
  const receipts = openReceipts({ database: hanging, patience } as unknown as Parameters<typeof openReceipts>[0]);
  const take = (sendId: string) =>
    receipts.take('carrier', { tenantId: 't', sendId, carrierRef: sendId, status: 'delivered' });
  void take('first');
  // Until the first is on its way to the database.
  await new Promise((resolve) => setImmediate(resolve));
  const refused = take('second').catch((error) => error.code);
  // At the deadline itself it may still be stored.
  expect(await endsAfter(ms + 1, refused)).toBe('service-unavailable');
});
