// The state table (docs/decisions/0050-when-the-report-is-charged.md) over HTTP against the simulators: reports that end
// without a report at generate. What was held is given back, and no message is sent.
import type { GenerateRequest } from '@trefoil/contract';
import { createTrefoil } from '@trefoil/sdk';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../../../tools/testing/eventually.ts';
import { challenge, codeOf, generate, messages, NOTHING, resend, story, submit } from '../../support/challenges.ts';
import type { LiveServer } from '../../support/live.ts';
import { useLiveServer } from '../../support/one-node.ts';
import { askedTimes, control, hashOfMobile, spoil } from '../../support/providers.ts';
import { addTenant, type OwnTenant, refusalOf, type Story, storyOf } from '../../support/tenant.ts';
import { FUNDS, newName, quietMobile, S, wrongCode } from '../../support/words.ts';

let server: LiveServer;
useLiveServer((started) => {
  server = started;
});

describe.concurrent('pending → failed, blocked', () => {
  const failed = (reason: string): Story => ({
    ...NOTHING,
    reports: [`failed ${reason}`],
    holds: ['report 2000 voided', 'sms 40 voided'],
    events: ['report.failed report 1'],
    audit: ['report.failed by caller report 1'],
  });
  async function expectFailed(
    tenant: OwnTenant,
    changes: Partial<GenerateRequest>,
    reason: string,
    told = reason,
  ): Promise<void> {
    const { data, cost } = await generate(server, tenant, changes);
    expect(data.status).toBe('failed');
    expect(cost).toBe(0);
    if (data.status === 'failed') expect(data.errorMessage).toMatch(/^[A-Z].*\.$/);
    expect(data).toMatchObject({ failureReason: told });
    const expected = failed(reason);
    const holds = changes.mobileNumber === undefined ? ['report 2000 voided'] : expected.holds;
    expect(await storyOf(server, tenant)).toEqual({ ...expected, holds });
  }

  test('200 failed: no bureau answers', async () => {
    const tenant = await addTenant(server, FUNDS);
    const lastName = newName();
    await spoil(server, lastName, 'reset');
    await expectFailed(tenant, { lastName, mobileNumber: quietMobile() }, 'no-bureau-answered');
  });

  test('200 failed: the screening is down, and no bureau is asked', async () => {
    const tenant = await addTenant(server, FUNDS);
    const email = 'screening-down@example.com';
    await expectFailed(tenant, { email, mobileNumber: quietMobile() }, 'screening-unavailable');
    const [report] = await server.query<{ id: string }>('select id from credit_reports where tenant_id = $1', [
      tenant.tenantId,
    ]);
    expect(await askedTimes(server, report?.id ?? '')).toEqual([0, 0, 0]);
  });

  test('200 failed: the screening hangs, and is given up', async () => {
    const screening = { ...JSON.parse(server.environment['TREFOIL_SCREENING'] ?? ''), timeoutMs: 400 };
    const node = await server.startNode({ TREFOIL_SCREENING: JSON.stringify(screening) });
    const { tenantId, clientId, clientSecret } = await addTenant(server, FUNDS);
    const trefoil = createTrefoil({ baseUrl: node.baseUrl, tenantId, clientId, clientSecret, maxRetries: 0 });
    const tenant = { tenantId, clientId, clientSecret, trefoil };
    const lastName = newName();
    await control(server, 'screening', { match: { lastName }, behaviour: 'hang' });
    await expectFailed(tenant, { lastName, mobileNumber: quietMobile() }, 'screening-unavailable');
    await node.close();
  });

  test('200 blocked: cost 0, no bureau is asked', async () => {
    const tenant = await addTenant(server, FUNDS);
    const { data, cost } = await generate(server, tenant, { email: 'block@example.com', mobileNumber: quietMobile() });
    expect(data).toEqual({ status: 'blocked', creditReportId: data.creditReportId });
    expect(cost).toBe(0);
    expect(await storyOf(server, tenant)).toEqual({
      ...failed(''),
      reports: ['blocked'],
      events: ['report.blocked report 1'],
      audit: ['report.blocked by caller report 1'],
    });
    expect(await askedTimes(server, data.creditReportId)).toEqual([0, 0, 0]);
  });

  const email = 'challenge@example.com';
  const undeliverable = [
    ['no mobile number', {}, 'mobile-missing'],
    ['a landline', { mobileNumber: '+442079460018' }, 'not-a-mobile'],
    ['a mobile of another country', { mobileNumber: '+12025550123' }, 'country-not-allowed'],
    ['a Channel Islands mobile', { mobileNumber: '+447797712345' }, 'country-not-allowed'],
  ] as const;
  for (const [name, changes, told] of undeliverable) {
    test(`200 failed: a challenge is demanded and there is ${name}: no message, cost 0`, async () => {
      const tenant = await addTenant(server, FUNDS);
      await expectFailed(tenant, { email, ...changes }, 'not-deliverable', told);
    });
  }

  test('200 challenge: another country, once the tenant allows it', async () => {
    const tenant = await addTenant(server, FUNDS);
    await server.query(`update tenants set sms_countries = '{GB,US}' where id = $1`, [tenant.tenantId]);
    const { data } = await generate(server, tenant, { email, mobileNumber: '+12025550124' });
    expect(data.status).toBe('authentication-required');
  });

  test('200 failed: a tenant’s fifth challenge of a number in a day, and the eleventh of all tenants', async () => {
    const to = quietMobile();
    const tenants = [await addTenant(server, 10 * FUNDS), await addTenant(server, 10 * FUNDS)];
    for (const tenant of tenants) {
      for (let count = 0; count < 4; count += 1) await challenge(server, { tenant, to });
    }
    const { data } = await generate(server, tenants[0] as OwnTenant, { email, mobileNumber: to });
    expect(data.status).toBe('failed');
    const third = await addTenant(server, 10 * FUNDS);
    for (let count = 0; count < 2; count += 1) await challenge(server, { tenant: third, to });
    await expectFailed(await addTenant(server, FUNDS), { email, mobileNumber: to }, 'not-deliverable');
    expect(await messages(server, to, 10)).toHaveLength(10);
    // A day later they count no more.
    for (const table of ['mobile_uses', 'tenant_mobile_uses']) {
      await server.query(
        `update ${table} set challenged_at = array(select at - interval '24 hours' from unnest(challenged_at) as at),
                messaged_at = array(select at - interval '24 hours' from unnest(messaged_at) as at)
          where number_hash = $1`,
        [hashOfMobile(server, to)],
      );
    }
    await challenge(server, { tenant: tenants[0] as OwnTenant, to });
  });

  test('200 failed: a tenant that has sent a number its eight messages', async () => {
    const to = quietMobile();
    const tenant = await addTenant(server, 100_000);
    for (let count = 0; count < 2; count += 1) {
      const open = await challenge(server, { tenant, to });
      await resend(open);
      await resend(open);
    }
    const last = await challenge(server, { tenant, to });
    await resend(last);
    await messages(server, to, 8);
    await eventually(async () => expect((await story(server, last)).sends).toEqual(Array(8).fill('submitted')));
    // Eight are sent: the resend of an open challenge is refused as well, and no money moves.
    const before = await story(server, last);
    expect(await refusalOf(resend(last))).toEqual({ status: 429, code: 'sms-limit-reached' });
    expect(await story(server, last)).toEqual(before);
    const { data } = await generate(server, tenant, { email, mobileNumber: to });
    expect(data.status).toBe('failed');
  });

  test('200 failed: the tenant’s credits for messages of the day are spent, to the credit', async () => {
    const tenant = await addTenant(server, FUNDS);
    const limit = (credits: number) =>
      server.query('update tenants set sms_daily_credits = $2 where id = $1', [tenant.tenantId, credits]);
    await limit(S - 1);
    await expectFailed(tenant, { email, mobileNumber: quietMobile() }, 'not-deliverable', 'company-day');
    await limit(2 * S);
    const open = await challenge(server, { tenant });
    expect((await resend(open)).data).toEqual({ smsSentCount: 2, remainingSmsCount: 1 });
    expect(await refusalOf(resend(open))).toEqual({ status: 429, code: 'sms-limit-reached' });
    // The next day it may again.
    await server.query('update wallets set sms_day = sms_day - 1 where tenant_id = $1', [tenant.tenantId]);
    expect((await resend(open)).data).toEqual({ smsSentCount: 3, remainingSmsCount: 0 });
  });

  for (const [table, used, whose] of [
    ['tenant_mobile_uses', 8, 'nine of the tenant’s'],
    ['mobile_uses', 19, 'twenty of all tenants’'],
  ] as const) {
    test(`200 failed: ${whose} wrong codes for a number in a day, and the right one is not examined any more`, async () => {
      const to = quietMobile();
      const tenant = await addTenant(server, 100_000);
      const first = await challenge(server, { tenant, to });
      const code = await codeOf(server, first);
      await server.query(
        `update ${table} set mistaken_at = array_fill(clock_timestamp(), array[$2::integer]) where number_hash = $1`,
        [hashOfMobile(server, to), used],
      );
      expect((await submit(first, wrongCode(code))).data.status).toBe('retry');
      const over = await submit(first, code);
      expect(over.data).toMatchObject({ status: 'failed' });
      expect((await server.wallet(tenant.tenantId)).balance).toBe(100_000);
      const { data } = await generate(server, tenant, { email, mobileNumber: to });
      expect(data.status).toBe('failed');
      // The number is spoilt for others by what all have done, and not by what one has.
      const other = await generate(server, await addTenant(server, FUNDS), { email, mobileNumber: to });
      expect(other.data.status).toBe(table === 'mobile_uses' ? 'failed' : 'authentication-required');
    });
  }
});
