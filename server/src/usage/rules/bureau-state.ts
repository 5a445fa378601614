// How a bureau does, judged by the answers that a company's own reports got. Pure.
import type { BureauState } from '@trefoil/contract';

export type Slot = { readonly startsAt: Date; readonly asked: number; readonly answered: number };

const STEADY_SHARE = 0.9;
const FAILING_SHARE = 0.5;

function stateOf({ asked, answered }: Slot): BureauState {
  const share = answered / asked;
  if (share >= STEADY_SHARE) return 'answering';
  return share >= FAILING_SHARE ? 'unsteady' : 'failing';
}

/**
 * From the half hours in which the bureau was asked, oldest first. Since: the first of the latest that all have this state; half
 * hours in which it was not asked say nothing.
 */
export function judgeBureau(slots: readonly Slot[]): { readonly state: BureauState; readonly since: Date | null } {
  const newest = slots.at(-1);
  if (!newest) return { state: 'not-asked', since: null };
  const state = stateOf(newest);
  const differing = slots.findLastIndex((slot) => stateOf(slot) !== state);
  return { state, since: slots[differing + 1]?.startsAt ?? null };
}
