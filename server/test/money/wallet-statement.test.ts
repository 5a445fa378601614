// The wallet and its statement as a tenant reads them: pages, filters, CSV, and nothing of anybody else.
import { type IncomingHttpHeaders, get as openRequest } from 'node:http';
import type { Trefoil } from '@trefoil/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { countWriteOffs } from '../../src/wallet/find-charge.ts';
import { startServer, type TestServer } from '../harness.ts';
import { jsonHere, runHere, sayHere } from '../support/command-line.ts';
import { printState } from '../support/dump.ts';
import {
  addCredits,
  addLiveReport,
  addSend,
  capture,
  holdFor,
  plant,
  refund,
  release,
  withBooks,
} from '../support/money-states.ts';
import { send } from '../support/wire.ts';
import { P, PRICE } from '../support/words.ts';

let server: TestServer;
let demo: string;
beforeAll(async () => {
  server = await startServer();
  demo = server.demo.tenantId;
});
afterAll(() => server.close());

type Query = NonNullable<Parameters<Trefoil['listWalletEntries']>[0]>;
type Entry = Awaited<ReturnType<Trefoil['listWalletEntries']>>['data']['items'][number];

async function walk(trefoil: Trefoil, query: Query = {}): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { data } = await trefoil.listWalletEntries({ ...query, ...(cursor && { cursor }) });
    entries.push(...data.items);
    cursor = data.nextCursor;
  }
  return entries;
}

/** A challenged report: charged, one message delivered and one written off, then failed and refunded. */
async function addFailedReport(tenantId: string, reference?: string): Promise<string> {
  const challengeId = newId();
  const state = { status: 'failed', failure: 'attempts-used', challengeId } as const;
  const id = await addLiveReport(server, tenantId, { ...state, ...(reference && { reference }) });
  await holdFor(server, tenantId, 'report', id);
  await capture(server, { tenantId, kind: 'report', sourceId: id }, P, id);
  const delivered = await addSend(server, tenantId, { creditReportId: id, challengeId, state: 'delivered' });
  await holdFor(server, tenantId, 'sms', delivered);
  await capture(server, { tenantId, kind: 'sms', sourceId: delivered }, PRICE.sms, id);
  const late = await addSend(server, tenantId, { creditReportId: id, challengeId, state: 'delivered' });
  await holdFor(server, tenantId, 'sms', late);
  await release(server, tenantId, 'sms', late);
  await withBooks(server, [tenantId], {}, (book) =>
    book.post({ tenantId, kind: 'sms-writeoff', sourceId: late, amount: PRICE.sms, creditReportId: id }),
  );
  await refund(server, tenantId, id, P);
  return id;
}

describe('the wallet', () => {
  test('200: balance, what is held, what is available', async () => {
    expect((await server.trefoil.getWallet()).data).toEqual({
      balance: 0,
      held: 0,
      available: 0,
      creditsPerPound: 1_000,
      smsDay: expect.any(Object),
    });
    await addCredits(server, demo, 50_000);
    await holdFor(server, demo, 'report', newId());
    const before = await printState(server);
    const { data, meta } = await server.trefoil.getWallet();
    expect(await printState(server)).toBe(before);
    expect(data).toMatchObject({ balance: 50_000, held: P, available: 50_000 - P, creditsPerPound: 1_000 });
    expect(Object.keys(meta)).toEqual(['request']);
    expect((await server.otherTrefoil.getWallet()).data.balance).toBe(0);
  });
});

describe('the statement', () => {
  test('200: every line newest first, each with the balance it left; a write-off is not among them', async () => {
    await addCredits(server, demo, 10_000, 'invoice 2');
    const writeOffs = await countWriteOffs(server.database);
    const id = await addFailedReport(demo);
    expect(await countWriteOffs(server.database)).toBe(writeOffs + 1);
    const [refunded, sms, charge, added] = (await server.trefoil.listWalletEntries({ limit: 4 })).data.items;
    const balance = (await server.trefoil.getWallet()).data.balance;
    expect(refunded).toEqual({
      id: expect.stringMatching(/^\d+$/),
      kind: 'report-refund',
      amount: P,
      balanceAfter: balance,
      creditReportId: id,
      reversesId: charge?.id,
      note: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      amountPounds: '2.00',
      balanceAfterPounds: expect.stringMatching(/^\d+\.\d{2,3}$/),
      externalReference: null,
      bureauCount: null,
    });
    expect(sms).toMatchObject({ kind: 'sms-charge', amount: -PRICE.sms, creditReportId: id, reversesId: null });
    expect(charge).toMatchObject({ kind: 'report-charge', amount: -P, creditReportId: id, reversesId: null });
    expect(added).toMatchObject({ kind: 'top-up', amount: 10_000, creditReportId: null, note: 'invoice 2' });
    // The write-off between them took a place in the journal.
    expect(Number(refunded?.id) - Number(sms?.id)).toBe(2);
  });

  test('200: in pages each line comes once, whatever is posted meanwhile, and the amounts make the balance', async () => {
    for (let index = 0; index < 12; index++) await addCredits(server, demo, 1);
    const first = await server.trefoil.listWalletEntries({ limit: 5 });
    const { balance } = (await server.trefoil.getWallet()).data;
    await addCredits(server, demo, 1);
    const rest = await walk(server.trefoil, { limit: 5, cursor: first.data.nextCursor ?? '' });
    const all = [...first.data.items, ...rest];
    expect(new Set(all.map((entry) => entry.id)).size).toBe(all.length);
    expect(all.map((entry) => Number(entry.id))).toEqual(
      all.map((entry) => Number(entry.id)).toSorted((a, b) => b - a),
    );
    expect(all.reduce((sum, entry) => sum + entry.amount, 0)).toBe(balance);
  });

  test('200: by kind, by report with its messages, by reference, and all of them together', async () => {
    const reference = 'claim-77';
    const first = await addFailedReport(demo, reference);
    const second = await addFailedReport(demo, reference);
    await addFailedReport(demo, 'claim-78');
    const ofFirst = await walk(server.trefoil, { creditReportId: first });
    expect(ofFirst.map((entry) => entry.kind)).toEqual(['report-refund', 'sms-charge', 'report-charge']);
    expect(new Set(ofFirst.map((entry) => entry.creditReportId))).toEqual(new Set([first]));
    const ofReference = await walk(server.trefoil, { externalReference: reference, limit: 2 });
    expect(ofReference.map((entry) => entry.creditReportId)).toEqual([second, second, second, first, first, first]);
    const both = await walk(server.trefoil, {
      externalReference: reference,
      kind: 'sms-charge',
      creditReportId: first,
    });
    expect(both.map((entry) => entry.kind)).toEqual(['sms-charge']);
    expect(await walk(server.trefoil, { externalReference: 'claim-79' })).toEqual([]);
    expect(await walk(server.trefoil, { creditReportId: newId() })).toEqual([]);
    for (const entry of await walk(server.trefoil, { kind: 'top-up' })) expect(entry.kind).toBe('top-up');
  });

  test('200: nothing of another tenant, by whatever filter or cursor', async () => {
    const { tenantId } = server.other;
    await addCredits(server, tenantId, 100_000, 'theirs');
    const theirs = await addFailedReport(tenantId, 'shared-reference');
    const mine = await addFailedReport(demo, 'shared-reference');
    expect(await walk(server.trefoil, { creditReportId: theirs })).toEqual([]);
    const shared = await walk(server.trefoil, { externalReference: 'shared-reference' });
    expect(new Set(shared.map((entry) => entry.creditReportId))).toEqual(new Set([mine]));
    for (const entry of await walk(server.trefoil, { limit: 200 })) expect(entry.note).not.toBe('theirs');
    const { csv } = await server.trefoil.exportWalletEntries();
    expect(csv).not.toContain('theirs');
    expect(csv).not.toContain(theirs);
  });

  test('400 validation-error: every fault of the query', async () => {
    const authorization = `Bearer ${await server.trefoil.getToken()}`;
    const faults = [
      ['limit=0&kind=sms-writeoff', ['/query/kind', '/query/limit']],
      ['from=2026-02-30', ['/query/from']],
      ['from=2026-03-01T09:00:00&to=tomorrow', ['/query/from', '/query/to']],
      ['from=2026-03-01T09:00:00+01:00', ['/query/from']],
      ['creditReportId=x', ['/query/creditReportId']],
      [`cursor=${Buffer.from('0').toString('base64url')}`, ['/query/cursor']],
      [`cursor=${Buffer.from('1e3').toString('base64url')}`, ['/query/cursor']],
      ['cursor=%00', ['/query/cursor']],
    ] as const;
    for (const [query, paths] of faults) {
      const path = `/${demo}/v1/wallet/entries?${query}`;
      const reply = await send(server.baseUrl, { method: 'GET', path, headers: { authorization } });
      expect([query, reply.status]).toEqual([query, 400]);
      const { code, details } = JSON.parse(reply.text) as { code: string; details: { path: string }[] };
      expect(code).toBe('validation-error');
      expect(details.map((each) => each.path).toSorted()).toEqual(paths);
    }
  });
});

describe('between two instants', () => {
  let own: TestServer;
  beforeAll(async () => {
    own = await startServer();
    for (let index = 0; index < 40; index++) await addCredits(own, own.demo.tenantId, 1);
    // One line an hour, from midnight on.
    await plant(own, `update ledger_txs set created_at = '2026-03-01Z'::timestamptz + seq * interval '1 hour'`);
  });
  afterAll(() => own.close());

  const ids = async (query: Query) =>
    (await walk(own.trefoil, { ...query, limit: 7 })).map((entry) => Number(entry.id));
  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => to - index);

  test('200: from is inclusive, to is exclusive, dates mean midnight UTC', async () => {
    expect(await ids({ from: '2026-03-01T05:00:00Z', to: '2026-03-01T09:00:00Z' })).toEqual(range(5, 8));
    expect(await ids({ from: '2026-03-02' })).toEqual(range(24, 40));
    expect(await ids({ to: '2026-03-02' })).toEqual(range(1, 23));
    expect(await ids({ from: '2026-03-01T10:30:00+01:00', to: '2026-03-01T12:00:00.001Z' })).toEqual(range(10, 12));
    expect(await ids({ from: '2027-01-01' })).toEqual([]);
    expect(await ids({ to: '2026-01-01' })).toEqual([]);
    expect(await ids({ from: '2026-03-02', to: '2026-03-01' })).toEqual([]);
  });

  test('200: a line out of order, where a clock was set back, is found by its own instant', async () => {
    await plant(own, `update ledger_txs set created_at = '2026-03-01T02:30:00Z' where seq = 20`);
    expect(await ids({ from: '2026-03-01T02:00:00Z', to: '2026-03-01T03:30:00Z' })).toEqual([20, 3, 2]);
  });

  test('200: a wallet without a line has an empty statement', async () => {
    const { data } = await own.otherTrefoil.listWalletEntries({ from: '2026-01-01', to: '2027-01-01' });
    expect(data).toEqual({ items: [], nextCursor: null });
    expect((await own.otherTrefoil.exportWalletEntries()).csv.split('\r\n')).toHaveLength(2);
  });
});

describe('as CSV', () => {
  let own: TestServer;
  let tenantId: string;
  beforeAll(async () => {
    own = await startServer();
    tenantId = own.demo.tenantId;
  });
  afterAll(() => own.close());

  const get = async (query: string, accept: string) =>
    send(own.baseUrl, {
      method: 'GET',
      path: `/${tenantId}/v1/wallet/entries${query}`,
      headers: { authorization: `Bearer ${await own.trefoil.getToken()}`, accept },
    });

  /** Begins to read a file and hangs up; returns the headers. */
  async function beginFile(query: string): Promise<IncomingHttpHeaders> {
    const headers = { authorization: `Bearer ${await own.trefoil.getToken()}`, accept: 'text/csv' };
    return new Promise((resolve, reject) => {
      openRequest(`${own.baseUrl}/${tenantId}/v1/wallet/entries${query}`, { headers, agent: false }, (incoming) => {
        incoming.once('data', () => {
          incoming.destroy();
          resolve(incoming.headers);
        });
      }).on('error', reject);
    });
  }

  test('200: a header line, CRLF, quotes, and no text that a spreadsheet would calculate', async () => {
    await addCredits(own, tenantId, 1_000, '=HYPERLINK("http://example.com","pay")');
    await withBooks(own, [tenantId], {}, (book) =>
      book.post({ tenantId, kind: 'adjust', sourceId: newId(), amount: -30, note: 'said "no", then yes' }),
    );
    const reply = await get('', 'text/csv');
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="wallet-entries.csv"',
      'cache-control': 'no-store',
      vary: 'accept',
    });
    expect(reply.headers['link']).toBeUndefined();
    const [header, adjusted, added, end] = reply.text.split('\r\n');
    expect(header).toMatch(/^id,kind,amount,balanceAfter,creditReportId,reversesId,note,createdAt,/);
    expect(adjusted).toMatch(/^2,adjust,-30,970,,,"said ""no"", then yes",\d{4}-/);
    expect(added).toMatch(/^1,top-up,1000,1000,,,"'=HYPERLINK\(""http:\/\/example\.com"",""pay""\)",\d{4}-/);
    expect(end).toBe('');
  });

  test('200 JSON: unless CSV is asked for outright; a refusal is JSON either way', async () => {
    for (const accept of ['*/*', 'application/json', 'text/html', 'application/json, text/csv']) {
      expect((await get('', accept)).headers['content-type']).toContain('application/json');
    }
    const refused = await get('?limit=x', 'text/csv');
    expect(refused.status).toBe(400);
    expect(JSON.parse(refused.text)).toMatchObject({ code: 'validation-error' });
  });

  test('200: all lines of the filter in one file; past 100,000, or past the limit, a Link says where to go on', async () => {
    await plant(
      own,
      `insert into ledger_txs (tenant_id, seq, kind, source_id, balance_after)
       select '${tenantId}', n, 'report-charge', gen_random_uuid(), 970 from generate_series(3, 100010) as n`,
      `insert into ledger_entries (tenant_id, seq, account, amount)
       select '${tenantId}', n, account, amount
         from generate_series(3, 100010) as n, (values ('wallet', 0), ('revenue:report', 0)) as entries (account, amount)`,
      `update wallets set last_seq = 100010 where tenant_id = '${tenantId}'`,
    );
    const places = (csv: string) =>
      csv
        .split('\r\n')
        .slice(1, -1)
        .map((line) => Number(line.split(',', 1)[0]));
    const five = await own.trefoil.exportWalletEntries({ limit: 5 });
    expect(places(five.csv)).toEqual([100_010, 100_009, 100_008, 100_007, 100_006]);
    expect(five.nextCursor).not.toBeNull();
    const first = await own.trefoil.exportWalletEntries();
    expect(places(first.csv)).toEqual(Array.from({ length: 100_000 }, (_, index) => 100_010 - index));
    expect(first.nextCursor).not.toBeNull();
    const rest = await own.trefoil.exportWalletEntries({ cursor: first.nextCursor ?? '' });
    expect(places(rest.csv)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect(rest.nextCursor).toBeNull();
    expect((await beginFile('?kind=report-charge&from=2020-01-01'))['link']).toMatch(
      new RegExp(`^</${tenantId}/v1/wallet/entries\\?from=2020-01-01&kind=report-charge&cursor=[\\w-]+>; rel="next"$`),
    );
    // Few lines of a kind, and those of a report, are found at once in a journal of any length.
    for (const kind of ['adjust', 'top-up'] as const) {
      const few = await own.trefoil.exportWalletEntries({ kind });
      expect(few.csv.split('\r\n')).toHaveLength(3);
      expect(few.nextCursor).toBeNull();
      const { data } = await own.trefoil.listWalletEntries({ kind });
      expect([data.items.length, data.nextCursor]).toEqual([1, null]);
    }
    // A kind that is not there: short pages whose cursors lead to the end, none of them a walk through everything.
    const { data } = await own.trefoil.listWalletEntries({ kind: 'sms-charge' });
    expect(data).toEqual({ items: [], nextCursor: expect.any(String) });
    expect(await walk(own.trefoil, { kind: 'sms-charge' })).toEqual([]);
  }, 120_000);

  test('a reader who hangs up leaves the service unharmed', async () => {
    await beginFile('');
    expect((await own.trefoil.getWallet()).data.available).toBe(970);
    expect(own.logText()).not.toContain('uncaught');
  });
});

describe('the operator', () => {
  let own: TestServer;
  let tenantId: string;
  beforeAll(async () => {
    own = await startServer();
    tenantId = own.demo.tenantId;
  });
  afterAll(() => own.close());

  test('wallet top-up posts once per reference, and says so', async () => {
    const topUp = ['wallet', 'top-up', '--tenant', tenantId, '--credits', '50000', '--reference', 'invoice 17'];
    expect(await sayHere(own, ...topUp)).toBe(
      `Added 50,000 credits (£50.00). The balance of tenant ${tenantId} is 50,000 credits (£50.00).`,
    );
    expect(await sayHere(own, ...topUp)).toContain('posted before, with the same credits. Nothing was changed.');
    const other = await runHere(own, ...topUp.with(5, '60000'));
    expect(other).toMatchObject({ code: 1, stdout: '' });
    expect(other.stderr).toContain('posted before, with 50,000 credits');
    const [balance] = await Promise.all(
      Array.from({ length: 5 }, () => jsonHere<{ balance: number }>(own, ...topUp.with(7, 'invoice 18'))),
    );
    expect(balance).toMatchObject({ tenantId, credits: 50_000, balance: 100_000 });
    expect((await own.trefoil.getWallet()).data.balance).toBe(100_000);
    // The same reference of another tenant is another payment.
    const { tenantId: otherId } = own.other;
    expect(await jsonHere(own, ...topUp.with(3, otherId))).toMatchObject({ balance: 50_000, isRepeat: false });
  });

  test('wallet adjust goes up and down, never below what is held', async () => {
    const { balance, held } = (await own.trefoil.getWallet()).data;
    const adjust = (credits: string, ...more: string[]) =>
      runHere(own, 'wallet', 'adjust', '--tenant', tenantId, '--credits', credits, '--reason', 'correction', ...more);
    expect(await adjust('-999')).toMatchObject({ code: 0, stdout: expect.stringContaining('-999 credits (-£0.999)') });
    expect(await adjust('+999')).toMatchObject({ code: 0 });
    await holdFor(own, tenantId, 'report', newId());
    const refused = await adjust(String(-(balance - held)));
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/^Only .* are available\. Nothing was changed\.$/);
    expect(await adjust('5', '--reference', 'ticket 4')).toMatchObject({ code: 0 });
    expect((await adjust('5', '--reference', 'ticket 4')).stdout).toContain('Nothing was changed.');
    expect((await own.trefoil.getWallet()).data.balance).toBe(balance + 5);
    const { items } = (await own.trefoil.listWalletEntries({ kind: 'adjust' })).data;
    expect(items.map((entry) => [entry.amount, entry.note])).toEqual([
      [5, 'correction'],
      [999, 'correction'],
      [-999, 'correction'],
    ]);
  });

  test('wallet show and wallet entries print what the tenant reads', async () => {
    const { balance, held } = (await own.trefoil.getWallet()).data;
    expect(await jsonHere(own, 'wallet', 'show', '--tenant', tenantId)).toMatchObject({ balance, held });
    const shown = await sayHere(own, 'wallet', 'entries', '--tenant', tenantId, '--kind', 'adjust');
    expect(shown).toMatch(/^LINE +POSTED +KIND +CREDITS +BALANCE +REPORT +NOTE$/m);
    expect(shown).toMatch(/ adjust +-999 /);
    const { entries } = await jsonHere<{ entries: object[] }>(own, 'wallet', 'entries', '--tenant', tenantId);
    expect(entries).toEqual((await own.trefoil.listWalletEntries()).data.items);
    const more = await sayHere(own, 'wallet', 'entries', '--tenant', tenantId, '--limit', '1');
    expect(more).toContain('There are more');
    const none = await sayHere(own, 'wallet', 'entries', '--tenant', tenantId, '--report', newId());
    expect(none).toBe('There are no such lines.');
  });

  test('no command finds a tenant that does not exist', async () => {
    const id = newId();
    for (const words of [
      ['wallet', 'show', '--tenant', id],
      ['wallet', 'top-up', '--tenant', id, '--credits', '1', '--reference', 'x'],
      ['wallet', 'adjust', '--tenant', id, '--credits', '1', '--reason', 'x'],
      ['wallet', 'entries', '--tenant', id],
    ]) {
      expect(await runHere(own, ...words)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('There is no tenant'),
      });
    }
  });
});
