// Ends a live challenge through the queue, which refunds its report. The verdict on the code is committed before: a
// locked wallet delays the refund but never the count of attempts.
import { setTimeout } from 'node:timers/promises';
import type { ReportQueue } from '../dependencies.ts';
import type { Settled, Settlement } from '../live/settle-reports.ts';

/** How long a caller waits to see the refund in the balance. After that the queue continues, and the job as a fallback. */
const WAIT_MS = 3_000;

/** Undefined when the challenge is not ended yet. */
export async function endChallenge(
  queue: Pick<ReportQueue, 'settle'>,
  settlement: Settlement,
): Promise<Settled | undefined> {
  const timer = new AbortController();
  const waited = setTimeout(WAIT_MS, undefined, { signal: timer.signal }).catch(() => undefined);
  const settled = queue.settle(settlement).catch(() => undefined);
  try {
    return await Promise.race([settled, waited]);
  } finally {
    timer.abort();
  }
}
