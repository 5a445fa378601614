// Codes under fire: two nodes on one database, many requests at once on one challenge, one message, one wallet that is held. As many
// as `npm run prove` makes:
//   TREFOIL_TEST_CHALLENGE_RACES=whole npx vitest run --project journeys server/test/money/challenge-races.test.ts
import { type Trefoil, TrefoilError } from '@trefoil/sdk';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { settleReports } from '../../src/credit-reports/live/settle-reports.ts';
import { expectThreeJudged, grave } from '../support/grave.ts';
import { type LiveServer, liveBody } from '../support/live.ts';
import { sendReceipt, spoil } from '../support/providers.ts';
import { count, expectChargedOnce, inParallel, linesOf, nodesOf } from '../support/races.ts';
import { addTenant, type OwnTenant, storyOf } from '../support/tenant.ts';
import { type SecondNode, useTwoNodes } from '../support/two-nodes.ts';
import { BUREAUS, P, quietMobile, S, wrongCode } from '../support/words.ts';

const [GUESSES, RESENDS, RIGHT, ROUNDS] =
  process.env['TREFOIL_TEST_CHALLENGE_RACES'] === 'whole' ? [200, 50, 100, 5] : [100, 25, 50, 2];
const EXPIRED = 20;

let server: LiveServer;
let secondNode: SecondNode;
useTwoNodes((...nodes) => {
  [server, secondNode] = nodes;
});

async function startChallenge(tenant: OwnTenant, to = quietMobile(), lastName = 'Example') {
  const { data } = await tenant.trefoil.generate(
    liveBody(server.mintSession(), { email: 'challenge@example.com', mobileNumber: to, lastName }),
  );
  if (data.status !== 'authentication-required') throw new Error(JSON.stringify(data));
  const code = await server.code(to);
  await eventually(async () => {
    const query = 'select from sms_sends where credit_report_id = $1 and carrier_ref is not null';
    expect(await server.query(query, [data.creditReportId])).toHaveLength(1);
  });
  return { creditReportId: data.creditReportId, challengeId: data.challenge.challengeId, to, code };
}

describe('one live challenge', () => {
  const attempts = async (creditReportId: string) =>
    (
      await server.query('select attempts_used, sms_sent_count from challenges where credit_report_id = $1', [
        creditReportId,
      ])
    )[0];

  test(`${GUESSES} parallel wrong codes: two retries, one failure, the others told so again; refunded once`, async () => {
    const tenant = await addTenant(server, 10_000);
    const { creditReportId, challengeId, code } = await startChallenge(tenant);
    const wrong = wrongCode(code);
    const wallets: { readonly isRetry: boolean; readonly cost: number; readonly balance: number }[] = [];
    const answers = await inParallel(nodesOf(tenant, secondNode), GUESSES, async (trefoil) => {
      const { data, meta } = await trefoil.submitOtp(creditReportId, { challengeId, code: wrong });
      wallets.push({ isRetry: data.status === 'retry', ...meta.wallet });
      return data.status === 'retry' ? `retry ${data.attemptsRemaining}` : data.status;
    });
    await expectThreeJudged(answers);
    for (const { isRetry, cost, balance } of wallets) {
      expect(cost).toBe(0);
      // The refund follows the count: those who come right behind the last guess may be told before it is posted.
      expect(isRetry ? [8_000] : [8_000, 10_000]).toContain(balance);
    }
    expect(count(answers as string[])).toEqual({ 'retry 1': 1, 'retry 2': 1, failed: GUESSES - 2 });
    expect(await attempts(creditReportId)).toEqual({ attempts_used: 3, sms_sent_count: 1 });
    expect(await storyOf(server, tenant)).toMatchObject({
      balance: 10_000,
      held: S,
      lines: ['report-charge -2000 8000', 'report-refund 2000 10000'],
    });
    const [uses] = await server.query<{ most: number }>(
      'select max(cardinality(mistaken_at)) as most from mobile_uses',
    );
    expect(uses?.most).toBe(3);
  });

  test(`${RESENDS} parallel resends: two are sent and held, the others refused, each message submitted once`, async () => {
    const tenant = await addTenant(server, 10_000);
    const { creditReportId, challengeId, to } = await startChallenge(tenant);
    const answers = await inParallel(nodesOf(tenant, secondNode), RESENDS, async (trefoil) => {
      const { data } = await trefoil.resendSms(creditReportId, { challengeId });
      return `sent ${data.smsSentCount} left ${data.remainingSmsCount}`;
    });
    const told = answers.map((answer) => (answer instanceof TrefoilError ? `${answer.status} ${answer.code}` : answer));
    expect(count(told)).toEqual({ '429 sms-limit-reached': RESENDS - 2, 'sent 2 left 1': 1, 'sent 3 left 0': 1 });
    expect(await server.wallet(tenant.tenantId)).toEqual({ balance: 8_000, held: 3 * S });
    await eventually(async () => expect((await server.inbox(to)).map(({ submits }) => submits)).toEqual([1, 1, 1]));
  });

  test(`${RIGHT} parallel right codes while a bureau is slow: one fetch, one charge of the message, the same report for all`, async () => {
    const tenant = await addTenant(server, 10_000);
    const { creditReportId, challengeId, code } = await startChallenge(tenant, quietMobile(), 'Slowcombe');
    await spoil(server, 'Slowcombe', 'slow=1500', ['cygnet']);
    const answers = await inParallel(nodesOf(tenant, secondNode), RIGHT, async (trefoil) => {
      const { data, meta } = await trefoil.submitOtp(creditReportId, { challengeId, code });
      return JSON.stringify({ data, wallet: meta.wallet });
    });
    const told = await storyOf(server, tenant);
    await expectChargedOnce(told);
    expect(answers.filter((answer) => answer instanceof TrefoilError).map(({ code: each }) => each)).toEqual([]);
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toContain('"status":"complete"');
    expect(told).toMatchObject({
      balance: 10_000 - P - S,
      held: 0,
      lines: ['report-charge -2000 8000', 'sms-charge -40 7960'],
      events: [
        'report.challenged report 1',
        'wallet.charged report 1',
        'challenge.sent send 1',
        'challenge.delivered send 1',
        'wallet.charged send 1',
        'challenge.verified report 1',
        'report.completed report 1',
      ],
    });
    for (const name of BUREAUS) expect((await server.enquiries(name)).get(creditReportId), name).toBe(1);
  });

  test('right codes, wrong codes, resends and receipts at once: one outcome, and the books explain it', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const tenant = await addTenant(server, 10_000);
      const { creditReportId, challengeId, code } = await startChallenge(tenant);
      const wrong = wrongCode(code);
      const [first] = await server.query<{ id: string }>('select id from sms_sends where credit_report_id = $1', [
        creditReportId,
      ]);
      const receive = (status: string) => sendReceipt(server, first?.id ?? '', status, 3);
      const [answers] = await Promise.all([
        inParallel(nodesOf(tenant, secondNode), 30, async (trefoil, index) => {
          if (index % 5 === 4)
            return `resend ${(await trefoil.resendSms(creditReportId, { challengeId })).data.smsSentCount}`;
          const { data } = await trefoil.submitOtp(creditReportId, {
            challengeId,
            code: index % 5 === 3 ? code : wrong,
          });
          return data.status;
        }),
        receive('undelivered'),
        receive('delivered'),
      ]);
      const told = count(answers.map((answer) => (answer instanceof TrefoilError ? answer.code : answer)));
      const { reports, lines, sends } = await storyOf(server, tenant);
      const isComplete = reports[0] === 'complete';
      await expectThreeJudged(answers);
      await grave('one report', () => {
        expect(linesOf(lines, 'report-charge')).toHaveLength(1);
        expect(linesOf(lines, 'report-refund').length).toBeLessThanOrEqual(1);
      });
      expect(isComplete ? (told['complete'] ?? 0) > 0 : told['complete'] === undefined, JSON.stringify(told)).toBe(
        true,
      );
      expect(linesOf(lines, 'report-refund')).toHaveLength(isComplete ? 0 : 1);
      expect(lines.filter((line) => line.startsWith('sms-charge')).length).toBe(
        sends.filter((state) => state === 'delivered').length,
      );
      expect(sends[0]).toBe('delivered');
    }
  });
});

test('refunds race: a submit, a resend and two sweeps that find the same expired challenges: each refunded once', async () => {
  const tenant = await addTenant(server, 200_000);
  const { tenantId } = tenant;
  const open = await Promise.all(Array.from({ length: EXPIRED }, () => startChallenge(tenant)));
  await server.query(
    `update challenges set last_sent_at = last_sent_at - interval '301 seconds', due_at = due_at - interval '301 seconds'
      where tenant_id = $1`,
    [tenantId],
  );
  const expire = (some: typeof open) =>
    server.database.forTenants([tenantId], (tx) =>
      settleReports(
        tx,
        some.map(({ creditReportId }) => ({
          tenantId,
          creditReportId,
          from: 'challenged',
          actor: 'system',
          outcome: { kind: 'expired' },
          mayHaveKey: false,
        })),
      ),
    );
  const nodes = nodesOf(tenant, secondNode);
  const [first, second, ...calls] = await Promise.all([
    expire(open),
    expire(open.toReversed()),
    ...open.flatMap(({ creditReportId, challengeId, code }, index) => [
      inParallel(nodes, 2, (trefoil) => trefoil.submitOtp(creditReportId, { challengeId, code })),
      inParallel([nodes[index % 2] as Trefoil], 2, (trefoil) => trefoil.resendSms(creditReportId, { challengeId })),
    ]),
  ]);
  for (const answer of calls.flat()) {
    expect(answer instanceof TrefoilError && `${answer.status} ${answer.code}`).toBe('410 challenge-expired');
  }
  expect([...first, ...second].filter(({ kind }) => kind === 'settled').length).toBeLessThanOrEqual(EXPIRED);
  const [refunds] = await server.query(
    `select count(*)::int from ledger_txs where tenant_id = $1 and kind = 'report-refund'`,
    [tenantId],
  );
  await grave(`${EXPIRED} expired challenges`, async () => {
    expect(refunds).toEqual({ count: EXPIRED });
    expect((await server.wallet(tenantId)).balance).toBe(200_000);
  });
  expect(await server.wallet(tenantId)).toEqual({ balance: 200_000, held: EXPIRED * S });
});

test('the same settlement twice in one list: the first wins, the second is superseded, one refund', async () => {
  const tenant = await addTenant(server, 10_000);
  const { tenantId } = tenant;
  const { creditReportId } = await startChallenge(tenant);
  const settlement = {
    tenantId,
    creditReportId,
    from: 'challenged',
    actor: 'system',
    outcome: { kind: 'failed', failure: 'attempts-used' },
    mayHaveKey: false,
  } as const;
  const settled = await server.database.forTenants([tenantId], (tx) =>
    settleReports(tx, [settlement, { ...settlement }, { ...settlement }]),
  );
  expect(settled.map(({ kind }) => kind)).toEqual(['settled', 'superseded', 'superseded']);
  await grave('one settlement three times', async () =>
    expect(await server.wallet(tenantId)).toEqual({ balance: 10_000, held: S }),
  );
});

test('one delivered receipt, 100 times at once over two nodes: every one is taken, one charge', async () => {
  const tenant = await addTenant(server, 10_000);
  const { to, creditReportId } = await startChallenge(tenant);
  const [message] = await server.inbox(to);
  const receive = () => sendReceipt(server, message?.sendId ?? '', 'delivered', 5);
  const answers = await Promise.all(Array.from({ length: 20 }, receive));
  expect(answers.flat()).toEqual(Array(100).fill(204));
  await server.receiptsApplied();
  await grave('one receipt', async () =>
    expect(await storyOf(server, tenant)).toMatchObject({
      balance: 10_000 - P - S,
      held: 0,
      lines: ['report-charge -2000 8000', 'sms-charge -40 7960'],
    }),
  );
  expect(
    await server.query(
      'select status from sms_receipts where send_id in (select id from sms_sends where credit_report_id = $1)',
      [creditReportId],
    ),
  ).toEqual([{ status: 'delivered' }]);
});

/** Resolves once the wallet's row is locked; calling it lets go. */
async function lockWallet({ tenantId }: OwnTenant): Promise<() => Promise<void>> {
  const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = server.database.forTenants([tenantId], async (tx) => {
    await tx.query('select from wallets where tenant_id = $1 for update', [tenantId]);
    locked.resolve();
    await release.promise;
  });
  await Promise.race([locked.promise, holding]);
  return () => {
    release.resolve();
    return holding;
  };
}

test('one tenant’s wallet is locked by somebody: the last wrong code is told, and its key gives the same answer after the refund', async () => {
  const tenant = await addTenant(server, 10_000);
  const { creditReportId, challengeId, code } = await startChallenge(tenant);
  const wrong = { challengeId, code: wrongCode(code) };
  for (const _ of [1, 2]) expect((await tenant.trefoil.submitOtp(creditReportId, wrong)).data.status).toBe('retry');
  const letGo = await lockWallet(tenant);
  const last = () => tenant.trefoil.submitOtp(creditReportId, wrong, { idempotencyKey: 'the-last-guess' });
  const told = await last();
  expect(told).toMatchObject({ data: { status: 'failed' }, meta: { wallet: { balance: 8_000, cost: 0 } } });
  await letGo();
  await eventually(async () => expect((await server.wallet(tenant.tenantId)).balance).toBe(10_000));
  const again = await last();
  expect([again.data, again.meta.wallet]).toEqual([told.data, told.meta.wallet]);
});

test('one tenant’s wallet is locked by somebody: the other tenant is served, and nothing of the first is lost', async () => {
  const [held, free] = [await addTenant(server, 10_000), await addTenant(server, 10_000)];
  const letGo = await lockWallet(held);
  let isStuck = true;
  const stuck = held.trefoil.generate(liveBody(server.mintSession())).finally(() => {
    isStuck = false;
  });
  const served: string[] = [];
  for (const _ of [1, 2]) served.push((await free.trefoil.generate(liveBody(server.mintSession()))).data.status);
  // The other tenant had its answers while the lock was held.
  const wasStuck = isStuck;
  // PostgreSQL ends a transaction that holds a lock for too long, as when the other tenant had to wait for it.
  const wasHeld = await letGo().then(
    () => true,
    () => false,
  );
  const { data, meta } = await stuck;
  await grave('the report that waited', async () =>
    expect((await server.wallet(held.tenantId)).balance).toBe(10_000 - P),
  );
  expect([data.status, meta.wallet.cost]).toEqual(['complete', P]);
  expect([served, wasStuck, wasHeld]).toEqual([['complete', 'complete'], true, true]);
  expect((await server.wallet(held.tenantId)).held).toBe(0);
});
