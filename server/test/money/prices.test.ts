// Prices: the list, a tenant's own, and what changes when (docs/decisions/0054-prices.md); and the tenant's other settings.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectSince } from '../../../tools/testing/expect-since.ts';
import { newId } from '../../src/lib/ids.ts';
import { findPrices, listCurrentPrices } from '../../src/wallet/read-prices.ts';
import { PRICE_ITEMS } from '../../src/wallet/rules/price-list.ts';
import { startServer, type TestServer } from '../harness.ts';
import { jsonHere, runHere, sayHere } from '../support/command-line.ts';
import { addTenant } from '../support/money-states.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const pricesOf = async (tenantId: string) =>
  (await server.database.forTenants([tenantId], (tx) => listCurrentPrices(tx, [tenantId]))).get(tenantId);

test('200: without more the price list holds, and no change is known', async () => {
  const { data, meta } = await server.trefoil.getPrices();
  const since = '2000-01-01T00:00:00.000Z';
  expect(data).toEqual({
    report: { credits: 200, source: 'list', effectiveFrom: since },
    bureau: { credits: 600, source: 'list', effectiveFrom: since },
    sms: { credits: 40, source: 'list', effectiveFrom: since },
    changes: [],
  });
  expect(Object.keys(meta)).toEqual(['request']);
});

test('many tenants in one statement, each with its own', async () => {
  const tenantIds = await Promise.all([addTenant(server), addTenant(server), addTenant(server)]);
  const [first = '', second = ''] = tenantIds;
  await server.query(
    `insert into tenant_prices (tenant_id, item, effective_from, credits)
     values ($1, 'sms', now() - interval '1 day', 30), ($2, 'bureau', now() - interval '1 day', 0),
            ($2, 'bureau', now() + interval '1 day', 1)`,
    [first, second],
  );
  const prices = await server.database.forTenants(tenantIds, (tx) => listCurrentPrices(tx, [...tenantIds, first]));
  expect([...prices.keys()].toSorted()).toEqual(tenantIds.toSorted());
  expect(tenantIds.map((id) => prices.get(id))).toEqual([
    { report: 200, bureau: 600, sms: 30 },
    { report: 200, bureau: 0, sms: 40 },
    { report: 200, bureau: 600, sms: 40 },
  ]);
});

test('what a charge takes and what the tenant reads are the same price, whatever was set when', async () => {
  const rows = fc.array(
    fc.record({
      item: fc.constantFrom(...PRICE_ITEMS),
      days: fc.integer({ min: -9, max: 9 }),
      credits: fc.option(fc.integer({ min: 0, max: 3 }), { nil: null }),
    }),
    { maxLength: 12 },
  );
  await fc.assert(
    fc.asyncProperty(rows, async (changes) => {
      const tenantId = await addTenant(server);
      for (const { item, days, credits } of changes) {
        await server.query(
          `insert into tenant_prices (tenant_id, item, effective_from, credits)
           values ($1, $2, now() + $3 * interval '1 day', $4) on conflict do nothing`,
          [tenantId, item, days, credits],
        );
      }
      const shown = await server.database.forTenants([tenantId], (tx) => findPrices(tx, tenantId));
      const current = Object.fromEntries(PRICE_ITEMS.map((item) => [item, shown[item].credits]));
      expect(current).toEqual(await pricesOf(tenantId));
      for (const change of shown.changes) expect(Date.parse(change.effectiveFrom)).toBeGreaterThan(Date.now());
    }),
    { numRuns: 40 },
  );
});

describe('the operator', () => {
  let own: TestServer;
  let tenantId: string;
  beforeAll(async () => {
    own = await startServer();
    tenantId = own.demo.tenantId;
  });
  afterAll(() => own.close());

  test('price set gives a tenant its own price at once, price unset takes it back', async () => {
    const printed = await sayHere(own, 'price', 'set', '--item', 'sms', '--credits', '35', '--tenant', tenantId);
    expect(printed).toMatch(new RegExp(`^Tenant ${tenantId} pays 35 credits \\(£0\\.035\\) for sms from \\d{4}-`));
    expect((await own.trefoil.getPrices()).data.sms).toMatchObject({ credits: 35, source: 'tenant' });
    expect((await own.otherTrefoil.getPrices()).data.sms).toMatchObject({ credits: 40, source: 'list' });
    expect(await sayHere(own, 'price', 'list', '--tenant', tenantId)).toMatch(
      /^sms +35 credits \(£0\.035\) +\d{4}-\d\d-\d\d \d\d:\d\dZ +now, own price$/m,
    );
    const beforeMs = Date.now();
    await sayHere(own, 'price', 'unset', '--item', 'sms', '--tenant', tenantId);
    const { sms } = (await own.trefoil.getPrices()).data;
    expect(sms).toMatchObject({ credits: 40, source: 'list' });
    expectSince(beforeMs, sms.effectiveFrom);
  });

  test('a price to come is known to everybody it concerns, and holds only then', async () => {
    await sayHere(own, 'price', 'set', '--item', 'bureau', '--credits', '650', '--from', '2099-01-01');
    await sayHere(
      own,
      'price',
      'set',
      '--item',
      'bureau',
      '--credits',
      '500',
      '--tenant',
      tenantId,
      '--from',
      '2098-06-01T00:00:00Z',
    );
    const listed = { item: 'bureau', credits: 650, source: 'list', effectiveFrom: '2099-01-01T00:00:00.000Z' };
    const agreed = { item: 'bureau', credits: 500, source: 'tenant', effectiveFrom: '2098-06-01T00:00:00.000Z' };
    expect((await own.otherTrefoil.getPrices()).data).toMatchObject({ bureau: { credits: 600 }, changes: [listed] });
    // The list's change passes a tenant by that has its own price then.
    expect((await own.trefoil.getPrices()).data).toMatchObject({ bureau: { credits: 600 }, changes: [agreed] });
    const shown = await sayHere(own, 'price', 'list');
    expect(shown).toMatch(/^bureau +600 credits \(£0\.60\) +2000-01-01 00:00Z +now$/m);
    expect(shown).toMatch(/^bureau +650 credits \(£0\.65\) +2099-01-01 00:00Z +to come$/m);
    expect(await jsonHere(own, 'price', 'list')).toMatchObject({
      prices: expect.arrayContaining([{ item: 'bureau', credits: 650, effectiveFrom: '2099-01-01T00:00:00.000Z' }]),
    });
  });

  test('the past is not priced again, nor one instant twice, nor a tenant that is not there', async () => {
    const set = (...more: string[]) => runHere(own, 'price', 'set', '--item', 'report', '--credits', '1', ...more);
    expect(await set('--from', '2020-01-01')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is in the past'),
    });
    expect(await set('--from', '2097-01-01')).toMatchObject({ code: 0 });
    expect(await set('--from', '2097-01-01')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('already a price from that instant'),
    });
    expect(await set('--tenant', newId())).toMatchObject({ code: 1, stderr: expect.stringContaining('no tenant') });
    const [{ count } = { count: 0 }] = await own.query<{ count: number }>(
      `select count(*)::int from list_prices where item = 'report'`,
    );
    expect(count).toBe(2);
  });

  test('tenant retention, sms and screening change what they name and leave the rest', async () => {
    await sayHere(own, 'tenant', 'retention', '--tenant', tenantId, '--days', '60');
    await sayHere(own, 'tenant', 'sms', '--tenant', tenantId, '--countries', 'gb,IE', '--daily-credits', '40000');
    const counts = ['--daily-messages', '500', '--minute-messages', '20'];
    await sayHere(own, 'tenant', 'sms', '--tenant', tenantId, ...counts);
    const printed = await sayHere(own, 'tenant', 'sms', '--tenant', tenantId, '--host', 'Claims.example.com');
    expect(printed).toContain('up to 500 messages; up to 40,000 credits');
    expect(printed).toContain('GB IE');
    const screening = (...more: string[]) => runHere(own, 'tenant', 'screening', '--tenant', tenantId, ...more);
    expect(await screening('--policy', 'stricter', '--block-points', '60')).toMatchObject({ code: 0 });
    expect(await screening('--challenge-points', '60')).toMatchObject({ code: 2 });
    expect(await screening('--policy', 'nobody')).toMatchObject({ code: 2 });
    expect(await screening()).toMatchObject({ code: 2, stderr: expect.stringContaining('Say what to change') });
    const settings = {
      name: 'Demo Claims',
      retentionDays: 60,
      smsCountries: ['GB', 'IE'],
      smsDailyCredits: 40_000,
      smsDailyMessages: 500,
      smsMinuteMessages: 20,
      otpHost: 'claims.example.com',
      screeningPolicy: 'stricter',
      challengePoints: 20,
      blockPoints: 60,
      lowBalanceCredits: null,
      ...{ displayName: null, ownSmsCountries: null, ownSmsDailyCredits: null },
      ...{ ownSmsDailyMessages: null, ownSmsMinuteMessages: null, requireSecondFactor: false },
    };
    expect(await jsonHere(own, 'tenant', 'show', '--tenant', tenantId)).toEqual({
      tenantId,
      isEnabled: true,
      ...settings,
    });
    expect(await jsonHere(own, 'tenant', 'sms', '--tenant', tenantId, '--no-host', '--default-daily-limit')).toEqual({
      tenantId,
      ...settings,
      smsDailyCredits: null,
      smsDailyMessages: null,
      otpHost: null,
    });
    expect(await sayHere(own, 'tenant', 'show', '--tenant', own.other.tenantId)).toContain('30 days');
    const sms = (...more: string[]) => runHere(own, 'tenant', 'sms', '--tenant', tenantId, ...more);
    expect(await sms()).toMatchObject({ code: 2, stderr: expect.stringContaining('Say what to change') });
    expect(await sms('--host', 'a.example.com', '--no-host')).toMatchObject({ code: 2 });
    expect(await sms('--daily-credits', '5', '--default-daily-limit')).toMatchObject({ code: 2 });
    expect(await sms('--minute-messages', '5', '--default-minute-limit')).toMatchObject({ code: 2 });
    expect((await sms('--default-minute-limit')).stdout).toContain('up to 60 messages, the default');
    const unknown = await runHere(own, 'tenant', 'retention', '--tenant', newId(), '--days', '5');
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no tenant') });
  });
});
