// The totals of months and days against the journal itself: random lines around midnights, months' ends and the two changes
// of the clock, counted by the job at random moments (docs/decisions/0233-days-of-a-wallet.md).
import type { WalletMonth } from '@trefoil/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { rollUpDays } from '../../src/wallet/days/roll-up-days.ts';
import { startServer, type TestServer } from '../harness.ts';
import { type Kind, type Line, post, signed } from '../support/ledger-lines.ts';
import {
  addCredits,
  addLiveReport,
  addTenant,
  capture,
  holdFor,
  plant,
  refund,
  results,
} from '../support/money-states.ts';
import { addPerson, callAs } from '../support/people.ts';
import { P, PRICE } from '../support/words.ts';

let server: TestServer;
beforeAll(async () => {
  // The job runs when the test says so.
  server = await startServer({ environment: { TREFOIL_JOBS: 'off' } });
});
afterAll(() => server.close());

const read = async (tenantId: string, path: string) => {
  const analyst = await addPerson(server, tenantId, 'analyst');
  const { status, data } = await callAs(server, analyst, 'GET', `/${tenantId}/v1/${path}`);
  expect(status).toBe(200);
  return data;
};
const monthsOf = async (tenantId: string) => (await read(tenantId, 'wallet/months'))['items'] as WalletMonth[];

const FIELDS = {
  'top-up': 'topUps',
  adjust: 'adjustments',
  'report-charge': 'reports',
  'report-refund': 'refunds',
  'sms-charge': 'messages',
} as const;

/** In words of the test's own: the month that a clock in London shows. */
const londonMonth = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London', year: 'numeric', month: '2-digit' });
const monthOf = (at: string) => londonMonth.format(new Date(at)).slice(0, 7);

const EDGES = [
  ['2026-01-31T23:59:59.999Z', '2026-02-01T00:00:00.000Z', '2026-03-29T00:59:59.999Z', '2026-03-29T01:00:00.000Z'],
  ['2026-03-31T22:59:59.999Z', '2026-03-31T23:00:00.000Z', '2026-04-30T22:59:59.999Z', '2026-04-30T23:00:00.000Z'],
  ['2026-10-25T00:59:59.999Z', '2026-10-25T01:00:00.000Z', '2026-10-31T23:59:59.999Z', '2026-11-01T00:00:00.000Z'],
].flat();
const line: fc.Arbitrary<Line> = fc.record({
  kind: fc.constantFrom(...(Object.keys(FIELDS) as Kind[]), 'sms-writeoff' as const),
  amount: fc.integer({ min: 0, max: 3_000 }),
  at: fc.oneof(
    fc.constantFrom(...EDGES),
    fc
      .date({ min: new Date('2025-12-01'), max: new Date('2026-11-10'), noInvalidDate: true })
      .map((date) => date.toISOString()),
  ),
});
function expectMonths(months: readonly WalletMonth[], lines: readonly Line[]): void {
  const shown = lines.filter(({ kind }) => kind !== 'sms-writeoff');
  let balance = 0;
  for (const month of months.toReversed()) {
    const own = shown.filter(({ at }) => monthOf(at) === month.month);
    const sum = (kind: Kind) => own.filter((each) => each.kind === kind).reduce((all, each) => all + signed(each), 0);
    expect(month.opening, month.month).toBe(balance);
    for (const [kind, field] of Object.entries(FIELDS)) {
      expect(month[field], `${month.month} ${field}`).toBe(sum(kind as Kind));
    }
    balance += own.reduce((all, each) => all + signed(each), 0);
    expect([month.closing, month.count], month.month).toEqual([balance, own.length]);
    for (const { at } of own) expect(at >= month.startsAt && at < month.endsAt, `${at} in ${month.month}`).toBe(true);
  }
  expect(months.reduce((all, { count }) => all + count, 0)).toBe(shown.length);
  // Without a gap, and the current month first.
  expect(months.slice(1).map(({ endsAt }) => endsAt)).toEqual(months.slice(0, -1).map(({ startsAt }) => startsAt));
  expect(months[0]?.month).toBe(monthOf(new Date().toISOString()));
}

test('whatever was posted, and whenever it is counted: every total equals the journal', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ lines: fc.array(line, { maxLength: 15 }), counts: fc.boolean() }), { maxLength: 5 }),
      async (steps) => {
        const tenantId = await addTenant(server);
        // Enough that no charge makes the balance negative.
        const first: Line = { kind: 'top-up', amount: 1_000_000, at: '2025-11-30T23:59:59.999Z' };
        await post(server, tenantId, [first]);
        const posted = [first];
        for (const { lines, counts } of steps) {
          await post(server, tenantId, lines);
          posted.push(...lines);
          if (counts) await rollUpDays(server.database);
          expectMonths(await monthsOf(tenantId), posted);
        }
        const [newest] = await monthsOf(tenantId);
        expect(newest?.closing).toBe((await read(tenantId, 'wallet'))['balance']);
      },
    ),
    { numRuns: 12, endOnFailure: true },
  );
});

test('each line is told once to what counts credits for the metrics', async () => {
  const tenantId = await addTenant(server);
  await rollUpDays(server.database);
  const at = '2026-03-10T10:00:00.000Z';
  await post(server, tenantId, [
    { kind: 'top-up', amount: 900, at },
    { kind: 'report-charge', amount: 200, at },
    { kind: 'report-charge', amount: 300, at: '2026-04-10T10:00:00.000Z' },
    { kind: 'adjust', amount: 70, at },
    { kind: 'adjust', amount: -60, at },
  ]);
  const told: object[] = [];
  for (let time = 0; time < 2; time += 1) await rollUpDays(server.database, undefined, (kind) => told.push(kind));
  expect(told).toHaveLength(3);
  expect(told).toContainEqual({ kind: 'top-up', lines: 1, credits: 900 });
  expect(told).toContainEqual({ kind: 'report-charge', lines: 2, credits: 500 });
  // Both directions: what was moved, and not what is left of it.
  expect(told).toContainEqual({ kind: 'adjust', lines: 2, credits: 130 });
});

test('503 with Retry-After while more than 100,000 lines are not counted yet; right as soon as they are', async () => {
  const tenantId = await addTenant(server);
  await post(server, tenantId, [{ kind: 'top-up', amount: 700, at: '2026-03-10T10:00:00.000Z' }]);
  const analyst = await addPerson(server, tenantId, 'analyst');
  const read = async () => {
    // Test mode moves no credits, so its days wait for no line.
    const paths = ['wallet/months', 'usage', 'wallet/statement?month=2026-03', 'usage?test=true'];
    const headers = { authorization: `Bearer ${analyst.token}` };
    const asked = paths.map((path) => fetch(`${server.baseUrl}/${tenantId}/v1/${path}`, { headers }));
    return (await Promise.all(asked)).map((reply) => [reply.status, Number(reply.headers.get('retry-after') ?? 0)]);
  };
  // Places without lines: as many to count, and a test need not write them.
  for (const [lastSeq, expected] of [
    [100_000, [200, 0]],
    [100_001, [503, 30]],
  ] as const) {
    await plant(server, `update wallets set last_seq = ${lastSeq} where tenant_id = '${tenantId}'`);
    expect(await read(), String(lastSeq)).toEqual([expected, expected, expected, [200, 0]]);
  }
  await rollUpDays(server.database);
  expect((await read()).map(([status]) => status)).toEqual([200, 200, 200, 200]);
  expect((await monthsOf(tenantId)).at(-1)).toMatchObject({ month: '2026-03', topUps: 700, count: 1 });
});

test('a new wallet has the current month, with nothing in it', async () => {
  const tenantId = await addTenant(server);
  expect(await monthsOf(tenantId)).toEqual([
    expect.objectContaining({ month: monthOf(new Date().toISOString()), opening: 0, closing: 0, count: 0 }),
  ]);
});

test('eight workers count while lines are posted: each line is counted once', async () => {
  const tenantId = await addTenant(server);
  const posting = (async () => {
    for (let place = 0; place < 60; place += 1) await addCredits(server, tenantId, 1 + place);
  })();
  const working = Array.from({ length: 8 }, async () => {
    for (let time = 0; time < 15; time += 1) await rollUpDays(server.database);
  });
  await Promise.all([posting, ...working]);
  await rollUpDays(server.database);
  const [row] = await server.query(
    `select sum(lines)::int as lines, sum(amount)::int as amount,
            (select last_seq::int from wallet_rollups where tenant_id = $1) as place from wallet_days where tenant_id = $1`,
    [tenantId],
  );
  expect(row).toEqual({ lines: 60, amount: (60 * 61) / 2, place: 60 });
  expect((await monthsOf(tenantId))[0]).toMatchObject({ topUps: (60 * 61) / 2, count: 60 });
});

test('a line of a report says for how many bureaus it is; the file has it as its last column', async () => {
  const tenantId = await addTenant(server);
  await addCredits(server, tenantId, 100_000);
  const charge = async (outcomes: Parameters<typeof results>, charged: number, status = 'complete' as const) => {
    const id = await addLiveReport(server, tenantId, { status, bureauResults: results(...outcomes) });
    await holdFor(server, tenantId, 'report', id);
    await capture(server, { tenantId, kind: 'report', sourceId: id }, charged, id);
    return id;
  };
  await charge(['ok', 'no-trace', 'ok'], P);
  await charge(['ok', 'unavailable', 'ok'], P - PRICE.bureau);
  const late = await charge(['ok', 'unavailable', 'unavailable'], P);
  await refund(server, tenantId, late, 2 * PRICE.bureau);
  const open = await addLiveReport(server, tenantId, { status: 'challenged', challengeId: newId() });
  await holdFor(server, tenantId, 'report', open);
  await capture(server, { tenantId, kind: 'report', sourceId: open }, P, open);
  const { items } = (await read(tenantId, 'wallet/entries')) as {
    items: { kind: string; bureauCount: number | null }[];
  };
  expect(items.map(({ kind, bureauCount }) => [kind, bureauCount])).toEqual([
    ['report-charge', null],
    ['report-refund', 2],
    ['report-charge', 3],
    ['report-charge', 2],
    ['report-charge', 3],
    ['top-up', null],
  ]);
});
