// Reading the money of test mode: who may, what the statement, a report, its timeline and a quote say of it, and that live lines and test lines
// never mix (docs/decisions/0287-money-in-test-mode.md).
import { ENTRY_KINDS } from '@trefoil/contract';
import { createTrefoil } from '@trefoil/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expireInSandbox } from '../../src/credit-reports/sandbox/expire-in-sandbox.ts';
import { walkInKeyOrder } from '../../src/lib/postgres/key-order.ts';
import { changeSettings } from '../../src/tenants/change-settings.ts';
import { listLinesOfSources } from '../../src/wallet/test-mode/test-lines-store.ts';
import { generateBody } from '../harness.ts';
import { expectEvents } from '../support/events.ts';
import { type LiveServer, liveBody, startLiveServer } from '../support/live.ts';
import { type Mailbox, startMailbox } from '../support/mailbox.ts';
import { countingPages } from '../support/pages.ts';
import { addPerson, callAs } from '../support/people.ts';
import { addTenant, refusalOf } from '../support/tenant.ts';
import {
  addTester,
  balanceOf,
  challengeFor,
  charged,
  FULL,
  failByCodes,
  linesOf,
  movesOf,
} from '../support/test-money.ts';
import { addCredential } from '../support/tokens.ts';

let server: LiveServer;
let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await startMailbox();
  server = await startLiveServer({ environment: mailbox.environment });
});
afterAll(async () => {
  await server.close();
  await mailbox.stop();
});

describe('a credential for test mode alone', () => {
  test('200 with test=true for the wallet and its lines, with the references of its reports', async () => {
    const tester = await addTester(server);
    const { trefoil } = tester;
    await trefoil.generate(charged({}, { externalReference: 'case-7' }));
    expect((await trefoil.getTestWallet()).data).toMatchObject({
      ...{ balance: FULL - 2_000, held: 0, available: FULL - 2_000, creditsPerPound: 1_000 },
      smsDay: { usedMessages: 0, usedCredits: 0 },
    });
    const { items } = (await trefoil.listWalletEntries({ test: true, externalReference: 'case-7' })).data;
    expect(items).toMatchObject([
      { kind: 'report-charge', amount: -2_000, amountPounds: '-2.00', externalReference: 'case-7', bureauCount: 3 },
    ]);
  });

  test('403 forbidden for everything of the live wallet, whatever stands for test=true', async () => {
    const { tenantId, trefoil } = await addTester(server);
    const token = await trefoil.getToken();
    const ask = async (path: string) => (await callAs(server, { token }, 'GET', `/${tenantId}/v1/${path}`)).status;
    const refused = [
      'wallet',
      'wallet/entries',
      'wallet?test=false',
      'wallet?test=1',
      'wallet?test=TRUE',
      'wallet?test=',
    ];
    const more = ['wallet/entries?test=true&test=false', 'wallet/months?test=true', 'wallet/statement?test=true'];
    const elsewhere = ['audit?test=true', 'members?test=true', 'wallet?Test=true', 'wallet/entries?kind=test=true'];
    for (const path of [...refused, ...more, ...elsewhere]) expect(await ask(path), path).toBe(403);
    expect(await ask('wallet?test=true')).toBe(200);
    expect(await ask('wallet/entries?test=%74rue')).toBe(200);
  });
});

test('200 null for the reference: the role finance, and no reports:read', async () => {
  const tenant = await addTenant(server, 0);
  const { tenantId, trefoil } = tenant;
  await trefoil.generate(charged({}, { externalReference: 'not-for-all' }));
  const blind = await addCredential(server, tenant, { scopes: ['wallet:read'] });
  const token = await createTrefoil({ baseUrl: server.baseUrl, ...blind }).getToken();
  for (const [reader, reference] of [
    [{ token }, null],
    [await addPerson(server, tenantId, 'finance'), null],
    [await addPerson(server, tenantId, 'analyst'), 'not-for-all'],
  ] as const) {
    const { data } = await callAs(server, reader, 'GET', `/${tenantId}/v1/wallet/entries?test=true&kind=report-charge`);
    expect((data as { items: object[] }).items).toMatchObject([{ externalReference: reference }]);
  }
});

test('200 the lines that are left when the first were deleted by age, and no empty pages for those', async () => {
  const { tenantId, trefoil } = await addTester(server);
  for (let count = 0; count < 3; count += 1) await trefoil.generate(charged());
  await server.query('delete from test_wallet_lines where tenant_id = $1 and seq < 3', [tenantId]);
  // As after more lines than one page looks through.
  await server.query('update test_wallets set last_seq = last_seq + 100000 where tenant_id = $1', [tenantId]);
  await server.query('update test_wallet_lines set seq = seq + 100000 where tenant_id = $1', [tenantId]);
  for (const from of [undefined, '2020-01-01']) {
    const { data } = await trefoil.listWalletEntries({ test: true, ...(from !== undefined && { from }) });
    expect(data).toMatchObject({
      items: [{ balanceAfter: FULL - 6_000 }, { balanceAfter: FULL - 4_000 }],
      nextCursor: null,
    });
  }
  expect((await trefoil.exportWalletEntries({ test: true })).csv.trim().split('\r\n')).toHaveLength(3);
});

test('a report that an older server made without a charge costs nothing later either: no resend, no code, no end', async () => {
  const tester = await addTester(server);
  const opened = [await challengeFor(tester), await challengeFor(tester)];
  // What an older server leaves of a request with charges.
  await server.query('delete from test_wallet_lines where tenant_id = $1 and credit_report_id is not null', [
    tester.tenantId,
  ]);
  const [first, second] = opened;
  await first?.resend();
  await first?.submit('123456');
  await second?.advance(301);
  await expireInSandbox(server.database.jobs);
  expect(await movesOf(tester)).toEqual(['top-up 1000000']);
});

test('live lines and test lines never mix, in any filter, and neither moves the other balance', async () => {
  const tenant = await addTenant(server, 10_000);
  const { trefoil } = tenant;
  const externalReference = 'the same';
  const live = await trefoil.generate(liveBody(server.mintSession(), { externalReference }));
  const rehearsed = await trefoil.generate(charged({}, { externalReference }));
  expect(live.meta.wallet).toEqual({ cost: 2_000, balance: 8_000 });
  expect(rehearsed.meta.wallet).toEqual({ cost: 2_000, balance: FULL - 2_000 });
  const ids = async (query: object) =>
    (await trefoil.listWalletEntries(query)).data.items.map(({ kind, creditReportId }) => creditReportId ?? kind);
  const [ofLive, ofTest] = [live.data.creditReportId, rehearsed.data.creditReportId];
  expect(await ids({})).toEqual([ofLive, 'top-up']);
  expect(await ids({ test: false })).toEqual([ofLive, 'top-up']);
  expect(await ids({ test: true })).toEqual([ofTest, 'top-up']);
  for (const [test, own, other] of [
    [false, ofLive, ofTest],
    [true, ofTest, ofLive],
  ] as const) {
    expect(await ids({ test, externalReference })).toEqual([own]);
    expect(await ids({ test, creditReportId: own })).toEqual([own]);
    expect(await ids({ test, creditReportId: other })).toEqual([]);
  }
  expect((await trefoil.getWallet()).data.balance).toBe(8_000);
  expect((await trefoil.listWalletMonths()).data.items[0]).toMatchObject({ closing: 8_000, count: 2 });
});

test('200 the statement in pages, by time, by kind and as CSV', async () => {
  const tester = await addTester(server);
  const { trefoil } = tester;
  for (let count = 0; count < 3; count += 1) await trefoil.generate(charged());
  const open = await challengeFor(tester, { bureauResults: [{ bureau: 'equifax', outcome: 'unavailable' }] });
  await open.submit('123456');
  const all = (await trefoil.listWalletEntries({ test: true })).data.items;
  expect(all.map(({ kind, bureauCount }) => `${kind} ${bureauCount}`)).toEqual([
    ...['report-refund 1', 'sms-charge null'],
    ...Array(4).fill('report-charge 3'),
    'top-up null',
  ]);
  const [refund, , charge] = all;
  expect(refund?.reversesId).toBe(charge?.id);
  const paged: string[] = [];
  for await (const page of trefoil.listWalletEntries({ test: true, limit: 2 }).pages()) {
    expect(page.data.items.length).toBeLessThanOrEqual(2);
    paged.push(...page.data.items.map(({ id }) => id));
  }
  expect(paged).toEqual(all.map(({ id }) => id));
  const { items } = (await trefoil.listWalletEntries({ test: true, kind: 'top-up' })).data;
  expect(items).toHaveLength(1);
  expect((await trefoil.listWalletEntries({ test: true, to: '2026-01-01' })).data.items).toEqual([]);
  expect((await trefoil.listWalletEntries({ test: true, from: '2026-01-01' })).data.items).toEqual(all);
  const { csv, nextCursor } = await trefoil.exportWalletEntries({ test: true });
  expect([csv.trim().split('\r\n').length, nextCursor]).toEqual([8, null]);
});

test('a report says what it cost, in the list too, and its timeline has each charge and refund', async () => {
  const tester = await addTester(server);
  const { trefoil } = tester;
  const open = await challengeFor(tester);
  await open.resend();
  await failByCodes(open);
  const { data } = await trefoil.generate(charged());
  await trefoil.generate(generateBody());
  const costs = (await trefoil.listReports()).data.items.map(({ costCredits }) => costCredits);
  expect(costs).toEqual([0, 2_000, 0]);
  expect((await trefoil.getReport(data.creditReportId)).data).toMatchObject({ costCredits: 2_000, test: true });
  const course = async (creditReportId: string) =>
    (await trefoil.getTimeline(creditReportId)).data.items.map(({ kind, credits, message }) =>
      [kind, credits, message].filter((each) => each !== undefined).join(' '),
    );
  expect(await course(open.creditReportId)).toEqual([
    ...['requested', 'report-charged 2000', 'message-sent 1', 'message-delivered 1', 'message-charged 40 1'],
    ...['message-sent 2', 'message-delivered 2', 'message-charged 40 2', 'failed', 'report-refunded 2000'],
  ]);
  expect(await course(data.creditReportId)).toEqual(['requested', 'report-charged 2000', 'completed']);

  // As in live mode the right code proves that its message has arrived, whatever the carrier said.
  const proved = await challengeFor(tester, { receipt: 'undelivered' });
  const { creditReportId } = proved;
  const states = async () =>
    (await trefoil.listTestInbox({ creditReportId })).data.items.map(({ state }) => state).toReversed();
  await proved.resend();
  expect(await states()).toEqual(['undelivered', 'undelivered']);
  await proved.submit('123456');
  expect(await states()).toEqual(['undelivered', 'delivered']);
  expect(await course(creditReportId)).toEqual([
    ...['requested', 'report-charged 2000', 'message-sent 1', 'message-undelivered 1', 'message-sent 2'],
    ...['message-delivered 2', 'message-charged 40 2', 'code-verified', 'completed'],
  ]);
});

test('the lines of one report cost the same however many lines there are', async () => {
  const tester = await addTester(server);
  const { tenantId } = tester;
  const { data } = await tester.trefoil.generate(charged());
  await server.query(
    `insert into test_wallet_lines (tenant_id, seq, kind, source_id, credit_report_id, amount, balance_after, bureau_count, per_bureau)
     select tenant_id, seq, 'report-charge', id, id, 0, 0, 3, 600
       from (select $1::uuid as tenant_id, seq, gen_random_uuid() as id from generate_series(10, 20000) as seq) as added`,
    [tenantId],
  );
  await server.query('vacuum analyze test_wallet_lines');
  const all = { kinds: ENTRY_KINDS, from: '-infinity', to: 'infinity', seqFrom: 1, seqTo: 30_000 };
  let pages = 0;
  await server.database.forTenants([tenantId], async (tx) => {
    await walkInKeyOrder(tx);
    const counting = countingPages(tx, (count) => (pages += count));
    expect(await listLinesOfSources(counting, tenantId, [data.creditReportId], all, 51)).toHaveLength(1);
  });
  expect(pages).toBeLessThan(20);
});

test('an erased report keeps its lines, without a reference', async () => {
  const tester = await addTester(server);
  const body = charged({ outcome: 'credit-report-purged' }, { externalReference: 'gone' });
  const { data } = await tester.trefoil.generate(body);
  const { items } = (await tester.trefoil.listWalletEntries({ test: true })).data;
  expect(items[0]).toMatchObject({ creditReportId: data.creditReportId, amount: -2_000, externalReference: null });
});

test('a quote with charges compares with the test wallet, and one without them with the live one', async () => {
  const { trefoil } = await addTenant(server, 700);
  await trefoil.resetTestWallet(2_039);
  const funds = async (body: Parameters<typeof trefoil.quote>[0]) => (await trefoil.quote(body)).data.funds;
  expect(await funds(charged())).toEqual({ required: 2_040, available: 2_039, sufficient: false });
  expect((await funds({ ...charged(), testOptions: {} })).available).toBe(700);
  expect((await refusalOf(trefoil.generate(charged()))).available).toBe(2_039);
});

test('a low test wallet is told once, as an event of test mode, and by no mail; the live wallet is told by both', async () => {
  const tenant = await addTenant(server, 10_000);
  const { tenantId, trefoil } = tenant;
  const owner = await addPerson(server, tenantId, 'owner');
  await server.database.asSystem((tx) => changeSettings(tx, tenantId, { lowBalanceCredits: 9_000 }));
  await trefoil.resetTestWallet(10_000);
  for (let count = 0; count < 3; count += 1) await trefoil.generate(charged());
  const [low] = await expectEvents(trefoil, ['wallet.low 8000 9000'], { type: 'wallet.low' });
  expect(low).toMatchObject({ test: true, data: { balance: 8_000, threshold: 9_000 } });
  // What a charge leaves for a mail: a mark, which a job turns into mails in one transaction.
  const left = () =>
    server.query(
      `select from wallets where tenant_id = $1 and is_low_mail_due
        union all select from mails where subject_id = $1 and kind = 'wallet-low'`,
      [tenantId],
    );
  expect(await left()).toEqual([]);
  await trefoil.generate(liveBody(server.mintSession()));
  await expectEvents(trefoil, ['wallet.low 8000 9000', 'wallet.low 8000 9000'], { type: 'wallet.low' });
  expect(await left()).not.toEqual([]);
  await mailbox.wait(owner.email);
});

test('another company has its own test wallet', async () => {
  const [one, two] = [await addTester(server), await addTester(server)];
  await one.trefoil.resetTestWallet(5_000);
  expect([await balanceOf(one), await balanceOf(two)]).toEqual([5_000, FULL]);
  expect(await linesOf(two)).toEqual([]);
});
