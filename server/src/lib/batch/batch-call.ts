// One call of the group-commit queue, and its states:
//
//   waiting ───► running ───► answered     its run has a result for it
//    ▲   ▲        │ │ │
//    │   └────────┘ │ └─────► refused      its run can never succeed, or its deadline is over
//    │              ▼
//    └─────────── parked                   another transaction holds a lock that its group needs
//
// After a run with an unknown outcome its calls wait again. A parked call runs together with its own group only. Once the
// group gets its lock, its remaining calls wait with all others again. The queue refuses waiting and parked calls at their
// deadline.
import assert from 'node:assert/strict';
import type { InLine } from '../limits/fair-lines.ts';

/** Instead of a result: another transaction holds a lock that the item needs. The run did nothing for this item. */
export const HELD: unique symbol = Symbol('held');

export type RunOrder = {
  /** If this is 2 or more, an earlier attempt may have been committed. */
  readonly attempt: number;
  /** False when several groups share the run: it must not wait for a lock, and answers HELD for the items that need it. */
  readonly mayWait: boolean;
};

export type CallState = 'waiting' | 'running' | 'parked' | 'answered' | 'refused';

const NEXT: Readonly<Record<CallState, readonly CallState[]>> = {
  waiting: ['running', 'refused'],
  running: ['answered', 'waiting', 'parked', 'refused'],
  parked: ['running', 'waiting', 'refused'],
  answered: [],
  refused: [],
};

export type Call<Item, Result> = InLine & {
  readonly item: Item;
  readonly bytes: number;
  readonly addedMs: number;
  readonly deadlineMs: number;
  state: CallState;
  /** How many runs of this call had an unknown outcome. */
  unknowns: number;
  cause: unknown;
  resolve(result: Result): void;
  reject(error: unknown): void;
};

/** Checks each change of state: a call that runs twice at once, or is answered twice, could charge a tenant twice. */
export function move(call: { state: CallState }, to: CallState): void {
  if (!NEXT[call.state].includes(to)) assert.fail(`a call cannot change from ${call.state} to ${to}`);
  call.state = to;
}
