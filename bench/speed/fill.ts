// Fills the tables as years of use would: many reports with their keys and holds, and three ledger rows for each,
// tenant by tenant. Filling skips constraints and triggers: the rows are right by construction.
import { Client } from 'pg';
import type { Stage } from './stage.ts';

const REPORT_BYTES = 1_024;
const REQUEST_BYTES = 100;
const COST = 2_000;
const ROWS_AT_A_TIME = 250_000;

/** Ordered ids from before today, so that index pages fill as they would in use. */
const id = `('01890000-' || lpad(to_hex(number / 65536), 4, '0') || '-7' || lpad(to_hex(number % 4096), 3, '0') || '-8' ||
  lpad(to_hex(place), 3, '0') || '-' || lpad(to_hex(number), 12, '0'))::uuid`;

const STATEMENTS = [
  `insert into credit_reports (tenant_id, id, is_test, caller_id, status, sealed_request, sealed_report, created_at, settled_at)
   select tenant_id, id, false, tenant_id, 'complete', $4, $5, now() - interval '20 days', now() - interval '20 days' from made`,
  `insert into data_keys (tenant_id, credit_report_id, ring_key_id, wrapped_key) select tenant_id, id, 'k1', $6 from made`,
  `insert into holds (tenant_id, kind, source_id, amount, per_bureau, captured_amount, state, expires_at)
   select tenant_id, 'report', id, ${COST}, 600, ${COST}, 'captured', now() - interval '20 days' from made`,
  `insert into ledger_txs (tenant_id, seq, kind, source_id, credit_report_id, balance_after, created_at)
   select tenant_id, seq, 'report-charge', id, id, balance - ${COST} * number, now() - interval '20 days' from made`,
  `insert into ledger_entries (tenant_id, seq, account, amount)
   select tenant_id, seq, account, amount from made, (values ('revenue:report', ${COST}), ('wallet', -${COST})) as legs (account, amount)`,
];

/** The rows of one pass: tenants `from` to `to`, each with `perTenant` reports after its wallet's existing ones. */
const MADE = `with made as (
  select tenant_id, ${id} as id, last_seq + number as seq, balance, number
    from (select tenant_id, last_seq, balance, row_number() over (order by tenant_id) as place from wallets) as numbered,
         generate_series(1, $3) as number
   where place > $1 and place <= $2
   order by tenant_id, number) `;

export async function fill({ ownerUrl }: Stage, reports: number, onProgress: (done: number) => void): Promise<void> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query(`set session_replication_role = replica; set synchronous_commit = off; set work_mem = '256MB'`);
    const { rows } = await client.query<{ count: string }>('select count(*) from wallets');
    const tenants = Number(rows[0]?.count);
    const perTenant = Math.ceil(reports / tenants);
    const step = Math.max(1, Math.floor(ROWS_AT_A_TIME / perTenant));
    for (let from = 0; from < tenants; from += step) {
      const to = Math.min(tenants, from + step);
      for (const statement of STATEMENTS) {
        // Only the parameters that a statement names: the others would have no type.
        const bodies = [Buffer.alloc(REQUEST_BYTES, 1), Buffer.alloc(REPORT_BYTES, 1), Buffer.alloc(61, 1)];
        const used = bodies.filter((_, place) => statement.includes(`$${place + 4}`));
        const text = used.length === 1 ? statement.replace('$6', '$4') : statement;
        await client.query(MADE + text, [from, to, perTenant, ...used]);
      }
      await client.query(
        `update wallets set last_seq = last_seq + $3::bigint, balance = balance - ${COST} * $3::bigint
          where tenant_id in (select tenant_id from (select tenant_id, row_number() over (order by tenant_id) as place from wallets) as numbered
                               where place > $1 and place <= $2)`,
        [from, to, perTenant],
      );
      onProgress(to * perTenant);
    }
    await client.query('vacuum analyze');
    await client.query('checkpoint');
  } finally {
    await client.end();
  }
}
