// What a company used, against its statement and its events: random days around midnights and the change of the clock, counted at random
// moments, and a day of live reports (docs/decisions/0234-usage.md).
import type { UsageData } from '@trefoil/contract';
import { createTrefoil } from '@trefoil/sdk';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { createCredential } from '../../src/identity/credentials/change-credential.ts';
import { newId } from '../../src/lib/ids.ts';
import { rollUpUsage } from '../../src/usage/roll-up-usage.ts';
import { rollUpDays } from '../../src/wallet/days/roll-up-days.ts';
import { generateBody, startChallenge } from '../harness.ts';
import { challenge, generate, messages } from '../support/challenges.ts';
import { type Kind, type Line, post } from '../support/ledger-lines.ts';
import { type LiveServer, startLiveServer } from '../support/live.ts';
import { addTenant as addBook, addLiveReport } from '../support/money-states.ts';
import { addPerson, addTenantWithOwner, callAs } from '../support/people.ts';
import { addTenant, type OwnTenant } from '../support/tenant.ts';
import { codeIn } from '../support/words.ts';

let server: LiveServer;
beforeAll(async () => {
  server = await startLiveServer();
});
afterAll(() => server.close());

const usageOf = async (tenantId: string, query = ''): Promise<UsageData> => {
  const analyst = await addPerson(server, tenantId, 'analyst');
  const { status, data } = await callAs(server, analyst, 'GET', `/${tenantId}/v1/usage${query}`);
  expect(status).toBe(200);
  return data as unknown as UsageData;
};

/** Counts first: transactions of other tests on the same database server delay events. */
const counting =
  <T>(read: () => Promise<T>) =>
  async () => {
    await rollUpUsage(server.database);
    return read();
  };

/** In words of the test's own: the day that a clock in London shows. */
const london = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London' });
const dayOf = (at: string | Date) => london.format(new Date(at));
const DAY_MS = 86_400_000;
/** The last days of London, oldest first: noon is the same day in summer and winter. */
const lastDays = (count: number) => {
  const noon = Date.parse(`${dayOf(new Date())}T12:00:00Z`);
  return Array.from({ length: count }, (_, place) => dayOf(new Date(noon - (count - 1 - place) * DAY_MS)));
};
/** Any instant of the last 70 days, and those at which a day of London begins or ends. */
const instants = fc.oneof(
  fc.integer({ min: 1, max: 70 * 86_400 }).map((seconds) => new Date(Date.now() - seconds * 1_000).toISOString()),
  fc
    .tuple(
      fc.constantFrom(...lastDays(70).slice(0, -1)),
      fc.constantFrom('22:59:59.999Z', '23:00:00.000Z', '23:59:59.999Z', '00:00:00.000Z'),
    )
    .map(([day, time]) => `${day}T${time}`),
);

test('credits by day equal the journal, whatever was posted and whenever it is counted', async () => {
  const line: fc.Arbitrary<Line> = fc.record({
    kind: fc.constantFrom<Kind>('report-charge', 'report-refund', 'sms-charge', 'sms-writeoff', 'adjust'),
    amount: fc.integer({ min: 0, max: 3_000 }),
    at: instants,
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 25 }),
      fc.nat(25),
      fc.constantFrom(1, 7, 14, 30),
      async (lines, cut, days) => {
        const tenantId = await addBook(server);
        await post(server, tenantId, [
          { kind: 'top-up', amount: 1_000_000, at: '2020-01-01T00:00:00.000Z' },
          ...lines.slice(0, cut),
        ]);
        await rollUpDays(server.database);
        await post(server, tenantId, lines.slice(cut));
        const usage = await usageOf(tenantId, `?days=${days}`);
        const spentOn = (chosen: readonly string[]) => {
          const sum = (kind: Kind) =>
            lines
              .filter((each) => each.kind === kind && chosen.includes(dayOf(each.at)))
              .reduce((all, { amount }) => all + amount, 0);
          return { reports: sum('report-charge') - sum('report-refund'), messages: sum('sms-charge') };
        };
        expect(usage.days).toEqual(lastDays(days).map((day) => ({ day, ...spentOn([day]) })));
        expect(usage.spent).toEqual(spentOn(lastDays(days)));
        expect(usage.previous).toEqual(spentOn(lastDays(2 * days).slice(0, days)));
        const week = spentOn(lastDays(7));
        expect(usage.last7DaysCredits).toBe(week.reports + week.messages);
      },
    ),
    { numRuns: 12, endOnFailure: true },
  );
});

type Planted = { readonly type: string; readonly isTest: boolean; readonly at: string };

test('outcomes and codes equal the events, live and test apart, whenever they are counted', async () => {
  const types = [
    'report.completed',
    'report.blocked',
    'report.failed',
    'report.expired',
    'report.challenged',
    'challenge.sent',
    'challenge.delivered',
    'challenge.undelivered',
    'wallet.charged',
  ];
  const event: fc.Arbitrary<Planted> = fc.record({
    type: fc.constantFrom(...types),
    isTest: fc.boolean(),
    at: instants,
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { maxLength: 40 }),
      fc.nat(40),
      fc.constantFrom(1, 7, 30),
      async (events, cut, days) => {
        const tenantId = await addBook(server);
        const plant = async (some: readonly Planted[]) => {
          for (const { type, isTest, at } of some) {
            await server.query(
              `insert into outbox (tenant_id, type, subject_id, is_test, created_at) values ($1, $2, $3, $4, $5)`,
              [tenantId, type, newId(), isTest, at],
            );
          }
          await rollUpUsage(server.database);
        };
        await plant(events.slice(0, cut));
        await plant(events.slice(cut));
        const counted = async (isTest: boolean) => {
          const { outcomes, codes } = await usageOf(tenantId, `?days=${days}&test=${isTest}`);
          return { ...outcomes, ...codes };
        };
        for (const isTest of [false, true]) {
          const of = (type: string) =>
            events.filter(
              (each) => each.type === type && each.isTest === isTest && lastDays(days).includes(dayOf(each.at)),
            ).length;
          const expected = {
            complete: of('report.completed'),
            blocked: of('report.blocked'),
            failed: of('report.failed'),
            expired: of('report.expired'),
            sent: of('challenge.sent'),
            delivered: of('challenge.delivered'),
            undelivered: of('challenge.undelivered'),
            verified: 0,
            medianSeconds: null,
          };
          await eventually(async () => expect(await counting(() => counted(isTest))()).toEqual(expected));
        }
      },
    ),
    { numRuns: 8, endOnFailure: true },
  );
});

test('a day is one of London, in summer and in winter', async () => {
  const tenantId = await addBook(server);
  const rows = [
    ['2026-06-30T22:59:59.999Z', '2026-06-30'],
    ['2026-06-30T23:00:00.000Z', '2026-07-01'],
    ['2026-03-29T00:30:00.000Z', '2026-03-29'],
    ['2026-03-29T23:30:00.000Z', '2026-03-30'],
    ['2026-10-25T00:30:00.000Z', '2026-10-25'],
    ['2026-10-25T23:30:00.000Z', '2026-10-25'],
    ['2026-12-31T23:59:59.999Z', '2026-12-31'],
  ] as const;
  for (const [at] of rows) {
    await server.query(
      `insert into outbox (tenant_id, type, subject_id, created_at) values ($1, 'report.blocked', $2, $3)`,
      [tenantId, newId(), at],
    );
  }
  const counted = () =>
    server.query<{ day: string; count: number }>(
      'select day::text, count::int from usage_days where tenant_id = $1 order by day',
      [tenantId],
    );
  const days = [...new Set(rows.map(([, day]) => day))].toSorted();
  await eventually(async () =>
    expect(await counting(counted)()).toEqual(
      days.map((day) => ({ day, count: rows.filter(([, each]) => each === day).length })),
    ),
  );
});

test('the commonest failure, and half of the codes within how many seconds', async () => {
  const tenantId = await addBook(server);
  for (const failure of ['no-bureau-answered', 'expired', 'no-bureau-answered']) {
    const id = await addLiveReport(server, tenantId, { status: 'failed', failure });
    const type = failure === 'expired' ? 'report.expired' : 'report.failed';
    await server.query('insert into outbox (tenant_id, type, subject_id, credit_report_id) values ($1, $2, $3, $3)', [
      tenantId,
      type,
      id,
    ]);
  }
  for (const seconds of [5, 21, 400]) {
    const id = await addLiveReport(server, tenantId, { status: 'complete' });
    await server.query('update credit_reports set created_at = now() - make_interval(secs => $2) where id = $1', [
      id,
      seconds,
    ]);
    await server.query(
      `insert into outbox (tenant_id, type, subject_id, credit_report_id, created_at) values ($1, 'challenge.verified', $2, $2, now())`,
      [tenantId, id],
    );
  }
  await eventually(async () =>
    expect(await counting(() => usageOf(tenantId, '?days=1'))()).toMatchObject({
      outcomes: { failed: 2, expired: 1 },
      commonestFailure: { reason: 'no-bureau-answered', count: 2 },
      codes: { verified: 3, medianSeconds: 21 },
    }),
  );
});

describe('a day of live reports and test reports', () => {
  let tenant: OwnTenant;
  beforeAll(async () => {
    tenant = await addTenant(server, 50_000);
    await generate(server, tenant);
    await generate(server, tenant, { email: 'block@example.com' });
    const right = await challenge(server, { tenant });
    const [message] = await messages(server, right.to);
    if (!message) throw new Error('no message');
    await tenant.trefoil.submitOtp(right.creditReportId, { challengeId: right.challengeId, code: codeIn(message) });
    await tenant.trefoil.generate(generateBody());
    await startChallenge(tenant.trefoil);
  });

  test('200: every figure equals the statement and the events', async () => {
    const { tenantId, trefoil } = tenant;
    const expected = { complete: 2, blocked: 1, failed: 0, expired: 0 };
    await eventually(async () =>
      expect(await counting(() => usageOf(tenantId, '?days=2'))()).toMatchObject({
        outcomes: expected,
        codes: { sent: 1, verified: 1 },
      }),
    );
    const usage = await usageOf(tenantId, '?days=2');
    const { items } = (await trefoil.listWalletEntries({ limit: 200 })).data;
    const sum = (...kinds: string[]) =>
      items.filter(({ kind }) => kinds.includes(kind)).reduce((all, { amount }) => all - amount, 0);
    expect(usage.spent).toEqual({ reports: sum('report-charge', 'report-refund'), messages: sum('sms-charge') });
    expect(usage.last7DaysCredits).toBe(usage.spent.reports + usage.spent.messages);
    expect(usage.codes.medianSeconds).toBeLessThan(60);
  });

  test('200: test mode has its own figures and no credits', async () => {
    const usage = await usageOf(tenant.tenantId, '?days=2&test=true');
    expect(usage).toMatchObject({
      test: true,
      outcomes: { complete: 1, blocked: 0 },
      spent: { reports: 0, messages: 0 },
    });
  });

  test('200: a test-only credential sees the figures of test mode alone, and no bureau that was asked', async () => {
    const { tenantId } = tenant;
    const { userId } = await addPerson(server, tenantId, 'developer');
    const made = await server.database.asSystem((tx) =>
      createCredential(tx, {
        ...{ tenantId, name: 'Test', ownerUserId: userId, isTestOnly: true },
        scopes: ['reports:read', 'wallet:read'],
      }),
    );
    const { clientId, clientSecret } = made;
    const trefoil = createTrefoil({ baseUrl: server.baseUrl, tenantId, clientId, clientSecret: clientSecret ?? '' });
    expect((await trefoil.getUsage({ days: 2 })).data).toMatchObject({
      test: true,
      outcomes: { complete: 1, blocked: 0 },
    });
    const { items } = (await trefoil.getBureaus()).data;
    expect(new Set(items.map(({ state }) => state))).toEqual(new Set(['not-asked']));
  });

  test('200: another company sees nothing of it', async () => {
    const { tenantId } = await addTenantWithOwner(server);
    const usage = await usageOf(tenantId);
    expect(usage.days).toHaveLength(30);
    expect(usage).toMatchObject({
      spent: { reports: 0, messages: 0 },
      outcomes: { complete: 0, blocked: 0, failed: 0, expired: 0 },
      commonestFailure: null,
      codes: { sent: 0, delivered: 0, undelivered: 0, verified: 0, medianSeconds: null },
    });
  });
});

test.each(['days=0', 'days=91', 'days=x', 'days=1.5', 'test=maybe', 'days=1&days=2'])(
  '400 validation-error: ?%s',
  async (query) => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    const { status, code } = await callAs(server, owner, 'GET', `/${tenantId}/v1/usage?${query}`);
    expect([status, code]).toEqual([400, 'validation-error']);
  },
);

test('eight workers count at once: each event is counted once', async () => {
  const tenantId = await addBook(server);
  const posting = (async () => {
    for (let place = 0; place < 50; place += 1) {
      await server.query(`insert into outbox (tenant_id, type, subject_id) values ($1, 'report.completed', $2)`, [
        tenantId,
        newId(),
      ]);
    }
  })();
  const working = Array.from({ length: 8 }, async () => {
    for (let time = 0; time < 10; time += 1) await rollUpUsage(server.database);
  });
  await Promise.all([posting, ...working]);
  await eventually(async () =>
    expect(await counting(async () => (await usageOf(tenantId)).outcomes.complete)()).toBe(50),
  );
});
