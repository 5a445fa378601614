// The same request many times at once over two nodes of a rotation, and what it came to.
import { expect } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { liveBody } from './live.ts';
import { type MixedNodes, post } from './mixed-nodes.ts';
import { addTenant, type OwnTenant } from './tenant.ts';
import { P } from './words.ts';

/** Requests with one key at the same moment, over both nodes in turn. */
export const AT_ONCE = 6;

type Pair = Pick<MixedNodes, 'server' | 'nodes'>;
type Outcome = { readonly ids: Set<string>; readonly others: string[] };

/** The same request so many times at once, and again until each has its answer. */
export async function race(mixed: Pair, tenant: OwnTenant, asked: { key: string; action?: string; body: object }) {
  const outcome: Outcome = { ids: new Set(), others: [] };
  const ask = async (index: number): Promise<void> => {
    const answer = async () => {
      const { status, text } = await post(mixed.nodes[index % 2] ?? '', tenant, asked);
      const { data, code } = JSON.parse(text) as { data?: { creditReportId: string }; code?: string };
      expect(code).not.toBe('request-in-progress');
      return { status, data, code };
    };
    const { status, data, code } = await eventually(answer, { everyMs: 1 });
    if (status === 200) outcome.ids.add(data?.creditReportId ?? '');
    else outcome.others.push(`${status} ${code}`);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => ask(index)));
  return outcome;
}

/** Rows of keys that no request has: of a claim that was lost, which a node with another first key would wait for all day. */
export async function countOrphans({ server }: Pair, { tenantId }: OwnTenant): Promise<number> {
  const found = await server.query(
    `select from idempotency_keys as kept where tenant_id = $1 and not exists (
       select from credit_reports as reports where reports.tenant_id = kept.tenant_id and id = kept.credit_report_id)`,
    [tenantId],
  );
  return found.length;
}

/** How many charges there are beyond one for each key. */
export async function raceCharges(mixed: Pair, rounds: number) {
  const tenant = await addTenant(mixed.server, P * rounds * 2 + P);
  const found = { severalReports: 0, others: [] as string[], charges: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const body = liveBody(mixed.server.mintSession());
    const { ids, others } = await race(mixed, tenant, { key: `order-${round}`, body });
    if (ids.size !== 1) found.severalReports += 1;
    found.others.push(...others);
  }
  const [charged] = await mixed.server.query<{ count: string }>(
    `select count(*) from ledger_txs where tenant_id = $1 and kind = 'report-charge'`,
    [tenant.tenantId],
  );
  const orphans = await countOrphans(mixed, tenant);
  return { tenant, ...found, orphans, charges: Number(charged?.count) };
}
