// What lists say of each report, their filters and the counts by status (docs/decisions/0230-what-a-list-of-reports-says.md).
import { type CreditReportItem, REPORT_STATUSES, TEST_REASONS } from '@trefoil/contract';
import { type CreditReportsQuery, createTrefoil, type Trefoil } from '@trefoil/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { tallyReports } from '../../src/credit-reports/reading/tally-reports.ts';
import { newId } from '../../src/lib/ids.ts';
import { generateBody, startChallenge, startServer, type TestServer } from '../harness.ts';
import { addAccount, signIn } from '../support/browser.ts';
import { readAll } from '../support/events.ts';
import { addLiveReport } from '../support/money-states.ts';
import { addPerson, addTenantWithOwner, callAs, type TestPerson } from '../support/people.ts';
import { addSampleLedger } from '../support/sample-ledgers.ts';
import { addCredential } from '../support/tokens.ts';
import { send } from '../support/wire.ts';
import { P, PRICE } from '../support/words.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ environment: { TREFOIL_JOBS: 'off' } });
});
afterAll(() => server.close());

/** A client of the tenant with a person's token. */
const clientOf = (tenantId: string, { token }: TestPerson): Trefoil =>
  createTrefoil({ baseUrl: server.baseUrl, tenantId, getToken: () => Promise.resolve(token) });

async function walk(trefoil: Trefoil, query: CreditReportsQuery = {}): Promise<CreditReportItem[]> {
  const items: CreditReportItem[] = [];
  for await (const item of trefoil.listReports(query)) items.push(item);
  return items;
}

describe('what each report says', () => {
  test('200: the cost is the charge without what was refunded, in the list and by id', async () => {
    const sample = await addSampleLedger(server);
    const trefoil = clientOf(sample.tenantId, await addPerson(server, sample.tenantId, 'analyst'));
    const items = new Map((await walk(trefoil)).map((item) => [item.creditReportId, item]));
    const costs = {
      [sample.completeAtOnce]: P - PRICE.bureau,
      [sample.challenged]: P,
      [sample.failedLater]: 0,
      [sample.failedAtOnce]: 0,
      [sample.blocked]: 0,
    };
    for (const [id, costCredits] of Object.entries(costs)) {
      expect(items.get(id)).toMatchObject({ costCredits });
      expect((await trefoil.getReport(id)).data).toMatchObject({ costCredits });
    }
    expect(items.get(sample.fetching)).toMatchObject({ status: 'in-progress', costCredits: P });
    expect(items.get(sample.pending)).toMatchObject({ status: 'in-progress', costCredits: 0 });
    // One report was refunded in part.
    const [{ spent } = { spent: 0 }] = await server.query<{ spent: number }>(
      `select -sum(amount)::int as spent from ledger_entries join ledger_txs using (tenant_id, seq)
        where tenant_id = $1 and account = 'wallet' and kind in ('report-charge', 'report-refund')`,
      [sample.tenantId],
    );
    expect([...items.values()].reduce((sum, item) => sum + item.costCredits, 0)).toBe(spent);
  });

  test('200: why each failed, as a word; a limit over all companies is not told', async () => {
    const reasons = new Map<string, string>();
    for (const reason of TEST_REASONS) {
      const mobileNumber = reason === 'mobile-missing' ? undefined : '+447700900123';
      const changes = { testOptions: { outcome: 'failed', reason }, ...(mobileNumber && { mobileNumber }) } as const;
      const { data } = await server.trefoil.generate(generateBody(changes));
      const failureReason = reason === 'protection' ? 'not-deliverable' : reason;
      expect(data, reason).toMatchObject({ status: 'failed', failureReason });
      reasons.set(data.creditReportId, failureReason);
    }
    const wrong = await startChallenge(server.trefoil);
    const guess = () =>
      server.trefoil.submitOtp(wrong.creditReportId, { challengeId: wrong.challengeId, code: '000000' });
    for (const status of ['retry', 'retry']) expect((await guess()).data.status).toBe(status);
    for (const again of [await guess(), await guess()]) {
      expect(again.data).toMatchObject({ status: 'failed', failureReason: 'attempts-used' });
    }
    reasons.set(wrong.creditReportId, 'attempts-used');
    const late = await startChallenge(server.trefoil);
    await server.trefoil.advanceTestClock(late.creditReportId, 301);
    reasons.set(late.creditReportId, 'expired');
    const items = await walk(server.trefoil, { status: 'failed' });
    const shown = new Map(items.map(({ creditReportId, failureReason }) => [creditReportId, failureReason]));
    for (const [id, failureReason] of reasons) {
      expect(shown.get(id)).toBe(failureReason);
      expect((await server.trefoil.getReport(id)).data).toMatchObject({ status: 'failed', failureReason });
    }
    // A job of the server would end the one that is late.
    reasons.delete(late.creditReportId);
    await eventually(async () => {
      const events = await readAll(server.trefoil, { type: 'credit-report.failed' });
      const told = events.map(({ data }) => [data.creditReportId, data.failureReason]);
      expect(new Map(told as [string, string][])).toEqual(reasons);
    });
    const others = (await walk(server.trefoil)).filter(({ status }) => status !== 'failed');
    for (const { failureReason } of others) expect(failureReason).toBeNull();
  });

  test('200: a report that a signed-in person requests by cookie is from the console, every other from the API', async () => {
    const { tenantId } = server.demo;
    const person = await addAccount(server, tenantId, 'caseworker');
    const browser = await signIn(server, person);
    const reply = await browser.callApi('POST', `/${tenantId}/v1/credit-reports`, {
      headers: { origin: server.baseUrl },
      body: generateBody(),
    });
    expect(reply.status, reply.text).toBe(200);
    const { creditReportId } = (JSON.parse(reply.text) as { data: { creditReportId: string } }).data;
    const byToken = await callAs(
      server,
      await addPerson(server, tenantId, 'caseworker'),
      'POST',
      `/${tenantId}/v1/credit-reports`,
      generateBody(),
    );
    const sources = new Map((await walk(server.trefoil)).map((item) => [item.creditReportId, item.source]));
    expect(sources.get(creditReportId)).toBe('console');
    expect(sources.get(byToken.data['creditReportId'] as string)).toBe('api');
    expect((await server.trefoil.getReport(creditReportId)).data.source).toBe('console');
  });
});

describe('references', () => {
  const REFERENCE = 'case of Mrs Canary-4711';

  test('200: shown to readers of reports, live and test; null for finance, in the list and by id', async () => {
    const { tenantId } = await addTenantWithOwner(server);
    const live = await addLiveReport(server, tenantId, { status: 'blocked', reference: REFERENCE });
    const caseworker = await addPerson(server, tenantId, 'caseworker');
    const { generate } = clientOf(tenantId, caseworker);
    const made = await generate(generateBody({ externalReference: REFERENCE }), { idempotencyKey: 'one' });
    expect(made.data).toMatchObject({ status: 'complete', externalReference: REFERENCE });
    const again = await generate(generateBody({ externalReference: REFERENCE }), { idempotencyKey: 'one' });
    expect(again.data).toEqual(made.data);
    const open = await startChallenge(server.trefoil, { externalReference: REFERENCE });
    const writes = await addCredential(server, server.demo, { scopes: ['reports:write'] });
    const writer = createTrefoil({ ...writes, baseUrl: server.baseUrl });
    const wrong = await writer.submitOtp(open.creditReportId, { challengeId: open.challengeId, code: '000000' });
    expect(wrong.data).not.toHaveProperty('externalReference');
    for (const code of ['000000', '123456']) {
      const { data } = await server.trefoil.submitOtp(open.creditReportId, { challengeId: open.challengeId, code });
      expect(data).toHaveProperty('externalReference', REFERENCE);
    }
    const plain = await addLiveReport(server, tenantId, { status: 'blocked' });
    for (const [role, seen] of [
      ['analyst', REFERENCE],
      ['caseworker', REFERENCE],
      ['finance', null],
    ] as const) {
      const trefoil = clientOf(tenantId, await addPerson(server, tenantId, role));
      const items = new Map((await walk(trefoil)).map((item) => [item.creditReportId, item.externalReference]));
      expect(items).toEqual(
        new Map([
          [plain, null],
          [made.data.creditReportId, seen],
          [live, seen],
        ]),
      );
      for (const id of [live, made.data.creditReportId]) {
        expect((await trefoil.getReport(id)).data).toMatchObject({ externalReference: seen });
      }
    }
  });

  test('200: a test-only credential sees those of test reports, and live reports not at all', async () => {
    const credential = await addCredential(server, server.demo);
    await server.query('update credentials set is_test_only = true where id = $1', [credential.clientId]);
    const trefoil = createTrefoil({ baseUrl: server.baseUrl, ...credential });
    const externalReference = `test-only-${newId()}`;
    await trefoil.generate(generateBody({ externalReference }));
    await addLiveReport(server, server.demo.tenantId, { status: 'blocked', reference: externalReference });
    expect(await walk(trefoil, { externalReference })).toMatchObject([{ test: true, externalReference }]);
    expect(await walk(trefoil, { externalReference, test: false })).toEqual([]);
    expect((await trefoil.countReports({ externalReference })).data.total).toBe(1);
    expect((await trefoil.countReports({ externalReference, test: false })).data.total).toBe(0);
    expect((await server.trefoil.countReports({ externalReference })).data.total).toBe(2);
  });

  test('200 null: once the report is erased or its time is over, and where it cannot be opened', async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    const add = () => addLiveReport(server, tenantId, { status: 'blocked', reference: REFERENCE });
    const [purged, old, keyless, broken, whole] = [await add(), await add(), await add(), await add(), await add()];
    await server.query(`update credit_reports set purged_at = now(), sealed_request = '' where id = $1`, [purged]);
    await server.query(`update credit_reports set settled_at = now() - interval '30 days' where id = $1`, [old]);
    await server.query('delete from data_keys where credit_report_id = $1', [keyless]);
    await server.query(`update credit_reports set sealed_request = '\\x00' where id = $1`, [broken]);
    const items = await walk(clientOf(tenantId, owner));
    const shown = Object.fromEntries(items.map((item) => [item.creditReportId, item.externalReference]));
    expect(shown).toEqual({ [purged]: null, [old]: null, [keyless]: null, [broken]: null, [whole]: REFERENCE });
  });

  test('the audit log says how many references a page had, and none of them; of counts it has those by reference', async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    await addLiveReport(server, tenantId, { status: 'blocked', reference: REFERENCE });
    await addLiveReport(server, tenantId, { status: 'blocked' });
    const trefoil = clientOf(tenantId, owner);
    await trefoil.listReports();
    await trefoil.countReports();
    await trefoil.countReports({ externalReference: REFERENCE });
    const rows = await server.query<{ action: string; actor: string; details: object }>(
      'select action, actor, details from audit_log where tenant_id = $1 order by seq',
      [tenantId],
    );
    expect(rows).toEqual([
      { action: 'report.listed', actor: owner.userId, details: { count: 2, references: 1 } },
      { action: 'report.counted', actor: owner.userId, details: { count: 1 } },
    ]);
    expect(server.logText()).not.toContain('Canary');
  });
});

/** Reports as rows, a few seconds apart: enough for filters and counts, which open nothing. */
async function addRows(tenantId: string, count: number): Promise<void> {
  await server.query(
    `insert into credit_reports (tenant_id, id, is_test, caller_id, status, failure, sealed_request, created_at)
     select $1, (lpad(to_hex((extract(epoch from made_at) * 1000)::bigint), 12, '0') || '7000800000' || lpad(to_hex(n), 10, '0'))::uuid,
            n % 3 = 0, $1, (array['complete', 'complete', 'failed', 'blocked', 'expired', 'challenged', 'complete'])[1 + n % 7],
            case when n % 7 = 2 then 'interrupted' end, '',
            -- The node's clock is up to 20 s before or behind the database's: the two orders differ.
            made_at + (n * 7919 % 40 - 20) * interval '1 second'
       from (select n, now() - interval '3 hours 6 minutes' + n * interval '10 seconds' as made_at
               from generate_series(1, $2::int) as n) as rows`,
    [tenantId, count],
  );
  // Of old challenges, ended by a job or not.
  await server.query(
    `insert into challenges (tenant_id, credit_report_id, id, last_sent_at)
     select tenant_id, id, id, created_at from credit_reports where tenant_id = $1 and status = 'challenged'`,
    [tenantId],
  );
}

describe('filters and counts', () => {
  const RUNS = 24;
  let tenantId: string;
  let trefoil: Trefoil;
  let all: CreditReportItem[];
  beforeAll(async () => {
    const own = await addTenantWithOwner(server);
    tenantId = own.tenantId;
    trefoil = clientOf(tenantId, own.owner);
    // From three hours ago until six minutes ago: some are too new for a tally, and every challenge is over.
    await addRows(tenantId, 1_075);
    all = await walk(trefoil, { limit: 200 });
    expect(all).toHaveLength(1_075);
  });

  const matches = (item: CreditReportItem, { status, test, from, to }: CreditReportsQuery) =>
    (status === undefined || item.status === status) &&
    (test === undefined || item.test === test) &&
    (from === undefined || item.createdAt >= new Date(from).toISOString()) &&
    (to === undefined || item.createdAt < new Date(to).toISOString());

  /** Of this run's number, so that a failure names the query again. */
  function queryOf(run: number): CreditReportsQuery {
    const at = (place: number) => all[Math.floor(all.length * (place % 1))]?.createdAt ?? '';
    return {
      limit: [200, 61, 200, 37][run % 4] ?? 200,
      ...(run % 2 === 0 && { test: run % 4 === 0 }),
      ...(run % 3 === 0 && { status: REPORT_STATUSES[run % REPORT_STATUSES.length] }),
      ...(run % 5 < 3 && { from: at(run * 0.37) }),
      ...(run % 5 > 1 && { to: at(run * 0.11) }),
    };
  }

  async function expectExactCounts({ limit: _, status: __, ...filter }: CreditReportsQuery): Promise<void> {
    const { total, ...counts } = (await trefoil.countReports(filter)).data;
    const wanted = all.filter((item) => matches(item, filter));
    expect(total, JSON.stringify(filter)).toBe(wanted.length);
    for (const status of REPORT_STATUSES) {
      expect([status, counts[status]]).toEqual([status, wanted.filter((item) => item.status === status).length]);
    }
  }

  test('200: lists and counts say exactly what a filter of all reports says', async () => {
    for (let run = 0; run < RUNS; run++) {
      const query = queryOf(run);
      const wanted = all.filter((item) => matches(item, query)).map((item) => item.creditReportId);
      expect(
        (await walk(trefoil, query)).map((item) => item.creditReportId),
        JSON.stringify(query),
      ).toEqual(wanted);
      await expectExactCounts(query);
    }
  });

  test('200: the counts are the same once most reports have tallies, whatever the ends of the range', async () => {
    const added = await tallyReports(server.database.jobs, undefined, 50);
    // Those of the last half an hour have none, and neither has the rest that is too short.
    expect(added).toBeGreaterThan(14);
    expect(added).toBeLessThan(21);
    expect(await tallyReports(server.database.jobs, undefined, 50)).toBe(0);
    for (let run = 0; run < 4 * RUNS; run++) await expectExactCounts(queryOf(run));
    await addLiveReport(server, tenantId, { status: 'pending' });
    await addLiveReport(server, tenantId, { status: 'challenged', challengeId: newId() });
    const { data } = await trefoil.countReports();
    expect(data).toMatchObject({ total: 1_077, 'in-progress': 1, 'authentication-required': 1 });
  });

  test('a tally waits for a report that a request still works on, and two nodes add it once', async () => {
    const own = await addTenantWithOwner(server);
    await addRows(own.tenantId, 300);
    const [first] = await server.query<{ id: string }>(
      'select id from credit_reports where tenant_id = $1 order by id limit 1',
      [own.tenantId],
    );
    const setStatus = (status: string) =>
      server.query('update credit_reports set status = $2 where id = $1', [first?.id, status]);
    await setStatus('pending');
    const tallies = () => server.query('select from report_tallies where tenant_id = $1', [own.tenantId]);
    await tallyReports(server.database.jobs, undefined, 100);
    expect(await tallies()).toHaveLength(0);
    await setStatus('complete');
    await Promise.all(Array.from({ length: 4 }, () => tallyReports(server.database.jobs, undefined, 100)));
    expect(await tallies()).toHaveLength(3);
    expect((await clientOf(own.tenantId, own.owner).countReports()).data.total).toBe(300);
  });

  test('503 service-unavailable with Retry-After while too many reports have no tally', async () => {
    const own = await addTenantWithOwner(server);
    const client = createTrefoil({
      ...{ baseUrl: server.baseUrl, tenantId: own.tenantId, maxRetries: 0 },
      getToken: () => Promise.resolve(own.owner.token),
    });
    await server.query(
      `insert into credit_reports (tenant_id, id, is_test, caller_id, status, sealed_request)
       select $1, gen_random_uuid(), false, $1, 'failed', '' from generate_series(1, 100001)`,
      [own.tenantId],
    );
    await expect(client.countReports()).rejects.toMatchObject({ status: 503, retryAfterSeconds: 60 });
    await server.query(
      'delete from credit_reports where id = (select id from credit_reports where tenant_id = $1 limit 1)',
      [own.tenantId],
    );
    expect((await client.countReports()).data).toMatchObject({ total: 100_000, failed: 100_000 });
  });

  test('400 validation-error: a reference of more than 10,000 reports is not counted', async () => {
    const own = await addTenantWithOwner(server);
    const id = await addLiveReport(server, own.tenantId, { status: 'blocked', reference: 'many' });
    const client = clientOf(own.tenantId, own.owner);
    await server.query(
      `insert into credit_reports (tenant_id, id, is_test, caller_id, status, sealed_request, external_reference_hash)
       select $1, gen_random_uuid(), false, $1, 'failed', '', external_reference_hash
         from credit_reports, generate_series(1, 9999) where id = $2`,
      [own.tenantId, id],
    );
    expect((await client.countReports({ externalReference: 'many' })).data).toMatchObject({
      total: 10_000,
      blocked: 1,
    });
    await addLiveReport(server, own.tenantId, { status: 'blocked', reference: 'many' });
    await expect(client.countReports({ externalReference: 'many' })).rejects.toMatchObject({
      status: 400,
      code: 'validation-error',
      details: [{ path: '/query/externalReference' }],
    });
  });

  test('200: an empty company, an empty range and a range that ends before it begins count nothing', async () => {
    const own = await addTenantWithOwner(server);
    const nothing = { total: 0, complete: 0, 'authentication-required': 0, blocked: 0, failed: 0, 'in-progress': 0 };
    expect((await clientOf(own.tenantId, own.owner).countReports()).data).toEqual(nothing);
    for (const range of [
      { from: '2026-03-02', to: '2026-03-02' },
      { from: '9999-12-31', to: '0001-01-01' },
      { to: '1970-01-01' },
      { from: '9999-12-31T23:59:59.999Z' },
      { from: '2026-03-02T00:00:00+14:00', to: '2026-03-02T00:00:00+14:00' },
    ]) {
      expect((await trefoil.countReports(range)).data).toEqual(nothing);
      expect((await trefoil.listReports(range)).data).toEqual({ items: [], nextCursor: null });
    }
    expect((await trefoil.countReports({ from: '0001-01-01', to: '9999-12-31' })).data.total).toBe(1_077);
  });

  test('400 validation-error: a mode or a time that cannot be', async () => {
    const authorization = `Bearer ${await server.trefoil.getToken()}`;
    for (const path of ['credit-reports', 'credit-reports/counts']) {
      for (const [query, name] of [
        ['test=maybe', 'test'],
        ['test=', 'test'],
        ['test=true&test=false', 'test'],
        ['from=yesterday', 'from'],
        ['from=2026-02-30', 'from'],
        ['from=2026-03-02T10:00', 'from'],
        ['to=', 'to'],
        [`to=${'1'.repeat(41)}`, 'to'],
        ["to=' or 1=1 --", 'to'],
        ['to=2026-03-02&to=2026-03-03', 'to'],
      ] as const) {
        const reply = await send(server.baseUrl, {
          method: 'GET',
          path: `/${server.demo.tenantId}/v1/${path}?${encodeURI(query)}`,
          headers: { authorization },
        });
        expect([query, reply.status]).toEqual([query, 400]);
        const { details } = JSON.parse(reply.text) as { details: { path: string }[] };
        expect([...new Set(details.map(({ path: fault }) => fault))]).toEqual([`/query/${name}`]);
      }
    }
  });
});
