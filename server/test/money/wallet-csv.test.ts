// The statement as people use it: a file from the browser's address bar, pounds beside credits, and the reference that the
// company gave each report (docs/decisions/0170-the-statement-as-a-file.md).
import { createTrefoil } from '@trefoil/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import type { Release } from '../../src/lib/limits/places.ts';
import { registerWalletRoutes } from '../../src/wallet/routes.ts';
import { startServer, type TestServer } from '../harness.ts';
import { addCredits, addLiveReport, capture, holdFor, plant, refund } from '../support/money-states.ts';
import { AUTHORIZED, openRoutes } from '../support/own-routes.ts';
import { addPerson, callAs } from '../support/people.ts';
import { addCredential } from '../support/tokens.ts';
import { type Reply, send } from '../support/wire.ts';
import { P } from '../support/words.ts';

let server: TestServer;
let tenantId: string;
beforeAll(async () => {
  server = await startServer();
  tenantId = server.demo.tenantId;
  await addCredits(server, tenantId, 100_000, 'invoice 1');
});
afterAll(() => server.close());

async function addCharged(reference: string): Promise<string> {
  const id = await addLiveReport(server, tenantId, { status: 'complete', reference });
  await holdFor(server, tenantId, 'report', id);
  await capture(server, { tenantId, kind: 'report', sourceId: id }, P, id);
  return id;
}

async function get(query: string, accept = '*/*', token?: string): Promise<Reply> {
  const authorization = `Bearer ${token ?? (await server.trefoil.getToken())}`;
  return send(server.baseUrl, {
    method: 'GET',
    path: `/${tenantId}/v1/wallet/entries${query}`,
    headers: { authorization, accept },
  });
}

type Entry = { readonly id: string; readonly creditReportId: string | null; readonly externalReference: string | null };
const entriesOf = (reply: { text: string }) => (JSON.parse(reply.text) as { data: { items: Entry[] } }).data.items;
const linesOf = (reply: Reply) => reply.text.split('\r\n').slice(1, -1);
const HEADER =
  'id,kind,amount,balanceAfter,creditReportId,reversesId,note,createdAt,amountPounds,balanceAfterPounds,externalReference,bureauCount';

describe('format', () => {
  test('200: ?format=csv gives the file to a browser, whatever it accepts; ?format=json gives JSON', async () => {
    const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const file = await get('?format=csv', browser);
    expect(file.status).toBe(200);
    expect(file.headers['content-type']).toContain('text/csv');
    expect(file.headers['content-disposition']).toContain('attachment');
    expect(file.text.split('\r\n', 1)).toEqual([HEADER]);
    expect((await get('?format=json', 'text/csv')).headers['content-type']).toContain('application/json');
    const refused = await get('?format=xlsx', browser);
    expect(refused.status).toBe(400);
    expect(JSON.parse(refused.text)).toMatchObject({ details: [{ path: '/query/format' }] });
  });

  test('200: limit holds for a file too, and a Link with the same limit and format leads through all of it', async () => {
    for (let index = 0; index < 5; index++) await addCredits(server, tenantId, 1);
    const all = linesOf(await get('?format=csv', 'text/csv'));
    expect(all.length).toBeGreaterThan(5);
    const seen: string[] = [];
    let query = '?format=csv&limit=2';
    for (let pages = 0; pages < all.length; pages += 1) {
      const page = await get(query, 'text/csv');
      expect(linesOf(page).length).toBeLessThanOrEqual(2);
      seen.push(...linesOf(page));
      const link = page.headers['link'];
      if (link === undefined) break;
      expect(link).toContain('format=csv');
      expect(link).toContain('limit=2');
      query = String(link).slice(String(link).indexOf('?'), String(link).indexOf('>'));
    }
    expect(seen).toEqual(all);
  });
});

describe('pounds', () => {
  test('200: every amount in pounds beside its credits, to the tenth of a penny where there is one', async () => {
    await addCredits(server, tenantId, 1);
    await addCharged('pounds');
    const [charge, odd] = entriesOf(await get('?limit=2')) as unknown as Record<string, unknown>[];
    expect(charge).toMatchObject({ amount: -P, amountPounds: '-2.00' });
    expect(odd).toMatchObject({ amount: 1, amountPounds: '0.001' });
    const [line] = linesOf(await get('?format=csv&limit=1'));
    expect(line).toMatch(/,-2\.00,\d+\.\d{2,3},pounds,$/);
  });
});

describe('the reference', () => {
  test('200: each line of a report has its reference, in pages and in the file; other lines have null', async () => {
    const first = await addCharged('claim-1');
    const second = await addCharged('claim-2');
    await refund(server, tenantId, second, P);
    await addCredits(server, tenantId, 5);
    const entries = entriesOf(await get('?limit=4'));
    expect(entries.map(({ creditReportId, externalReference }) => [creditReportId, externalReference])).toEqual([
      [null, null],
      [second, 'claim-2'],
      [second, 'claim-2'],
      [first, 'claim-1'],
    ]);
    const lines = linesOf(await get('?format=csv')).slice(0, 4);
    expect(lines.map((line) => line.split(',').at(-2))).toEqual(['', 'claim-2', 'claim-2', 'claim-1']);
  });

  test('200: a reference that begins like a formula is text in the file, and itself in JSON', async () => {
    for (const [reference, cell] of [
      ['=1+1', "'=1+1"],
      ['+44 7700 900123', "'+44 7700 900123"],
      ['-5', "'-5"],
      ['@SUM(A1)', "'@SUM(A1)"],
      ['a;=1+1', '"a;=1+1"'],
      ['=HYPERLINK("x","y")', '"\'=HYPERLINK(""x"",""y"")"'],
    ] as const) {
      await addCharged(reference);
      expect(entriesOf(await get('?limit=1'))[0]?.externalReference).toBe(reference);
      const [line] = linesOf(await get('?format=csv&limit=1'));
      expect(line?.endsWith(`,${cell},`)).toBe(true);
    }
  });

  test('200 null: once the report is purged, its time is over, or its key is gone', async () => {
    const [kept, purged, old, keyless] = [
      await addCharged('kept'),
      await addCharged('purged'),
      await addCharged('old'),
      await addCharged('keyless'),
    ];
    await server.query('update credit_reports set purged_at = now() where id = $1', [purged]);
    await server.query(`update credit_reports set settled_at = now() - interval '30 days' where id = $1`, [old]);
    await server.query('delete from data_keys where credit_report_id = $1', [keyless]);
    const entries = entriesOf(await get('?limit=4'));
    const shown = Object.fromEntries(entries.map((each) => [each.creditReportId, each.externalReference]));
    expect(shown).toEqual({ [kept]: 'kept', [purged]: null, [old]: null, [keyless]: null });
  });

  test('200 null: for who may not see reports: no reports:read, the role finance', async () => {
    const id = await addCharged('not-for-all');
    const blind = await addCredential(server, server.demo, { scopes: ['wallet:read'] });
    const token = await createTrefoil({ baseUrl: server.baseUrl, ...blind }).getToken();
    expect(entriesOf(await get(`?creditReportId=${id}`, '*/*', token))).toMatchObject([{ externalReference: null }]);
    const finance = await addPerson(server, tenantId, 'finance');
    const analyst = await addPerson(server, tenantId, 'analyst');
    for (const [person, reference] of [
      [finance, null],
      [analyst, 'not-for-all'],
    ] as const) {
      const { data } = await callAs(server, person, 'GET', `/${tenantId}/v1/wallet/entries?creditReportId=${id}`);
      expect((data as { items: Entry[] }).items).toMatchObject([{ externalReference: reference }]);
    }
  });

  test('the audit log says that references were read, how many, and none of them', async () => {
    await addCharged('audited-reference');
    await get('?limit=1');
    const rows = await server.query<{ details: object; actor: string }>(
      `select actor, details from audit_log where tenant_id = $1 and action = 'report.references-read'
        order by seq desc limit 1`,
      [tenantId],
    );
    expect(rows).toEqual([{ actor: server.demo.clientId, details: { count: 1 } }]);
  });

  test('200: one that cannot be opened is null, and the rest of the statement is there', async () => {
    const broken = await addCharged('broken');
    const whole = await addCharged('whole');
    await server.query(`update credit_reports set sealed_request = '\\x00' where id = $1`, [broken]);
    const entries = entriesOf(await get('?limit=2'));
    expect(entries.map(({ creditReportId, externalReference }) => [creditReportId, externalReference])).toEqual([
      [whole, 'whole'],
      [broken, null],
    ]);
    expect(server.logText()).toContain('a reference cannot be opened');
  });
});

describe('turns', () => {
  test('each page of a file waits for a turn, and holds it until the page is read and no longer', async () => {
    const other = server.other.tenantId;
    await plant(
      server,
      `insert into ledger_txs (tenant_id, seq, kind, source_id, balance_after)
       select '${other}', n, 'report-charge', gen_random_uuid(), 0 from generate_series(1, 2500) as n`,
      `insert into ledger_entries (tenant_id, seq, account, amount)
       select '${other}', n, account, 0 from generate_series(1, 2500) as n,
         (values ('wallet'), ('revenue:report')) as entries (account)`,
      `update wallets set last_seq = 2500 where tenant_id = '${other}'`,
    );
    const waiting: { readonly reading: string | undefined; readonly give: (release: Release) => void }[] = [];
    const routes = await openRoutes(
      server,
      server.other,
      (app, gate) =>
        registerWalletRoutes(app, gate, {
          ...{ database: server.database, findSources: async () => [], findSmsBudget: () => Promise.reject() },
          referencesFor: () => async () => new Map(),
          listReportFacts: async () => [],
        }),
      (_tenantId, reading) => new Promise((give) => void waiting.push({ reading, give })),
    );
    const path = `/${other}/v1/wallet/entries?format=csv`;
    const asked = send(routes.baseUrl, { method: 'GET', path, headers: AUTHORIZED });
    let held = 0;
    for (const reading of [undefined, 'page', 'page', 'page']) {
      await eventually(() => expect(waiting.length).toBe(1));
      const turn = waiting.shift();
      // The turn before it was given back.
      expect([turn?.reading, held]).toEqual([reading, 0]);
      held += 1;
      turn?.give(() => {
        held -= 1;
      });
    }
    const reply = await asked;
    expect([reply.status, reply.text.split('\r\n').length, held]).toEqual([200, 2_502, 0]);
    await routes.close();
  });
});
