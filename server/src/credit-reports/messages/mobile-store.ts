// The uses of mobile numbers as rows: per tenant, and for all tenants together. Numbers are stored as keyed hashes, and
// times come from the database. A number has rows under each key of the hash ring, and a use is added to all of them. Nodes
// with a smaller ring add to fewer: the row under the key that all nodes share has every use, so the greatest count is right
// (docs/decisions/0260-the-hash-key-is-a-ring.md).
import { execute, rows, sql, type Tx } from '../../lib/postgres/sql.ts';
import type { MobileUses } from '../rules/mobile-caps.ts';

export type NumberKey = { readonly tenantId: string; readonly numberHashes: readonly [Buffer, ...Buffer[]] };

type NumberRow = { readonly tenantId: string; readonly numberHash: Buffer };

const rowsOf = <T extends NumberKey>({ numberHashes, ...key }: T) =>
  numberHashes.map((numberHash) => ({ ...key, numberHash }));

/**
 * Inserts missing rows for the numbers and locks all of them: first those for all tenants, by hash, then the tenants' own,
 * by tenant and hash (docs/decisions/0120-lock-order.md). An upsert that changes nothing still locks and, unlike a select,
 * re-creates a row that the deletion of old rows has just removed.
 */
export async function lockNumbers(tx: Tx, keys: readonly NumberKey[]): Promise<void> {
  const wanted = keys.flatMap(rowsOf);
  const hashes = wanted.map((row) => row.numberHash);
  const ofAllTenants = execute(
    tx,
    sql`
    insert into mobile_uses (number_hash) select distinct unnest(${hashes}::bytea[]) order by 1
    on conflict (number_hash) do update set last_used_at = excluded.last_used_at where false`,
  );
  const ofTenants = execute(
    tx,
    sql`
    insert into tenant_mobile_uses (tenant_id, number_hash)
    select distinct * from unnest(${wanted.map((row) => row.tenantId)}::uuid[], ${hashes}::bytea[]) order by 1, 2
    on conflict (tenant_id, number_hash) do update set last_used_at = excluded.last_used_at where false`,
  );
  // Pipelined: PostgreSQL runs them in this order.
  await Promise.all([ofAllTenants, ofTenants]);
}

export type CountedNumber = NumberKey & { readonly byTenant: MobileUses; readonly byAllTenants: MobileUses };

type CountedRow = NumberRow & {
  readonly challenges: number;
  readonly messages: number;
  readonly mistakes: number;
  readonly allChallenges: number;
  readonly allMessages: number;
  readonly allMistakes: number;
};

/** Call it after `lockNumbers`. Counts the last 24 hours, by the database's clock. */
export async function countUses(tx: Tx, keys: readonly NumberKey[]): Promise<CountedNumber[]> {
  const wanted = keys.flatMap(rowsOf);
  const counted = await rows<CountedRow>(
    tx,
    sql`
    select own.tenant_id as "tenantId", own.number_hash as "numberHash",
           (select count(*) from unnest(own.challenged_at) as at where at > clock.day) as challenges,
           (select count(*) from unnest(own.messaged_at) as at where at > clock.day) as messages,
           (select count(*) from unnest(own.mistaken_at) as at where at > clock.day) as mistakes,
           (select count(*) from unnest(every.challenged_at) as at where at > clock.day) as "allChallenges",
           (select count(*) from unnest(every.messaged_at) as at where at > clock.day) as "allMessages",
           (select count(*) from unnest(every.mistaken_at) as at where at > clock.day) as "allMistakes"
      from (select distinct * from unnest(${wanted.map((row) => row.tenantId)}::uuid[],
                                          ${wanted.map((row) => row.numberHash)}::bytea[])) as asked (tenant_id, number_hash)
     cross join (select clock_timestamp() - interval '24 hours' as day offset 0) as clock
      join tenant_mobile_uses as own on own.tenant_id = asked.tenant_id and own.number_hash = asked.number_hash
      join mobile_uses as every on every.number_hash = asked.number_hash`,
  );
  const nameOf = ({ tenantId, numberHash }: NumberRow) => `${tenantId} ${numberHash.toString('hex')}`;
  const found = new Map(counted.map((row) => [nameOf(row), row]));
  return keys.map((key) => {
    const ofKey = rowsOf(key).flatMap((row) => found.get(nameOf(row)) ?? []);
    const most = (count: (row: CountedRow) => number) => Math.max(...ofKey.map(count));
    return {
      ...key,
      byTenant: {
        challenges: most((row) => row.challenges),
        messages: most((row) => row.messages),
        mistakes: most((row) => row.mistakes),
      },
      byAllTenants: {
        challenges: most((row) => row.allChallenges),
        messages: most((row) => row.allMessages),
        mistakes: most((row) => row.allMistakes),
      },
    };
  });
}

/**
 * When the tenant may send this number another message: when the oldest of its newest uses, as many as the cap allows,
 * is a day old. Call it with the number locked and over its cap.
 */
export async function findNumberFreeAt(tx: Tx, key: NumberKey, caps: MobileUses): Promise<Date | null> {
  const [found] = await rows<{ freeAt: Date | null }>(
    tx,
    sql`
    select max(greatest((select at from unnest(messaged_at) as at order by at desc offset ${caps.messages - 1} limit 1),
                        (select at from unnest(mistaken_at) as at order by at desc offset ${caps.mistakes - 1} limit 1)))
             + interval '24 hours' as "freeAt"
      from tenant_mobile_uses where tenant_id = ${key.tenantId} and number_hash = any (${key.numberHashes}::bytea[])`,
  );
  return found?.freeAt ?? null;
}

export type OwnNumberUses = MobileUses & { readonly freeAt: Date | null };

/**
 * One tenant's uses of a number, without a lock and without those of other tenants, and when the tenant may challenge it
 * again. Undefined for a number that the tenant has not used lately.
 */
export async function findOwnUses(tx: Tx, key: NumberKey, caps: MobileUses): Promise<OwnNumberUses | undefined> {
  const [uses] = await rows<OwnNumberUses>(
    tx,
    sql`
    select max((select count(*) from unnest(challenged_at) as at where at > clock.day)) as challenges,
           max((select count(*) from unnest(messaged_at) as at where at > clock.day)) as messages,
           max((select count(*) from unnest(mistaken_at) as at where at > clock.day)) as mistakes,
           max(greatest((select at from unnest(challenged_at) as at order by at desc offset ${caps.challenges - 1} limit 1),
                        (select at from unnest(messaged_at) as at order by at desc offset ${caps.messages - 1} limit 1),
                        (select at from unnest(mistaken_at) as at order by at desc offset ${caps.mistakes - 1} limit 1)))
             + interval '24 hours' as "freeAt"
      from tenant_mobile_uses
     cross join (select clock_timestamp() - interval '24 hours' as day offset 0) as clock
     where tenant_id = ${key.tenantId} and number_hash = any (${key.numberHashes}::bytea[])
    having count(*) > 0`,
  );
  return uses;
}

export type AddedUses = NumberKey & MobileUses;

/** Adds uses at the current time and deletes those older than a day. Call it with the numbers locked; one entry for each. */
export async function updateUses(tx: Tx, added: readonly AddedUses[]): Promise<void> {
  const uses = added.flatMap(rowsOf);
  const tenantIds = uses.map((use) => use.tenantId);
  const hashes = uses.map((use) => use.numberHash);
  const challenges = uses.map((use) => use.challenges);
  const messages = uses.map((use) => use.messages);
  const mistakes = uses.map((use) => use.mistakes);
  const ofTenants = execute(
    tx,
    sql`
    update tenant_mobile_uses as kept
       set challenged_at = array(select at from unnest(challenged_at) as at where at > clock_timestamp() - interval '24 hours')
                           || array_fill(clock_timestamp(), array[added.challenges]),
           messaged_at = array(select at from unnest(messaged_at) as at where at > clock_timestamp() - interval '24 hours')
                           || array_fill(clock_timestamp(), array[added.messages]),
           mistaken_at = array(select at from unnest(mistaken_at) as at where at > clock_timestamp() - interval '24 hours')
                           || array_fill(clock_timestamp(), array[added.mistakes]),
           last_used_at = clock_timestamp()
      from unnest(${tenantIds}::uuid[], ${hashes}::bytea[], ${challenges}::integer[], ${messages}::integer[],
                  ${mistakes}::integer[]) as added (tenant_id, number_hash, challenges, messages, mistakes)
     where kept.tenant_id = added.tenant_id and kept.number_hash = added.number_hash`,
  );
  const ofAllTenants = execute(
    tx,
    sql`
    update mobile_uses as kept
       set challenged_at = array(select at from unnest(challenged_at) as at where at > clock_timestamp() - interval '24 hours')
                           || array_fill(clock_timestamp(), array[added.challenges]),
           messaged_at = array(select at from unnest(messaged_at) as at where at > clock_timestamp() - interval '24 hours')
                           || array_fill(clock_timestamp(), array[added.messages]),
           mistaken_at = array(select at from unnest(mistaken_at) as at where at > clock_timestamp() - interval '24 hours')
                           || array_fill(clock_timestamp(), array[added.mistakes]),
           last_used_at = clock_timestamp()
      from (select number_hash, sum(challenges)::integer as challenges, sum(messages)::integer as messages,
                   sum(mistakes)::integer as mistakes
              from unnest(${hashes}::bytea[], ${challenges}::integer[], ${messages}::integer[], ${mistakes}::integer[])
                   as use (number_hash, challenges, messages, mistakes)
             group by number_hash) as added
     where kept.number_hash = added.number_hash`,
  );
  await Promise.all([ofTenants, ofAllTenants]);
}
