// What is counted in any hour or day, with its instants. Addresses and names are counted over all companies, as the system role; what
// a company does is counted as its own app role.
import { agedTable } from '../../lib/postgres/retention.ts';
import { execute, rows, sql, type Tx } from '../../lib/postgres/sql.ts';
import type { Uses } from '../rules/budgets.ts';

export type CountedUses = Uses & {
  readonly target: string;
  /** When there is room again; null while there is. */
  readonly freeAt: Date | null;
  readonly freeInSeconds: number | null;
  /** When the oldest of the company's stops counting. */
  readonly oldestEndsAt: Date | null;
};

export type Counted = {
  readonly tenantId: string;
  readonly windowSeconds: number;
  /** How many there may be of all companies, and how many of each in any case. */
  readonly allMax: number;
  readonly ownMax: number;
};

export function readUses(tx: Tx, targets: readonly string[], counted: Counted): Promise<CountedUses[]> {
  const { tenantId, windowSeconds, allMax, ownMax } = counted;
  return rows<CountedUses>(
    tx,
    sql`
    select target, "all", own, free_at as "freeAt", oldest_ends_at as "oldestEndsAt",
           extract(epoch from free_at - clock_timestamp())::float8 as "freeInSeconds"
      from (select target, cardinality(instants) as "all", cardinality(own_instants) as own,
                   own_instants[1] + make_interval(secs => ${windowSeconds}) as oldest_ends_at,
                   -- As soon as enough of all are over, or enough of the company's own.
                   case when cardinality(instants) >= ${allMax}::int and cardinality(own_instants) >= ${ownMax}::int
                        then least(instants[cardinality(instants) - ${allMax}::int + 1],
                                   own_instants[cardinality(own_instants) - ${ownMax}::int + 1])
                             + make_interval(secs => ${windowSeconds}) end as free_at
              from (select asked.target, coalesce(array_agg(at order by at) filter (where at is not null), '{}') as instants,
                           coalesce(array_agg(at order by at) filter (where tenant_id = ${tenantId}), '{}') as own_instants
                      from unnest(${targets}::text[]) as asked (target)
                      left join lateral (
                        select tenant_id, at from webhook_uses, unnest(used_at) as at
                         where target = asked.target
                           and at > clock_timestamp() - make_interval(secs => ${windowSeconds})) as used on true
                     group by asked.target) as listed) as counted`,
  );
}

/** Locks the counts of these targets until the transaction ends, whoever has them, in one order. */
export async function lockUses(tx: Tx, targets: readonly string[], counted: Counted): Promise<CountedUses[]> {
  await execute(
    tx,
    sql`
    select pg_advisory_xact_lock(hashtextextended('webhook uses ' || target, 0))
      from (select unnest(${targets}::text[]) as target order by 1) as asked`,
  );
  // A statement of its own: it sees what was committed while the lock was waited for.
  return readUses(tx, targets, counted);
}

/** In the transaction that locked them. */
export async function insertUses(
  tx: Tx,
  targets: readonly string[],
  { tenantId, windowSeconds }: Counted,
): Promise<void> {
  await execute(
    tx,
    sql`
    insert into webhook_uses as kept (target, tenant_id, used_at)
    select target, ${tenantId}, array[clock_timestamp()] from unnest(${targets}::text[]) as target order by target
    on conflict (tenant_id, target) do update
       set used_at = array(select at from unnest(kept.used_at) as at
                            where at > clock_timestamp() - make_interval(secs => ${windowSeconds})) || excluded.used_at,
           touched_at = clock_timestamp()`,
  );
}

/** The longest that anything is counted. */
export const WEBHOOK_USES = agedTable('webhook_uses', 'touched_at', '25 hours');
