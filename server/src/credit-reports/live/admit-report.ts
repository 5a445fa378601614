// Decides whether this node can carry a live report to its end, before it holds credits or asks a provider: it needs a
// place at screening and at every bureau, and a queue that moves. Otherwise the caller gets 503 and may send the same
// request again: a report is never thin or failed because we were busy (docs/decisions/0140-admission.md).
import type { Bureau } from '@trefoil/contract';
import type { HttpMetrics } from '../../http/http-metrics.ts';
import { busy, type ServiceError } from '../../lib/errors.ts';
import type { Release } from '../../lib/limits/places.ts';
import type { LiveDependencies, ReportQueue } from '../dependencies.ts';

export const SCREENING_PLACE = 'screening';
/** A report holds this place from its admission to its own answer: until then it uses this node's processor. */
export const NODE_PLACE = 'node';

/** If the queue's oldest call or its current run is older than this, new reports are refused: they would wait too. */
const QUEUE_AGE_MS = 1_000;
const RUN_AGE_MS = 1_500;
/** A burst may wait this long for a place: short, since a late event loop adds to it, and a refusal must come within a second. */
const WAIT_MS = 150;
/** The share kept free for right codes: their consumers wait with the code in hand, and the reports are already charged. */
const FOR_CODES = 0.1;

type Admission = {
  readonly live: Pick<LiveDependencies, 'places' | 'patience'>;
  readonly queue: Pick<ReportQueue, 'state'>;
  readonly metrics: HttpMetrics;
};

/** The 503 of a busy node, counted by what was short. */
function refusedAsBusy(metrics: HttpMetrics, reason: 'queue' | 'places'): ServiceError {
  metrics.refusals.inc({ reason });
  return busy();
}

function isQueueMoving(queue: Pick<ReportQueue, 'state'>, patience: number): boolean {
  const { oldestMs, runMs } = queue.state();
  return oldestMs < patience * QUEUE_AGE_MS && runMs < patience * RUN_AGE_MS;
}

/** Checked before the body is read, so that one tenant's flood costs the node little: it would be refused later anyway. */
export function letIn({ live, metrics }: Omit<Admission, 'queue'>, tenantId: string): boolean {
  const isLetIn = live.places.letIn([NODE_PLACE, SCREENING_PLACE], tenantId, { keepFree: FOR_CODES });
  if (!isLetIn) metrics.refusals.inc({ reason: 'places' });
  return isLetIn;
}

/** The places of a new report; release each one as soon as its call has ended. */
export async function admitReport(
  { live, queue, metrics }: Admission,
  tenantId: string,
  bureaus: readonly Bureau[],
): Promise<Release> {
  if (!isQueueMoving(queue, live.patience)) throw refusedAsBusy(metrics, 'queue');
  const wanted = [NODE_PLACE, SCREENING_PLACE, ...bureaus];
  const release = await live.places.take(wanted, tenantId, live.patience * WAIT_MS, { keepFree: FOR_CODES });
  if (!release) throw refusedAsBusy(metrics, 'places');
  return release;
}

/** The places for a right code's report, at once or not at all: the transaction holds the report's lock meanwhile. */
export function admitFetch({ live, metrics }: Admission, tenantId: string, bureaus: readonly Bureau[]): Release {
  const release = live.places.tryTake([NODE_PLACE, ...bureaus], tenantId, { isUrgent: true });
  if (!release) throw refusedAsBusy(metrics, 'places');
  return release;
}
