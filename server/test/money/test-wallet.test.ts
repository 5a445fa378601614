// Money in test mode (docs/decisions/0287-money-in-test-mode.md): what a developer rehearses on a hosted installation with a credential for
// test mode alone. The table of decision 50, row by row, in the test wallet.
import type { GenerateRequest } from '@trefoil/contract';
import { TrefoilError } from '@trefoil/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { expireInSandbox } from '../../src/credit-reports/sandbox/expire-in-sandbox.ts';
import { setTenantPrice } from '../../src/wallet/set-price.ts';
import { lockTestWallet } from '../../src/wallet/test-mode/test-wallet-store.ts';
import { generateBody, startServer, type TestServer } from '../harness.ts';
import { expectBooksToBalance } from '../support/books.ts';
import { printState } from '../support/dump.ts';
import { expectEvents } from '../support/events.ts';
import { SHORT_RESTS } from '../support/rests.ts';
import { refusalOf } from '../support/tenant.ts';
import {
  addTester,
  balanceOf,
  challengeFor,
  charged,
  FULL,
  failByCodes,
  linesOf,
  movesOf,
  type TestChallenge,
  type Tester,
} from '../support/test-money.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ overrides: { rests: SHORT_RESTS } });
});
afterAll(async () => {
  try {
    await expectBooksToBalance(server);
  } finally {
    await server.close();
  }
});

const live = async () =>
  (await printState(server)).split('\n').filter((line) => /^(wallets|holds|ledger_\w+) /.test(line));

test('the rehearsal: a charge, a refund and a 402, seen in answers, statement and events; the live wallet does not move', async () => {
  const before = await live();
  const tester = await addTester(server);
  const { trefoil } = tester;
  const created = await live();

  const first = await trefoil.generate(charged());
  expect(first.meta.wallet).toEqual({ cost: 2_000, balance: FULL - 2_000 });
  const open = await challengeFor(tester);
  expect(open.wallet).toEqual({ cost: 2_000, balance: FULL - 4_000 });
  const failed = await failByCodes(open);
  expect(failed.data).toMatchObject({ status: 'failed', errorMessage: expect.stringContaining('is refunded') });
  expect(failed.meta.wallet).toEqual({ cost: 0, balance: FULL - 2_040 });

  expect((await trefoil.resetTestWallet(2_039)).data).toEqual({ balance: 2_039 });
  const refused = await refusalOf(trefoil.generate(charged()));
  expect(refused).toEqual({ status: 402, code: 'insufficient-funds', required: 2_040, available: 2_039 });
  expect((await trefoil.resetTestWallet()).data).toEqual({ balance: FULL });
  expect((await trefoil.generate(charged())).meta.wallet.balance).toBe(FULL - 2_000);

  expect(await linesOf(tester)).toEqual([
    'top-up 1000000 1000000',
    'report-charge -2000 998000',
    'report-charge -2000 996000',
    'sms-charge -40 995960',
    'report-refund 2000 997960',
    'adjust -995921 2039',
    'adjust 997961 1000000',
    'report-charge -2000 998000',
  ]);
  const events = await expectEvents(
    trefoil,
    [
      'wallet.topped-up 1000000',
      'wallet.charged -2000',
      'wallet.charged -2000',
      'wallet.charged -40',
      'wallet.refunded 2000',
      'wallet.adjusted -995921',
      'wallet.adjusted 997961',
      'wallet.charged -2000',
    ],
    { type: 'wallet' },
  );
  expect(events.every((event) => event.test)).toBe(true);
  expect(created).not.toEqual(before);
  expect(await live()).toEqual(created);
});

test('without a word about it test reports answer as before: cost 0, the live balance, no line and no event of a wallet', async () => {
  const tester = await addTester(server);
  for (const testOptions of [undefined, {}, { charges: false }]) {
    const body = generateBody(testOptions && { testOptions });
    expect((await tester.trefoil.generate(body)).meta.wallet).toEqual({ cost: 0, balance: 0 });
  }
  await expectEvents(tester.trefoil, Array(3).fill('credit-report.completed complete 0'));
  expect(await linesOf(tester)).toEqual([]);
  expect(await server.query('select from test_wallets where tenant_id = $1', [tester.tenantId])).toEqual([]);
  expect(await balanceOf(tester)).toBe(FULL);
});

const OK = 'credit-report.completed complete';
const BEGUN = ['credit-report.challenged authentication-required 2000', 'wallet.charged -2000', 'challenge.sent'];
const DELIVERED = ['challenge.delivered', 'wallet.charged -40'];
const away = (...bureaus: GenerateRequest['bureaus']) => ({
  bureauResults: bureaus.map((bureau) => ({ bureau, outcome: 'unavailable' as const })),
});
const AWAY = away('equifax');
const ALL_AWAY = away('equifax', 'experian', 'transunion');

describe('a report without a challenge', () => {
  const rows = [
    // title, options, branch; status, cost, events
    ['complete: charged', {}, 'allow', 'complete', 2_000, [`${OK} 2000`, 'wallet.charged -2000']],
    ['one bureau away: charged without it', AWAY, 'allow', 'complete', 1_400, [`${OK} 1400`, 'wallet.charged -1400']],
    ['all bureaus away: not charged', ALL_AWAY, 'allow', 'failed', 0, ['credit-report.failed failed 0']],
    ['blocked: not charged', {}, 'block', 'blocked', 0, ['credit-report.blocked blocked 0']],
    [
      'a code cannot be sent: not charged',
      { outcome: 'failed', reason: 'company-day' },
      'challenge',
      'failed',
      0,
      ['credit-report.failed failed 0'],
    ],
  ] as const;
  test.each(rows)('200 %s', async (_title, options, branch, status, cost, events) => {
    const tester = await addTester(server);
    const answer = await tester.trefoil.generate(charged(options as object, { challengeOptions: { status: branch } }));
    expect(answer.data.status).toBe(status);
    expect(answer.meta.wallet).toEqual({ cost, balance: FULL - cost });
    const { creditReportId } = answer.data;
    expect(await movesOf(tester, creditReportId)).toEqual(cost > 0 ? [`report-charge -${cost}`] : []);
    await expectEvents(tester.trefoil, events, { creditReportId });
    expect((await tester.trefoil.getReport(creditReportId)).data.costCredits).toBe(cost);
    expect(await balanceOf(tester)).toBe(FULL - cost);
  });
});

describe('a challenge', () => {
  const late = (open: TestChallenge) => open.advance(301);
  const right = (open: TestChallenge) => open.submit('123456');
  const rows: readonly [
    title: string,
    options: object,
    end: (open: TestChallenge) => Promise<unknown>,
    moves: readonly string[],
    events: readonly string[],
    cost: number,
  ][] = [
    ['the right code: nothing more', {}, right, [], ['challenge.verified', `${OK} 2000`], 2_000],
    [
      'the right code, one bureau away: its part is refunded',
      AWAY,
      right,
      ['report-refund 600'],
      ['challenge.verified', `${OK} 1400`, 'wallet.refunded 600'],
      1_400,
    ],
    [
      'the right code, all bureaus away: refunded',
      ALL_AWAY,
      right,
      ['report-refund 2000'],
      ['challenge.verified', 'credit-report.failed failed 0', 'wallet.refunded 2000'],
      0,
    ],
    [
      'three wrong codes: refunded',
      {},
      failByCodes,
      ['report-refund 2000'],
      ['credit-report.failed failed 0', 'wallet.refunded 2000'],
      0,
    ],
    [
      'the clock past its time: refunded at once',
      {},
      late,
      ['report-refund 2000'],
      ['credit-report.expired failed 0', 'wallet.refunded 2000'],
      0,
    ],
  ];
  test.each(rows)('%s', async (_title, options, end, moves, events, cost) => {
    const tester = await addTester(server);
    const open = await challengeFor(tester, options);
    const { creditReportId } = open;
    expect(open.wallet).toEqual({ cost: 2_000, balance: FULL - 2_000 });
    await end(open);
    expect(await movesOf(tester, creditReportId)).toEqual(['report-charge -2000', 'sms-charge -40', ...moves]);
    await expectEvents(tester.trefoil, [...BEGUN, ...DELIVERED, ...events], { creditReportId });
    const { data } = await tester.trefoil.getReport(creditReportId);
    expect(data.costCredits).toBe(cost);
    if (data.status === 'failed') expect(data.errorMessage).toContain('The report’s charge is refunded.');
    expect(await balanceOf(tester)).toBe(FULL - 40 - cost);
    // Nothing of it moves again, whatever comes later.
    for (const again of [right, failByCodes, late]) {
      await again(open).catch((error: unknown) => expect(error).toBeInstanceOf(TrefoilError));
    }
    await expireInSandbox(server.database.jobs);
    expect(await balanceOf(tester)).toBe(FULL - 40 - cost);
  });

  test('one without a code is refunded by the job within seconds', async () => {
    const tester = await addTester(server);
    const { creditReportId } = await challengeFor(tester);
    await server.query(
      `update challenges set last_sent_at = last_sent_at - interval '6 minutes', test_due_at = test_due_at - interval '6 minutes'
        where credit_report_id = $1`,
      [creditReportId],
    );
    await eventually(async () => {
      expect(await movesOf(tester, creditReportId)).toEqual([
        'report-charge -2000',
        'sms-charge -40',
        'report-refund 2000',
      ]);
    });
  });

  test('410 challenge-expired for a late code: refunded when that is answered', async () => {
    const tester = await addTester(server);
    const { creditReportId, submit } = await challengeFor(tester);
    // The job does not find it yet.
    const late = `update challenges set last_sent_at = last_sent_at - interval '6 minutes' where credit_report_id = $1`;
    await server.query(late, [creditReportId]);
    expect(await refusalOf(submit('123456'))).toMatchObject({ status: 410, code: 'challenge-expired' });
    const moves = ['report-charge -2000', 'sms-charge -40', 'report-refund 2000'];
    expect(await movesOf(tester, creditReportId)).toEqual(moves);
    expect(await refusalOf(submit('123456'))).toMatchObject({ status: 410, code: 'challenge-expired' });
    expect(await movesOf(tester, creditReportId)).toEqual(moves);
  });

  test('the refund to a wallet that is held waits in turn for it, and that of another company comes meanwhile', async () => {
    const [busy, other] = [await addTester(server), await addTester(server)];
    const challenges = [await challengeFor(busy), await challengeFor(other)];
    const refunded = async (tester: Tester) => expect(await movesOf(tester)).toContain('report-refund 2000');
    const job = await server.database.forTenants([busy.tenantId], async (tx) => {
      await lockTestWallet(tx, busy.tenantId);
      await server.query(
        `update challenges set last_sent_at = last_sent_at - interval '6 minutes', test_due_at = test_due_at - interval '6 minutes'
          where credit_report_id = any ($1)`,
        [challenges.map(({ creditReportId }) => creditReportId)],
      );
      const running = expireInSandbox(server.database.jobs);
      // A transaction that does nothing for seconds is ended.
      const stillHeld = () => tx.query('select', []);
      // A wallet that is nearly always held would never be free when the job comes.
      await eventually(async () => {
        const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
                           and query like '%from test_wallets%'`;
        await stillHeld();
        expect(await server.query(waiting)).not.toEqual([]);
      });
      await eventually(() => stillHeld().then(() => refunded(other)));
      return { running };
    });
    await job.running;
    await eventually(() => refunded(busy));
  });

  test('the price of its bureaus is that of the charge, also after the price has changed', async () => {
    const tester = await addTester(server);
    const { creditReportId, submit } = await challengeFor(tester, AWAY);
    const price = { item: 'bureau', credits: 5_000, from: undefined } as const;
    await server.database.asSystem((tx) => setTenantPrice(tx, tester.tenantId, price));
    await submit('123456');
    expect(await movesOf(tester, creditReportId)).toEqual([
      'report-charge -2000',
      'sms-charge -40',
      'report-refund 600',
    ]);
    expect((await tester.trefoil.generate(charged())).meta.wallet.cost).toBe(15_200);
  });
});

describe('messages', () => {
  const rows = [
    // receipt; what it moves, what it tells; what the right code moves, what that tells
    ['delivered', ['sms-charge -40'], DELIVERED, [], []],
    ['undelivered', [], ['challenge.undelivered'], ['sms-charge -40'], DELIVERED],
    ['refused', [], ['challenge.undelivered'], ['sms-charge -40'], DELIVERED],
    ['never', [], [], ['sms-charge -40'], DELIVERED],
  ] as const;
  test.each(rows)(
    'receipt %s: charged when it is delivered, and that is proved by its right code too, once',
    async (...row) => {
      const [receipt, moved, told, movedByCode, toldByCode] = row;
      const tester = await addTester(server);
      const { creditReportId, submit } = await challengeFor(tester, { receipt });
      expect(await movesOf(tester, creditReportId)).toEqual(['report-charge -2000', ...moved]);
      const { meta } = await submit('123456');
      expect(meta.wallet).toEqual({ cost: 0, balance: FULL - 2_040 });
      expect(await movesOf(tester, creditReportId)).toEqual(['report-charge -2000', ...moved, ...movedByCode]);
      const events = await expectEvents(
        tester.trefoil,
        [...BEGUN, ...told, ...toldByCode, 'challenge.verified', `${OK} 2000`],
        { creditReportId },
      );
      const named = events.filter(({ type }) => /^challenge\.(sent|delivered|undelivered)/.test(type));
      const ofMessage = events.filter(({ data }) => data.amount === -40);
      // One message, and no report: its charge is told apart as in live mode.
      expect(new Set([...named, ...ofMessage].map(({ data }) => data.messageId)).size).toBe(1);
      expect(ofMessage[0]?.data.messageId).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      expect(events.find(({ data }) => data.amount === -2_000)?.data).not.toHaveProperty('messageId');
    },
  );

  test('without a number no message is charged, as the quote says: neither the first, nor another, nor by the right code', async () => {
    const tester = await addTester(server);
    const { creditReportId, resend, submit } = await challengeFor(tester, {}, { mobileNumber: '' });
    await resend();
    await submit('123456');
    const silent = await challengeFor(tester, { receipt: 'never' }, { mobileNumber: '' });
    await silent.submit('123456');
    for (const id of [creditReportId, silent.creditReportId])
      expect(await movesOf(tester, id)).toEqual(['report-charge -2000']);
  });

  test('each resend is a message of its own; 402 insufficient-funds when the wallet cannot pay for one', async () => {
    const tester = await addTester(server);
    const { creditReportId, resend, submit } = await challengeFor(tester);
    await resend();
    await tester.trefoil.resetTestWallet(39);
    expect(await refusalOf(resend())).toEqual({
      ...{ status: 402, code: 'insufficient-funds' },
      ...{ required: 40, available: 39 },
    });
    await tester.trefoil.resetTestWallet(40);
    expect((await resend()).data).toEqual({ smsSentCount: 3, remainingSmsCount: 0 });
    expect(await movesOf(tester, creditReportId)).toEqual(['report-charge -2000', ...Array(3).fill('sms-charge -40')]);
    expect((await submit('123456')).meta.wallet).toEqual({ cost: 0, balance: 0 });
  });

  test('a message that is proved by its code when the wallet is empty stays as it was, and the report is complete', async () => {
    const tester = await addTester(server);
    const { trefoil } = tester;
    const { creditReportId, submit } = await challengeFor(tester, { receipt: 'never' });
    await trefoil.resetTestWallet(0);
    expect((await submit('123456')).data.status).toBe('complete');
    expect(await movesOf(tester, creditReportId)).toEqual(['report-charge -2000']);
    await expectEvents(trefoil, [...BEGUN, 'challenge.verified', `${OK} 2000`], { creditReportId });
    expect((await trefoil.listTestInbox({ creditReportId })).data.items).toMatchObject([{ state: 'submitted' }]);
    const kinds = (await trefoil.getTimeline(creditReportId)).data.items.map(({ kind }) => kind);
    expect(kinds).not.toContain('message-delivered');
  });
});

describe('402 insufficient-funds', () => {
  const { mobileNumber: _, ...quiet } = charged();
  test.each([
    [2_040, charged()],
    [2_000, quiet],
    [840, charged({}, { bureaus: ['equifax'] })],
    // As in live mode the credits must be there before it is known how the report ends.
    [2_040, charged({}, { challengeOptions: { status: 'block' } })],
    [2_040, charged({ outcome: 'failed', reason: 'no-bureau-answered' })],
  ])('below %i credits, and not with so many; nothing is stored, and the key stays free', async (required, body) => {
    const tester = await addTester(server);
    await tester.trefoil.resetTestWallet(required - 1);
    const before = await printState(server);
    const refused = await refusalOf(tester.trefoil.generate(body, { idempotencyKey: 'short' }));
    expect(refused).toEqual({ status: 402, code: 'insufficient-funds', required, available: required - 1 });
    expect(await printState(server)).toBe(before);
    await tester.trefoil.resetTestWallet(required);
    const { meta } = await tester.trefoil.generate(body, { idempotencyKey: 'short' });
    expect(meta.wallet.balance).toBe(required - meta.wallet.cost);
  });

  test('testOptions.outcome still answers 402 on request, and moves nothing', async () => {
    const tester = await addTester(server);
    const refused = await refusalOf(tester.trefoil.generate(charged({ outcome: 'insufficient-credits' })));
    expect(refused).toMatchObject({ status: 402, code: 'insufficient-credits', available: 0 });
    expect(await linesOf(tester)).toEqual([]);
  });
});

describe('repeated requests', () => {
  test('200 the first answer again, with its meta.wallet, for generate, code, resend and reset; nothing moves twice', async () => {
    const tester = await addTester(server);
    const { trefoil } = tester;
    const once = async <T extends { meta: object; data: object }>(call: (idempotencyKey: string) => PromiseLike<T>) => {
      const first = await call('again');
      await trefoil.generate(charged());
      const { meta, data } = await call('again');
      const { wallet } = meta as { wallet?: object };
      expect([wallet, data]).toEqual([(first.meta as { wallet?: object }).wallet, first.data]);
      return first;
    };
    const body = charged({}, { challengeOptions: { status: 'challenge' } });
    const { data } = await once((idempotencyKey) => trefoil.generate(body, { idempotencyKey }));
    if (data.status !== 'authentication-required') throw new Error(data.status);
    const { creditReportId, challenge } = data;
    const { challengeId } = challenge;
    await once((idempotencyKey) => trefoil.resendSms(creditReportId, { challengeId }, { idempotencyKey }));
    await once((idempotencyKey) =>
      trefoil.submitOtp(creditReportId, { challengeId, code: '123456' }, { idempotencyKey }),
    );
    expect(await movesOf(tester, creditReportId)).toEqual(['report-charge -2000', 'sms-charge -40', 'sms-charge -40']);
    await once((idempotencyKey) => trefoil.resetTestWallet(7_000, { idempotencyKey }));
    expect(await balanceOf(tester)).toBe(5_000);
  });
});

describe('the reset', () => {
  test('200 to any balance from 0 to 1,000,000; without a difference no line and no event', async () => {
    const tester: Tester = await addTester(server);
    const { trefoil } = tester;
    await trefoil.resetTestWallet();
    await trefoil.resetTestWallet(0);
    await trefoil.resetTestWallet(0);
    await trefoil.resetTestWallet(FULL);
    expect(await movesOf(tester)).toEqual(['top-up 1000000', 'adjust -1000000', 'adjust 1000000']);
    await expectEvents(trefoil, ['wallet.topped-up 1000000', 'wallet.adjusted -1000000', 'wallet.adjusted 1000000']);
  });

  test.each([-1, FULL + 1, 1.5, '5', null])('400 validation-error: credits %j', async (credits) => {
    const { trefoil } = await addTester(server);
    const error = await trefoil.resetTestWallet(credits as number).catch((each: unknown) => each);
    expect(error).toMatchObject({ status: 400, details: [{ path: '/credits' }] });
  });

  test('an open challenge keeps its charge: it is refunded after the reset too', async () => {
    const tester = await addTester(server);
    const open = await challengeFor(tester);
    await tester.trefoil.resetTestWallet(0);
    await failByCodes(open);
    expect(await balanceOf(tester)).toBe(2_000);
  });
});
