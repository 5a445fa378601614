// Claims of each endpoint no more than its host has room for, over all nodes: the hosts are locked until their room is taken.
import type { Tx } from '../../lib/postgres/sql.ts';
import { type Claimed, type ClaimOrder, claimDeliveries } from '../claim-store.ts';
import { type Budgets, ratePerMinute, roomOf } from '../rules/budgets.ts';
import { lockHostsOf, updateHostsUsed } from './host-store.ts';

const keyOf = ({ tenantId, host }: { readonly tenantId: string; readonly host: string }) => `${tenantId} ${host}`;

export async function takeRoom(
  tx: Tx,
  endpointIds: readonly string[],
  order: ClaimOrder,
  budgets: Budgets,
): Promise<Claimed[]> {
  const locked = await lockHostsOf(tx, endpointIds);
  const hostOf = new Map(locked.map((host) => [host.endpointId, host]));
  const left = new Map(
    locked.map((host) => [keyOf(host), roomOf(host.aheadSeconds, ratePerMinute(host.accepted, budgets))]),
  );
  const rooms = endpointIds.map((endpointId) => {
    const host = hostOf.get(endpointId);
    if (!host) return { endpointId, count: order.perEndpoint };
    // Endpoints at one host share its room, in the order of their turns.
    const count = Math.min(left.get(keyOf(host)) ?? 0, order.perEndpoint);
    left.set(keyOf(host), (left.get(keyOf(host)) ?? 0) - count);
    return { endpointId, count };
  });
  const claimed = await claimDeliveries(tx, rooms, order);
  const used = new Map<string, number>();
  for (const each of claimed) used.set(keyOf(each), (used.get(keyOf(each)) ?? 0) + 1);
  const hosts = [...new Map(locked.map((host) => [keyOf(host), host])).values()];
  const uses = hosts.flatMap((host) => {
    const count = used.get(keyOf(host)) ?? 0;
    return count === 0 ? [] : [{ ...host, count, secondsEach: 60 / ratePerMinute(host.accepted, budgets) }];
  });
  await updateHostsUsed(tx, uses);
  return claimed;
}
