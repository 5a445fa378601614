// The endpoints of the webhooks benchmark, written by SQL, and the events for them. Each endpoint of a company has a type of
// its own, so that every event is for exactly one endpoint.
import type { Client } from 'pg';
import { createSecretSeal } from '../../server/src/lib/crypto/secret-seal.ts';
import type { RingKey } from '../../server/src/lib/crypto/vault.ts';
import { newId } from '../../server/src/lib/ids.ts';
import { sealText } from '../../server/src/webhooks/sealing/sealed-texts.ts';
import { newSecret } from '../../server/src/webhooks/sign.ts';

const TYPES = ['report.completed', 'wallet.charged', 'challenge.sent', 'challenge.delivered', 'challenge.verified'];
/** So many endpoints can a company have here. */
export const TYPES_COUNT = TYPES.length;

export type BenchEndpoint = { readonly tenantId: string; readonly id: string; readonly storedType: string };

type Keys = readonly [RingKey, ...RingKey[]];

export async function addEndpoints(
  client: Client,
  vaultKeys: Keys,
  order: { readonly tenantIds: readonly string[]; readonly count: number; readonly urlOf: (number: number) => string },
): Promise<BenchEndpoint[]> {
  const seal = createSecretSeal(vaultKeys);
  const made: BenchEndpoint[] = [];
  const ports = new Set<string>();
  for (let number = 0; number < order.count; number += 1) {
    const tenantId = order.tenantIds[number % order.tenantIds.length] ?? '';
    const storedType = TYPES[Math.floor(number / order.tenantIds.length)] ?? '';
    const place = { tenantId, id: newId() };
    const address = order.urlOf(number);
    ports.add(new URL(address).port);
    const [url, secret] = [sealText(seal, 'url', place, address), sealText(seal, 'secret', place, newSecret())];
    await client.query(
      `insert into webhook_endpoints (tenant_id, id, sealed_url, host, event_types, is_test, is_ordered, sealed_secret)
       values ($1, $2, $3, '127.0.0.1', $4, false, true, $5)`,
      [tenantId, place.id, url, [storedType.replace(/^report/, 'credit-report')], secret],
    );
    made.push({ ...place, storedType });
  }
  // The benchmark is about the worker, not about what a receiver gets: every place counts as proven, also those that will die.
  await client.query(
    `insert into webhook_hosts (tenant_id, host, proven_places, accepted)
     select tenant, '127.0.0.1', $2, 1000000 from unnest($1::uuid[]) as tenant on conflict do nothing`,
    [order.tenantIds, [...ports].map((port) => `127.0.0.1 ${port}`)],
  );
  return made;
}

/** One transaction with an event for each of these, as a batch of the service's queue would write them. */
export async function writeEvents(client: Client, endpoints: readonly BenchEndpoint[]): Promise<void> {
  await client.query(
    `insert into outbox (tenant_id, type, subject_id, credit_report_id, challenge_id, amount)
     select tenant, type, report, report, case when type like 'challenge.%' then report end, 0
       from unnest($1::uuid[], $2::text[], $3::uuid[]) as made (tenant, type, report)`,
    [
      endpoints.map(({ tenantId }) => tenantId),
      endpoints.map(({ storedType }) => storedType),
      endpoints.map(() => newId()),
    ],
  );
}

/** Events for which no delivery was made, although each is for exactly one endpoint. */
export async function countNotHandedOut(client: Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select ((select count(*) from outbox where credit_report_id is not null)
             - (select count(*) from webhook_deliveries))::int as count`,
  );
  return rows[0]?.count ?? 0;
}
