// The walls between tenants inside PostgreSQL: read from the catalogue, so that a new table without them fails, and
// then tried from the inside as the two roles of the service.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { rollUpDays } from '../../src/wallet/days/roll-up-days.ts';
import { generateBody, startChallenge } from '../harness.ts';
import { expectBooksToBalance } from '../support/books.ts';
import { grave } from '../support/grave.ts';
import { type LiveServer, liveBody, startLiveServer } from '../support/live.ts';
import { addWebhook } from '../support/webhooks.ts';

const ROLES = ['trefoil_app', 'trefoil_system'];
/** `npm run prove` sends more. */
const INTERLEAVED = Number(process.env['TREFOIL_TEST_INTERLEAVED'] ?? 600);

let server: LiveServer;
let tenantTables: string[];
beforeAll(async () => {
  server = await startLiveServer();
  // One row of everything for both tenants: an empty table would hide a missing wall.
  const sides = [
    { trefoil: server.trefoil, tenant: server.demo, credits: 111_111, to: '+447700900001' },
    { trefoil: server.otherTrefoil, tenant: server.other, credits: 222_222, to: '+447700900002' },
  ];
  for (const { trefoil, tenant, credits, to } of sides) {
    await startChallenge(trefoil);
    const { data } = await trefoil.generate(generateBody(), { idempotencyKey: 'walls' });
    await trefoil.getEvidence(data.creditReportId);
    await server.fund(tenant.tenantId, credits);
    await trefoil.generate(liveBody(server.mintSession(), { email: 'challenge@example.com', mobileNumber: to }));
    await server.query(`insert into tenant_prices values ($1, 'sms', '2100-01-01Z', 1)`, [tenant.tenantId]);
    await server.query(
      `insert into invitations (tenant_id, id, email, role, expires_at)
       values ($1, gen_random_uuid(), 'invited@example.com', 'analyst', now())`,
      [tenant.tenantId],
    );
    await server.query(
      `insert into report_tallies select $1, gen_random_uuid(), gen_random_uuid(), now(), now(), 1, 1, 1, 1, 1, 1`,
      [tenant.tenantId],
    );
    const subject = { firstName: 'Ada', lastName: 'Example', dateOfBirth: '1984-03-09', postcode: 'HR10 2AB' };
    await trefoil.findSubject(subject);
    await server.query(`insert into subject_marks values ($1, gen_random_uuid(), '{}')`, [tenant.tenantId]);
    await server.query(
      `insert into erasures (tenant_id, id, credit_report_ids, actor, counts)
       values ($1, gen_random_uuid(), '{}', 'operator', '{}')`,
      [tenant.tenantId],
    );
    await addWebhook(server, tenant.tenantId);
    await server.query(`insert into usage_days values ($1, '2026-03-01', false, 'report.completed', 1)`, [
      tenant.tenantId,
    ]);
    await server.query(
      `insert into mail_notices (tenant_id, day, kind, subject_id, mails) values ($1, now(), 'wallet-low', $1, 1)`,
      [tenant.tenantId],
    );
    await server.query(`insert into webhook_hosts (tenant_id, host) values ($1, 'a.example')`, [tenant.tenantId]);
    await server.query(`insert into webhook_uses (tenant_id, target, used_at) values ($1, 'replay', '{}')`, [
      tenant.tenantId,
    ]);
    await server.query(`insert into bureau_slots values ($1, '2026-03-01Z', 'equifax', 1, 1)`, [tenant.tenantId]);
    await trefoil.resetTestWallet(credits);
    await eventually(async () => {
      const query = `select from sms_receipts where tenant_id = $1 and status = 'delivered'`;
      expect(await server.query(query, [tenant.tenantId])).toHaveLength(1);
    });
  }
  // After all events: a claim takes away the turn of an endpoint that was deleted meanwhile.
  await server.query(
    `insert into webhook_turns select tenant_id, id, false, 'infinity' from webhook_endpoints
     on conflict (tenant_id, endpoint_id) do update set look_at = 'infinity'`,
  );
  await rollUpDays(server.database);
  // Made at every hundredth event only.
  await server.query(`insert into event_marks select distinct tenant_id, xid8 '0', 0, 0 from outbox`);
  const found = await server.query<{ name: string }>(
    `select distinct relname as name from pg_class join pg_attribute on attrelid = pg_class.oid
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attname = 'tenant_id' and not attisdropped`,
  );
  tenantTables = [...found.map(({ name }) => name), 'tenants', 'users'].toSorted();
});
afterAll(async () => {
  try {
    await expectBooksToBalance(server);
  } finally {
    await server.close();
  }
});

const tenantColumn = (table: string) => (table === 'tenants' ? 'id' : 'tenant_id');

test('the catalogue query finds the tables it must judge', () => {
  expect(tenantTables).toEqual([
    'audit_heads',
    'audit_log',
    'bureau_slots',
    'challenges',
    'credential_secrets',
    'credentials',
    'credit_reports',
    'data_keys',
    'erasures',
    'event_marks',
    'evidences',
    'holds',
    'idempotency_keys',
    'invitations',
    'ledger_entries',
    'ledger_txs',
    'mail_notices',
    'memberships',
    'outbox',
    'report_tallies',
    'sms_receipts',
    'sms_sends',
    'subject_hashes',
    'subject_marks',
    'tenant_mobile_uses',
    'tenant_prices',
    'tenants',
    'test_wallet_lines',
    'test_wallets',
    'usage_days',
    'users',
    'wallet_days',
    'wallet_rollups',
    'wallets',
    'webhook_attempts',
    'webhook_deliveries',
    'webhook_endpoints',
    'webhook_hosts',
    'webhook_turns',
    'webhook_uses',
  ]);
});

test('every tenant table has row-level security on, forced, and a policy for the app role', async () => {
  const open = await server.query(
    `select relname from pg_class
      where relname = any ($1) and relnamespace = 'public'::regnamespace
        and not (relrowsecurity and relforcerowsecurity
                 and exists (select from pg_policy where polrelid = pg_class.oid and polroles @> array['trefoil_app'::regrole::oid]))`,
    [tenantTables],
  );
  expect(open).toEqual([]);
});

test('no policy serves everybody, and no tenant policy of the app role lets a row through unasked', async () => {
  const policies = await server.query<{ table: string; roles: string; using: string; check: string }>(
    `select tablename as table, roles::text, qual as using, with_check as check from pg_policies where schemaname = 'public'`,
  );
  expect(policies.length).toBeGreaterThanOrEqual(tenantTables.length);
  for (const policy of policies) {
    expect(policy.roles).not.toContain('public');
    if (!policy.roles.includes('trefoil_app')) continue;
    expect(`${policy.table}: ${policy.using}`).toMatch(/current_tenants\(\)|memberships/);
    // No index serves this form: a look-up by key stays one (docs/decisions/0122-policies-no-index-serves.md).
    if (policy.using.includes('current_tenants'))
      expect(`${policy.table}: ${policy.using}`).toMatch(
        /\( SELECT current_tenants\(\) AS current_tenants\) @> ARRAY\[/,
      );
    expect(`${policy.table}: ${policy.check ?? 'none'}`).not.toMatch(/true/);
  }
});

test('every table without row-level security is named here with all that each role may do to it', async () => {
  const open = await server.query(
    `select relname as table, rolname as role, string_agg(privilege, ' ' order by privilege) as may
       from pg_class, pg_roles, unnest('{select,insert,update,delete,truncate,references,trigger}'::text[]) privilege
      where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and not relrowsecurity
        and rolname = any ($1) and has_table_privilege(rolname, pg_class.oid, privilege)
      group by 1, 2 order by 1, 2`,
    [ROLES],
  );
  expect(open).toEqual([
    // Of everybody: keyed hashes and times alone, and the prices that all may know.
    { table: 'device_sessions', role: 'trefoil_app', may: 'insert select' },
    { table: 'device_sessions', role: 'trefoil_system', may: 'delete' },
    { table: 'event_marking', role: 'trefoil_system', may: 'select update' },
    // The key for the ids of events: who can read it can count the rows themselves.
    { table: 'event_names', role: 'trefoil_app', may: 'select' },
    { table: 'event_names', role: 'trefoil_system', may: 'select' },
    { table: 'factor_links', role: 'trefoil_system', may: 'delete insert select update' },
    // Which hash keys processes run with, by their fingerprints.
    { table: 'hash_rings', role: 'trefoil_system', may: 'delete insert select update' },
    { table: 'job_marks', role: 'trefoil_system', may: 'insert select update' },
    { table: 'list_prices', role: 'trefoil_app', may: 'select' },
    { table: 'list_prices', role: 'trefoil_system', may: 'insert select' },
    { table: 'mails', role: 'trefoil_app', may: 'insert' },
    { table: 'mails', role: 'trefoil_system', may: 'delete insert select update' },
    { table: 'mobile_uses', role: 'trefoil_app', may: 'insert select update' },
    { table: 'mobile_uses', role: 'trefoil_system', may: 'delete' },
    { table: 'oauth_apps', role: 'trefoil_system', may: 'delete insert select update' },
    { table: 'oidc_payloads', role: 'trefoil_system', may: 'delete insert select update' },
    { table: 'password_resets', role: 'trefoil_system', may: 'delete insert select update' },
    { table: 'roles', role: 'trefoil_app', may: 'select' },
    { table: 'roles', role: 'trefoil_system', may: 'select' },
    { table: 'sightings', role: 'trefoil_app', may: 'insert select' },
    { table: 'sightings', role: 'trefoil_system', may: 'delete' },
    { table: 'sign_ins', role: 'trefoil_system', may: 'delete insert select update' },
    { table: 'sweepers', role: 'trefoil_system', may: 'delete insert select update' },
    { table: 'usage_place', role: 'trefoil_system', may: 'select update' },
    { table: 'user_guesses', role: 'trefoil_system', may: 'delete insert select update' },
    { table: 'user_passkeys', role: 'trefoil_system', may: 'delete insert select update' },
    { table: 'user_passwords', role: 'trefoil_system', may: 'delete insert select update' },
    { table: 'user_recovery_codes', role: 'trefoil_system', may: 'delete insert select update' },
    { table: 'user_totps', role: 'trefoil_system', may: 'delete insert select update' },
    { table: 'webhook_fanout', role: 'trefoil_system', may: 'select update' },
    // Wrapped by the key service; the app role, which reads wrapped data keys, must not see them.
    { table: 'working_keys', role: 'trefoil_system', may: 'insert select update' },
  ]);
});

test('where a role has rights to columns alone, they are these and no others', async () => {
  const columns = await server.query<{ line: string }>(
    `select concat_ws(' ', relname, privilege, rolname || ':', string_agg(attname, ' ' order by attname)) as line
       from pg_class join pg_attribute on attrelid = pg_class.oid and (attnum > 0 or attname = 'ctid') and not attisdropped,
            pg_roles, unnest('{select,insert,update}'::text[]) privilege
      where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and rolname = any ($1)
        and not has_table_privilege(rolname, pg_class.oid, privilege)
        and has_column_privilege(rolname, pg_class.oid, attnum, privilege)
      group by relname, privilege, rolname order by 1`,
    [ROLES],
  );
  expect(columns.map(({ line }) => line)).toEqual([
    'challenges select trefoil_system: credit_report_id due_at id tenant_id test_due_at',
    'credit_reports select trefoil_system: bureau_results created_at failure fence first_send_id id is_test purged_at settled_at status tenant_id',
    'credit_reports update trefoil_system: purged_at sealed_provenance sealed_report sealed_request',
    'data_keys select trefoil_system: credit_report_id ring_key_id tenant_id',
    // A rotation wraps them anew.
    'data_keys update trefoil_app: ring_key_id wrapped_key',
    'device_sessions select trefoil_system: bound_at ctid',
    // What was to be erased never changes; its end is added once.
    'erasures update trefoil_app: counts finished_at kid receipt signature',
    // A statement never changes; digests of documents are added to it.
    'evidences update trefoil_app: document_digests',
    'holds update trefoil_app: captured_amount expires_at state',
    'idempotency_keys select trefoil_system: created_at ctid tenant_id',
    'mail_notices update trefoil_app: mails',
    'mail_notices update trefoil_system: mails',
    'memberships update trefoil_app: removed_at role',
    'migrations select trefoil_system: name',
    'mobile_uses select trefoil_system: ctid last_used_at',
    'sightings select trefoil_system: ctid seen_at',
    'sms_receipts update trefoil_app: pending_since',
    'sms_sends update trefoil_system: asked_count carrier_ref next_ask_at',
    'tenant_mobile_uses select trefoil_system: ctid last_used_at',
    'tenants update trefoil_app: display_name low_balance_credits otp_host own_sms_countries own_sms_daily_credits own_sms_daily_messages own_sms_minute_messages require_second_factor retention_days',
    'test_wallet_lines select trefoil_system: created_at ctid',
    'test_wallets update trefoil_app: balance last_seq low_credits',
    'wallets update trefoil_app: balance held is_low_mail_due last_seq low_credits sms_count_day sms_day sms_day_credits sms_day_messages sms_minute sms_minute_messages',
    'wallets update trefoil_system: is_low_mail_due',
    'webhook_endpoints update trefoil_system: replay_event replay_queued replay_reached_at replay_since replay_xact_id',
    'webhook_hosts update trefoil_system: kept_until next_free_at sent sent_minute',
    'webhook_uses update trefoil_system: touched_at used_at',
  ]);
});

test('the roles of the service are not superusers, pass no policy, own nothing and are in no other role', async () => {
  const roles = await server.query(
    `select rolname from pg_roles where rolname = any ($1) and not rolsuper and not rolbypassrls and not rolcreaterole
        and not rolcreatedb and not rolreplication order by 1`,
    [ROLES],
  );
  expect(roles).toEqual(ROLES.map((rolname) => ({ rolname })));
  const owned = await server.query(
    `select relname from pg_class where relowner in (select oid from pg_roles where rolname = any ($1))
     union all select proname from pg_proc where proowner in (select oid from pg_roles where rolname = any ($1))
     union all select nspname from pg_namespace where nspowner in (select oid from pg_roles where rolname = any ($1))
     union all select roleid::regrole::text::name from pg_auth_members where member in (select oid from pg_roles where rolname = any ($1))`,
    [ROLES],
  );
  expect(owned).toEqual([]);
});

test('no function runs with the rights of its owner, and no view looks behind the walls', async () => {
  const doors = await server.query(
    `select proname as name from pg_proc where pronamespace = 'public'::regnamespace and prosecdef
     union all select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('v', 'm')`,
  );
  expect(doors).toEqual([]);
});

test('every primary key of a tenant table begins with the tenant', async () => {
  const others = await server.query(
    `select relname from pg_class join pg_index on indrelid = pg_class.oid and indisprimary
       join pg_attribute on attrelid = pg_class.oid and attnum = indkey[0]
      where relname = any ($1) and relname not in ('tenants', 'users') and attname <> 'tenant_id'`,
    [tenantTables],
  );
  const keyed = await server.query(`select from pg_index where indisprimary and indrelid = any ($1::regclass[])`, [
    tenantTables,
  ]);
  expect(others).toEqual([]);
  expect(keyed).toHaveLength(tenantTables.length);
});

async function readableTables(): Promise<string[]> {
  const readable = await server.query<{ name: string }>(
    `select name from unnest($1::text[]) name where has_table_privilege('trefoil_app', name, 'select')`,
    [tenantTables],
  );
  return readable.map(({ name }) => name);
}

const refusedWith = (code: string) => expect.objectContaining({ code });

describe('as the app role', () => {
  test('no tenant named: no row of any table', async () => {
    const tables = await readableTables();
    expect(tables.length).toBeGreaterThanOrEqual(8);
    await server.database.forTenants([], async (tx) => {
      for (const table of tables) {
        await grave('a row of a tenant', async () =>
          expect((await tx.query(`select from "${table}"`, [])).rows, table).toEqual([]),
        );
      }
    });
  });

  test('one tenant named: its own rows in every table and never another’s', async () => {
    for (const { tenantId } of [server.demo, server.other]) {
      await server.database.forTenants([tenantId], async (tx) => {
        for (const table of await readableTables()) {
          const column = table === 'users' ? 'null::uuid' : tenantColumn(table);
          const { rows } = await tx.query<{ owner: string | null }>(`select ${column} as owner from "${table}"`, []);
          expect(rows.length, table).toBeGreaterThan(0);
          await grave('a row of another tenant', () => {
            if (table !== 'users') expect(new Set(rows.map(({ owner }) => owner)), table).toEqual(new Set([tenantId]));
            else expect(rows).toHaveLength(1);
          });
        }
      });
    }
  });

  test('two tenants named: the rows of both', async () => {
    const { demo, other } = server;
    await server.database.forTenants([demo.tenantId, other.tenantId], async (tx) => {
      const { rows } = await tx.query<{ owner: string }>('select distinct tenant_id as owner from credit_reports', []);
      expect(new Set(rows.map(({ owner }) => owner))).toEqual(new Set([demo.tenantId, other.tenantId]));
    });
  });

  const report = `insert into credit_reports (tenant_id, id, is_test, caller_id, status, sealed_request)
                  values ($1, gen_random_uuid(), true, gen_random_uuid(), 'blocked', '')`;
  const writes = {
    'insert for another tenant': report,
    'move a row to another tenant': 'update credit_reports set tenant_id = $1',
    'insert a line into another tenant’s journal': `insert into ledger_txs (tenant_id, seq, kind, source_id, balance_after)
                                                    values ($1, 999, 'adjust', gen_random_uuid(), 0)`,
    'hold in another tenant’s wallet': `insert into holds (tenant_id, kind, source_id, amount, expires_at)
                                        values ($1, 'sms', gen_random_uuid(), 0, now())`,
    'write into another tenant’s audit chain': `insert into audit_log values ($1, 999, '', '', gen_random_uuid(), '{}', now(),
                                                  decode(repeat('00', 32), 'hex'))`,
    'tell an event of another tenant': `insert into outbox (tenant_id, type, subject_id) values ($1, '', gen_random_uuid())`,
    'count a use of a number for another tenant': `insert into tenant_mobile_uses (tenant_id, number_hash)
                                                   values ($1, sha256(''))`,
    'make an endpoint for another tenant': `insert into webhook_endpoints
      (tenant_id, id, sealed_url, host, is_test, is_ordered, sealed_secret)
      values ($1, gen_random_uuid(), '', '', true, false, '')`,
    'insert a key for another tenant': `insert into idempotency_keys (tenant_id, caller_id, route, key_hash, fingerprint)
                                        values ($1, gen_random_uuid(), '', '', '')`,
  };
  test.each(Object.entries(writes))('42501: %s', async (_name, statement) => {
    const work = server.database.forTenants([server.demo.tenantId], (tx) =>
      tx.query(statement, [server.other.tenantId]),
    );
    await expect(work).rejects.toEqual(refusedWith('42501'));
  });

  test('updates and deletes that name another tenant’s rows touch none', async () => {
    await server.database.forTenants([server.demo.tenantId], async (tx) => {
      const values = [server.other.tenantId];
      for (const statement of [
        `update credit_reports set status = 'failed' where tenant_id = $1`,
        'update challenges set attempts_used = 0 where tenant_id = $1',
        'delete from idempotency_keys where tenant_id = $1',
        'update wallets set balance = 0, held = 0 where tenant_id = $1',
        `update holds set state = 'voided' where tenant_id = $1`,
        `update sms_sends set state = 'delivered' where tenant_id = $1`,
        `update tenant_mobile_uses set challenged_at = '{}' where tenant_id = $1`,
        'update audit_heads set seq = 0 where tenant_id = $1',
        `update webhook_endpoints set description = 'x' where tenant_id = $1`,
        `update webhook_deliveries set state = 'delivered' where tenant_id = $1`,
      ]) {
        await grave('a row of another tenant', async () =>
          expect((await tx.query(statement, values)).rowCount, statement).toBe(0),
        );
      }
    });
  });

  test.each([
    'update wallets set tenant_id = tenant_id',
    'insert into wallets (tenant_id) values (gen_random_uuid())',
    'delete from wallets',
    'update holds set tenant_id = tenant_id',
    'update ledger_txs set balance_after = 0',
    'update sms_receipts set status = status',
    'delete from sms_sends',
    'delete from audit_log',
    'delete from audit_heads',
    'update tenant_prices set credits = 0',
    'update tenants set sms_daily_credits = null',
    'delete from credit_reports',
    'delete from challenges',
    'delete from data_keys',
    'update data_keys set tenant_id = tenant_id',
    'select from working_keys',
    'delete from credentials',
    'delete from credential_secrets',
    'delete from invitations',
    'delete from tenant_mobile_uses',
    'delete from memberships',
    'delete from webhook_endpoints',
    'delete from webhook_deliveries',
    'update webhook_attempts set status = 200',
    'select from webhook_fanout',
    'select from event_marking',
    'update event_names set keyed_from = now()',
    'insert into event_marks select * from event_marks',
    'delete from event_marks',
    'select from usage_place',
    'update wallet_days set amount = 0',
    'update wallet_rollups set last_seq = 0',
    'delete from usage_days',
    'delete from bureau_slots',
    'insert into memberships select * from memberships',
    'select from mails',
    'select from user_passwords',
    'select from user_totps',
    'select from user_recovery_codes',
    'select from user_passkeys',
    'select from sign_ins',
    'select from oauth_apps',
    'select from password_resets',
    'select from factor_links',
    'select from oidc_payloads',
    'update tenants set is_enabled = true',
    'update users set email = email',
    'update memberships set user_id = user_id',
    'truncate credit_reports',
    'create table public.planted (id int)',
    'alter table credit_reports disable row level security',
    'set role trefoil_system',
    'set role postgres',
    'set session authorization postgres',
    `copy credit_reports to program 'true'`,
  ])('42501: %s', async (statement) => {
    const work = server.database.forTenants([server.demo.tenantId], (tx) => tx.query(statement, []));
    await expect(work).rejects.toEqual(refusedWith('42501'));
  });

  test('row_security = off refuses to read instead of reading past the wall', async () => {
    const work = server.database.forTenants([server.demo.tenantId], async (tx) => {
      await tx.query('set local row_security = off', []);
      return tx.query('select from credit_reports', []);
    });
    await expect(work).rejects.toEqual(refusedWith('42501'));
  });

  test.each(['', 'x', "'; drop table tenants; --", '{}', '00000000-0000-0000-0000-00000000000g'])(
    'a tenant id that is not a UUID opens nothing: %j',
    async (tenantId) => {
      await expect(async () => server.database.forTenants([tenantId], async () => 1)).rejects.toThrow(TypeError);
    },
  );

  test('a connection keeps no tenant after its transaction, neither ended nor failed', async () => {
    // More transactions than connections, so that each connection is used again.
    const statements = ['select 1', 'select 1/0', 'select from no_such_table'];
    for (let count = 0; count < 30; count += 1) {
      const statement = statements[count % statements.length] ?? '';
      await server.database.forTenants([server.demo.tenantId], (tx) => tx.query(statement, [])).catch(() => undefined);
    }
    // After the rollback the same connection stands outside any transaction, where only what it kept is left.
    const kept = Array.from({ length: 20 }, () =>
      server.database.forTenants([], async (tx) => {
        await tx.query('rollback', []);
        const { rows } = await tx.query<{ tenants: string; seen: number }>(
          `select coalesce(current_setting('trefoil.tenants', true), '') as tenants, count(*) as seen from credit_reports`,
          [],
        );
        return rows[0];
      }),
    );
    for (const each of await Promise.all(kept)) {
      await grave('a row of a tenant', () => expect(each).toEqual({ tenants: '', seen: 0 }));
    }
  });
});

test.each([
  'select sealed_request from credit_reports',
  'select sealed_report from credit_reports',
  'select external_reference_hash from credit_reports',
  'select * from credit_reports',
  'select wrapped_key from data_keys',
  'select attempts_used from challenges',
  'select key_hash from idempotency_keys',
  'select answer from idempotency_keys',
  'select number_hash from mobile_uses',
  'select challenged_at from mobile_uses',
  'select tenant_id from tenant_mobile_uses',
  'select number_hash from tenant_mobile_uses',
  'select session_hash from device_sessions',
  'select bound_to from device_sessions',
  'select subject_hash from sightings',
  'select identity_hash from sightings',
  'update data_keys set wrapped_key = wrapped_key',
  'delete from working_keys',
  'update challenges set due_at = due_at',
  `update credit_reports set status = 'complete'`,
  'delete from credit_reports',
  'delete from challenges',
  'delete from sms_sends',
  'delete from holds',
  'delete from audit_log',
  'update list_prices set credits = 0',
  'update tenant_prices set credits = 0',
  'insert into credit_reports default values',
  'update wallets set balance = 1',
  'delete from wallets',
  'delete from tenants',
  'delete from credential_secrets',
  'select from webhook_attempts',
  `update webhook_endpoints set sealed_secret = ''`,
  'create table public.planted (id int)',
  'set role trefoil_app',
  'set role postgres',
])('42501 as the system role: %s', async (statement) => {
  await expect(server.database.asSystem((tx) => tx.query(statement, []))).rejects.toEqual(refusedWith('42501'));
});

test(`200: of ${INTERLEAVED} interleaved requests of two tenants none answers with the other’s data`, async () => {
  const sides = [
    { trefoil: server.trefoil, name: 'Alder', ...(await server.wallet(server.demo.tenantId)) },
    { trefoil: server.otherTrefoil, name: 'Birch', ...(await server.wallet(server.other.tenantId)) },
  ];
  expect(sides[0]?.balance).not.toBe(sides[1]?.balance);
  let started = 0;
  const crossings: string[] = [];
  const foreign: string[] = [];
  async function work(): Promise<void> {
    while (started < INTERLEAVED) {
      const number = started++;
      const side = sides[number % 2];
      if (!side) return;
      const call = { idempotencyKey: `key-${number >> 1}` };
      const { meta, data } = await side.trefoil.generate(
        generateBody({ lastName: `${side.name}${number >> 1}` }),
        call,
      );
      const seen = data.status === 'complete' ? data.creditReport.person.lastName : data.status;
      if (seen !== `${side.name}${number >> 1}` || meta.wallet.balance !== side.balance)
        crossings.push(`${number}: ${seen}`);
      const other = sides[(number + 1) % 2];
      if (other && (seen.startsWith(other.name) || meta.wallet.balance === other.balance))
        foreign.push(`${number}: ${seen}`);
    }
  }
  await Promise.all(Array.from({ length: 16 }, work));
  await grave('another tenant’s data', () => expect(foreign).toEqual([]));
  expect(crossings).toEqual([]);
}, 90_000);
