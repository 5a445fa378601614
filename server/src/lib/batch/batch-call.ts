// One call of the group-commit queue, and the states of its life:
//
//   waiting ───► running ───► answered     its run has a result for it
//    ▲   ▲        │ │ │
//    │   └────────┘ │ └─────► refused      its run can never succeed, or its deadline is over
//    │              ▼
//    └─────────── parked                   something of its group is locked elsewhere
//
// A run whose outcome is not known sends its calls back to wait. A parked call runs from there, and waits with the others
// again once nothing holds its group up. Waiting and parked calls are refused at their deadline.
import assert from 'node:assert/strict';
import type { InLine } from '../limits/fair-lines.ts';

/** Instead of a result: something of the item's group is locked elsewhere. Nothing of the item was done. */
export const HELD: unique symbol = Symbol('held');

export type RunOrder = {
  /** From 2 on, an earlier attempt may have been committed. */
  readonly attempt: number;
  /** False where others share the run: what is locked elsewhere is then answered with HELD, not waited for. */
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
  /** Runs whose outcome is not known. */
  unknowns: number;
  cause: unknown;
  resolve(result: Result): void;
  reject(error: unknown): void;
};

/** A call that ran twice at once, or was answered twice, would be a payment made twice. */
export function move(call: { state: CallState }, to: CallState): void {
  if (!NEXT[call.state].includes(to)) assert.fail(`a call of the queue cannot go from ${call.state} to ${to}`);
  call.state = to;
}
