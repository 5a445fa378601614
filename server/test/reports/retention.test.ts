// Deletion by age: what is due goes and nothing else, a report only when its code can no longer be replayed, in batches, and
// no table or tenant in another's way (docs/decisions/0057-retrieval.md, 0142-deletion-by-age.md).

import { TrefoilError } from '@trefoil/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { AGED_TABLES } from '../../src/aged-tables.ts';
import { createMetrics } from '../../src/lib/metrics.ts';
import { openDatabase } from '../../src/lib/postgres/database.ts';
import { forgetNow, type Retained, retentionJobs, type Sweep } from '../../src/lib/postgres/retention.ts';
import type { Tx } from '../../src/lib/postgres/sql.ts';
import { generateBody, startChallenge, startServer, type TestServer } from '../harness.ts';
import { addLiveReport, addTenant } from '../support/money-states.ts';

const TABLES: readonly Retained[] = AGED_TABLES;
const BATCH = 1_000;

let server: TestServer;
let tenantId: string;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  tenantId = await addTenant(server);
});

const tableOf = (name: string) => {
  const found = TABLES.find(({ table }) => table === name);
  if (!found) throw new Error(`no table ${name}`);
  return found;
};
const forget = (...names: string[]) => forgetNow(server.database, names.map(tableOf));
const keep = (days: number, id = tenantId) =>
  server.query('update tenants set retention_days = $2 where id = $1', [id, days]);
/** How long ago it was made and settled. */
const age = (id: string, made: string, settled: string | null) =>
  server.query(
    'update credit_reports set created_at = now() - $2::interval, settled_at = now() - $3::interval where id = $1',
    [id, made, settled],
  );
const isKept = async (id: string) => {
  const [found] = await server.query<{ purged: boolean; keys: string; sealed: number }>(
    `select purged_at is not null as purged, (select count(*) from data_keys where credit_report_id = $1) as keys,
            octet_length(sealed_request) + coalesce(octet_length(sealed_report), 0)
              + coalesce(octet_length(sealed_provenance), 0) as sealed
       from credit_reports where id = $1`,
    [id],
  );
  if (!found) throw new Error('the row itself stays');
  // Erased as a whole or not at all.
  expect([found.purged, found.keys === '0', found.sealed === 0]).toEqual(Array(3).fill(found.purged));
  return !found.purged;
};
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'none',
    (error) => (error instanceof TrefoilError ? `${error.status} ${error.code}` : String(error)),
  );

describe('reports', () => {
  /** Erases what is due, and sees that this was so: beside a report that is due, one that is not must stay all the same. */
  async function purgeBeside(id: string): Promise<void> {
    const due = await addLiveReport(server, id, { status: 'complete' });
    await age(due, '91 days', '91 days');
    await forget('credit_reports');
    expect(await isKept(due)).toBe(false);
    expect(await server.database.asSystem(tableOf('credit_reports').findOverdueSeconds)).toBe(0);
  }

  test('retention 0: a report stays while its code can be replayed, however old it is, and goes twenty minutes after its end', async () => {
    const { otherTrefoil, other } = server;
    await keep(0, other.tenantId);
    const { creditReportId, challengeId } = await startChallenge(otherTrefoil);
    const submit = () => otherTrefoil.submitOtp(creditReportId, { challengeId, code: '123456' });
    await submit();
    await age(creditReportId, '21 minutes', '6 minutes');
    await server.query(`update challenges set completed_at = now() - interval '6 minutes' where id = $1`, [
      challengeId,
    ]);
    await purgeBeside(other.tenantId);
    expect((await submit()).data.status).toBe('complete');
    expect(await isKept(creditReportId)).toBe(true);
    await age(creditReportId, '35 minutes', '19 minutes 58 seconds');
    await purgeBeside(other.tenantId);
    expect(await isKept(creditReportId)).toBe(true);
    await age(creditReportId, '35 minutes', '20 minutes 1 second');
    await purgeBeside(other.tenantId);
    expect(await isKept(creditReportId)).toBe(false);
    expect(await codeOf(submit())).toBe('410 credit-report-purged');
    await keep(30, other.tenantId);
  });

  const day = (days: number, more = '') => `${days} days ${more}`;
  const cases: [string, { status: Parameters<typeof addLiveReport>[2]['status'] }, string, string | null, boolean][] = [
    ['settled within its days', { status: 'complete' }, day(31), day(29, '23 hours'), true],
    ['settled thirty days ago', { status: 'complete' }, day(31), day(30, '19 minutes'), true],
    ['settled thirty days and twenty minutes ago', { status: 'complete' }, day(31), day(30, '21 minutes'), false],
    ['failed thirty days and twenty minutes ago', { status: 'failed' }, day(31), day(30, '21 minutes'), false],
    ['blocked before settlements were noted', { status: 'blocked' }, day(31), null, false],
    ['still pending', { status: 'pending' }, day(80), null, true],
    ['still fetching', { status: 'fetching' }, day(80), null, true],
    ['a live challenge that nobody ended', { status: 'challenged' }, day(80), null, true],
  ];
  test.each(cases)('%s', async (_name, state, made, settled, stays) => {
    const id = await addLiveReport(server, tenantId, state);
    await age(id, made, settled);
    await purgeBeside(tenantId);
    expect(await isKept(id)).toBe(stays);
  });

  test('in test mode the end is noted as well; a challenge that nobody finished counts from its beginning', async () => {
    const settled = async (id: string) =>
      (await server.query<{ at: Date | null }>('select settled_at as at from credit_reports where id = $1', [id]))[0]
        ?.at;
    const generate = async (status: 'allow' | 'block') =>
      (await server.trefoil.generate(generateBody({ challengeOptions: { status } }))).data.creditReportId;
    expect(await settled(await generate('allow'))).not.toBeNull();
    expect(await settled(await generate('block'))).not.toBeNull();
    const { creditReportId, challengeId } = await startChallenge(server.trefoil);
    expect(await settled(creditReportId)).toBeNull();
    for (let guess = 0; guess < 3; guess += 1) {
      await server.trefoil.submitOtp(creditReportId, { challengeId, code: '000000' });
    }
    expect(await settled(creditReportId)).not.toBeNull();
    const unfinished = (await startChallenge(server.trefoil)).creditReportId;
    await age(unfinished, '30 days 19 minutes', null);
    await purgeBeside(server.demo.tenantId);
    expect(await isKept(unfinished)).toBe(true);
    await age(unfinished, '30 days 21 minutes', null);
    await forget('credit_reports');
    expect(await isKept(unfinished)).toBe(false);
  });

  test('reading counts from the same instant, and is 410 from the end of the days on', async () => {
    const { data } = await server.trefoil.generate(generateBody());
    const read = () => codeOf(server.trefoil.getReport(data.creditReportId));
    const isListedAsPurged = async () =>
      (await server.trefoil.listReports()).data.items.find((item) => item.creditReportId === data.creditReportId)
        ?.isPurged;
    await age(data.creditReportId, '31 days', '29 days 23 hours');
    expect([await read(), await isListedAsPurged()]).toEqual(['none', false]);
    await age(data.creditReportId, '31 days', '30 days 1 second');
    expect([await read(), await isListedAsPurged()]).toEqual(['410 credit-report-purged', true]);
    expect(await isKept(data.creditReportId)).toBe(true);
  });

  test('another retention holds from the next run on, for reports that are there already', async () => {
    const id = await addLiveReport(server, tenantId, { status: 'complete' });
    await keep(90);
    await age(id, '60 days', '60 days');
    await forget('credit_reports');
    expect(await isKept(id)).toBe(true);
    await keep(59);
    await forget('credit_reports');
    expect(await isKept(id)).toBe(false);
  });
});

/** One due row of each table that is deleted by age, and one that is not due yet. */
const ROWS: Record<string, { readonly add: string; readonly due: string; readonly young: string }> = {
  idempotency_keys: {
    add: `insert into idempotency_keys (tenant_id, caller_id, route, key_hash, fingerprint, created_at)
          select $1, gen_random_uuid(), '', '', '', now() - $2::interval from generate_series(1, $3)`,
    due: '25 hours 1 minute',
    young: '24 hours 59 minutes',
  },
  mobile_uses: {
    add: `insert into mobile_uses (number_hash, last_used_at)
          select sha256(gen_random_uuid()::text::bytea), now() - $2::interval from generate_series(1, $3) where $1::uuid is not null`,
    due: '25 hours 1 minute',
    young: '24 hours 59 minutes',
  },
  tenant_mobile_uses: {
    add: `insert into tenant_mobile_uses (tenant_id, number_hash, last_used_at)
          select $1, sha256(gen_random_uuid()::text::bytea), now() - $2::interval from generate_series(1, $3)`,
    due: '25 hours 1 minute',
    young: '24 hours 59 minutes',
  },
  device_sessions: {
    add: `insert into device_sessions (session_hash, bound_to, bound_at)
          select sha256(gen_random_uuid()::text::bytea), sha256(''), now() - $2::interval from generate_series(1, $3) where $1::uuid is not null`,
    due: '2 hours 1 minute',
    young: '1 hour 59 minutes',
  },
  sms_receipts: {
    add: `insert into sms_receipts (tenant_id, carrier, carrier_ref, status, send_id, received_at)
          select $1, 'twilio', gen_random_uuid(), 'sent', gen_random_uuid(), now() - $2::interval from generate_series(1, $3)`,
    due: '90 days 1 minute',
    young: '89 days 23 hours',
  },
  sightings: {
    add: `insert into sightings (subject_hash, identity_hash, seen_at)
          select '', '', now() - $2::interval from generate_series(1, $3) where $1::uuid is not null`,
    due: '30 days 2 minutes',
    young: '29 days 23 hours',
  },
  oidc_payloads: {
    add: `insert into oidc_payloads (model, id, payload, expires_at)
          select 'Age', gen_random_uuid(), '{}', now() - $2::interval from generate_series(1, $3) where $1::uuid is not null`,
    due: '1 second',
    young: '-1 hour',
  },
  sign_ins: {
    add: `insert into sign_ins (id, user_id, client_id, scope, authenticated_at, created_at)
          select gen_random_uuid(), (select id from users limit 1), '', '', now(), now() - $2::interval
            from generate_series(1, $3) where $1::uuid is not null`,
    due: '30 days 1 minute',
    young: '29 days 23 hours',
  },
  outbox: {
    add: `insert into outbox (tenant_id, type, subject_id, created_at)
          select $1, 'wallet.low', $1, now() - $2::interval from generate_series(1, $3)`,
    due: '30 days 1 minute',
    young: '29 days 23 hours',
  },
  evidences: {
    add: `insert into evidences (tenant_id, id, credit_report_id, statement, statement_sha256, kid, signature, issued_at)
          select $1, gen_random_uuid(), gen_random_uuid(), '{}', sha256('{}'), '', decode(repeat('00', 64), 'hex'), now() - $2::interval
            from generate_series(1, $3)`,
    due: '2192 days 1 minute',
    young: '2190 days',
  },
  erasures: {
    add: `insert into erasures (tenant_id, id, credit_report_ids, actor, counts, began_at)
          select $1, gen_random_uuid(), '{}', 'operator', '{}', now() - $2::interval from generate_series(1, $3)`,
    due: '2192 days 1 minute',
    young: '2190 days',
  },
  usage_days: {
    add: `insert into usage_days (tenant_id, day, is_test, item, count, counted_at)
          select $1, '2020-01-01', false, gen_random_uuid(), 1, now() - $2::interval from generate_series(1, $3)`,
    due: '400 days 1 minute',
    young: '399 days 23 hours',
  },
  bureau_slots: {
    add: `insert into bureau_slots (tenant_id, slot, bureau, asked, answered)
          select $1, now() - $2::interval, gen_random_uuid(), 1, 1 from generate_series(1, $3)`,
    due: '7 days 1 minute',
    young: '6 days 23 hours',
  },
  test_wallet_lines: {
    add: `insert into test_wallet_lines (tenant_id, seq, kind, source_id, amount, balance_after, created_at)
          select $1, (select count(*) from test_wallet_lines) + i, 'adjust', gen_random_uuid(), 1, 1, now() - $2::interval
            from generate_series(1, $3) as i`,
    due: '91 days 1 minute',
    young: '90 days 23 hours',
  },
  factor_links: {
    add: `insert into factor_links (id, user_id, created_at)
          select gen_random_uuid(), $1, now() - $2::interval from generate_series(1, $3)`,
    due: '7 days 1 minute',
    young: '6 days 23 hours',
  },
  mail_notices: {
    add: `insert into mail_notices (tenant_id, day, kind, subject_id, mails, noted_at)
          select $1, '2026-03-01', 'wallet-low', gen_random_uuid(), 1, now() - $2::interval from generate_series(1, $3)`,
    due: '7 days 1 minute',
    young: '6 days 23 hours',
  },
  webhook_hosts: {
    add: `insert into webhook_hosts (tenant_id, host, kept_until)
          select $1, gen_random_uuid(), now() - $2::interval from generate_series(1, $3)`,
    due: '1 minute',
    young: '-1 minute',
  },
  webhook_uses: {
    add: `insert into webhook_uses (tenant_id, target, used_at, touched_at)
          select $1, gen_random_uuid(), '{}', now() - $2::interval from generate_series(1, $3)`,
    due: '25 hours 1 minute',
    young: '24 hours 59 minutes',
  },
  mails: {
    add: `insert into mails (id, kind, subject_id, recipient, given_up_at)
          select gen_random_uuid(), 'invitation', $1, '', now() - $2::interval from generate_series(1, $3)`,
    due: '7 days 1 minute',
    young: '6 days 23 hours',
  },
};
async function add(table: string, ago: string, count = 1): Promise<void> {
  // Receipts name messages, which this test has no use for.
  await server.query('set session_replication_role = replica');
  try {
    await server.query(ROWS[table]?.add ?? '', [tenantId, ago, count]);
  } finally {
    await server.query('set session_replication_role = origin');
  }
}
const countOf = async (table: string) =>
  Number((await server.query<{ count: string }>(`select count(*) from ${table}`))[0]?.count);

test('every table that is deleted by age is tried here', () => {
  // Those of webhooks in server/test/webhooks/endpoints.test.ts.
  const others = ['credit_reports', 'invitations', 'webhook_deliveries', 'webhook_endpoints'];
  expect(TABLES.map(({ table }) => table).toSorted()).toEqual([...Object.keys(ROWS), ...others].toSorted());
});

test.each(Object.entries(ROWS))('%s: what is due goes, what is not due stays', async (table, { due, young }) => {
  await server.query(`delete from ${table}`);
  await add(table, due, 3);
  await add(table, young, 2);
  expect(await forget(table)).toBe(3);
  expect(await countOf(table)).toBe(2);
});

test('in batches of a thousand, each a transaction of its own, though all rows are of one instant', async () => {
  await server.query('delete from device_sessions');
  await add('device_sessions', '3 hours', 2_500);
  // Written past the roles of the service, which may not create anything.
  await server.query('create table batches (xact text, rows integer)');
  await server.query(`create function note_batch() returns trigger security definer language plpgsql as $$
    begin insert into batches select pg_current_xact_id()::text, count(*) from gone; return null; end $$`);
  await server.query(`create trigger note_batch after delete on device_sessions
    referencing old table as gone for each statement execute function note_batch()`);
  try {
    expect(await forget('device_sessions')).toBe(2_500);
    const batches = await server.query<{ xact: string; rows: number }>('select * from batches');
    expect(batches.map(({ rows }) => rows)).toEqual([BATCH, BATCH, 500]);
    expect(new Set(batches.map(({ xact }) => xact)).size).toBe(3);
  } finally {
    await server.query('drop trigger note_batch on device_sessions; drop function note_batch; drop table batches');
  }
});

test('two nodes at once: one deletes; the other leaves the table to it, and measures all the same', async () => {
  const { database: options } = server.config;
  const second = openDatabase({ ...options, onConnectionError: () => undefined });
  const metrics = createMetrics();
  const [job] = retentionJobs(second, metrics, [tableOf('device_sessions')]);
  await server.query('delete from device_sessions');
  await add('device_sessions', '3 hours', 10);
  let other: number | undefined;
  const { table, forgetDue, findOverdueSeconds } = tableOf('device_sessions');
  const first: Retained = {
    table,
    findOverdueSeconds,
    forgetDue: (sweep) =>
      forgetDue({
        ...sweep,
        inTurn: (work) =>
          sweep.inTurn(async (tx) => {
            const done = await work(tx);
            // Deleted and not committed: without a look for the other node, this run would wait here for its rows.
            other = await job?.run();
            return done;
          }),
      }),
  };
  try {
    expect(await forgetNow(server.database, [first])).toBe(10);
    expect(other).toBe(0);
    expect((await metrics.overdue.get()).values[0]?.value).toBeGreaterThan(3_500);
  } finally {
    await second.close();
  }
});

test('a row found due is gone and a new one lies in its place: the new one stays', async () => {
  await server.query('truncate mobile_uses');
  await add('mobile_uses', '26 hours', 2);
  const placesOf = async () =>
    (await server.query<{ place: string }>('select ctid::text as place from mobile_uses')).map(({ place }) => place);
  const places = await placesOf();
  const inTurn: Sweep['inTurn'] = (work) =>
    server.database.asSystem((tx) => {
      const query = async (text: string, values: unknown[]) => {
        if (text.startsWith('delete')) {
          // Gives up the snapshot of the statement before, which keeps a vacuum from freeing the places.
          await tx.query('set local lock_timeout = 1000', []);
          // A transaction of somebody else may keep a vacuum from freeing them too: tried until the places are used again.
          await eventually(async () => {
            await server.query('delete from mobile_uses');
            await server.query('vacuum (index_cleanup on, truncate off) mobile_uses');
            await add('mobile_uses', '0 seconds', 2);
            expect(await placesOf()).toEqual(places);
          });
        }
        return tx.query(text, values);
      };
      return work({ query } as Tx);
    });
  const sweep = { inTurn, signal: undefined, noteOverdue: () => undefined };
  expect(await tableOf('mobile_uses').forgetDue(sweep)).toEqual({ count: 0, isDone: true });
  expect(await countOf('mobile_uses')).toBe(2);
});

describe('as jobs', () => {
  type Metrics = ReturnType<typeof createMetrics>;
  const overdue = async (metrics: Metrics, table: string) =>
    (await metrics.overdue.get()).values.find(({ labels }) => labels.table === table)?.value;
  const runAll = async (metrics: Metrics) => {
    const jobs = retentionJobs(server.database, metrics, TABLES);
    const outcomes = await Promise.allSettled(jobs.map((job) => job.run()));
    return jobs.flatMap(({ name }, index) => (outcomes[index]?.status === 'rejected' ? [name] : []));
  };
  const refuse = (table: string, when: string) =>
    server.query(`create or replace function refuse_here() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
      create trigger refuse_here before delete or update on ${table} for each row when (${when}) execute function refuse_here()`);
  const relent = (table: string) => server.query(`drop trigger refuse_here on ${table}`);

  test('a table that cannot be deleted from stops no other, and its metric says how far it is behind', async () => {
    const metrics = createMetrics();
    for (const [table, { due }] of Object.entries(ROWS)) await add(table, due, 2);
    const report = await addLiveReport(server, tenantId, { status: 'complete' });
    await age(report, '31 days', '31 days');
    await refuse('device_sessions', 'true');
    try {
      expect(await runAll(metrics)).toEqual(['forget-device-sessions']);
    } finally {
      await relent('device_sessions');
    }
    for (const [table, { due }] of Object.entries(ROWS)) {
      const [left] = await server.query<{ count: string }>(
        `select count(*) from ${table} where ${ageOf(table)} <= now() - $1::interval`,
        [due],
      );
      expect([table, left?.count]).toEqual([table, table === 'device_sessions' ? '2' : '0']);
      if (table !== 'device_sessions') expect([table, await overdue(metrics, table)]).toEqual([table, 0]);
    }
    expect(await isKept(report)).toBe(false);
    expect(await overdue(metrics, 'device_sessions')).toBeGreaterThan(55);
    expect(await overdue(metrics, 'device_sessions')).toBeLessThan(120);
    expect(await runAll(metrics)).toEqual([]);
    expect(await overdue(metrics, 'device_sessions')).toBe(0);
    expect(await overdue(metrics, 'credit_reports')).toBe(0);
  });

  test('a table that cannot even be measured is as far behind as its last run', async () => {
    const metrics = createMetrics();
    const [job] = retentionJobs(server.database, metrics, [tableOf('device_sessions')]);
    await job?.run();
    expect(await overdue(metrics, 'device_sessions')).toBe(0);
    await server.query('revoke select (bound_at) on device_sessions from trefoil_system');
    try {
      await expect(job?.run()).rejects.toMatchObject({ code: '42501' });
      expect(await overdue(metrics, 'device_sessions')).toBeGreaterThan(0);
    } finally {
      await server.query('grant select (bound_at) on device_sessions to trefoil_system');
    }
  });

  test('a tenant whose reports cannot be erased stops no other tenant', async () => {
    const metrics = createMetrics();
    const second = await addTenant(server);
    // The one that fails is the longest overdue, hence first.
    const stuck = await addLiveReport(server, tenantId, { status: 'complete' });
    const due = await addLiveReport(server, second, { status: 'complete' });
    await age(stuck, '40 days', '40 days');
    await age(due, '31 days', '31 days');
    await refuse('credit_reports', `old.tenant_id = '${tenantId}'`);
    try {
      expect(await runAll(metrics)).toEqual(['forget-credit-reports']);
    } finally {
      await relent('credit_reports');
    }
    expect([await isKept(stuck), await isKept(due)]).toEqual([true, false]);
    const seconds = (await overdue(metrics, 'credit_reports')) ?? 0;
    expect(Math.round(seconds / 86_400)).toBe(10);
    await forget('credit_reports');
    expect(await isKept(stuck)).toBe(false);
  });

  test('a run ends after its batch when the process stops, and the metric says what is left', async () => {
    const metrics = createMetrics();
    await server.query('delete from device_sessions');
    await add('device_sessions', '3 hours', 2_500);
    const stopping = new AbortController();
    const { table, findOverdueSeconds, forgetDue } = tableOf('device_sessions');
    const stopped: Retained = {
      table,
      findOverdueSeconds,
      forgetDue: (sweep) =>
        forgetDue({ ...sweep, inTurn: (work) => sweep.inTurn(work).finally(() => stopping.abort()) }),
    };
    const [job] = retentionJobs(server.database, metrics, [stopped]);
    expect(await job?.run(stopping.signal)).toBe(BATCH);
    expect(await countOf('device_sessions')).toBe(1_500);
    expect(await overdue(metrics, 'device_sessions')).toBeGreaterThan(3_500);
  });
});

function ageOf(table: string): string {
  const columns: Record<string, string> = {
    idempotency_keys: 'created_at',
    mobile_uses: 'last_used_at',
    tenant_mobile_uses: 'last_used_at',
    device_sessions: 'bound_at',
    sms_receipts: 'received_at',
    sightings: 'seen_at',
    oidc_payloads: 'expires_at',
    sign_ins: 'created_at',
    factor_links: 'created_at',
    outbox: 'created_at',
    mails: 'given_up_at',
    evidences: 'issued_at',
    erasures: 'began_at',
    usage_days: 'counted_at',
    bureau_slots: 'slot',
    test_wallet_lines: 'created_at',
    mail_notices: 'noted_at',
    webhook_hosts: 'kept_until',
    webhook_uses: 'touched_at',
  };
  return columns[table] ?? 'unknown';
}
