// For a tenant with a high rate this node asks Redis for several requests at once, a batch. So a tenant with thousands of
// requests a second does not cost a round trip for each. A batch expires after 50 ms. Requests that it still allowed are
// lost, so the tenant may get slightly less than its limit, never more.
//
// A key's batch is EMPTY at first. The first request asks Redis; the batch is FILLING, and further requests wait for the same
// answer. It is OPEN until its last request is taken or it expires. If Redis refuses or fails, the batch is EMPTY again.
import { type Rate, remember, type Verdict } from './local-limits.ts';
import type { RedisLimits } from './redis-limits.ts';

type Filling = { readonly kind: 'filling'; readonly verdict: Promise<Verdict> };
type Open = { readonly kind: 'open'; readonly verdict: Verdict; readonly untilMs: number; left: number };
type RequestBatchState = { readonly kind: 'empty' } | Filling | Open;

/** Requests that wait for the batch keep a reference to it, even if the map drops its key meanwhile. */
type RequestBatch = { state: RequestBatchState };

const EMPTY: RequestBatchState = { kind: 'empty' };
const BATCHES_PER_SECOND = 200;
const LIFETIME_MS = 50;

/** If this is 0 or 1, the rate is so low that each request asks Redis separately. */
export const batchSizeOf = (rate: Rate) => Math.floor(rate.perSecond / BATCHES_PER_SECOND);

/** Undefined when the batch is not open, used up or expired. */
function takeOne({ state }: RequestBatch): Verdict | undefined {
  if (state.kind !== 'open' || state.left === 0 || performance.now() >= state.untilMs) return undefined;
  state.left -= 1;
  return { ...state.verdict, remaining: state.verdict.remaining + state.left };
}

export function createLimitBatches(take: RedisLimits['take']): (key: string, rate: Rate) => Promise<Verdict> {
  const batches = new Map<string, RequestBatch>();

  async function fill(batch: RequestBatch, key: string, rate: Rate): Promise<Verdict> {
    let state = EMPTY;
    try {
      const { taken, ...verdict } = await take(key, rate, batchSizeOf(rate));
      if (taken > 0) state = { kind: 'open', verdict, untilMs: performance.now() + LIFETIME_MS, left: taken };
      return verdict;
    } finally {
      batch.state = state;
    }
  }

  /** Waits for the answer to the question under way, or asks Redis. */
  function filled(batch: RequestBatch, key: string, rate: Rate): Promise<Verdict> {
    if (batch.state.kind === 'filling') return batch.state.verdict;
    const verdict = fill(batch, key, rate);
    batch.state = { kind: 'filling', verdict };
    return verdict;
  }

  return async (key, rate) => {
    const batch = batches.get(key) ?? { state: EMPTY };
    remember(batches, key, batch);
    for (;;) {
      const taken = takeOne(batch);
      if (taken) return taken;
      const verdict = await filled(batch, key, rate);
      if (!verdict.isAllowed) return verdict;
    }
  };
}
