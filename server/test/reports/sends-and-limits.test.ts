// What a company sees of its own traffic: what became of a challenge's messages, and how much is left of its limits.
import { describe, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { expectSince } from '../../../tools/testing/expect-since.ts';
import { readLimits } from '../../src/credit-reports/reading/read-limits.ts';
import { newId } from '../../src/lib/ids.ts';
import { startChallenge } from '../harness.ts';
import { type LiveServer, liveBody } from '../support/live.ts';
import { addLiveReport, addSend } from '../support/money-states.ts';
import { useLiveServer } from '../support/one-node.ts';
import { addPerson, callAs } from '../support/people.ts';
import { addTenant, type OwnTenant } from '../support/tenant.ts';
import { send } from '../support/wire.ts';

let server: LiveServer;
useLiveServer((started) => {
  server = started;
});

/** The simulated carrier refuses this one. */
const REFUSED = '+447700900677';

async function read(tenant: OwnTenant, path: string): Promise<Record<string, unknown>> {
  const authorization = `Bearer ${await tenant.trefoil.getToken()}`;
  const reply = await send(server.baseUrl, {
    method: 'GET',
    path: `/${tenant.tenantId}/v1/${path}`,
    headers: { authorization },
  });
  expect(reply.status).toBe(200);
  return (JSON.parse(reply.text) as { data: Record<string, unknown> }).data;
}

const sendsOf = async (tenant: OwnTenant, creditReportId: string) =>
  ((await read(tenant, `credit-reports/${creditReportId}`))['challenge'] as { sends: unknown[] }).sends;

async function challenge(tenant: OwnTenant, mobileNumber: string) {
  const body = liveBody(server.mintSession(), { email: 'challenge@example.com', mobileNumber });
  const { data } = await tenant.trefoil.generate(body);
  if (data.status !== 'authentication-required') throw new Error(data.status);
  return { creditReportId: data.creditReportId, challengeId: data.challenge.challengeId };
}

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('what became of the messages of a challenge', () => {
  test('200: live, each message with its state, oldest first: refused ones are not waited for', async () => {
    const tenant = await addTenant(server, 100_000);
    const { creditReportId, challengeId } = await challenge(tenant, REFUSED);
    await eventually(async () =>
      expect(await sendsOf(tenant, creditReportId)).toEqual([
        { state: 'refused', sentAt: instant, settledAt: instant },
      ]),
    );
    await tenant.trefoil.resendSms(creditReportId, { challengeId });
    const [first, second] = (await sendsOf(tenant, creditReportId)) as { sentAt: string; state: string }[];
    expect(first?.state).toBe('refused');
    expect((second?.sentAt ?? '') > (first?.sentAt ?? '')).toBe(true);
  });

  test('200: live, a message that nobody has settled says so with settledAt null, and no number stands in the answer', async () => {
    const tenant = await addTenant(server, 100_000);
    const challengeId = newId();
    const id = await addLiveReport(server, tenant.tenantId, { status: 'challenged', challengeId });
    await addSend(server, tenant.tenantId, { creditReportId: id, challengeId, state: 'submitted' });
    // Settled for the books by hand: nothing was held for this one.
    const data = await read(tenant, `credit-reports/${id}`);
    await server.query('delete from sms_sends where credit_report_id = $1', [id]);
    await server.query(`update credit_reports set status = 'failed', is_test = true where id = $1`, [id]);
    expect(data['challenge']).toEqual({
      challengeId,
      sends: [{ state: 'submitted', sentAt: instant, settledAt: null }],
    });
  });

  test('200: test mode has the same list, each message delivered at once', async () => {
    const tenant = await addTenant(server, 0);
    const { creditReportId, challengeId } = await startChallenge(tenant.trefoil);
    const delivered = { state: 'delivered', sentAt: instant, settledAt: instant };
    expect(await sendsOf(tenant, creditReportId)).toEqual([delivered]);
    await tenant.trefoil.resendSms(creditReportId, { challengeId });
    await tenant.trefoil.resendSms(creditReportId, { challengeId });
    const sends = (await sendsOf(tenant, creditReportId)) as { sentAt: string; settledAt: string }[];
    expect(sends).toEqual([delivered, delivered, delivered]);
    expect(sends.map(({ sentAt }) => sentAt)).toEqual(sends.map(({ sentAt }) => sentAt).toSorted());
    expect(new Set(sends.map(({ sentAt }) => sentAt)).size).toBe(3);
    for (const { sentAt, settledAt } of sends) expect(settledAt).toBe(sentAt);
    expect(await server.query('select from sms_sends where credit_report_id = $1', [creditReportId])).toEqual([]);
  });
});

type Limit = { readonly name: string; readonly max: number; readonly used: number; readonly resetsAt: string | null };
const limitsOf = async (tenant: OwnTenant) => (await read(tenant, 'limits'))['items'] as Limit[];
const DAY_MS = 86_400_000;

describe('the limits of a company', () => {
  test('200: the wallet shows the day’s budget of messages, what is used of it and when it begins anew', async () => {
    const tenant = await addTenant(server, 100_000);
    await server.query('update tenants set sms_daily_messages = null, sms_daily_credits = 5000 where id = $1', [
      tenant.tenantId,
    ]);
    const midnight = new Date(Math.ceil((Date.now() + 1) / DAY_MS) * DAY_MS).toISOString();
    expect(await read(tenant, 'wallet')).toMatchObject({
      smsDay: { maxMessages: 1_000, usedMessages: 0, maxCredits: 5_000, usedCredits: 0, resetsAt: midnight },
    });
    await challenge(tenant, '+447700900011');
    expect(await read(tenant, 'wallet')).toMatchObject({
      smsDay: { maxMessages: 1_000, usedMessages: 1, maxCredits: 5_000, usedCredits: 40, resetsAt: midnight },
    });
    // What was used yesterday is not used today.
    await server.query(
      'update wallets set sms_day = current_date - 1, sms_count_day = current_date - 1 where tenant_id = $1',
      [tenant.tenantId],
    );
    expect(await read(tenant, 'wallet')).toMatchObject({ smsDay: { usedMessages: 0, usedCredits: 0 } });
  });

  test('200: limits lists requests, messages by day and minute, and invitations, each with its use', async () => {
    const tenant = await addTenant(server, 100_000);
    await server.query('update tenants set sms_minute_messages = 7, sms_daily_messages = 0 where id = $1', [
      tenant.tenantId,
    ]);
    const beforeMs = Date.now();
    await server.query(
      `insert into invitations (tenant_id, id, email, role, created_at, sent_count, expires_at)
       values ($1, $2, 'i@example.com', 'analyst', now() - interval '23 hours', 3, now() + interval '5 days')`,
      [tenant.tenantId, newId()],
    );
    const items = await limitsOf(tenant);
    expect(items.map(({ name, max, used }) => [name, max, used])).toEqual([
      ['requests', 200_000, expect.any(Number)],
      ['sms-messages-day', 0, 0],
      ['sms-credits-day', 40_000, 0],
      ['sms-messages-minute', 7, 0],
      ['invitations-day', 50, 3],
      ['webhook-attempts-minute', 6_000, 0],
      ['webhook-replays-day', 24, 0],
      ['webhook-endpoints-day', 50, 0],
    ]);
    const [requests, day, credits, minute, invitations] = items;
    expect(requests?.used).toBeGreaterThanOrEqual(1);
    for (const { resetsAt } of [requests, day, credits, minute, invitations] as Limit[])
      expect(resetsAt).toEqual(instant);
    const resetsAtMs = (limit: Limit | undefined) => Date.parse(limit?.resetsAt ?? '');
    expect(day?.resetsAt).toBe(credits?.resetsAt);
    // Each begins anew within its own length; the invitations of 23 hours ago count for another hour.
    expect(resetsAtMs(day) - DAY_MS).toBeLessThanOrEqual(Date.now());
    expect(resetsAtMs(minute) - 60_000).toBeLessThanOrEqual(Date.now());
    expectSince(beforeMs, resetsAtMs(invitations) - 3_600_000);
  });

  test('when the bucket of requests is full again is told by the clock that the app was given', async () => {
    const dependencies = { database: server.database, now: () => new Date('2031-02-03T04:05:06.000Z') };
    const quota = { max: 100, used: 3, resetUs: 60_000 };
    const caller = { tenantId: server.demo.tenantId, isTestOnly: false };
    const { items } = await readLimits(dependencies, caller, quota);
    expect(items[0]).toEqual({ name: 'requests', max: 100, used: 3, resetsAt: '2031-02-03T04:05:06.060Z' });
  });

  test('200: what another company does to the same number moves nothing here', async () => {
    const [tenant, other] = [await addTenant(server, 100_000), await addTenant(server, 100_000)];
    const used = async () => (await limitsOf(tenant)).slice(1).map(({ name, used }) => [name, used]);
    const before = await used();
    await challenge(other, '+447700900012');
    expect(await used()).toEqual(before);
    const fresh = (await limitsOf(tenant)).find(({ name }) => name === 'invitations-day');
    expect(fresh).toEqual({ name: 'invitations-day', max: 50, used: 0, resetsAt: null });
  });

  test('403: limits need wallet:read, and are for this company alone', async () => {
    const tenant = await addTenant(server, 0);
    const person = await addPerson(server, tenant.tenantId, 'analyst');
    expect((await callAs(server, person, 'GET', `/${tenant.tenantId}/v1/limits`)).status).toBe(200);
    expect((await callAs(server, person, 'GET', `/${server.demo.tenantId}/v1/limits`)).status).toBe(403);
  });
});
