// Reading reports again: by id and in the list, live and test, through their whole life
// (docs/decisions/0043-what-reading-shows.md, 0057-retrieval.md).
import { type Trefoil, TrefoilError } from '@trefoil/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { generateBody, startChallenge, startServer, type TestServer } from '../harness.ts';
import { printState } from '../support/dump.ts';
import { addLiveReport, REPORT, results } from '../support/money-states.ts';
import { send } from '../support/wire.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

/** A test report without a reference, requested with a token. */
const FREE_TEST = { test: true, externalReference: null, costCredits: 0, source: 'api' };

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'none',
    (error) => (error instanceof TrefoilError ? `${error.status} ${error.code}` : String(error)),
  );

const age = (creditReportId: string, ago: string) =>
  server.query('update challenges set last_sent_at = clock_timestamp() - $2::interval where credit_report_id = $1', [
    creditReportId,
    ago,
  ]);

describe('by id', () => {
  test('200 complete: the report as it was given, cost-free and without a wallet', async () => {
    const { data } = await server.trefoil.generate(generateBody({ email: 'test003@example.com' }));
    if (data.status !== 'complete') throw new Error(data.status);
    // Reading is written down, and changes nothing else.
    const state = async () => (await printState(server)).replace(/^audit_.*$/gm, '');
    const before = await state();
    const read = await server.trefoil.getReport(data.creditReportId);
    expect(await state()).toBe(before);
    const { challengeType: _, ...given } = data;
    const createdAt = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(read.data).toEqual({ ...given, ...FREE_TEST, createdAt });
    expect(Object.keys(read.meta)).toEqual(['request']);
  });

  test('200: a challenge while it is open, once it failed, and once it is complete', async () => {
    const failing = await startChallenge(server.trefoil);
    const { creditReportId, challengeId } = failing;
    expect((await server.trefoil.getReport(creditReportId)).data).toEqual({
      status: 'authentication-required',
      challengeType: 'otp',
      creditReportId,
      challenge: { challengeId, sends: [expect.objectContaining({ state: 'delivered' })] },
      ...FREE_TEST,
      createdAt: expect.any(String),
    });
    let failed: unknown;
    for (let guess = 0; guess < 3; guess++) {
      failed = (await server.trefoil.submitOtp(creditReportId, { challengeId, code: '000000' })).data;
    }
    expect((await server.trefoil.getReport(creditReportId)).data).toMatchObject(failed as object);
    const passing = await startChallenge(server.trefoil);
    const { data } = await server.trefoil.submitOtp(passing.creditReportId, {
      challengeId: passing.challengeId,
      code: '123456',
    });
    expect((await server.trefoil.getReport(passing.creditReportId)).data).toMatchObject(data);
  });

  test('200 blocked', async () => {
    const { data } = await server.trefoil.generate(generateBody({ challengeOptions: { status: 'block' } }));
    expect((await server.trefoil.getReport(data.creditReportId)).data).toMatchObject(data);
  });

  test('200 failed: a challenge whose five minutes are over says that it expired', async () => {
    const { creditReportId } = await startChallenge(server.trefoil);
    await age(creditReportId, '4 minutes 58 seconds');
    expect((await server.trefoil.getReport(creditReportId)).data.status).toBe('authentication-required');
    await age(creditReportId, '5 minutes 1 millisecond');
    expect((await server.trefoil.getReport(creditReportId)).data).toMatchObject({
      status: 'failed',
      errorMessage: expect.stringContaining('expired'),
    });
  });

  test('200: a live report with what each bureau did, and a live failure with its reason', async () => {
    const { tenantId } = server.demo;
    const bureauResults = results('ok', 'no-trace', 'unavailable');
    const complete = await addLiveReport(server, tenantId, { status: 'complete', bureauResults });
    expect((await server.trefoil.getReport(complete)).data).toEqual({
      status: 'complete',
      creditReportId: complete,
      creditReport: REPORT,
      bureauResults,
      coverage: { status: 'partly-traced', message: expect.any(String) },
      ...FREE_TEST,
      test: false,
      createdAt: expect.any(String),
    });
    const messages = new Set<string>();
    for (const failure of ['screening-unavailable', 'device-not-verified', 'not-deliverable', 'no-bureau-answered']) {
      const id = await addLiveReport(server, tenantId, { status: 'failed', failure });
      const { data } = await server.trefoil.getReport(id);
      if (data.status !== 'failed') throw new Error(data.status);
      messages.add(data.errorMessage);
    }
    expect(messages.size).toBe(4);
    const expired = await addLiveReport(server, tenantId, {
      status: 'expired',
      failure: 'expired',
      challengeId: newId(),
    });
    expect((await server.trefoil.getReport(expired)).data).toMatchObject({
      status: 'failed',
      errorMessage: expect.stringContaining('expired'),
    });
  });

  test('409 request-in-progress with Retry-After while somebody works on it', async () => {
    for (const status of ['pending', 'fetching'] as const) {
      const challengeId = newId();
      const id = await addLiveReport(server, server.demo.tenantId, { status, challengeId });
      const error = await server.trefoil.getReport(id).catch((caught: unknown) => caught);
      expect(error).toMatchObject({ status: 409, code: 'request-in-progress', retryAfterSeconds: 3 });
    }
  });

  test('410 credit-report-purged: its key is gone, it was purged, or its time is over', async () => {
    const generate = async () => (await server.trefoil.generate(generateBody())).data.creditReportId;
    const [keyless, purged, old] = [await generate(), await generate(), await generate()];
    await server.query('delete from data_keys where credit_report_id = $1', [keyless]);
    await server.query('update credit_reports set purged_at = now() where id = $1', [purged]);
    await server.query(`update credit_reports set settled_at = now() - interval '30 days' where id = $1`, [old]);
    for (const id of [keyless, purged, old]) {
      expect(await codeOf(server.trefoil.getReport(id))).toBe('410 credit-report-purged');
    }
    const { data } = await server.trefoil.listReports();
    const shown = new Map(data.items.map((item) => [item.creditReportId, item]));
    for (const id of [keyless, purged, old])
      expect(shown.get(id)).toMatchObject({ status: 'complete', isPurged: true });
  });

  test('a tenant that keeps nothing still sees its open challenge', async () => {
    const { tenantId } = server.other;
    await server.query('update tenants set retention_days = 0 where id = $1', [tenantId]);
    try {
      const { creditReportId, challengeId } = await startChallenge(server.otherTrefoil);
      expect((await server.otherTrefoil.getReport(creditReportId)).data.status).toBe('authentication-required');
      await server.otherTrefoil.submitOtp(creditReportId, { challengeId, code: '123456' });
      expect(await codeOf(server.otherTrefoil.getReport(creditReportId))).toBe('410 credit-report-purged');
    } finally {
      await server.query('update tenants set retention_days = 30 where id = $1', [tenantId]);
    }
  });
});

describe('the list', () => {
  let own: TestServer;
  beforeAll(async () => {
    own = await startServer();
  });
  afterAll(() => own.close());

  /** Every item of every page, and how many pages there were. */
  async function walk(trefoil: Trefoil, query: NonNullable<Parameters<Trefoil['listReports']>[0]>) {
    const items: Awaited<ReturnType<Trefoil['listReports']>>['data']['items'] = [];
    let pages = 0;
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { data } = await trefoil.listReports({ ...query, ...(cursor && { cursor }) });
      items.push(...data.items);
      pages += 1;
      cursor = data.nextCursor;
    }
    return { items, pages };
  }

  test('200: newest first, each once, in pages, whatever is added meanwhile', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 7; index++) {
      ids.push((await own.trefoil.generate(generateBody())).data.creditReportId);
    }
    const first = await own.trefoil.listReports({ limit: 3 });
    await own.trefoil.generate(generateBody());
    const rest = await walk(own.trefoil, { limit: 3, cursor: first.data.nextCursor ?? '' });
    expect([...first.data.items, ...rest.items].map((item) => item.creditReportId)).toEqual(ids.toReversed());
    expect(first.data.items[0]).toEqual({
      creditReportId: ids.at(-1),
      status: 'complete',
      ...FREE_TEST,
      createdAt: expect.any(String),
      isPurged: false,
      failureReason: null,
    });
  });

  test('200: a full last page has no cursor', async () => {
    const reference = 'exactly-two';
    await own.trefoil.generate(generateBody({ externalReference: reference }));
    await own.trefoil.generate(generateBody({ externalReference: reference }));
    const { data } = await own.trefoil.listReports({ limit: 2, externalReference: reference });
    expect(data.items).toHaveLength(2);
    expect(data.nextCursor).toBeNull();
  });

  test('200: by reference, exactly and within the tenant', async () => {
    const body = generateBody({ externalReference: 'case-9' });
    const mine = (await own.trefoil.generate(body)).data.creditReportId;
    const theirs = (await own.otherTrefoil.generate(body)).data.creditReportId;
    await own.trefoil.generate(generateBody({ externalReference: 'CASE-9' }));
    const list = async (trefoil: Trefoil) =>
      (await trefoil.listReports({ externalReference: 'case-9' })).data.items.map((item) => item.creditReportId);
    expect(await list(own.trefoil)).toEqual([mine]);
    expect(await list(own.otherTrefoil)).toEqual([theirs]);
    expect((await own.trefoil.listReports({ externalReference: 'case-10' })).data.items).toEqual([]);
  });

  test('200: by state, as each is shown', async () => {
    const { tenantId } = own.other;
    const trefoil = own.otherTrefoil;
    const add = async (status: Parameters<typeof addLiveReport>[2]['status']) =>
      addLiveReport(own, tenantId, { status, challengeId: newId() });
    const byState = {
      complete: [await add('complete')],
      'authentication-required': [await add('challenged')],
      blocked: [await add('blocked')],
      failed: [await add('failed'), await add('expired'), await add('challenged')],
      'in-progress': [await add('pending'), await add('fetching')],
    } as const;
    await own.query(
      `update challenges set last_sent_at = last_sent_at - interval '301 seconds' where credit_report_id = $1`,
      [byState.failed[2]],
    );
    for (const [status, ids] of Object.entries(byState)) {
      const { items } = await walk(trefoil, { status: status as keyof typeof byState, limit: 1 });
      const live = items.filter((item) => !item.test);
      expect(live.map((item) => [item.creditReportId, item.status])).toEqual(
        ids
          .toSorted()
          .toReversed()
          .map((id) => [id, status]),
      );
    }
  });

  test('200: a rare state among many is found page by page, and no page looks at all of them', async () => {
    const { tenantId } = own.demo;
    const rare = await addLiveReport(own, tenantId, { status: 'blocked' });
    await own.query(
      `insert into credit_reports (tenant_id, id, is_test, caller_id, status, sealed_request)
       select $1, ('f0000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, false, $1, 'failed', ''
         from generate_series(1, 10050) as n`,
      [tenantId],
    );
    const first = await own.trefoil.listReports({ status: 'blocked' });
    expect(first.data).toEqual({ items: [], nextCursor: expect.any(String) });
    const { items } = await walk(own.trefoil, { status: 'blocked' });
    expect(items.map((item) => item.creditReportId)).toContain(rare);
    await own.query(`delete from credit_reports where id >= 'f0000000-0000-7000-8000-000000000000'`);
  });

  test('400 validation-error: a limit, state or cursor that cannot be', async () => {
    const authorization = `Bearer ${await own.trefoil.getToken()}`;
    const cursor = (position: string) => Buffer.from(position).toString('base64url');
    const faults = [
      ['limit=0', '/query/limit'],
      ['limit=201', '/query/limit'],
      ['limit=1.5', '/query/limit'],
      ['limit=ten', '/query/limit'],
      ['limit=1&limit=2', '/query/limit'],
      ['status=expired', '/query/status'],
      ['status=', '/query/status'],
      ['cursor=!!', '/query/cursor'],
      [`cursor=${cursor('1')}`, '/query/cursor'],
      [`cursor=${cursor(`${newId()} `)}`, '/query/cursor'],
      ['externalReference=', '/query/externalReference'],
    ] as const;
    for (const [query, path] of faults) {
      const reply = await send(own.baseUrl, {
        method: 'GET',
        path: `/${own.demo.tenantId}/v1/credit-reports?${query}`,
        headers: { authorization },
      });
      expect([query, reply.status]).toEqual([query, 400]);
      expect(JSON.parse(reply.text)).toMatchObject({ code: 'validation-error', details: [{ path }] });
    }
  });

  test('a cursor of another tenant shows nothing of it', async () => {
    await own.otherTrefoil.generate(generateBody());
    await own.otherTrefoil.generate(generateBody());
    const theirs = await own.otherTrefoil.listReports({ limit: 1 });
    const { data } = await own.trefoil.listReports({ cursor: theirs.data.nextCursor ?? '', limit: 200 });
    const known = await own.query<{ id: string }>('select id from credit_reports where tenant_id = $1', [
      own.demo.tenantId,
    ]);
    const ids = new Set(known.map(({ id }) => id));
    for (const item of data.items) expect(ids.has(item.creditReportId)).toBe(true);
  });
});
