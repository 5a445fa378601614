// Every event of live mode for its cause, as the tenant reads it: with the money that moved, and nothing personal.

import { EventsResponse } from '@trefoil/contract';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { newId } from '../../src/lib/ids.ts';
import { adjust } from '../../src/wallet/adjust.ts';
import {
  applyReceipt,
  challenge,
  codeOf,
  generate,
  letTimePass,
  messages,
  resend,
  sendsOf,
  submit,
} from '../support/challenges.ts';
import { expectEvents, readAll } from '../support/events.ts';
import { grave } from '../support/grave.ts';
import type { LiveServer } from '../support/live.ts';
import { useLiveServer } from '../support/one-node.ts';
import { spoil } from '../support/providers.ts';
import { addTenant, type OwnTenant, refusalOf } from '../support/tenant.ts';
import { FUNDS, newMobile, newName, quietMobile, wrongCode } from '../support/words.ts';

let server: LiveServer;
useLiveServer((started) => {
  server = started;
});

const FUNDED = `wallet.topped-up ${FUNDS}`;
const CHALLENGED = [
  FUNDED,
  'credit-report.challenged authentication-required 2000',
  'wallet.charged -2000',
  'challenge.sent',
];
const DELIVERED = ['challenge.delivered', 'wallet.charged -40'];

describe.concurrent('the events of live mode', () => {
  test('a report: completed, charged', async () => {
    const tenant = await addTenant(server, FUNDS);
    const { data } = await generate(server, tenant);
    const events = await expectEvents(tenant.trefoil, [
      FUNDED,
      'credit-report.completed complete 2000',
      'wallet.charged -2000',
    ]);
    const [funded, completed, charged] = events;
    expect(completed).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-f]{16}$/),
      type: 'credit-report.completed',
      createdAt: expect.stringMatching(/^20\d\d-.*Z$/),
      sequence: 2,
      tenantId: tenant.tenantId,
      test: false,
      data: { creditReportId: data.creditReportId, status: 'complete', cost: 2_000 },
    });
    expect(charged?.data).toEqual({ creditReportId: data.creditReportId, amount: -2_000 });
    expect(funded?.data).toEqual({ amount: FUNDS });
    expect(new Set(events.map(({ id }) => id)).size).toBe(3);
  });

  test('a report that some bureaus did not answer costs less', async () => {
    const tenant = await addTenant(server, FUNDS);
    const lastName = newName();
    await spoil(server, lastName, 'reset', ['beacon']);
    await generate(server, tenant, { lastName });
    await expectEvents(tenant.trefoil, [FUNDED, 'credit-report.completed complete 1400', 'wallet.charged -1400']);
  });

  test('blocked and failed: nothing is charged', async () => {
    const tenant = await addTenant(server, FUNDS);
    await generate(server, tenant, { email: 'block@example.com' });
    await generate(server, tenant, { email: 'screening-down@example.com' });
    await expectEvents(tenant.trefoil, [FUNDED, 'credit-report.blocked blocked 0', 'credit-report.failed failed 0']);
  });

  test('a challenge with a right code: sent, delivered, charged, verified, completed', async () => {
    const open = await challenge(server);
    const { creditReportId, challengeId } = open;
    await submit(open, await codeOf(server, open));
    const events = await expectEvents(open.tenant.trefoil, [
      ...CHALLENGED,
      ...DELIVERED,
      'challenge.verified',
      'credit-report.completed complete 2000',
    ]);
    const [send] = await sendsOf(server, open, true);
    const [, challenged, , sent, delivered, charged, verified] = events;
    expect(challenged?.data).toMatchObject({ creditReportId, challengeId });
    for (const event of [sent, delivered])
      expect(event?.data).toEqual({ creditReportId, challengeId, messageId: send?.id });
    expect(charged?.data).toEqual({ creditReportId, messageId: send?.id, amount: -40 });
    expect(verified?.data).toEqual({ creditReportId, challengeId });
  });

  test('after a challenge some bureaus do not answer: their part is refunded', async () => {
    const open = await challenge(server);
    await spoil(server, open.lastName, 'reset', ['beacon']);
    await submit(open, await codeOf(server, open));
    await expectEvents(open.tenant.trefoil, [
      ...CHALLENGED,
      ...DELIVERED,
      'challenge.verified',
      'credit-report.completed complete 1400',
      'wallet.refunded 600',
    ]);
  });

  test('three wrong codes: failed, refunded', async () => {
    const open = await challenge(server);
    const wrong = wrongCode(await codeOf(server, open));
    for (let count = 0; count < 3; count += 1) await submit(open, wrong);
    await expectEvents(open.tenant.trefoil, [...CHALLENGED, 'credit-report.failed failed 0', 'wallet.refunded 2000']);
  });

  test('no code in time: expired, refunded', async () => {
    const open = await challenge(server);
    await messages(server, open.to);
    await sendsOf(server, open);
    await letTimePass(server, open, '301 seconds');
    expect((await refusalOf(submit(open, '000000'))).code).toBe('challenge-expired');
    await expectEvents(open.tenant.trefoil, [...CHALLENGED, 'credit-report.expired failed 0', 'wallet.refunded 2000']);
  });

  test('a message that is not delivered, another one that is', async () => {
    const open = await challenge(server, { to: newMobile(2) });
    await expectEvents(open.tenant.trefoil, [...CHALLENGED, 'challenge.undelivered']);
    await resend(open);
    await expectEvents(open.tenant.trefoil, [
      ...CHALLENGED,
      'challenge.undelivered',
      'challenge.sent',
      'challenge.undelivered',
    ]);
    const quiet = await challenge(server, { to: quietMobile() });
    await messages(server, quiet.to);
    const [send] = await sendsOf(server, quiet);
    await applyReceipt(server, send?.id ?? '', 'delivered');
    await expectEvents(quiet.tenant.trefoil, [...CHALLENGED, ...DELIVERED]);
  });

  test('nothing personal: every event has exactly the published fields, and no value of the request', async () => {
    const open = await challenge(server, { lastName: 'Canaryford' });
    await submit(open, await codeOf(server, open));
    const { data, meta } = await open.tenant.trefoil.listEvents({ creditReportId: open.creditReportId, wait: 1 });
    const strict = JSON.parse(JSON.stringify(EventsResponse), (_key, value) =>
      value?.type === 'object' ? { ...value, additionalProperties: false } : value,
    );
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    expect(ajv.validate(strict, { data, meta }), JSON.stringify(ajv.errors)).toBe(true);
    const text = JSON.stringify(data);
    for (const value of [
      'Canaryford',
      'Ada',
      'HR10',
      'Mill Lane',
      '1984',
      'example.com',
      open.to.slice(4),
      '192.0.2',
    ]) {
      expect(text).not.toContain(value);
    }
    const rows = await server.query('select * from outbox where credit_report_id = $1', [open.creditReportId]);
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain('Canaryford');
  });
});

/** Everything that moves credits in a live wallet. */
const MOVES: Readonly<Record<string, (tenant: OwnTenant) => Promise<unknown>>> = {
  'top-up': ({ tenantId }) => server.fund(tenantId, 5_000),
  'correction up': (tenant) => correct(tenant, 123),
  'all that is free taken back': async (tenant) => {
    const { balance, held } = await server.wallet(tenant.tenantId);
    if (balance > held) await correct(tenant, held - balance);
  },
  report: (tenant) => generate(server, tenant),
  'report of two bureaus': async (tenant) => {
    const lastName = newName();
    await spoil(server, lastName, 'reset', ['beacon']);
    return generate(server, tenant, { lastName });
  },
  'right code': async (tenant) => {
    const open = await challenge(server, { tenant });
    await submit(open, await codeOf(server, open));
  },
  'wrong codes': async (tenant) => {
    const open = await challenge(server, { tenant });
    const wrong = wrongCode(await codeOf(server, open));
    for (let count = 0; count < 3; count += 1) await submit(open, wrong);
  },
  'a message that arrives after all': (tenant) => arriveLate(tenant),
  'a message that arrives when nothing is left': (tenant) => arriveLate(tenant, MOVES['all that is free taken back']),
};

/** The carrier's word changes: the message is charged late, or written off. */
async function arriveLate(tenant: OwnTenant, meanwhile?: (tenant: OwnTenant) => Promise<unknown>): Promise<void> {
  const open = await challenge(server, { tenant });
  await messages(server, open.to);
  const [send] = await sendsOf(server, open);
  await applyReceipt(server, send?.id ?? '', 'undelivered');
  await meanwhile?.(tenant);
  await applyReceipt(server, send?.id ?? '', 'delivered');
}

const correct = ({ tenantId }: OwnTenant, credits: number) =>
  server.database.forTenants([tenantId], (tx) => adjust(tx, tenantId, { credits, sourceId: newId(), note: 'test' }));

test('whatever moves credits: the amounts of wallet.… events add up to the balance, and to each line of the statement', async () => {
  const moves = fc.array(fc.constantFrom(...Object.keys(MOVES)), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(moves, async (names) => {
      const tenant = await addTenant(server, FUNDS);
      for (const name of names) {
        // One for which the wallet lacks credits moves none.
        await MOVES[name]?.(tenant).catch((error: unknown) => expect(error).toMatchObject({ status: 402 }));
      }
      const lines: number[] = [];
      for await (const { amount } of tenant.trefoil.listWalletEntries({})) lines.push(amount);
      const { tenantId } = tenant;
      const written = await server.query(`select from outbox where tenant_id = $1 and type like 'wallet.%'`, [
        tenantId,
      ]);
      const events = await eventually(async () => {
        const read = await readAll(tenant.trefoil, { type: 'wallet' });
        expect(read.length).toBe(written.length);
        return read;
      });
      const told = events.flatMap(({ data }) => data.amount ?? []);
      const { balance } = await server.wallet(tenantId);
      await grave('the balance from events', () => {
        const inOrder = (amounts: readonly number[]) => amounts.toSorted((a, b) => a - b);
        expect(inOrder(told), names.join(', ')).toEqual(inOrder(lines));
        expect(
          told.reduce((sum, amount) => sum + amount, 0),
          names.join(', '),
        ).toBe(balance);
      });
    }),
    { numRuns: 12 },
  );
}, 120_000);
