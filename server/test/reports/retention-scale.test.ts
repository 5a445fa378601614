// What jobs look for is found by an index, whatever lies in front of it: a hundred thousand rows that are not due, or that
// are in another state. Plans are taken from the statements themselves, by running them explained.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { AGED_TABLES } from '../../src/aged-tables.ts';
import { listAbandonedReports, listDueChallenges } from '../../src/credit-reports/live/live-store.ts';
import { listQueuedSends, listSilentSends } from '../../src/credit-reports/messages/sms-store.ts';
import { listReportsToPurge, listTenantsBehind } from '../../src/credit-reports/retention/purge-store.ts';
import { listDueTestChallenges } from '../../src/credit-reports/store.ts';
import { forgetNow, type Retained, type Sweep } from '../../src/lib/postgres/retention.ts';
import type { Query, Tx } from '../../src/lib/postgres/sql.ts';
import { startServer, type TestServer } from '../harness.ts';
import { addTenant } from '../support/money-states.ts';

const MANY = 100_000;
const DUE = 1_200;

let server: TestServer;
/** Keeps its reports for ninety days; all of them are younger, and older than any of the other's. */
let patient: string;
let usual: string;

const FILL: Record<string, string> = {
  credit_reports: `insert into credit_reports (tenant_id, id, is_test, caller_id, status, sealed_request, created_at, settled_at)
    select tenant, gen_random_uuid(), false, tenant, 'complete', '\\x78', at, at from (
      select $1::uuid as tenant, now() - interval '89 days' + i * (interval '58 days' / ${MANY}) as at from generate_series(1, ${MANY}) i
      union all select $2::uuid, now() - interval '30 days 1 hour' + i * interval '1 second' from generate_series(1, ${DUE}) i) as made`,
  challenges: `insert into challenges (tenant_id, credit_report_id, id, due_at, test_due_at)
    select $1, gen_random_uuid(), gen_random_uuid(), now() + interval '1 hour' + i * interval '3 milliseconds', now() + interval '1 hour' from generate_series(1, ${MANY}) i where $2::uuid is not null`,
  holds: `insert into holds (tenant_id, kind, source_id, amount, per_bureau, expires_at)
    select $1, 'report', gen_random_uuid(), 0, 0, now() + interval '1 hour' + i * interval '3 milliseconds' from generate_series(1, ${MANY}) i where $2::uuid is not null`,
  sms_sends: `insert into sms_sends (tenant_id, id, credit_report_id, challenge_id, state, sent_at)
    select $1, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'submitted', now() - interval '70 hours' + i * interval '2 seconds'
      from generate_series(1, ${MANY}) i where $2::uuid is not null`,
  idempotency_keys: `insert into idempotency_keys (tenant_id, caller_id, route, key_hash, fingerprint, created_at)
    select $1, gen_random_uuid(), '', '', '', now() - interval '26 hours' + i * interval '0.9 seconds' from generate_series(1, ${MANY}) i where $2::uuid is not null`,
  mobile_uses: `insert into mobile_uses (number_hash, last_used_at)
    select sha256(i::text::bytea), now() - interval '26 hours' + i * interval '0.9 seconds' from generate_series(1, ${MANY}) i where $1::uuid <> $2::uuid`,
  tenant_mobile_uses: `insert into tenant_mobile_uses (tenant_id, number_hash, last_used_at)
    select $1, sha256(i::text::bytea), now() - interval '26 hours' + i * interval '0.9 seconds' from generate_series(1, ${MANY}) i where $2::uuid is not null`,
  device_sessions: `insert into device_sessions (session_hash, bound_to, bound_at)
    select sha256(i::text::bytea), sha256(''), now() - interval '3 hours' + i * interval '0.1 seconds' from generate_series(1, ${MANY}) i where $1::uuid <> $2::uuid`,
  sms_receipts: `insert into sms_receipts (tenant_id, carrier, carrier_ref, status, send_id, received_at)
    select $1, 'twilio', i, 'sent', gen_random_uuid(), now() - interval '91 days' + i * interval '60 seconds' from generate_series(1, ${MANY}) i where $2::uuid is not null`,
  sightings: `insert into sightings (subject_hash, identity_hash, seen_at)
    select sha256(i::text::bytea), sha256(''), now() - interval '31 days' + i * interval '20 seconds' from generate_series(1, ${MANY}) i where $1::uuid <> $2::uuid`,
  oidc_payloads: `insert into oidc_payloads (model, id, payload, expires_at)
    select 'Age', i, '{}', now() - interval '1 hour' + i * interval '1 second' from generate_series(1, ${MANY}) i where $1::uuid <> $2::uuid`,
  sign_ins: `insert into sign_ins (id, user_id, client_id, scope, authenticated_at, created_at)
    select 'age-' || i, $1, '', '', now(), now() - interval '31 days' + i * interval '20 seconds' from generate_series(1, ${MANY}) i where $2::uuid is not null`,
  mails: `insert into mails (id, kind, subject_id, recipient, sent_at)
    select gen_random_uuid(), 'invitation', $1, '', now() - interval '8 days' + i * interval '6 seconds' from generate_series(1, ${MANY}) i where $2::uuid is not null`,
  outbox: `insert into outbox (tenant_id, type, subject_id, created_at)
    select $1, 'wallet.low', $1, now() - interval '31 days' + i * interval '20 seconds' from generate_series(1, ${MANY}) i where $2::uuid is not null`,
  invitations: `insert into invitations (tenant_id, id, email, role, expires_at)
    select $1, gen_random_uuid(), i || '@example.com', 'analyst', now() - interval '31 days' + i * interval '20 seconds' from generate_series(1, ${MANY}) i where $2::uuid is not null`,
};

beforeAll(async () => {
  server = await startServer();
  [patient, usual] = [await addTenant(server), await addTenant(server)];
  await server.query('update tenants set retention_days = 90 where id = $1', [patient]);
  await server.query('set session_replication_role = replica');
  for (const statement of Object.values(FILL)) await server.query(statement, [patient, usual]);
  await server.query('set session_replication_role = origin');
  await server.query('vacuum analyze');
}, 300_000);
afterAll(() => server.close());

type Node = { readonly [key: string]: unknown; readonly Plans?: readonly Node[] };
const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** The statements of `work`, each run once more with its plan told: how it went in, how many rows it looked at in vain. */
async function explain(work: (tx: Tx) => Promise<unknown>): Promise<{ indexes: string[]; looked: number; ms: number }> {
  const plans: { Plan: Node; 'Execution Time': number }[] = [];
  const looking = server.database.asSystem(async (tx) => {
    // As a prepared statement is planned once a connection has used it often.
    await tx.query('set local plan_cache_mode = force_generic_plan', []);
    const query = async (query: Query | string, values: unknown[] = []) => {
      const { text, values: own } = typeof query === 'string' ? { text: query, values } : query;
      // To explain with figures is to run, and a row is deleted only once.
      if (!/^\s*select/.test(text)) return tx.query(text, own);
      type Row = { 'QUERY PLAN': typeof plans };
      const { rows } = await tx.query<Row>(`explain (analyze, format json) ${text}`, own);
      plans.push(...(rows[0]?.['QUERY PLAN'] ?? []));
      return tx.query(text, own);
    };
    await work({ query } as Tx);
    throw new Error('nothing stays deleted');
  });
  await expect(looking).rejects.toThrow('nothing stays deleted');
  const nodes = plans.flatMap(({ Plan }) => nodesOf(Plan));
  const number = (node: Node, key: string) => Number(node[key] ?? 0) * Number(node['Actual Loops'] ?? 1);
  return {
    indexes: [...new Set(nodes.flatMap((node) => (node['Index Name'] ? [String(node['Index Name'])] : [])))],
    looked: nodes.reduce(
      (sum, node) =>
        sum + number(node, 'Rows Removed by Filter') + number(node, 'Actual Rows') * Number(!node['Plans']),
      0,
    ),
    ms: plans.reduce((sum, plan) => sum + plan['Execution Time'], 0),
  };
}

const tables = AGED_TABLES;
const LIMIT = 100;
const looks: [string, string, (tx: Tx) => Promise<unknown>][] = [
  ['tenants with reports to purge', 'credit_reports_kept', (tx) => listTenantsBehind(tx, 1_000)],
  ['reports to purge', 'credit_reports_kept', (tx) => listReportsToPurge(tx, usual, '-infinity', LIMIT)],
  ['messages to submit', 'sms_sends_queued', (tx) => listQueuedSends(tx, LIMIT)],
  ['silent messages', 'sms_sends_unsettled', (tx) => listSilentSends(tx, LIMIT, false)],
  ['challenges that are due', 'challenges_due', (tx) => listDueChallenges(tx, LIMIT)],
  ['test challenges that are due', 'challenges_test_due', (tx) => listDueTestChallenges(tx, LIMIT)],
  ['abandoned reports', 'holds_open', (tx) => listAbandonedReports(tx, LIMIT)],
  ...[
    ['idempotency_keys', 'idempotency_keys_by_age'],
    ['mobile_uses', 'mobile_uses_by_age'],
    ['tenant_mobile_uses', 'tenant_mobile_uses_by_age'],
    ['device_sessions', 'device_sessions_by_age'],
    ['sms_receipts', 'sms_receipts_by_age'],
    ['sightings', 'sightings_by_minute'],
    ['oidc_payloads', 'oidc_payloads_by_expiry'],
    ['sign_ins', 'sign_ins_by_age'],
    ['outbox', 'outbox_in_order'],
    ['mails', 'mails_over'],
    ['invitations', 'invitations_over'],
  ].flatMap(([table = '', index = '']): [string, string, (tx: Tx) => Promise<unknown>][] => {
    const retained = tables.find((each) => each.table === table);
    if (!retained) throw new Error(table);
    return [
      [`the oldest row of ${table}`, index, retained.findOverdueSeconds],
      [`a batch of ${table}`, index, (tx) => firstBatch(tx, retained)],
    ];
  }),
];
test.each(looks)('%s: found by %s, and no row is looked at in vain', async (name, index, work) => {
  const { indexes, looked, ms } = await explain(work);
  expect(indexes).toContain(index);
  expect(looked).toBeLessThan(name.startsWith('a batch') ? 1_100 : 200);
  expect(ms).toBeLessThan(1_000);
});

function firstBatch(tx: Tx, { forgetDue }: Retained): Promise<unknown> {
  const stopping = new AbortController();
  const inTurn: Sweep['inTurn'] = (work) => work(tx).finally(() => stopping.abort());
  return forgetDue({ inTurn, signal: stopping.signal, noteOverdue: () => undefined });
}

test('reports behind a hundred thousand of another tenant are purged, and no others', async () => {
  const started = performance.now();
  const kept = () =>
    server.query('select tenant_id, count(*)::int from credit_reports where purged_at is null group by 1 order by 2');
  expect(await forgetNow(server.database, [AGED_TABLES[0]])).toBe(DUE);
  expect(await kept()).toEqual([{ tenant_id: patient, count: MANY }]);
  expect(performance.now() - started).toBeLessThan(10_000);
});

test('every batch of a large table is far below a second, and a look that finds nothing passes over nothing', async () => {
  for (const { table, forgetDue, findOverdueSeconds } of tables) {
    const times: number[] = [];
    const { isDone } = await forgetDue({
      signal: undefined,
      noteOverdue: () => undefined,
      async inTurn(work) {
        const started = performance.now();
        const done = await server.database.asSystem(work);
        times.push(performance.now() - started);
        return done;
      },
    });
    expect([table, isDone]).toEqual([table, true]);
    expect(Math.max(...times), table).toBeLessThan(1_000);
    expect((await explain(findOverdueSeconds)).looked, table).toBeLessThan(20);
  }
}, 180_000);
