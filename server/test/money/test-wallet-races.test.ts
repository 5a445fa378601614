// The test wallet under many requests at once: decided in PostgreSQL, so it is never overdrawn, and nothing moves twice
// (docs/decisions/0287-money-in-test-mode.md).
import type { TrefoilError } from '@trefoil/sdk';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { expireInSandbox } from '../../src/credit-reports/sandbox/expire-in-sandbox.ts';
import { startServer, type TestServer } from '../harness.ts';
import { expectBooksToBalance } from '../support/books.ts';
import { readAll } from '../support/events.ts';
import { grave } from '../support/grave.ts';
import {
  addTester,
  balanceOf,
  challengeFor,
  charged,
  FULL,
  failByCodes,
  movesOf,
  type Tester,
} from '../support/test-money.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  try {
    await expectBooksToBalance(server);
  } finally {
    await server.close();
  }
});

test('402 insufficient-funds at the limit: of 200 reports at once as many are charged as the wallet can pay, and it is never overdrawn', async () => {
  const tester = await addTester(server);
  const AFFORDABLE = 70;
  // Each needs 840 and is charged 800: the last one that begins leaves the 40 of its message.
  const credits = AFFORDABLE * 800 + 40;
  await tester.trefoil.resetTestWallet(credits);
  const outcomes = await Promise.all(
    Array.from({ length: 200 }, () =>
      tester.trefoil.generate(charged({}, { bureaus: ['equifax'] })).then(
        ({ meta }) => ({ wallet: meta.wallet }),
        ({ status, code, required, available }: TrefoilError) => ({ refusal: { status, code, required, available } }),
      ),
    ),
  );
  const paid = outcomes.flatMap((each) => ('wallet' in each ? [each.wallet] : []));
  const refused = outcomes.flatMap((each) => ('refusal' in each ? [each.refusal] : []));
  await grave('the test wallet at its limit', async () => {
    expect(paid).toHaveLength(AFFORDABLE);
    // Each answer has the balance right after its own charge, so all differ by one charge.
    const balances = paid.map(({ balance }) => balance).toSorted((a, b) => b - a);
    expect(balances).toEqual(Array.from({ length: AFFORDABLE }, (_, place) => credits - (place + 1) * 800));
    for (const refusal of refused) {
      expect(refusal).toEqual({ status: 402, code: 'insufficient-funds', required: 840, available: 40 });
    }
    expect(await balanceOf(tester)).toBe(40);
    const [kept] = await server.query<{ count: number }>(
      'select count(*)::int from credit_reports where tenant_id = $1',
      [tester.tenantId],
    );
    expect(kept?.count).toBe(AFFORDABLE);
  });
});

test('the first requests of a company at once: one wallet, with its credits once', async () => {
  const tester = await addTester(server);
  await Promise.all(Array.from({ length: 20 }, () => tester.trefoil.generate(charged())));
  await grave('one wallet', async () => {
    expect(await movesOf(tester)).toEqual([`top-up ${FULL}`, ...Array(20).fill('report-charge -2000')]);
    expect(await balanceOf(tester)).toBe(FULL - 40_000);
  });
});

test('the last wrong code, a right one, the clock and two jobs at once, thirty times: refunded once, or complete and not refunded', async () => {
  const tester = await addTester(server);
  await Promise.all(
    Array.from({ length: 30 }, async () => {
      const open = await challengeFor(tester);
      await open.submit('000000');
      await open.submit('000000');
      const settled = await Promise.allSettled([
        open.submit('000000'),
        open.submit('123456'),
        open.advance(301),
        expireInSandbox(server.database.jobs),
        expireInSandbox(server.database.jobs),
      ]);
      const known = settled
        .filter((each) => each.status === 'rejected')
        .map(({ reason }) => (reason as TrefoilError).code);
      for (const code of known) expect(['challenge-closed', 'challenge-expired']).toContain(code);
      const { data } = await tester.trefoil.getReport(open.creditReportId);
      await grave('one refund', async () => {
        const refunds = data.status === 'complete' ? [] : ['report-refund 2000'];
        expect(['complete', 'failed']).toContain(data.status);
        expect(await movesOf(tester, open.creditReportId)).toEqual([
          'report-charge -2000',
          'sms-charge -40',
          ...refunds,
        ]);
      });
    }),
  );
});

const BUREAUS = ['equifax', 'experian', 'transunion'] as const;
const away = (count: number) => ({
  bureauResults: BUREAUS.slice(0, count).map((bureau) => ({ bureau, outcome: 'unavailable' as const })),
});

/** Everything that moves credits of a test wallet. */
const MOVES: Readonly<Record<string, (tester: Tester) => Promise<unknown>>> = {
  report: ({ trefoil }) => trefoil.generate(charged()),
  'report of two bureaus': ({ trefoil }) => trefoil.generate(charged(away(1))),
  'report that fails': ({ trefoil }) => trefoil.generate(charged(away(3))),
  'report without charges': ({ trefoil }) => trefoil.generate({ ...charged(), testOptions: {} }),
  'right code': async (tester) => (await challengeFor(tester, { receipt: 'never' })).submit('123456'),
  'right code, a bureau away': async (tester) => (await challengeFor(tester, away(1))).submit('123456'),
  'wrong codes after a resend': async (tester) => {
    const open = await challengeFor(tester, { receipt: 'undelivered' });
    await open.resend();
    await failByCodes(open);
  },
  'the clock': async (tester) => (await challengeFor(tester)).advance(301),
  'an open challenge': (tester) => challengeFor(tester),
  'nothing left': ({ trefoil }) => trefoil.resetTestWallet(0),
  'a little left': ({ trefoil }) => trefoil.resetTestWallet(2_500),
  'everything again': ({ trefoil }) => trefoil.resetTestWallet(),
};

test('whatever moves credits: the amounts of wallet.… events add up to the balance, and are the lines of the statement', async () => {
  const moves = fc.array(fc.constantFrom(...Object.keys(MOVES)), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(moves, async (names) => {
      const tester = await addTester(server);
      for (const name of names) {
        // One for which the wallet lacks credits moves none.
        await MOVES[name]?.(tester).catch((error: unknown) => expect(error).toMatchObject({ status: 402 }));
      }
      const lines: number[] = [];
      for await (const { amount } of tester.trefoil.listWalletEntries({ test: true })) lines.unshift(amount);
      const told = await eventually(async () => {
        const events = await readAll(tester.trefoil, { type: 'wallet', test: true });
        expect(events).toHaveLength(lines.length);
        return events.flatMap(({ data }) => data.amount ?? []);
      });
      // A company that has moved nothing has its first credits, and neither a line nor an event yet.
      const sum = lines.length === 0 ? FULL : told.reduce((all, amount) => all + amount, 0);
      const balance = await balanceOf(tester);
      await grave('the balance of test mode from its events', () => {
        expect(told, names.join(', ')).toEqual(lines);
        expect(sum, names.join(', ')).toBe(balance);
      });
    }),
    { numRuns: 20 },
  );
}, 120_000);
