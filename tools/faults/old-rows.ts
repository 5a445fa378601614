// Months of rows, made in minutes: millions of reports that are kept, some that are due, and due rows of every other
// table with retention by age. Filling skips constraints: the rows are right by construction.
import type { Client as Session } from 'pg';
import { LOCAL_RING_KEY } from '../dev/local-secrets.ts';

export type Aged = {
  readonly table: string;
  /** The condition for due rows. */
  readonly due: string;
  readonly count: number;
  /** One statement; $1 is how many, and `at` the age of each. */
  readonly insert: string;
};

/** An id with its creation time, as the service makes them. */
const idAt = (at: string, number: string) => `
  (lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0') || '7' || substr(md5(${number}::text), 1, 3) ||
   '8' || substr(md5(${number}::text), 4, 15))::uuid`;

const HASH = `sha256(number::text::bytea)`;
const NUMBERS = 'generate_series(1, $1::integer) as number';

/** Besides the reports. Ages are spread over a day beyond the retention, so that no two rows have the same time. */
export const AGED: readonly Aged[] = [
  {
    table: 'idempotency_keys',
    due: `created_at < clock_timestamp() - interval '25 hours'`,
    count: 300_000,
    insert: `insert into idempotency_keys (tenant_id, caller_id, route, key_hash, fingerprint, answer, created_at)
      select (select min(id::text)::uuid from tenants), '00000000-0000-7000-8000-000000000000', 'POST /', ${HASH}, ${HASH}, '{}',
             now() - interval '26 hours' - random() * interval '1 day' from ${NUMBERS}`,
  },
  {
    table: 'mobile_uses',
    due: `last_used_at < clock_timestamp() - interval '25 hours'`,
    count: 200_000,
    insert: `insert into mobile_uses (number_hash, last_used_at)
      select ${HASH}, now() - interval '26 hours' - random() * interval '1 day' from ${NUMBERS}`,
  },
  {
    table: 'device_sessions',
    due: `bound_at < clock_timestamp() - interval '2 hours'`,
    count: 300_000,
    insert: `insert into device_sessions (session_hash, bound_to, bound_at)
      select ${HASH}, ${HASH}, now() - interval '3 hours' - random() * interval '1 day' from ${NUMBERS}`,
  },
  {
    table: 'sms_receipts',
    due: `received_at < clock_timestamp() - interval '90 days'`,
    count: 200_000,
    insert: `insert into sms_receipts (tenant_id, carrier, carrier_ref, status, send_id, received_at)
      select (select min(id::text)::uuid from tenants), 'twilio', 'SM' || md5(number::text), 'delivered', gen_random_uuid(),
             now() - interval '91 days' - random() * interval '1 day' from ${NUMBERS}`,
  },
  {
    table: 'sightings',
    due: `seen_at < clock_timestamp() - interval '30 days'`,
    count: 2_000_000,
    insert: `insert into sightings (subject_hash, identity_hash, seen_at)
      select decode(md5(number::text), 'hex'), decode(md5(number::text), 'hex'),
             now() - interval '32 days' + number * (interval '1 day' / $1) from ${NUMBERS}`,
  },
  {
    table: 'oidc_payloads',
    due: 'expires_at < clock_timestamp()',
    count: 200_000,
    insert: `insert into oidc_payloads (model, id, payload, expires_at)
      select 'AccessToken', md5(number::text), '{}', now() - random() * interval '1 day' from ${NUMBERS}`,
  },
  {
    table: 'mails',
    due: `coalesce(sent_at, given_up_at) < clock_timestamp() - interval '7 days'`,
    count: 100_000,
    insert: `insert into mails (id, kind, subject_id, recipient, sent_at)
      select gen_random_uuid(), 'password-reset', gen_random_uuid(), 'ada@example.com',
             now() - interval '8 days' - random() * interval '1 day' from ${NUMBERS}`,
  },
];

/** For the tenant that keeps its reports for a month. */
export const REPORTS_DUE = `purged_at is null and tenant_id = $1 and created_at < clock_timestamp() - interval '31 days'`;
const DUE_SHARE = 0.006;
/** Rows per batch, each batch of all ages and ordered within, so that filling takes minutes and not hours. */
const AT_A_TIME = 250_000;

/** Test reports, which are kept as long as others and are not in the ledger. */
const KEPT = `insert into credit_reports (tenant_id, id, is_test, caller_id, status, sealed_request, created_at, settled_at)
  select $1, ${idAt('at', '(at, number)')}, true, $1, 'complete', '\\x00', at, at
    from (select number, now() - interval '31 days' - random() * interval '58 days' as at
            from generate_series(1, $2::integer) as number) as made
   order by at`;

/** Blocked live reports with the hold released: they are due, and the ledger knows them. */
const DUE = [
  `create temporary table due as
     select ${idAt('at', 'number')} as id, at
       from (select number, now() - interval '32 days' - random() * interval '50 days' as at
               from generate_series(1, $1::integer) as number) as made`,
  `insert into credit_reports (tenant_id, id, is_test, caller_id, status, sealed_request, created_at, settled_at)
   select $1, id, false, $1, 'blocked', '\\x00', at, at from due`,
  `insert into data_keys (tenant_id, credit_report_id, ring_key_id, wrapped_key) select $1, id, '${LOCAL_RING_KEY}', '\\x00' from due`,
  `insert into holds (tenant_id, kind, source_id, amount, per_bureau, state, expires_at)
   select $1, 'report', id, 2000, 600, 'voided', at from due`,
];

export type Tenants = { readonly keepsLong: string; readonly keepsShort: string };

export async function fillOldRows(session: Session, tenants: Tenants, reports: number, say: (line: string) => void) {
  const share = reports / 5_000_000;
  await session.query(`set session_replication_role = replica; set synchronous_commit = off`);
  await session.query('update tenants set retention_days = 90 where id = $1', [tenants.keepsLong]);
  const [make, ...inserts] = DUE;
  await session.query(make ?? '', [Math.ceil(reports * DUE_SHARE)]);
  for (let made = 0; made < reports; made += AT_A_TIME) {
    await session.query(KEPT, [tenants.keepsLong, Math.min(AT_A_TIME, reports - made)]);
    // In the middle of the others, so that they are found among them.
    if (made === 0) for (const insert of inserts) await session.query(insert, [tenants.keepsShort]);
    say(`  filled ${Math.min(reports, made + AT_A_TIME).toLocaleString('en')} reports`);
  }
  for (const { insert, count } of AGED) await session.query(insert, [Math.ceil(count * share)]);
  await session.query(`set session_replication_role = origin`);
  await session.query('vacuum analyze');
  await session.query('checkpoint');
}
