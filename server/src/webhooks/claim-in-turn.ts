// A claim, in one transaction of the system role: endpoints in turn, and of each no more deliveries than it, its tenant and its host have
// room for (docs/decisions/0276-endpoints-have-turns.md).
import type { Tx } from '../lib/postgres/sql.ts';
import { takeRoom } from './budgets/take-room.ts';
import type { Claimed, ClaimOrder } from './claim-store.ts';
import type { Budgets } from './rules/budgets.ts';
import { listReady, lockTurns, moveTurns } from './turn-store.ts';

export type Claim = {
  readonly claimed: readonly Claimed[];
  /** The turns of other endpoints have come, and there are places left. */
  readonly areMore: boolean;
};

export async function claimInTurn(tx: Tx, order: ClaimOrder, budgets: Budgets): Promise<Claim> {
  const { turns, areMore } = await lockTurns(tx, order);
  if (turns.length === 0) return { claimed: [], areMore };
  const held = turns.filter(({ isHeld }) => isHeld).map(({ endpointId }) => endpointId);
  const ready = await listReady(tx, held, order.isProven);
  const claimed = ready.length > 0 ? await takeRoom(tx, ready, order, budgets) : [];
  const served = new Set(claimed.map(({ endpointId }) => endpointId));
  const isFull = claimed.length === order.limit;
  // Endpoints behind the last one served found no place left: their turns stay, and the next claim begins with them.
  const end = isFull ? turns.findLastIndex(({ endpointId }) => served.has(endpointId)) + 1 : turns.length;
  const looked = turns.slice(0, end).map(({ endpointId }) => endpointId);
  await moveTurns(tx, looked, served, order);
  return { claimed, areMore: areMore && !isFull };
}
