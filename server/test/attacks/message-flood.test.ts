// A credential, stolen or bought, that sends messages to number after number: capped by count as well as by credits, over
// all nodes at once, also where a message costs nothing (docs/decisions/0152-budgets-of-messages.md).
import { createTrefoil, TrefoilError } from '@trefoil/sdk';
import { expect, test } from 'vitest';
import { CLIENT } from '../harness.ts';
import { sayHere } from '../support/command-line.ts';
import { type LiveServer, liveBody } from '../support/live.ts';
import { addTenant, type OwnTenant } from '../support/tenant.ts';
import { type SecondNode, useTwoNodes } from '../support/two-nodes.ts';

let server: LiveServer;
let secondNode: SecondNode;
useTwoNodes((...nodes) => {
  [server, secondNode] = nodes;
});

let lastNumber = 0;
const newMobile = () => `+447700900${String(++lastNumber).padStart(3, '0')}`;

/** Over either node in turn, each to a number of its own. */
async function challenge(
  tenant: OwnTenant,
  index: number,
): Promise<{ status: string; id: string; challengeId: string }> {
  const trefoil =
    index % 2 === 0 ? tenant.trefoil : createTrefoil({ ...CLIENT, ...tenant, baseUrl: secondNode.baseUrl });
  const body = liveBody(server.mintSession(), { email: 'challenge@example.com', mobileNumber: newMobile() });
  const { data } = await trefoil.generate(body);
  const challengeId = data.status === 'authentication-required' ? data.challenge.challengeId : '';
  return { status: data.status, id: data.creditReportId, challengeId };
}

async function sendsOf({ tenantId }: OwnTenant): Promise<number> {
  return (await server.query('select from sms_sends where tenant_id = $1', [tenantId])).length;
}

/** The tenant as it is made: with the defaults, and messages for nothing. */
async function addFreeTenant(budget: { daily: number | null; minute: number | null }): Promise<OwnTenant> {
  const tenant = await addTenant(server, 10_000_000);
  await server.query('update tenants set sms_daily_messages = $2, sms_minute_messages = $3 where id = $1', [
    tenant.tenantId,
    budget.daily,
    budget.minute,
  ]);
  await sayHere(server, 'price', 'set', '--item', 'sms', '--credits', '0', '--tenant', tenant.tenantId);
  return tenant;
}

const minuteNow = async () =>
  (await server.query<{ at: number }>('select floor(extract(epoch from clock_timestamp()) / 60)::integer as at'))[0]
    ?.at;

/** A challenge of a tenant that has sent this many today and in the running minute, asked and answered in that minute. */
async function challengeAfter(tenant: OwnTenant, day: number, minute: number): Promise<string> {
  // The minute may end between the two; it does not end five times in a row.
  for (let tries = 0; tries < 5; tries += 1) {
    const at = await minuteNow();
    await server.query(
      `update wallets set sms_count_day = current_date, sms_day_messages = $2, sms_minute = $3, sms_minute_messages = $4
        where tenant_id = $1`,
      [tenant.tenantId, day, at, minute],
    );
    const { status } = await challenge(tenant, 0);
    if ((await minuteNow()) === at) return status;
  }
  throw new Error('no challenge was asked and answered in one minute');
}

test('80 challenges at once over two nodes, at price 0: with a daily cap of 25, 25 messages are made', async () => {
  const tenant = await addFreeTenant({ daily: 25, minute: 1_000 });
  const answers = await Promise.all(Array.from({ length: 80 }, (_, index) => challenge(tenant, index)));
  const open = answers.filter(({ status }) => status === 'authentication-required');
  expect([open.length, answers.filter(({ status }) => status === 'failed').length]).toEqual([25, 55]);
  expect(await sendsOf(tenant)).toBe(25);
  // A resend counts as much as a first message.
  const [first] = open;
  const refusal = await tenant.trefoil
    .resendSms(first?.id ?? '', { challengeId: first?.challengeId ?? '' })
    .catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(TrefoilError);
  expect(refusal).toMatchObject({ status: 429, code: 'sms-limit-reached' });
  await server.query('update wallets set sms_count_day = sms_count_day - 1 where tenant_id = $1', [tenant.tenantId]);
  expect((await challenge(tenant, 0)).status).toBe('authentication-required');
}, 90_000);

test('the same for a minute: a cap of 10, and the next minute has room again', async () => {
  const tenant = await addFreeTenant({ daily: null, minute: 10 });
  const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => challenge(tenant, index)));
  const made = answers.filter(({ status }) => status === 'authentication-required').length;
  // On a slow machine the forty may fall into two minutes, or three; each has its ten.
  const sends = await server.query<{ count: number }>(
    `select count(*)::integer as count from sms_sends where tenant_id = $1 group by date_trunc('minute', sent_at)`,
    [tenant.tenantId],
  );
  expect(made).toBe(await sendsOf(tenant));
  expect(made).toBeLessThanOrEqual(10 * (sends.length + 1));
  expect(made).toBeGreaterThanOrEqual(10);
  expect(await challengeAfter(tenant, 0, 10)).toBe('failed');
  await server.query('update wallets set sms_minute = sms_minute - 1 where tenant_id = $1', [tenant.tenantId]);
  expect((await challenge(tenant, 1)).status).toBe('authentication-required');
}, 90_000);

test('without a setting: 60 a minute and 1,000 a day', async () => {
  const tenant = await addFreeTenant({ daily: null, minute: null });
  for (const [day, minute, status] of [
    [999, 0, 'authentication-required'],
    [1_000, 0, 'failed'],
    [0, 59, 'authentication-required'],
    [0, 60, 'failed'],
  ] as const) {
    expect([day, minute, await challengeAfter(tenant, day, minute)]).toEqual([day, minute, status]);
  }
}, 60_000);
