// Money under fire: two nodes on one database, hundreds of requests at once on one wallet, one key, one hold.
import { createTrefoil, TrefoilError } from '@trefoil/sdk';
import { describe, expect, test } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { type LedgerSession, openLedger } from '../../src/wallet/open-ledger.ts';
import { grave } from '../support/grave.ts';
import { type LiveServer, liveBody } from '../support/live.ts';
import { count, expectChargedOnce, inParallel, nodesOf } from '../support/races.ts';
import { addTenant, type OwnTenant, storyOf } from '../support/tenant.ts';
import { type SecondNode, useTwoNodes } from '../support/two-nodes.ts';
import { type Reply, send } from '../support/wire.ts';
import { BUREAUS, P } from '../support/words.ts';

let server: LiveServer;
let secondNode: SecondNode;
useTwoNodes((...nodes) => {
  [server, secondNode] = nodes;
});

test('200 parallel generates, funds for exactly 100: 100 complete, 100 × 402, never below zero, nobody asked in vain', async () => {
  const tenant = await addTenant(server, 100 * P);
  // The lowest balance and the highest hold that anybody can see meanwhile.
  let isOver = false;
  const watching = (async () => {
    const seen = { balance: Number.POSITIVE_INFINITY, available: Number.POSITIVE_INFINITY };
    while (!isOver) {
      const { balance, held } = await server.wallet(tenant.tenantId);
      seen.balance = Math.min(seen.balance, balance);
      seen.available = Math.min(seen.available, balance - held);
    }
    return seen;
  })();
  // On a busy machine a node may refuse some as busy (503) before anything is stored: they are sent again.
  const patient = [server.baseUrl, secondNode.baseUrl].map((baseUrl) =>
    createTrefoil({ ...tenant, baseUrl, maxRetries: 20, timeoutMs: 25_000 }),
  );
  const answers = await inParallel(patient, 200, (trefoil) => trefoil.generate(liveBody(server.mintSession())));
  isOver = true;
  const refused = answers.filter((answer) => answer instanceof TrefoilError);
  const completed = answers.flatMap((answer) => (answer instanceof TrefoilError ? [] : [answer]));
  expect(count(refused.map(({ status, code }) => `${status} ${code}`))).toEqual({ '402 insufficient-funds': 100 });
  const lowest = await watching;
  await grave('what 100 reports cost', async () => {
    expect((await server.wallet(tenant.tenantId)).balance).toBe(0);
    expect(Math.min(lowest.balance, lowest.available), 'the lowest that was seen').toBeGreaterThanOrEqual(0);
  });
  for (const { required, available } of refused) {
    expect(required).toBe(P);
    expect(available).toBeGreaterThanOrEqual(0);
    expect(available).toBeLessThan(P);
  }
  expect(count(completed.map(({ data, meta }) => `${data.status} ${meta.wallet.cost}`))).toEqual({
    'complete 2000': 100,
  });
  // Every answer has a balance of its own: the 100 steps down to zero.
  const balances = completed.map(({ meta }) => meta.wallet.balance).toSorted((a, b) => a - b);
  expect(balances).toEqual(Array.from({ length: 100 }, (_, index) => index * P));
  expect(await server.wallet(tenant.tenantId)).toEqual({ balance: 0, held: 0 });
  const ids = new Set(completed.map(({ data }) => data.creditReportId));
  for (const name of [...BUREAUS, 'screening'] as const) {
    const enquiries = await server.enquiries(name);
    expect(new Set(enquiries.keys()), name).toEqual(ids);
    expect(new Set(enquiries.values()), name).toEqual(new Set([1]));
  }
  // A report that waited too long for its reservation asks nobody: it is given up, and its request sent again.
  const reports = 'select from credit_reports where tenant_id = $1 and status = $2';
  expect(await server.query(reports, [tenant.tenantId, 'complete'])).toHaveLength(100);
});

test('60 parallel generates of three prices on funds that fit none evenly: what is left would not have paid for any refused one', async () => {
  const tenant = await addTenant(server, 30_000);
  const bureaus = [['equifax'], ['equifax', 'experian'], ['equifax', 'experian', 'transunion']] as const;
  const answers = await inParallel(nodesOf(tenant, secondNode), 60, (trefoil, index) =>
    trefoil.generate(liveBody(server.mintSession(), { bureaus: [...(bureaus[index % 3] ?? [])] })),
  );
  const spent = answers.reduce(
    (sum, answer) => sum + (answer instanceof TrefoilError ? 0 : answer.meta.wallet.cost),
    0,
  );
  for (const answer of answers) {
    if (!(answer instanceof TrefoilError)) continue;
    expect(answer.code).toBe('insufficient-funds');
    expect(answer.available).toBeLessThan(answer.required ?? 0);
  }
  const { balance, held } = await server.wallet(tenant.tenantId);
  await grave('what the answers cost', () => expect(balance).toBe(30_000 - spent));
  expect(held).toBe(0);
});

describe('one Idempotency-Key', () => {
  const path = ({ tenantId }: OwnTenant) => `/${tenantId}/v1/credit-reports`;

  async function sendRaw(tenant: OwnTenant, baseUrl: string, key: string, body: object): Promise<Reply> {
    return send(baseUrl, {
      method: 'POST',
      path: path(tenant),
      body: JSON.stringify(body),
      headers: {
        'content-type': 'application/json',
        'idempotency-key': key,
        authorization: `Bearer ${await tenant.trefoil.getToken()}`,
      },
    });
  }
  const withoutTime = (text: string) => text.replace(/"timeTakenMs":\d+/, '"timeTakenMs":0');

  test('50 at once over two nodes: one report, one charge, one enquiry each; the others are byte-equal or 409', async () => {
    const tenant = await addTenant(server, 10 * P);
    const body = liveBody(server.mintSession());
    const fire = () =>
      Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          sendRaw(tenant, index % 2 === 0 ? server.baseUrl : secondNode.baseUrl, 'once', body),
        ),
      );
    const replies = await fire();
    // Once more, when it has ended: now each of them is the first answer again.
    const later = await fire();
    await expectChargedOnce(await storyOf(server, tenant));
    const ok = [...replies, ...later].filter(({ status }) => status === 200);
    expect(new Set(ok.map(({ text }) => withoutTime(text))).size).toBe(1);
    expect(later.map(({ status }) => status)).toEqual(Array(50).fill(200));
    for (const { headers } of later) expect(headers['idempotent-replayed']).toBe('true');
    for (const reply of replies) {
      if (reply.status === 200) continue;
      expect(reply.status).toBe(409);
      expect(JSON.parse(reply.text).code).toBe('request-in-progress');
      expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
    }
    const { creditReportId } = JSON.parse(ok[0]?.text ?? '').data;
    const { lines, reports, balance, held } = await storyOf(server, tenant);
    expect({ lines, reports, balance, held }).toEqual({
      lines: ['report-charge -2000 18000'],
      reports: ['complete'],
      balance: 9 * P,
      held: 0,
    });
    for (const name of BUREAUS) expect((await server.enquiries(name)).get(creditReportId)).toBe(1);
  });

  test('422 idempotency-key-reused: another body, at the same time or later, changes nothing; another tenant is free to use it', async () => {
    const tenant = await addTenant(server, 10 * P);
    const body = liveBody(server.mintSession());
    const bodies = [
      body,
      { ...body, firstName: 'Beatrix' },
      { ...body, bureaus: ['equifax'] },
      { ...body, email: 'block@example.com' },
    ];
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        sendRaw(tenant, index % 2 === 0 ? server.baseUrl : secondNode.baseUrl, 'mixed', bodies[index % 4] as object),
      ),
    );
    await expectChargedOnce(await storyOf(server, tenant));
    expect([...new Set(replies.map(({ status }) => status))].every((status) => [200, 409, 422].includes(status))).toBe(
      true,
    );
    const answered = new Set(
      replies.flatMap(({ status, text }) => (status === 200 ? [JSON.parse(text).data.creditReportId] : [])),
    );
    expect(answered.size).toBe(1);
    const { reports, held } = await storyOf(server, tenant);
    expect(reports).toHaveLength(1);
    expect(held).toBe(0);
    const before = await storyOf(server, tenant);
    const statuses = await Promise.all(
      bodies.map(async (each) => (await sendRaw(tenant, server.baseUrl, 'mixed', each)).status),
    );
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 422, 422, 422]);
    expect(await storyOf(server, tenant)).toEqual(before);
    const other = await addTenant(server, P);
    expect((await sendRaw(other, server.baseUrl, 'mixed', bodies[1] as object)).status).toBe(200);
  });

  test('402 is not kept: with funds the same key and body succeed', async () => {
    const tenant = await addTenant(server, P - 1);
    const body = liveBody(server.mintSession());
    const refused = await Promise.all(Array.from({ length: 10 }, () => sendRaw(tenant, server.baseUrl, 'poor', body)));
    expect(new Set(refused.map(({ status }) => status)).has(402)).toBe(true);
    expect(refused.every(({ status }) => status === 402 || status === 409)).toBe(true);
    await server.fund(tenant.tenantId, 1);
    expect((await sendRaw(tenant, server.baseUrl, 'poor', body)).status).toBe(200);
    expect(await server.wallet(tenant.tenantId)).toEqual({ balance: 0, held: 0 });
  });
});

test('200 holds, three captures, a void and a sweep of each at once: one winner per hold, and the books agree', async () => {
  const tenant = await addTenant(server, 200 * 10);
  const { tenantId } = tenant;
  const keys = Array.from({ length: 200 }, () => ({ tenantId, kind: 'sms' as const, sourceId: newId() }));
  await server.database.forTenants([tenantId], async (tx) => {
    const ledger = await openLedger(tx, { tenantIds: [tenantId] });
    for (const key of keys) ledger.hold({ ...key, amount: 10, perBureau: null, lifetimeMs: 1 });
    await ledger.write();
  });
  expect(await server.wallet(tenantId)).toEqual({ balance: 2_000, held: 2_000 });

  const wins = { capture: 0, void: 0, sweep: 0, none: 0 };
  async function settleOne(kind: 'capture' | 'void', key: (typeof keys)[number]): Promise<void> {
    const hasWon = await server.database.forTenants([tenantId], async (tx) => {
      const ledger = await openLedger(tx, { tenantIds: [tenantId], holds: [key] });
      const won = kind === 'capture' ? ledger.capture(key, 10, newId()) : ledger.void(key);
      await ledger.write();
      return won;
    });
    wins[hasWon ? kind : 'none'] += 1;
  }
  /** Like a sweep: several holds in one transaction, in an order of its own. */
  async function sweep(some: readonly (typeof keys)[number][]): Promise<void> {
    const won = await server.database.forTenants([tenantId], async (tx) => {
      const ledger = await openLedger(tx, { tenantIds: [tenantId], holds: some });
      const voided = some.filter((key) => ledger.void(key)).length;
      await ledger.write();
      return voided;
    });
    wins.sweep += won;
    wins.none += some.length - won;
  }
  const sweeps = Array.from({ length: 10 }, (_, index) => keys.slice(index * 20, index * 20 + 20).toReversed());
  const work = [
    ...keys.flatMap((key) => [
      () => settleOne('capture', key),
      () => settleOne('void', key),
      () => settleOne('capture', key),
      () => settleOne('capture', key),
    ]),
    ...sweeps.map((some) => () => sweep(some)),
  ];
  // An order that mixes them, the same at every run.
  const order = work.map((_, index) => (index * 7_919) % work.length);
  // As many at once as there are connections to wait with.
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      for (let place = order.pop(); place !== undefined; place = order.pop()) await work[place]?.();
    }),
  );
  await grave('one winner for each of 200 holds', async () => {
    expect(wins.capture + wins.void + wins.sweep).toBe(200);
    expect(wins.none).toBe(800);
    expect(await server.wallet(tenantId)).toEqual({ balance: 2_000 - 10 * wins.capture, held: 0 });
  });
  const states = await server.query<{ state: string; count: number }>(
    'select state, count(*)::int from holds where tenant_id = $1 group by 1 order by 1',
    [tenantId],
  );
  expect(Object.fromEntries(states.map((each) => [each.state, each.count]))).toEqual({
    ...(wins.capture > 0 && { captured: wins.capture }),
    ...(wins.void + wins.sweep > 0 && { voided: wins.void + wins.sweep }),
  });
});

describe('the ledger, without a queue before it', () => {
  test('50 transactions at once for funds of ten: ten hold, the others see what is missing, none gets an error', async () => {
    const { tenantId } = await addTenant(server, 100);
    const hold = (ledger: LedgerSession) => {
      if (ledger.available(tenantId) < 10) return 'short';
      ledger.hold({ tenantId, kind: 'sms', sourceId: newId(), amount: 10, perBureau: null, lifetimeMs: 60_000 });
      return ledger.write().then(() => 'held');
    };
    const results = await Promise.all(
      Array.from({ length: 50 }, () =>
        server.database.forTenants([tenantId], async (tx) => hold(await openLedger(tx, { tenantIds: [tenantId] }))),
      ),
    );
    await grave('funds of ten', async () => {
      expect(count(results)).toEqual({ held: 10, short: 40 });
      expect(await server.wallet(tenantId)).toEqual({ balance: 100, held: 100 });
    });
  });

  test('transactions over two wallets, named in either order, never wait for each other for ever', async () => {
    const [a, b] = [await addTenant(server, 10_000), await addTenant(server, 10_000)];
    const both = [a.tenantId, b.tenantId];
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        server.database.forTenants(both, async (tx) => {
          const tenantIds = index % 2 === 0 ? both : both.toReversed();
          const ledger = await openLedger(tx, { tenantIds });
          for (const tenantId of tenantIds) {
            const key = { tenantId, kind: 'sms' as const, sourceId: newId() };
            ledger.hold({ ...key, amount: 1, perBureau: null, lifetimeMs: 60_000 });
          }
          await ledger.write();
        }),
      ),
    );
    for (const tenantId of both) {
      await grave('40 holds', async () => expect(await server.wallet(tenantId)).toEqual({ balance: 10_000, held: 40 }));
    }
  });
});
