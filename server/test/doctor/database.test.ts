// The doctor's checks of the database, each on an installation that is fit and on one that was broken for it. Roles belong to
// the whole PostgreSQL server, which other tests use: none of ours is changed, another one is used instead.
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { newEvidenceKeys } from '../../src/evidence/evidence-keys.ts';
import { newKey } from '../../src/lib/crypto/secret-keys.ts';
import { createLog } from '../../src/lib/log.ts';
import { createMetrics } from '../../src/lib/metrics.ts';
import { reconciliationJobs } from '../../src/reconciliation/jobs.ts';
import { generateBody } from '../harness.ts';
import { brokenFor, checkOf, examine, expectCheck } from '../support/doctor.ts';
import { type LiveServer, startLiveServer } from '../support/live.ts';

let server: LiveServer;
beforeAll(async () => {
  // Without jobs, so that a test decides which traces they leave.
  server = await startLiveServer({ environment: { TREFOIL_JOBS: 'off' } });
  const { data } = await server.trefoil.generate(generateBody());
  await server.trefoil.getEvidence(data.creditReportId);
  await server.query('insert into sweepers (id, reachable_since) values (gen_random_uuid(), now())');
});
const WITHOUT_LIVE = { TREFOIL_BUREAUS: '', TREFOIL_SCREENING: '', TREFOIL_SMS: '' };
afterAll(async () => {
  await server.close();
});

/** The name of the database is not known before it is there. */
const named = (statements: string) => statements.replaceAll('DATABASE', server.databaseName);

const broken = <T>(breaking: string, mending: string, look: () => Promise<T>) =>
  brokenFor(server, [breaking, mending], look);

const breaks = async (...args: Parameters<typeof broken>): Promise<void> => {
  await broken(...args);
};

test('an installation that is fit: every check of the database is good', async () => {
  await server.query('update sweepers set seen_at = now()');
  const examination = await examine(server);
  const names = [
    'database',
    'schema',
    'roles',
    'grants',
    'row-security',
    'clock',
    'keys',
    'connections',
    'jobs',
    'backlog',
  ];
  for (const name of [...names, 'ledger', 'audit']) {
    const { status, reason } = checkOf(examination, name);
    expect(`${name}: ${status} ${reason}`).toMatch(/: ok /);
  }
  expect(examination.isFit).toBe(true);
});

const MIGRATIONS = `select name from migrations where name like '0028%'`;
describe('schema', () => {
  test('a missing migration fails, and checks that need the schema are skipped', async () => {
    const [row] = await server.query<{ name: string }>(MIGRATIONS);
    const examination = await broken(
      `delete from migrations where name = '${row?.name}'`,
      `insert into migrations (name, run_on) values ('${row?.name}', now())`,
      () => expectCheck(examine(server), 'schema', 'fail', '0028'),
    );
    for (const name of ['grants', 'row-security', 'keys', 'jobs', 'ledger']) {
      expect(checkOf(examination, name).status).toBe('skip');
    }
  });

  test.each([
    ['0000_of_another_product', 'fail'],
    ['9999_of_a_newer_version', 'warn'],
  ])('the unknown migration %s: %s', (name, status) =>
    breaks(
      `insert into migrations (name, run_on) values ('${name}', now())`,
      `delete from migrations where name = '${name}'`,
      () => expectCheck(examine(server), 'schema', status, name),
    ),
  );
});

describe('roles and rights', () => {
  const name = `doctor_test_${randomBytes(4).toString('hex')}`;
  const asRole = () => ({
    TREFOIL_DATABASE_URL: server.environment['TREFOIL_DATABASE_URL']?.replace('trefoil_app', name) ?? '',
  });
  test.each([
    ['superuser', 'is a superuser'],
    ['bypassrls', 'bypasses row-level security'],
    ['createrole createdb', 'may create roles.*may create databases'],
    ['in role pg_read_all_data', 'member of pg_read_all_data'],
  ])('a log-in with %s fails', (attributes, told) =>
    breaks(`create role ${name} login ${attributes}`, `drop role ${name}`, () =>
      expectCheck(examine(server, asRole()), 'roles', 'fail', new RegExp(told)),
    ),
  );

  test.each([
    [
      'revoke select on wallets from trefoil_app',
      'grant select on wallets to trefoil_app',
      'Missing: trefoil_app select on wallets',
    ],
    [
      'grant delete on ledger_txs to trefoil_app',
      'revoke delete on ledger_txs from trefoil_app',
      'Too much: trefoil_app delete on ledger_txs',
    ],
    [
      'grant select (email) on users to public',
      'revoke select (email) on users from public',
      /Too much: public select \(email\) on users/,
    ],
  ])('%s: grants fail', (breaking, mending, told) =>
    breaks(breaking, mending, () => expectCheck(examine(server), 'grants', 'fail', told)),
  );

  test('a right of a role that is not ours is a warning', () =>
    broken(`create role ${name}; grant select on tenants to ${name}`, `drop owned by ${name}; drop role ${name}`, () =>
      expectCheck(examine(server), 'grants', 'warn', name),
    ));

  test('what an extension brings to the schema is not counted', () =>
    broken('create extension pg_stat_statements', 'drop extension pg_stat_statements', async () => {
      const granted = `select from pg_class where relname = 'pg_stat_statements' and 'public'::regnamespace = relnamespace
                          and relacl::text like '%=r/%'`;
      expect(await server.query(granted)).toHaveLength(1);
      await expectCheck(examine(server), 'grants', 'ok');
    }));

  const POLICY = 'alter policy tenants_of_the_transaction on wallets';
  const OWN = '((select public.current_tenants()) @> array[tenant_id])';
  const mended = `${POLICY} using ${OWN} with check ${OWN}`;
  const tenants = (body: string) =>
    `create or replace function current_tenants() returns uuid[] language sql stable parallel safe return ${body}`;
  test.each([
    [
      'alter table wallets disable row level security',
      'alter table wallets enable row level security',
      'row-security wallets',
    ],
    [
      'alter table wallets no force row level security',
      'alter table wallets force row level security',
      'row-security wallets',
    ],
    [`${POLICY} using (true) with check (true)`, mended, 'every row'],
    [`${POLICY} using (${OWN} or true)`, mended, 'on wallets for all to trefoil_app in another way'],
    [`${POLICY} with check (true)`, mended, 'on wallets for all to trefoil_app in another way'],
    [
      tenants(`'{00000000-0000-4000-8000-000000000000}'::uuid[]`),
      tenants(`nullif(current_setting('trefoil.tenants', true), '')::uuid[]`),
      'Not ours: function public.current_tenants() in another way',
    ],
    [
      `create schema other; create function other.current_tenants() returns uuid[] language sql return null::uuid[];
       ${POLICY} using ((select other.current_tenants()) @> array[tenant_id]) with check ${OWN};
       alter database "DATABASE" set search_path = other, public`,
      `${mended}; drop schema other cascade; alter database "DATABASE" reset search_path`,
      'on wallets for all to trefoil_app in another way',
    ],
    ['create policy open on users for select using (true)', 'drop policy open on users', 'policy open on users'],
  ])('%s: row-security fails', (breaking, mending, told) =>
    breaks(named(breaking), named(mending), () => expectCheck(examine(server), 'row-security', 'fail', told)),
  );
});

describe('clock, keys, connections', () => {
  test('a clock that is a minute ahead', () =>
    expectCheck(
      examine(server, {}, () => new Date(Date.now() + 60_000)),
      'clock',
      'fail',
      'ahead of the database',
    ));

  test('a vault key and an evidence key that rows need and the rings lack', async () => {
    const { TREFOIL_VAULT_KEYS: ring = '' } = server.environment;
    const [id = ''] = ring.split(':', 1);
    const other = { TREFOIL_VAULT_KEYS: `other:${newKey()}`, TREFOIL_EVIDENCE_KEYS: newEvidenceKeys() };
    await expectCheck(
      examine(server, other),
      'keys',
      'fail',
      new RegExp(`VAULT_KEYS lacks ${id}.*EVIDENCE_KEYS lacks`),
    );
    await expectCheck(
      examine(server, {
        ...other,
        TREFOIL_EVIDENCE_KEYS: server.environment['TREFOIL_EVIDENCE_KEYS'] ?? '',
        TREFOIL_ALLOW_PLAINTEXT: 'missing-vault-keys',
      }),
      'keys',
      'ok',
    );
    const old = { TREFOIL_VAULT_KEYS: `2020-01-01:${newKey()},${ring}` };
    await expectCheck(examine(server, old), 'keys', 'warn', /2020-01-01 \(\d,\d+ days\) and 1 older/);
  });

  test('more nodes than the database has connections for', () =>
    expectCheck(examine(server, { TREFOIL_NODES: '900' }), 'connections', 'fail', '900 API nodes'));

  test('a database with a connection limit of its own', () =>
    broken(
      `alter database "${server.databaseName}" connection limit 45`,
      `alter database "${server.databaseName}" connection limit -1`,
      () =>
        expectCheck(
          examine(server, { TREFOIL_NODES: '4' }),
          'connections',
          'fail',
          "of 45 connections that the database's own",
        ),
    ));
});

describe('jobs and what they leave', () => {
  test('no process has swept for ten minutes, or ever', async () => {
    await broken(
      `update sweepers set seen_at = now() - interval '10 minutes'`,
      'update sweepers set seen_at = now()',
      () => expectCheck(examine(server), 'jobs', 'fail', 'for 10 minutes'),
    );
    await broken(
      'delete from sweepers',
      'insert into sweepers (id, reachable_since) values (gen_random_uuid(), now())',
      () => expectCheck(examine(server), 'jobs', 'fail', 'within a day'),
    );
  });

  test('an event that nobody hands out', () =>
    broken(`update outbox set created_at = now() - interval '1 hour'`, 'update outbox set created_at = now()', () =>
      expectCheck(examine(server), 'jobs', 'fail', 'Events wait'),
    ));

  test('a mail that waits for an hour, and rows past their deletion', async () => {
    const columns = '(id, kind, subject_id, recipient, created_at, sent_at)';
    const mail = (sentAt: string, age: string) =>
      `insert into mails ${columns} values (gen_random_uuid(), 'invitation', gen_random_uuid(), 'canary@example.com',
                                           now() - interval '${age}', ${sentAt})`;
    const drop = `delete from mails where recipient = 'canary@example.com'`;
    await broken(mail('null', '1 hour'), drop, async () => {
      const examination = await expectCheck(examine(server), 'backlog', 'warn', '1 mail unsent');
      expect(JSON.stringify(examination)).not.toContain('canary');
    });
    await broken(mail(`now() - interval '9 days'`, '9 days'), drop, () =>
      expectCheck(examine(server), 'backlog', 'warn', 'mails by 2 days'),
    );
    const givenUp = mail('null', '1 hour').replace('sent_at)', 'given_up_at)').replace('null)', 'now())');
    await broken(givenUp, drop, () => expectCheck(examine(server), 'backlog', 'warn', '1 mail was given up'));
  });

  test('a webhook that is due for an hour; one of an endpoint that fails is not counted', async () => {
    const [tenant] = await server.query<{ id: string }>('select id from tenants limit 1');
    const endpointId = randomUUID();
    const endpoint = `insert into webhook_endpoints (tenant_id, id, sealed_url, host, is_test, is_ordered, sealed_secret)
      values ('${tenant?.id}', '${endpointId}', '', 'hooks.example.com', false, false, '')`;
    const delivery = `insert into webhook_deliveries
        (tenant_id, id, endpoint_id, event_id, event_type, body, attempts_max, next_attempt_at)
      values ('${tenant?.id}', gen_random_uuid(), '${endpointId}', 'evt_doctor', 'wallet.low', '{}', 10, now() - interval '1 hour')`;
    const drop = `delete from webhook_deliveries where endpoint_id = '${endpointId}';
                  delete from webhook_endpoints where id = '${endpointId}'`;
    await broken(`${endpoint}; ${delivery}`, drop, async () => {
      await expectCheck(
        examine(server),
        'backlog',
        'warn',
        '1 webhook is due and not sent, the oldest since 60 minutes',
      );
      await server.query(`update webhook_endpoints set failures = 3 where id = '${endpointId}'`);
      await expectCheck(examine(server), 'backlog', 'ok');
    });
  });

  test('a wallet that is not where its last line left it', () =>
    broken('update wallets set balance = balance + 5', 'update wallets set balance = balance - 5', () =>
      expectCheck(examine(server), 'ledger', 'fail', 'wallet-tail'),
    ));

  test('a break that is older than an hour is told while the job that found it says so', async () => {
    const jobs = reconciliationJobs(server.database, createMetrics(), createLog('silent'));
    const daily = () => jobs.find(({ name }) => name === 'reconcile-all')?.run();
    const columns = `('${server.other.tenantId}', current_date, false, 'report.completed', 1)`;
    await broken(`insert into usage_days values ${columns}`, 'delete from usage_days', async () => {
      await expectCheck(examine(server), 'ledger', 'ok', 'have not been done yet');
      await daily();
      await expectCheck(examine(server), 'ledger', 'fail', 'found by the job reconcile-all');
    });
    await daily();
    await expectCheck(examine(server), 'ledger', 'ok', 'found none either (reconcile-all');
  });

  test('an audit chain that was cut off', () =>
    broken('update audit_heads set seq = seq + 1', 'update audit_heads set seq = seq - 1', () =>
      expectCheck(examine(server), 'audit', 'fail', 'not end where'),
    ));

  // The last one: a worker hands out events and counts days.
  test('test mode alone: a worker leaves its mark, and without one the jobs do not run', async () => {
    await expectCheck(examine(server, WITHOUT_LIVE), 'jobs', 'fail', 'within a day');
    const worker = await server.startNode({ ...WITHOUT_LIVE, TREFOIL_JOBS: 'on' }, { rests: { jobMs: 50 } });
    try {
      await eventually(() => expectCheck(examine(server, WITHOUT_LIVE), 'jobs', 'ok', 'A process runs the jobs'));
    } finally {
      await worker.close();
    }
    // With live mode in the settings of this command, such a worker is not enough.
    await broken(
      'delete from sweepers',
      'insert into sweepers (id, reachable_since) values (gen_random_uuid(), now())',
      () => expectCheck(examine(server), 'jobs', 'fail', 'within a day'),
    );
    await broken(
      `update job_marks set done_at = now() - interval '10 minutes'`,
      'update job_marks set done_at = now()',
      () => expectCheck(examine(server, WITHOUT_LIVE), 'jobs', 'fail', 'for 10 minutes'),
    );
  });
});
