// The last word about money is the database's: what no role may do to the books, and what no code of ours can slip past
// it. And test mode, which must not leave a trace in any of this.
import {
  BUREAU_OUTCOMES,
  type GenerateRequest,
  TEST_OUTCOMES,
  TEST_REASONS,
  TEST_RECEIPTS,
  TEST_RESENDS,
} from '@trefoil/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { adjust } from '../../src/wallet/adjust.ts';
import { openLedger } from '../../src/wallet/open-ledger.ts';
import { topUp } from '../../src/wallet/top-up.ts';
import { generateBody } from '../harness.ts';
import { expectBooksToBalance } from '../support/books.ts';
import { printState } from '../support/dump.ts';
import { grave } from '../support/grave.ts';
import { type LiveServer, liveBody, startLiveServer } from '../support/live.ts';
import { addTenant, type OwnTenant, storyOf } from '../support/tenant.ts';

const refusedWith = (code: string) => expect.objectContaining({ code });

let server: LiveServer;
let tenant: OwnTenant;
beforeAll(async () => {
  server = await startLiveServer();
  tenant = await addTenant(server, 10_000);
  await tenant.trefoil.generate(liveBody(server.mintSession()));
});
afterAll(async () => {
  try {
    await expectBooksToBalance(server);
  } finally {
    await server.close();
  }
});

const inTenant = <T>(work: Parameters<typeof server.database.forTenants<T>>[1], { tenantId } = tenant) =>
  server.database.forTenants([tenantId], work);

async function expectNothingWritten(work: () => Promise<void>): Promise<void> {
  const before = await printState(server);
  await work();
  expect(await printState(server)).toBe(before);
}

describe('append-only', () => {
  const statements = ['ledger_txs', 'ledger_entries', 'audit_log'].flatMap((table) => [
    `update ${table} set seq = seq`,
    `update ${table} set tenant_id = tenant_id where false`,
    `delete from ${table}`,
    `delete from ${table} where false`,
    `truncate ${table} cascade`,
  ]);

  test.each(statements)('P0001 even for the owner: %s', async (statement) => {
    await expectNothingWritten(async () => {
      await expect(server.query(statement)).rejects.toEqual(refusedWith('P0001'));
    });
  });

  test.each(statements)('42501 for the app role and the system role: %s', async (statement) => {
    await expectNothingWritten(async () => {
      await expect(inTenant((tx) => tx.query(statement, []))).rejects.toEqual(refusedWith('42501'));
      await expect(server.database.asSystem((tx) => tx.query(statement, []))).rejects.toEqual(refusedWith('42501'));
    });
  });

  test.each([
    'alter table ledger_txs disable trigger ledger_txs_append_only',
    'alter table ledger_entries disable trigger all',
    'drop trigger ledger_entries_balanced on ledger_entries',
    'drop trigger audit_log_append_only on audit_log',
    'create or replace function refuse_change() returns trigger language plpgsql as $$ begin return null; end $$',
    'create or replace function refuse_unbalanced() returns trigger language plpgsql as $$ begin return null; end $$',
    'alter table wallets drop constraint wallets_check',
    `set session_replication_role = 'replica'`,
    'delete from outbox',
    'update outbox set type = type',
    'delete from holds',
    'update holds set amount = 0',
    'delete from sms_receipts where false',
    'update list_prices set credits = 0',
    "insert into list_prices values ('sms', clock_timestamp(), 0)",
    "insert into tenant_prices values (gen_random_uuid(), 'sms', clock_timestamp(), 0)",
    'delete from device_sessions',
    'delete from mobile_uses',
    'delete from tenant_mobile_uses',
    'update test_wallet_lines set amount = 0',
    'delete from test_wallet_lines',
    'delete from test_wallets',
  ])('42501 for the app role: %s', async (statement) => {
    await expect(inTenant((tx) => tx.query(statement, []))).rejects.toEqual(refusedWith('42501'));
  });

  test.each([
    'update wallets set balance = 1',
    'update wallets set held = 0',
    "update holds set state = 'voided'",
    'insert into holds default values',
    'insert into ledger_txs default values',
    'insert into ledger_entries default values',
    'insert into audit_log default values',
    'insert into outbox default values',
    "update sms_sends set state = 'delivered'",
    'insert into sms_receipts default values',
    'update audit_heads set seq = 0',
    'update challenges set due_at = null',
    "update credit_reports set status = 'complete'",
    'update test_wallets set balance = 1',
    'insert into test_wallet_lines default values',
    'update test_wallet_lines set amount = 0',
  ])('42501 for the system role, which moves no money: %s', async (statement) => {
    await expect(server.database.asSystem((tx) => tx.query(statement, []))).rejects.toEqual(refusedWith('42501'));
  });
});

describe('what no transaction can commit', () => {
  const line = (kind: string, seq: number, changes: { balance?: number; source?: string; reverses?: number } = {}) => ({
    text: `insert into ledger_txs (tenant_id, seq, kind, source_id, reverses_seq, balance_after) values ($1, $2, $3, $4, $5, $6)`,
    values: [tenant.tenantId, seq, kind, changes.source ?? newId(), changes.reverses ?? null, changes.balance ?? 0],
  });
  const entries = (seq: number, ...amounts: [string, number | string][]) => ({
    text: `insert into ledger_entries (tenant_id, seq, account, amount)
           select $1, $2, account, amount from unnest($3::text[], $4::bigint[]) as t (account, amount)`,
    values: [tenant.tenantId, seq, amounts.map(([account]) => account), amounts.map(([, amount]) => amount)],
  });
  async function expectRefused(code: string, ...statements: { text: string; values: unknown[] }[]): Promise<void> {
    await expectNothingWritten(async () => {
      const work = inTenant(async (tx) => {
        for (const { text, values } of statements) await tx.query(text, values);
      });
      await expect(work).rejects.toEqual(refusedWith(code));
    });
  }

  test('P0001: entries that do not sum to zero, one alone, and two lines that only balance each other', async () => {
    await expectRefused('P0001', line('adjust', 900), entries(900, ['wallet', 5], ['adjust', -4]));
    await expectRefused('P0001', line('adjust', 900), entries(900, ['wallet', 5]));
    const crossed = {
      text: `insert into ledger_entries values ($1, 900, 'wallet', 5), ($1, 901, 'adjust', -5)`,
      values: [tenant.tenantId],
    };
    await expectRefused('P0001', line('adjust', 900), line('adjust', 901), crossed);
  });

  test('23505: a second refund, charge or top-up of one source, at whatever place', async () => {
    const [charge] = await server.query<{ seq: string; source: string }>(
      `select seq, source_id as source from ledger_txs where tenant_id = $1 and kind = 'report-charge'`,
      [tenant.tenantId],
    );
    const { seq, source } = charge ?? { seq: '0', source: '' };
    await expectRefused('23505', line('report-charge', 900, { source }));
    const refund = { source, reverses: Number(seq) };
    await expectRefused('23505', line('report-refund', 900, refund), line('report-refund', 901, refund));
    await expectRefused('23505', line('top-up', 1));
  });

  test('23514: a refund that names nothing, a charge that names something, a balance below zero, an unknown kind or account', async () => {
    await expectRefused('23514', line('report-refund', 900));
    await expectRefused('23514', line('report-charge', 900, { reverses: 1 }));
    await expectRefused('23514', line('adjust', 900, { balance: -1 }));
    await expectRefused('23514', line('gift', 900));
    await expectRefused('23514', line('adjust', 0));
    await expectRefused('23514', line('adjust', 900), entries(900, ['wallet', 5], ['pocket', -5]));
  });

  test('23503: a refund of a line that is not there, entries of no line', async () => {
    await expectRefused('23503', line('report-refund', 900, { reverses: 899 }));
    await expectRefused('23503', entries(900, ['wallet', 5], ['adjust', -5]));
  });

  test.each(['held = balance + 1', 'held = -1', 'balance = held - 1', 'balance = -1'])(
    '23514: wallets set %s',
    async (change) => {
      await expectNothingWritten(async () => {
        const work = inTenant((tx) => tx.query(`update wallets set ${change}`, []));
        await expect(work).rejects.toEqual(refusedWith('23514'));
      });
    },
  );

  test('23514, 23505: holds that are negative, captured beyond their amount, or there twice', async () => {
    const hold = (changes: string) => ({
      text: `insert into holds (tenant_id, kind, source_id, amount, per_bureau, captured_amount, state, expires_at) values ${changes}`,
      values: [tenant.tenantId],
    });
    await expectRefused('23514', hold(`($1, 'sms', gen_random_uuid(), -1, null, 0, 'open', now())`));
    await expectRefused('23514', hold(`($1, 'sms', gen_random_uuid(), 5, null, 6, 'captured', now())`));
    await expectRefused('23514', hold(`($1, 'report', gen_random_uuid(), 5, null, 0, 'open', now())`));
    await expectRefused('23514', hold(`($1, 'gift', gen_random_uuid(), 5, null, 0, 'open', now())`));
    const id = `'${newId()}'`;
    await expectRefused(
      '23505',
      hold(`($1, 'sms', ${id}, 5, null, 0, 'open', now()), ($1, 'sms', ${id}, 5, null, 0, 'open', now())`),
    );
  });
});

describe('the ledger refuses what the wallet does not have', () => {
  const sms = (amount: number) => ({
    tenantId: tenant.tenantId,
    kind: 'sms' as const,
    sourceId: newId(),
    amount,
    perBureau: null,
    lifetimeMs: 60_000,
  });

  test('a hold beyond what is available, a capture beyond its hold, an overdraft: nothing is written', async () => {
    await expectNothingWritten(async () => {
      const { tenantId } = tenant;
      const over = inTenant(async (tx) => {
        const ledger = await openLedger(tx, { tenantIds: [tenantId] });
        ledger.hold(sms(ledger.available(tenantId) + 1));
        await ledger.write();
      });
      await expect(over).rejects.toThrow();
      const overdraft = inTenant(async (tx) => {
        const ledger = await openLedger(tx, { tenantIds: [tenantId] });
        ledger.post({ tenantId, kind: 'sms-charge', sourceId: newId(), amount: ledger.balance(tenantId) + 1 });
        await ledger.write();
      });
      await expect(overdraft).rejects.toThrow();
      const unopened = inTenant(async (tx) => (await openLedger(tx, { tenantIds: [] })).hold(sms(1)));
      await expect(unopened).rejects.toThrow();
    });
  });

  test.each([0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, -1])(
    'an amount of %s is no amount',
    async (amount) => {
      await expectNothingWritten(async () => {
        const { tenantId } = tenant;
        for (const kind of ['sms-charge', 'report-charge', 'report-refund', 'top-up', 'sms-writeoff'] as const) {
          const work = inTenant(async (tx) => {
            const ledger = await openLedger(tx, { tenantIds: [tenantId] });
            ledger.post({
              tenantId,
              kind,
              sourceId: newId(),
              amount,
              ...(kind === 'report-refund' && { reversesSeq: 2 }),
            });
            await ledger.write();
          });
          await expect(work, kind).rejects.toThrow();
        }
        const held = inTenant(async (tx) => {
          const ledger = await openLedger(tx, { tenantIds: [tenantId] });
          ledger.hold(sms(amount));
          await ledger.write();
        });
        await expect(held).rejects.toThrow();
      });
    },
  );

  test.each([0, -1, -0.5, 0.1, 2 ** 53, Number.MAX_VALUE, Number.NaN, Number.NEGATIVE_INFINITY])(
    'a top-up of %s is refused',
    async (credits) => {
      await expectNothingWritten(async () => {
        const work = inTenant((tx) => topUp(tx, tenant.tenantId, { credits, sourceId: newId(), note: 'test' }));
        await expect(work).rejects.toThrow();
      });
    },
  );

  test('a top-up to the last safe integer works; one credit more is refused, by us and for good', async () => {
    const rich = await addTenant(server, 1);
    const { tenantId } = rich;
    const fund = (credits: number) =>
      server.database.forTenants([tenantId], (tx) => topUp(tx, tenantId, { credits, sourceId: newId(), note: 'test' }));
    const { balance } = await fund(Number.MAX_SAFE_INTEGER - 1);
    expect(balance).toBe(Number.MAX_SAFE_INTEGER);
    await expect(fund(1)).rejects.toThrow();
    // To the credit, through JSON and back.
    const { meta } = await rich.trefoil.generate(liveBody(server.mintSession(), { bureaus: ['equifax'] }));
    expect(meta.wallet).toEqual({ cost: 800, balance: Number.MAX_SAFE_INTEGER - 800 });
    expect(await server.query('select balance from wallets where tenant_id = $1', [tenantId])).toEqual([
      { balance: '9007199254740191' },
    ]);
  });

  test('an adjustment of nothing, or below what is held, is refused; the same source posts once, however often and at once', async () => {
    const other = await addTenant(server, 100);
    const { tenantId } = other;
    const change = (credits: number, sourceId = newId()) =>
      server.database.forTenants([tenantId], (tx) => adjust(tx, tenantId, { credits, sourceId, note: 'test' }));
    await server.database.forTenants([tenantId], async (tx) => {
      const ledger = await openLedger(tx, { tenantIds: [tenantId] });
      ledger.hold({ ...sms(60), tenantId });
      await ledger.write();
    });
    await expectNothingWritten(async () => {
      await expect(change(0)).rejects.toThrow();
      await expect(change(-41)).rejects.toMatchObject({
        code: 'insufficient-funds',
        fields: { required: 41, available: 40 },
      });
    });
    const sourceId = newId();
    const moved = await Promise.all(Array.from({ length: 20 }, () => change(-40, sourceId)));
    await grave('one adjustment', async () => {
      expect(moved.filter(({ isRepeat }) => !isRepeat)).toHaveLength(1);
      expect(await server.wallet(tenantId)).toEqual({ balance: 60, held: 60 });
    });
  });

  test('refund of a refund, refund beyond the charge: 50 at once of one charge are one reversal', async () => {
    const other = await addTenant(server, 5_000);
    const { tenantId } = other;
    const { data } = await other.trefoil.generate(liveBody(server.mintSession()));
    const { creditReportId } = data;
    const refund = () =>
      server.database.forTenants([tenantId], async (tx) => {
        const key = { tenantId, kind: 'report-charge' as const, sourceId: creditReportId };
        const ledger = await openLedger(tx, { tenantIds: [tenantId], lines: [key] });
        const reversesSeq = ledger.findLine(key)?.seq ?? 0;
        ledger.post({
          tenantId,
          kind: 'report-refund',
          sourceId: creditReportId,
          amount: 1,
          creditReportId,
          reversesSeq,
        });
        await ledger.write();
      });
    const settled = await Promise.allSettled(Array.from({ length: 50 }, refund));
    const refusals = settled.flatMap((each) =>
      each.status === 'rejected' ? [(each.reason as { code: string }).code] : [],
    );
    expect(refusals).toEqual(Array(49).fill('23505'));
    const story = await storyOf(server, other);
    await grave('one charge', () => expect(story.lines.filter((line) => /^report-refund/.test(line))).toHaveLength(1));
    expect(story).toMatchObject({
      balance: 3_001,
      lines: ['report-charge -2000 3000', 'report-refund 1 3001'],
    });
  });
});

const MONEY = [
  'holds',
  'ledger_txs',
  'ledger_entries',
  'wallets',
  'sms_sends',
  'sms_receipts',
  'mobile_uses',
  'tenant_mobile_uses',
  'device_sessions',
];
/** Beside these a report that asks for charges writes the test wallet, and another one does not. */
const TEST_MONEY = ['test_wallets', 'test_wallet_lines'];

/** A complete test report has a row in the audit log, which fixes the digests of its files; nothing else of test mode has. */
const auditActions = async (since: string) =>
  (
    await server.query<{ told: string }>(
      `select distinct action || ' ' || coalesce(details->>'test', '') as told from audit_log where occurred_at > $1`,
      [since],
    )
  ).map(({ told }) => told);
const databaseTime = async () =>
  (await server.query<{ now: string }>('select clock_timestamp()::text as now'))[0]?.now ?? '';
const pick = (state: string, tables = [...MONEY, ...TEST_MONEY]) =>
  state.split('\n').filter((line) => tables.includes(line.split(' ')[0] ?? ''));

async function counters(): Promise<string> {
  const { addresses } = server.providers;
  const names = ['albion', 'beacon', 'cygnet', 'screening'] as const;
  const enquiries = await Promise.all(names.map(async (name) => [...(await server.enquiries(name))]));
  const submits = await (await fetch(`${addresses.carrier}/control/submits`)).json();
  const inbox = await (await fetch(`${addresses.carrier}/inbox.json`)).json();
  return JSON.stringify({ enquiries, submits, inbox });
}

test('every option of test mode, its clock, its inbox and a quote: no row in any money or message table, no call', async () => {
  const rich = await addTenant(server, 1_000_000);
  await rich.trefoil.getToken();
  const before = { money: pick(await printState(server)), counters: await counters() };
  const mobileNumber = '+447700900123';
  const options: NonNullable<GenerateRequest['testOptions']>[] = [
    ...TEST_REASONS.map((reason) => ({ outcome: 'failed' as const, reason })),
    ...TEST_OUTCOMES.filter((outcome) => outcome !== 'failed').map((outcome) => ({ outcome })),
    ...TEST_RESENDS.map((resend) => ({ resend })),
    ...TEST_RECEIPTS.map((receipt) => ({ receipt })),
    ...BUREAU_OUTCOMES.map((outcome) => ({ bureauResults: [{ bureau: 'equifax' as const, outcome }] })),
    { delayMs: 1 },
  ];
  const refused = () => undefined;
  const begunAt = await databaseTime();
  for (const testOptions of options) {
    const challengeOptions = { status: 'challenge' } as const;
    const body = generateBody({ mobileNumber, testOptions, challengeOptions, sessionId: server.mintSession() });
    await rich.trefoil.quote(body);
    const answer = await rich.trefoil.generate(body).catch(refused);
    if (answer?.data.status !== 'authentication-required') continue;
    const { creditReportId, challenge } = answer.data;
    const { challengeId } = challenge;
    await rich.trefoil.resendSms(creditReportId, { challengeId }).catch(refused);
    await rich.trefoil.advanceTestClock(creditReportId, 200);
    const submitting = rich.trefoil.submitOtp(creditReportId, { challengeId, code: '123456' });
    await (testOptions.outcome === 'credit-report-purged' ? submitting.catch(refused) : submitting);
    await rich.trefoil.advanceTestClock(creditReportId, 86_400);
  }
  await rich.trefoil.listTestInbox();
  await rich.trefoil.getTestCatalogue();
  await rich.trefoil.quote(liveBody(server.mintSession(), { mobileNumber }));
  expect(await auditActions(begunAt)).toEqual(['report.completed true']);
  expect(pick(await printState(server))).toEqual(before.money);
  expect(await counters()).toBe(before.counters);
});

test('every outcome of test mode with charges: the test wallet moves, and no row in any live money or message table', async () => {
  const rich = await addTenant(server, 1_000_000);
  await rich.trefoil.getToken();
  const [money, called] = [pick(await printState(server), MONEY), await counters()];
  const begunAt = await databaseTime();
  const refused = () => undefined;
  const options: NonNullable<GenerateRequest['testOptions']>[] = [
    ...TEST_REASONS.map((reason) => ({ outcome: 'failed' as const, reason })),
    ...TEST_RECEIPTS.map((receipt) => ({ receipt })),
    ...BUREAU_OUTCOMES.map((outcome) => ({ bureauResults: [{ bureau: 'equifax' as const, outcome }] })),
    {},
  ];
  for (const status of ['allow', 'challenge', 'block'] as const) {
    for (const code of ['123456', '000000']) {
      for (const each of options) {
        const testOptions = { ...each, charges: true };
        const challengeOptions = { status };
        const mobileNumber = '+447700900123';
        const body = generateBody({ mobileNumber, testOptions, challengeOptions, sessionId: server.mintSession() });
        const answer = await rich.trefoil.generate(body).catch(refused);
        if (answer?.data.status !== 'authentication-required') continue;
        const { creditReportId, challenge } = answer.data;
        const { challengeId } = challenge;
        await rich.trefoil.resendSms(creditReportId, { challengeId });
        for (let count = 0; count < 3; count += 1) {
          await rich.trefoil.submitOtp(creditReportId, { challengeId, code }).catch(refused);
        }
        await rich.trefoil.advanceTestClock(creditReportId, 86_400);
      }
    }
  }
  await rich.trefoil.resetTestWallet(0);
  expect((await rich.trefoil.getTestWallet()).data.balance).toBe(0);
  expect(await auditActions(begunAt)).toEqual(['report.completed true']);
  expect(pick(await printState(server), MONEY)).toEqual(money);
  expect(await counters()).toBe(called);
});

/** 2,000 take half a minute. */
const FLOWS = Number(process.env['TREFOIL_TEST_FLOWS'] ?? 400);

test(`${FLOWS} flows in test mode: no row in any money or message table, no call to anybody`, async () => {
  const rich = await addTenant(server, 1_000_000);
  // A token is a row of the audit log: got before, and good for the rest of the test.
  await rich.trefoil.getToken();
  const before = { money: pick(await printState(server)), counters: await counters() };
  expect(before.money).toHaveLength(MONEY.length + TEST_MONEY.length);
  const begunAt = await databaseTime();
  const statuses = ['allow', 'challenge', 'block'] as const;
  let flow = 0;
  async function work(): Promise<void> {
    while (flow < FLOWS) {
      const number = flow++;
      const status = statuses[number % 3] ?? 'allow';
      const { data, meta } = await rich.trefoil.generate(
        generateBody({
          challengeOptions: { status },
          email: `test00${1 + (number % 9)}@example.com`,
          mobileNumber: `+447700900${String(number % 1_000).padStart(3, '0')}`,
          sessionId: server.mintSession(),
        }),
        number % 5 === 0 ? { idempotencyKey: `flow-${number}` } : {},
      );
      expect(meta.wallet).toEqual({ cost: 0, balance: 1_000_000 });
      if (data.status !== 'authentication-required') continue;
      const { challengeId } = data.challenge;
      if (number % 2 === 0) await rich.trefoil.resendSms(data.creditReportId, { challengeId });
      const code = number % 4 === 0 ? '000000' : '123456';
      const answer = await rich.trefoil.submitOtp(data.creditReportId, { challengeId, code });
      expect(answer.data.status).toBe(number % 4 === 0 ? 'retry' : 'complete');
      expect(answer.meta.wallet).toEqual({ cost: 0, balance: 1_000_000 });
    }
  }
  await Promise.all(Array.from({ length: 16 }, work));
  expect(await auditActions(begunAt)).toEqual(['report.completed true']);
  expect(pick(await printState(server))).toEqual(before.money);
  expect(await counters()).toBe(before.counters);
  const [made] = await server.query<{ count: number }>(
    'select count(*)::int from credit_reports where tenant_id = $1 and is_test',
    [rich.tenantId],
  );
  expect(made?.count).toBe(FLOWS);
}, 180_000);
