// A busy tenant's requests are taken from Redis in small batches, each good for a moment, so that not every one of
// thousands a second costs a round trip. What is left of a batch is lost: at most this part of a second's requests, in the
// tenant's disfavour.
//
// A key's batch is EMPTY; the first request then has it FILLING, and the others wait for the same answer; it is OPEN until
// its last request is taken or its moment is over. A batch that Redis refused, or did not answer for, is empty again.
import { type Rate, remember, type Verdict } from './local-limits.ts';
import type { RedisLimits } from './redis-limits.ts';

type Filling = { readonly kind: 'filling'; readonly verdict: Promise<Verdict> };
type Open = { readonly kind: 'open'; readonly verdict: Verdict; readonly untilMs: number; left: number };
type RequestBatchState = { readonly kind: 'empty' } | Filling | Open;

/** Requests that wait for the batch keep it, also when its key is forgotten meanwhile. */
type RequestBatch = { state: RequestBatchState };

const EMPTY: RequestBatchState = { kind: 'empty' };
const BATCHES_PER_SECOND = 200;
const LIFETIME_MS = 50;

/** One or none: the rate is so low that each request asks by itself. */
export const batchSizeOf = (rate: Rate) => Math.floor(rate.perSecond / BATCHES_PER_SECOND);

/** Undefined when the batch has nothing to give. */
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

  /** Joins the question that is under way, or asks. */
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
