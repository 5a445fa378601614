// The status queries as columns of the messages' rows: how many, and when the next is due. Runs as the system role,
// which finds the messages of all tenants and can change nothing else about them.
import { execute, rows, sql, type Tx } from '../../lib/postgres/sql.ts';

export type DueAsk = {
  readonly tenantId: string;
  readonly id: string;
  readonly carrierRef: string;
  /** This query included. */
  readonly askedCount: number;
  readonly ageSeconds: number;
};

/**
 * Claims due messages, the longest due first, and leases each for a while. If the worker that claimed them dies,
 * another claims them after the lease. Skips rows that another worker is claiming or a receipt is settling. Compares
 * with the statement's time, because no index can be searched by `clock_timestamp()`: an outage leaves many rows that
 * are not due.
 */
export function claimDueAsks(tx: Tx, limit: number, leaseSeconds: number): Promise<DueAsk[]> {
  return rows<DueAsk>(
    tx,
    sql`
    update sms_sends
       set asked_count = asked_count + 1, next_ask_at = clock_timestamp() + make_interval(secs => ${leaseSeconds})
     where (tenant_id, id) in (select tenant_id, id from sms_sends
                                where state = 'submitted' and carrier_ref is not null
                                  and next_ask_at <= statement_timestamp()
                                order by next_ask_at limit ${limit} for no key update skip locked)
    returning tenant_id as "tenantId", id, carrier_ref as "carrierRef", asked_count as "askedCount",
              extract(epoch from clock_timestamp() - sent_at)::float8 as "ageSeconds"`,
  );
}

/** Null: the carrier need not be asked again. */
export async function updateNextAsk(
  tx: Tx,
  { tenantId, id }: { readonly tenantId: string; readonly id: string },
  afterSeconds: number | null,
): Promise<void> {
  await execute(
    tx,
    sql`
    update sms_sends
       set next_ask_at = coalesce(clock_timestamp() + make_interval(secs => ${afterSeconds}), 'infinity')
     where tenant_id = ${tenantId} and id = ${id} and state = 'submitted'`,
  );
}
