// The quote: the validation of generate, the price, the funds and the company's own limits. It asks nobody and writes nothing.
import type { GenerateRequest, QuoteData } from '@trefoil/contract';
import type { TrefoilError } from '@trefoil/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectSince } from '../../../../tools/testing/expect-since.ts';
import { createKeyedHash } from '../../../src/lib/crypto/keyed-hash.ts';
import { generateBody, startServer } from '../../harness.ts';
import { printState } from '../../support/dump.ts';
import { type LiveServer, liveBody, startLiveServer } from '../../support/live.ts';
import { addTenant, type OwnTenant } from '../../support/tenant.ts';
import { quietMobile } from '../../support/words.ts';

let server: LiveServer;
beforeAll(async () => {
  server = await startLiveServer({ environment: { TREFOIL_JOBS: 'off' } });
});
afterAll(() => server.close());

const hashOf = (mobileNumber: string) =>
  createKeyedHash(server.config.hashKeys[0].key, 'mobile')(mobileNumber).toString('hex');
const live = (changes: Partial<GenerateRequest> = {}) => liveBody(server.mintSession(), changes);
const quote = async (tenant: OwnTenant, body: GenerateRequest): Promise<QuoteData> =>
  (await tenant.trefoil.quote(body)).data;
const refusing = ({ limits }: QuoteData) => limits.filter(({ refuses }) => refuses).map(({ kind }) => kind);

describe('200', () => {
  test('price, maximum and funds with and without a number, and what generate then does', async () => {
    const tenant = await addTenant(server, 2_040);
    const mobileNumber = quietMobile();
    const quoted = await quote(tenant, live({ mobileNumber }));
    expect(quoted).toEqual({
      test: false,
      report: 200,
      bureaus: ['equifax', 'experian', 'transunion'].map((bureau) => ({ bureau, credits: 600 })),
      message: 40,
      maximum: 2_120,
      funds: { required: 2_040, available: 2_040, sufficient: true },
      limits: ['destination', 'company-number', 'company-day', 'company-minute'].map((kind) => ({
        kind,
        refuses: false,
        resetsAt: null,
      })),
    });
    const { mobileNumber: _, ...without } = live({ bureaus: ['transunion'] });
    const small = await quote(tenant, without);
    expect(small).toMatchObject({ bureaus: [{ bureau: 'transunion', credits: 600 }], maximum: 800, message: 40 });
    expect(small.funds).toEqual({ required: 800, available: 2_040, sufficient: true });
    expect(refusing(small)).toEqual(['destination']);
    expect((await tenant.trefoil.generate(live({ mobileNumber }))).meta.wallet.cost).toBe(2_000);
    const after = await quote(tenant, live({ mobileNumber }));
    expect(after.funds).toEqual({ required: 2_040, available: 40, sufficient: false });
    await expect(tenant.trefoil.generate(live({ mobileNumber }))).rejects.toMatchObject({
      status: 402,
      required: 2_040,
      available: 40,
    });
  });

  test('in test mode the same figures, marked as test', async () => {
    const tenant = await addTenant(server, 100);
    const mobileNumber = quietMobile();
    const [inTest, inLive] = [
      await quote(tenant, generateBody({ mobileNumber })),
      await quote(tenant, live({ mobileNumber })),
    ];
    expect(inTest).toEqual({ ...inLive, test: true });
    expect(inTest.funds.sufficient).toBe(false);
  });

  test('a price of the tenant’s own', async () => {
    const tenant = await addTenant(server, 0);
    await server.query(`insert into tenant_prices values ($1, 'bureau', now() - interval '1 minute', 100)`, [
      tenant.tenantId,
    ]);
    expect(await quote(tenant, live())).toMatchObject({ bureaus: [{ credits: 100 }, {}, {}], report: 200 });
  });
});

describe('200, limits of the company', () => {
  test('destination: a country that is not allowed, and a number that is no mobile', async () => {
    const tenant = await addTenant(server, 0);
    for (const mobileNumber of ['+33612345678', '+442079460000']) {
      expect(refusing(await quote(tenant, live({ mobileNumber })))).toEqual(['destination']);
    }
  });

  test.each(['challenged_at', 'messaged_at', 'mistaken_at'])(
    'company-number: %s at its cap, not one below',
    async (column) => {
      const caps: Record<string, number> = { challenged_at: 4, messaged_at: 8, mistaken_at: 9 };
      const tenant = await addTenant(server, 10_000);
      const mobileNumber = quietMobile();
      const mayNumber = async () => {
        const quoted = await quote(tenant, live({ mobileNumber }));
        return quoted.limits.find(({ kind }) => kind === 'company-number');
      };
      const set = (count: number) =>
        server.query(
          `insert into tenant_mobile_uses (tenant_id, number_hash, ${column})
         select $1, decode($3, 'hex'), array_fill(clock_timestamp() - interval '1 hour', array[$2::integer])
         on conflict (tenant_id, number_hash) do update set ${column} = excluded.${column}`,
          [tenant.tenantId, count, hashOf(mobileNumber)],
        );
      await set((caps[column] ?? 0) - 1);
      expect(await mayNumber()).toEqual({ kind: 'company-number', refuses: false, resetsAt: null });
      const beforeMs = Date.now();
      await set(caps[column] ?? 0);
      const limit = await mayNumber();
      expect(limit).toMatchObject({ refuses: true, resetsAt: expect.any(String) });
      // A day after uses of an hour ago.
      expectSince(beforeMs, Date.parse(limit?.resetsAt ?? '') - 23 * 3_600_000);
    },
  );

  test('company-day and company-minute: used, and without a time where waiting does not help', async () => {
    const tenant = await addTenant(server, 0);
    const body = live({ mobileNumber: quietMobile() });
    const { tenantId } = tenant;
    await server.query('update tenants set sms_daily_messages = null, sms_minute_messages = null where id = $1', [
      tenantId,
    ]);
    await server.query(
      `update wallets set sms_count_day = current_date, sms_day_messages = 1000,
              sms_minute = floor(extract(epoch from clock_timestamp()) / 60)::bigint, sms_minute_messages = 60
        where tenant_id = $1`,
      [tenantId],
    );
    const used = await quote(tenant, body);
    expect(refusing(used)).toContain('company-day');
    const day = used.limits.find(({ kind }) => kind === 'company-day');
    expect(day?.resetsAt).toMatch(/T00:00:00\.000Z$/);
    await server.query('update tenants set sms_daily_messages = 0, sms_minute_messages = 0 where id = $1', [tenantId]);
    const closed = await quote(tenant, body);
    expect(closed.limits.slice(2)).toEqual([
      { kind: 'company-day', refuses: true, resetsAt: null },
      { kind: 'company-minute', refuses: true, resetsAt: null },
    ]);
  });

  test('the cap over all companies shows in nothing: the same answer whether a number is at it or not', async () => {
    const tenant = await addTenant(server, 0);
    const mobileNumber = quietMobile();
    const before = await quote(tenant, live({ mobileNumber }));
    await server.query(
      `insert into mobile_uses (number_hash, challenged_at, messaged_at, mistaken_at)
       select decode($1, 'hex'), times, times, times
         from (select array_fill(clock_timestamp(), array[50]) as times) as used`,
      [hashOf(mobileNumber)],
    );
    expect(await quote(tenant, live({ mobileNumber }))).toEqual(before);
  });
});

describe('the same refusals as generate', () => {
  const faults = (call: Promise<unknown>) =>
    call.then(
      () => undefined,
      ({ status, code, details, message }: TrefoilError) => ({ status, code, details, message }),
    );

  test.each([
    ['a missing field', { firstName: undefined }],
    ['several faults', { bureaus: [], dateOfBirth: 'x', addresses: [{}] }],
    ['challengeOptions outside test mode', { challengeOptions: { status: 'allow' } }],
    ['testOptions outside test mode', { testOptions: {} }],
    ['a bad number', { mobileNumber: '07700900123' }],
  ])('400 validation-error: %s, at the same pointers', async (_name, changes) => {
    const body = { ...live(), ...changes } as GenerateRequest;
    const [quoted, generated] = [await faults(server.trefoil.quote(body)), await faults(server.trefoil.generate(body))];
    expect(quoted?.status).toBe(400);
    expect(quoted).toEqual(generated);
  });

  test('503 without providers in live mode, 200 in test mode', async () => {
    const bare = await startServer();
    try {
      const { test: _, ...body } = generateBody();
      expect(await faults(bare.trefoil.quote(body))).toEqual(await faults(bare.trefoil.generate(body)));
      const { data } = await bare.trefoil.quote(generateBody({ mobileNumber: '+447700900123' }));
      expect(refusing(data)).toEqual([]);
    } finally {
      await bare.close();
    }
  });
});

test('nothing is written and nobody is asked, in live and in test mode, fifty at once', async () => {
  const tenant = await addTenant(server, 5_000);
  await tenant.trefoil.getToken();
  const asked = async () => {
    const names = ['albion', 'beacon', 'cygnet', 'screening'] as const;
    return JSON.stringify(await Promise.all(names.map(async (name) => [...(await server.enquiries(name))])));
  };
  const before = { state: await printState(server), asked: await asked() };
  const mobileNumber = quietMobile();
  const bodies = [live({ mobileNumber }), generateBody({ mobileNumber }), generateBody()];
  await Promise.all(Array.from({ length: 50 }, (_, place) => quote(tenant, bodies[place % 3] as GenerateRequest)));
  expect(await printState(server)).toBe(before.state);
  expect(await asked()).toBe(before.asked);
});
