// Reconciliation finds nothing in a book that is in order, and every planted defect by the check that is meant for it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHECKS, type Reconciliation, reconcile } from '../../src/reconciliation/reconcile.ts';
import { generateBody, startServer, type TestServer } from '../harness.ts';
import { runHere } from '../support/command-line.ts';
import { grave } from '../support/grave.ts';
import { addTenant, plant } from '../support/money-states.ts';
import { addSampleLedger, addSampleLedgers, type SampleLedger } from '../support/sample-ledgers.ts';
import { P, PRICE } from '../support/words.ts';

let server: TestServer;
beforeAll(async () => {
  // Days are counted by the tests that plant a wrong one: a defect of the journal is not also one of its days.
  server = await startServer({ environment: { TREFOIL_JOBS: 'off' } });
});
afterAll(() => server.close());

const WEEK_MS = 7 * 24 * 60 * 60_000;
const lastWeek = () => new Date(Date.now() - WEEK_MS);

/** The checks that found a break for the tenant, once each. */
function breaksIn({ findings }: Reconciliation, tenantId: string | null): string[] {
  const own = findings.filter((each) => each.isBreak && each.tenantId === tenantId);
  return [...new Set(own.map(({ check }) => check))].toSorted();
}
const breaksOf = async (tenantId: string | null, since?: Date) =>
  breaksIn(await reconcile(server.database, since), tenantId);

test('a book with a report in every state has no break; a silent message is told for information', async () => {
  const book = await addSampleLedger(server);
  await server.trefoil.generate(generateBody());
  const full = await reconcile(server.database);
  await grave('books in order', () => expect(full.findings.filter(({ isBreak }) => isBreak)).toEqual([]));
  expect(full.hasBreak).toBe(false);
  expect(full.findings).toContainEqual(
    expect.objectContaining({ check: 'silent-message', tenantId: book.tenantId, subjectId: book.silentSend }),
  );
  expect(full.checks).toEqual(CHECKS.map(({ name }) => name));
  const recent = await reconcile(server.database, lastWeek());
  expect(recent.hasBreak).toBe(false);
  expect(recent.checks).not.toContain('wallet-sum');
});

type Defect = {
  readonly name: string;
  readonly check: string;
  /** Other checks that see the same defect from their side. */
  readonly also?: readonly string[];
  readonly statements: (book: SampleLedger) => string[];
};

const seqOf = (kind: string, sourceId: string) =>
  `(select seq from ledger_txs where kind = '${kind}' and source_id = '${sourceId}')`;
/** A line with its two entries, in order with the wallet. */
const line = (
  { tenantId }: SampleLedger,
  values: {
    kind: string;
    sourceId: string;
    reportId: string | null;
    amount: number;
    account: string;
    reverses?: string;
  },
) => [
  `update wallets set balance = balance + ${values.amount}, last_seq = last_seq + 1 where tenant_id = '${tenantId}'`,
  `insert into ledger_txs (tenant_id, seq, kind, source_id, credit_report_id, reverses_seq, balance_after)
   select tenant_id, last_seq, '${values.kind}', '${values.sourceId}', ${values.reportId ? `'${values.reportId}'` : 'null'},
          ${values.reverses ?? 'null'}, balance from wallets where tenant_id = '${tenantId}'`,
  `insert into ledger_entries (tenant_id, seq, account, amount)
   select tenant_id, last_seq, account, amount from wallets,
          (values ('wallet', ${values.amount}), ('${values.account}', ${-values.amount})) as entries (account, amount)
    where tenant_id = '${tenantId}'`,
];
const holdOf = (kind: string, sourceId: string) => `kind = '${kind}' and source_id = '${sourceId}'`;

/** What the job would have counted. */
const counted = ({ tenantId }: SampleLedger) => [
  `insert into wallet_rollups select tenant_id, last_seq from wallets where tenant_id = '${tenantId}'`,
  `insert into wallet_days
   select txs.tenant_id, (created_at at time zone 'Europe/London')::date, kind, count(*), coalesce(sum(amount), 0)
     from ledger_txs as txs left join ledger_entries as entries
            on entries.tenant_id = txs.tenant_id and entries.seq = txs.seq and account = 'wallet'
    where txs.tenant_id = '${tenantId}' group by 1, 2, 3`,
];

const DEFECTS: readonly Defect[] = [
  {
    name: 'a day with an event too many',
    check: 'usage',
    statements: ({ tenantId }) => [
      `insert into usage_days values ('${tenantId}', (now() at time zone 'Europe/London')::date, false, 'report.completed', 1)`,
    ],
  },
  {
    name: 'a day that has lost a line',
    check: 'days',
    also: ['day-kinds'],
    statements: (book) => [
      ...counted(book),
      `update wallet_days set lines = lines - 1 where tenant_id = '${book.tenantId}' and kind = 'report-charge'`,
    ],
  },
  {
    name: 'a day that has credits of no line',
    check: 'days',
    also: ['day-kinds'],
    statements: (book) => [
      ...counted(book),
      `update wallet_days set amount = amount + 1 where tenant_id = '${book.tenantId}' and kind = 'top-up'`,
    ],
  },
  {
    name: 'credits counted under another kind',
    check: 'day-kinds',
    statements: (book) => [
      ...counted(book),
      `update wallet_days set amount = amount + 7 where tenant_id = '${book.tenantId}' and kind = 'top-up'`,
      `update wallet_days set amount = amount - 7 where tenant_id = '${book.tenantId}' and kind = 'sms-charge'`,
    ],
  },
  {
    name: 'lines counted on another day',
    check: 'day-kinds',
    statements: (book) => [
      ...counted(book),
      `update wallet_days set day = day - 1 where tenant_id = '${book.tenantId}' and kind = 'sms-charge'`,
    ],
  },
  {
    name: 'a balance that was changed by hand',
    check: 'wallet-tail',
    also: ['wallet-sum'],
    statements: ({ tenantId }) => [`update wallets set balance = balance + 1 where tenant_id = '${tenantId}'`],
  },
  {
    name: 'a last place that was changed by hand',
    check: 'wallet-tail',
    also: ['wallet-sum'],
    statements: ({ tenantId }) => [`update wallets set last_seq = last_seq + 1 where tenant_id = '${tenantId}'`],
  },
  {
    name: 'an old balance and its line changed together',
    check: 'wallet-sum',
    also: ['chain'],
    statements: ({ tenantId }) => [
      `update wallets set balance = balance + 5 where tenant_id = '${tenantId}'`,
      `update ledger_txs set balance_after = balance_after + 5 where tenant_id = '${tenantId}' and seq > 3`,
    ],
  },
  {
    name: 'a line that was deleted',
    check: 'chain',
    also: ['wallet-sum', 'message'],
    statements: ({ tenantId, lateSend }) => [
      `delete from ledger_entries where tenant_id = '${tenantId}' and seq = ${seqOf('sms-charge', lateSend)}`,
      `delete from ledger_txs where kind = 'sms-charge' and source_id = '${lateSend}'`,
    ],
  },
  {
    name: 'a balance after a line that does not follow',
    check: 'chain',
    statements: ({ tenantId }) => [
      `update ledger_txs set balance_after = balance_after - 1 where tenant_id = '${tenantId}' and seq = 2`,
    ],
  },
  {
    name: 'a line without entries',
    check: 'line',
    also: ['chain', 'hold', 'report', 'wallet-sum'],
    statements: ({ tenantId, challenged }) => [
      `delete from ledger_entries where tenant_id = '${tenantId}' and seq = ${seqOf('report-charge', challenged)}`,
    ],
  },
  {
    name: 'entries that do not sum to zero',
    check: 'line',
    statements: ({ tenantId }) => [
      `update ledger_entries set amount = amount - 7 where tenant_id = '${tenantId}' and seq = 1 and account = 'funding'`,
    ],
  },
  {
    name: 'a charge booked to the wrong revenue',
    check: 'line',
    statements: ({ tenantId, challenged }) => [
      `update ledger_entries set account = 'revenue:sms'
        where tenant_id = '${tenantId}' and account = 'revenue:report' and seq = ${seqOf('report-charge', challenged)}`,
    ],
  },
  {
    name: 'entries of no line',
    check: 'stray-entry',
    statements: ({ tenantId }) => [
      `insert into ledger_entries (tenant_id, seq, account, amount)
       values ('${tenantId}', 9000, 'funding', 3), ('${tenantId}', 9000, 'adjust', -3)`,
    ],
  },
  {
    name: 'a charge of a report that was posted twice',
    check: 'repeated-effect',
    also: ['hold', 'report'],
    statements: (book) => [
      'alter table ledger_txs drop constraint if exists ledger_txs_tenant_id_kind_source_id_key',
      ...line(book, {
        kind: 'report-charge',
        sourceId: book.challenged,
        reportId: book.challenged,
        amount: -1,
        account: 'revenue:report',
      }),
    ],
  },
  {
    name: 'a held sum that is not that of the holds',
    check: 'held',
    statements: ({ tenantId }) => [`update wallets set held = held + 10 where tenant_id = '${tenantId}'`],
  },
  {
    name: 'a hold that is open long past its time',
    check: 'overdue-hold',
    statements: ({ tenantId, openSend }) => [
      `update holds set expires_at = now() - interval '62 seconds' where tenant_id = '${tenantId}' and ${holdOf('sms', openSend)}`,
    ],
  },
  {
    name: 'the hold of a message whose carrier has been asked for the last time, past its time',
    check: 'overdue-hold',
    statements: ({ tenantId, openSend }) => [
      `update sms_sends set carrier_ref = 'SM1', next_ask_at = 'infinity' where id = '${openSend}'`,
      `update holds set expires_at = now() - interval '62 seconds' where tenant_id = '${tenantId}' and ${holdOf('sms', openSend)}`,
    ],
  },
  {
    name: 'the hold of a message that waits for its carrier’s answer for longer than six hours',
    check: 'overdue-hold',
    statements: ({ tenantId, openSend }) => [
      `update sms_sends set carrier_ref = 'SM1' where id = '${openSend}'`,
      `update holds set expires_at = now() - interval '6 hours 11 minutes' where tenant_id = '${tenantId}' and ${holdOf('sms', openSend)}`,
    ],
  },
  {
    name: 'a captured hold without its charge',
    check: 'hold',
    also: ['held', 'message'],
    statements: ({ openSend }) => [
      `update holds set state = 'captured', captured_amount = ${PRICE.sms} where ${holdOf('sms', openSend)}`,
    ],
  },
  {
    name: 'a capture of another amount than the charge',
    check: 'hold',
    statements: ({ challenged }) => [
      `update holds set captured_amount = captured_amount - 1 where ${holdOf('report', challenged)}`,
    ],
  },
  {
    name: 'a charge on a hold that was given back',
    check: 'hold',
    also: ['report'],
    statements: (book) =>
      line(book, {
        kind: 'report-charge',
        sourceId: book.blocked,
        reportId: book.blocked,
        amount: -P,
        account: 'revenue:report',
      }),
  },
  {
    name: 'a charge that was never held',
    check: 'unheld-charge',
    also: ['report'],
    statements: ({ challenged }) => [`delete from holds where ${holdOf('report', challenged)}`],
  },
  {
    name: 'a refund of another report’s charge',
    check: 'refund',
    statements: ({ tenantId, failedLater, challenged }) => [
      `update ledger_txs set reverses_seq = ${seqOf('report-charge', challenged)}
        where tenant_id = '${tenantId}' and seq = ${seqOf('report-refund', failedLater)}`,
    ],
  },
  {
    name: 'a refund of more than the charge',
    check: 'refund',
    also: ['chain', 'report', 'wallet-sum'],
    statements: ({ tenantId, failedLater }) => [
      `update ledger_entries set amount = amount + 1 where tenant_id = '${tenantId}' and account = 'wallet'
          and seq = ${seqOf('report-refund', failedLater)}`,
      `update ledger_entries set amount = amount - 1 where tenant_id = '${tenantId}' and account = 'revenue:report'
          and seq = ${seqOf('report-refund', failedLater)}`,
    ],
  },
  {
    name: 'a report that became complete without a charge',
    check: 'report',
    statements: ({ failedAtOnce }) => [
      `update credit_reports set status = 'complete', failure = null where id = '${failedAtOnce}'`,
    ],
  },
  {
    name: 'a complete report charged for a bureau that did not answer',
    check: 'report',
    statements: ({ completeAtOnce }) => [
      `update credit_reports set bureau_results = '[{"bureau":"equifax","outcome":"ok"},
          {"bureau":"experian","outcome":"unavailable"},{"bureau":"transunion","outcome":"unavailable"}]'
        where id = '${completeAtOnce}'`,
    ],
  },
  {
    name: 'an open challenge that was refunded already',
    check: 'report',
    statements: (book) =>
      line(book, {
        kind: 'report-refund',
        sourceId: book.challenged,
        reportId: book.challenged,
        amount: P,
        account: 'revenue:report',
        reverses: seqOf('report-charge', book.challenged),
      }),
  },
  {
    name: 'an expired challenge that was not refunded',
    check: 'report',
    statements: ({ challenged }) => [`update credit_reports set status = 'expired' where id = '${challenged}'`],
  },
  {
    name: 'a blocked report whose hold is still open',
    check: 'report',
    statements: ({ pending }) => [`update credit_reports set status = 'blocked' where id = '${pending}'`],
  },
  {
    name: 'a live report without a hold',
    check: 'report',
    statements: ({ failedAtOnce }) => [`delete from holds where ${holdOf('report', failedAtOnce)}`],
  },
  {
    name: 'a delivered message that was not charged',
    check: 'message',
    statements: ({ openSend }) => [`update sms_sends set state = 'delivered' where id = '${openSend}'`],
  },
  {
    name: 'a message charged and not delivered',
    check: 'message',
    statements: ({ deliveredSend }) => [`update sms_sends set state = 'undelivered' where id = '${deliveredSend}'`],
  },
  {
    name: 'a message charged and written off as well',
    check: 'message',
    statements: (book) => [
      `update wallets set last_seq = last_seq + 1 where tenant_id = '${book.tenantId}'`,
      `insert into ledger_txs (tenant_id, seq, kind, source_id, credit_report_id, balance_after)
       select tenant_id, last_seq, 'sms-writeoff', '${book.deliveredSend}', '${book.challenged}', balance
         from wallets where tenant_id = '${book.tenantId}'`,
      `insert into ledger_entries (tenant_id, seq, account, amount)
       select tenant_id, last_seq, account, amount from wallets,
              (values ('revenue:sms', ${PRICE.sms}), ('writeoff', -${PRICE.sms})) as entries (account, amount)
        where tenant_id = '${book.tenantId}'`,
    ],
  },
  {
    name: 'a charge that names another report',
    check: 'stray-line',
    statements: ({ tenantId, challenged, fetching }) => [
      `update ledger_txs set credit_report_id = '${fetching}'
        where tenant_id = '${tenantId}' and seq = ${seqOf('report-charge', challenged)}`,
    ],
  },
  {
    name: 'a message’s charge that names another report',
    check: 'stray-line',
    statements: ({ tenantId, deliveredSend, fetching }) => [
      `update ledger_txs set credit_report_id = '${fetching}'
        where tenant_id = '${tenantId}' and seq = ${seqOf('sms-charge', deliveredSend)}`,
    ],
  },
  {
    name: 'a hold of a report that is gone',
    check: 'stray-hold',
    statements: ({ failedAtOnce }) => [
      `delete from data_keys where credit_report_id = '${failedAtOnce}'`,
      `delete from credit_reports where id = '${failedAtOnce}'`,
    ],
  },
  {
    name: 'credits still held for a message that was never sent',
    check: 'stray-hold',
    also: ['held'],
    statements: ({ tenantId }) => [
      `insert into holds (tenant_id, kind, source_id, amount, expires_at)
       values ('${tenantId}', 'sms', '019f0000-0000-7000-8000-000000000001', 40, clock_timestamp() + interval '71 hours')`,
    ],
  },
  {
    name: 'a test report with a hold',
    check: 'test-money',
    statements: ({ failedAtOnce }) => [`update credit_reports set is_test = true where id = '${failedAtOnce}'`],
  },
  {
    name: 'a test report with a charge',
    check: 'test-money',
    also: ['unheld-charge'],
    statements: ({ challenged }) => [
      `update credit_reports set is_test = true where id = '${challenged}'`,
      `delete from holds where ${holdOf('report', challenged)}`,
    ],
  },
  {
    name: 'a report that is pending for more than a minute',
    check: 'stuck-report',
    statements: ({ pending }) => [
      `update credit_reports set created_at = now() - interval '61 seconds' where id = '${pending}'`,
    ],
  },
  {
    name: 'a challenge that nobody ended in time',
    check: 'stuck-report',
    statements: ({ challenged }) => [
      `update challenges set due_at = now() - interval '62 seconds' where credit_report_id = '${challenged}'`,
    ],
  },
  {
    name: 'a fetch whose worker is gone for more than a minute',
    check: 'stuck-report',
    statements: ({ fetching }) => [
      `update challenges set due_at = now() - interval '62 seconds' where credit_report_id = '${fetching}'`,
    ],
  },
  {
    name: 'an open challenge that nobody will look at again',
    check: 'forgotten-challenge',
    statements: ({ challenged }) => [`update challenges set due_at = null where credit_report_id = '${challenged}'`],
  },
];

describe('planted defects', () => {
  // Each in a book of its own, and all of them before one reconciliation: a defect must not hide another.
  let books: SampleLedger[];
  let before: Reconciliation;
  let after: Reconciliation;
  beforeAll(async () => {
    books = await addSampleLedgers(server, DEFECTS.length);
    before = await reconcile(server.database);
    for (const [place, { statements }] of DEFECTS.entries()) {
      await plant(server, ...statements(books[place] as SampleLedger));
    }
    after = await reconcile(server.database);
  });

  for (const [place, { name, check, also = [] }] of DEFECTS.entries()) {
    test(`${name}: found by ${check}`, () => {
      const { tenantId = '' } = books[place] ?? {};
      expect(tenantId).not.toBe('');
      expect(breaksIn(before, tenantId)).toEqual([]);
      expect(breaksIn(after, tenantId)).toEqual([check, ...also].toSorted());
    });
  }

  test('at least one for every check that can find a break', () => {
    const planted = new Set([...DEFECTS.map(({ check }) => check), 'total']);
    expect(CHECKS.filter(({ isInformation, name }) => !isInformation && !planted.has(name))).toEqual([]);
    expect(DEFECTS.length).toBeGreaterThanOrEqual(20);
  });
});

test('all entries together must sum to zero, whosever they are', async () => {
  const { tenantId } = await addSampleLedger(server);
  await plant(
    server,
    `insert into ledger_entries (tenant_id, seq, account, amount) values ('${tenantId}', 9001, 'funding', 1000003)`,
  );
  const { findings } = await reconcile(server.database);
  expect(findings).toContainEqual(expect.objectContaining({ check: 'total', tenantId: null, isBreak: true }));
});

test('a recent check sees what is recent and not what is older', async () => {
  const book = await addSampleLedger(server);
  await plant(server, `update sms_sends set state = 'delivered' where id = '${book.openSend}'`);
  expect(await breaksOf(book.tenantId, lastWeek())).toEqual(['message']);
  expect(await breaksOf(book.tenantId, new Date(Date.now() + 60_000))).toEqual([]);
});

test('a break of one tenant is never told of another', async () => {
  const [book, calm] = [await addSampleLedger(server), await addTenant(server)];
  await plant(server, `update wallets set balance = balance + 1 where tenant_id = '${book.tenantId}'`);
  expect(await breaksOf(calm)).toEqual([]);
});

describe('wallet reconcile', () => {
  let own: TestServer;
  beforeAll(async () => {
    own = await startServer();
  });
  afterAll(() => own.close());

  test('exit 0 and one line for books in order; exit 1, a table and the same as JSON for a break', async () => {
    const book = await addSampleLedger(own);
    const run = (...args: string[]) => runHere(own, 'wallet', 'reconcile', ...args);
    const calm = await run('--all');
    expect(calm).toMatchObject({ code: 0, stderr: '' });
    expect(calm.stdout).toMatch(/^note +silent-message/m);
    expect(calm.stdout).toMatch(/The ledger is in order: \d+ checks from the first line on\.$/);
    await plant(own, `update wallets set held = held + 1 where tenant_id = '${book.tenantId}'`);
    const broken = await run();
    expect(broken).toMatchObject({ code: 1, stderr: '' });
    expect(broken.stdout).toMatch(new RegExp(`^break +held +${book.tenantId}`, 'm'));
    expect(broken.stdout).toContain('1 break found');
    const { code, stdout } = await run('--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      hasBreak: true,
      findings: expect.arrayContaining([expect.objectContaining({ check: 'held', tenantId: book.tenantId })]),
    });
    expect(await run('--all', '--since', '2026-01-01')).toMatchObject({ code: 2, stdout: '' });
  });
});
