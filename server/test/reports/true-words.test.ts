// What a caller reads when a report fails or a message is refused is true: whether money came back, which limit was met
// and until when, why a code cannot be delivered, and what a device session was bound to
// (docs/decisions/0156-which-limit.md, 0157-why-a-code-cannot-be-delivered.md).
import type { GenerateRequest } from '@trefoil/contract';
import { TrefoilError } from '@trefoil/sdk';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { expectSince } from '../../../tools/testing/expect-since.ts';
import { type LiveServer, liveBody } from '../support/live.ts';
import { useLiveServer } from '../support/one-node.ts';
import { addPerson } from '../support/people.ts';
import { hashOfMobile, spoil } from '../support/providers.ts';
import { addTenant, type OwnTenant } from '../support/tenant.ts';
import { send } from '../support/wire.ts';
import { quietMobile, wrongCode } from '../support/words.ts';

const FUNDS = 100_000;
const DAY_MS = 24 * 3_600_000;

let server: LiveServer;
useLiveServer((started) => {
  server = started;
});

const DEMANDED = { email: 'challenge@example.com' };

async function generate(tenant: OwnTenant, changes: Partial<GenerateRequest>, sessionId = server.mintSession()) {
  return (await tenant.trefoil.generate(liveBody(sessionId, changes))).data;
}

type Open = {
  readonly tenant: OwnTenant;
  readonly to: string;
  readonly creditReportId: string;
  readonly challengeId: string;
};

async function challenge(tenant: OwnTenant, changes: Partial<GenerateRequest> = {}): Promise<Open> {
  const to = changes.mobileNumber ?? quietMobile();
  const data = await generate(tenant, { ...DEMANDED, mobileNumber: to, ...changes });
  if (data.status !== 'authentication-required') throw new Error(JSON.stringify(data));
  return { tenant, to, creditReportId: data.creditReportId, challengeId: data.challenge.challengeId };
}

/** What the failed answer says; the report read again must say the same. */
async function failureOf(tenant: OwnTenant, changes: Partial<GenerateRequest>, sessionId?: string): Promise<string> {
  const data = await generate(tenant, changes, sessionId);
  if (data.status !== 'failed') throw new Error(data.status);
  expect(await messageOf(tenant, data.creditReportId)).toBe(data.errorMessage);
  return data.errorMessage;
}

async function messageOf({ trefoil }: OwnTenant, creditReportId: string): Promise<string> {
  const { data } = await trefoil.getReport(creditReportId);
  if (data.status !== 'failed') throw new Error(data.status);
  return data.errorMessage;
}

const submit = ({ tenant, creditReportId, challengeId }: Open, code: string) =>
  tenant.trefoil.submitOtp(creditReportId, { challengeId, code });

/** The body of the refusal. */
async function refusedResend({ tenant, creditReportId, challengeId }: Open) {
  const error: unknown = await tenant.trefoil
    .resendSms(creditReportId, { challengeId })
    .catch((reason: unknown) => reason);
  if (!(error instanceof TrefoilError)) throw new Error(`not refused: ${JSON.stringify(error)}`);
  expect([error.status, error.code, error.retryAfterSeconds]).toEqual([429, 'sms-limit-reached', undefined]);
  const { kind, resetsAt = null } = error.limit ?? {};
  return { kind, message: error.message, resetsAt };
}

const sendAgain = async ({ tenant, creditReportId, challengeId }: Open) =>
  void (await tenant.trefoil.resendSms(creditReportId, { challengeId }));

const set = (tenant: OwnTenant, column: string, value: unknown) =>
  server.query(`update tenants set ${column} = $2 where id = $1`, [tenant.tenantId, value]);

const statementOf = async ({ tenantId }: OwnTenant) =>
  (
    await server.query<{ kind: string }>(
      `select kind from ledger_txs where tenant_id = $1 and kind like 'report%' order by seq`,
      [tenantId],
    )
  ).map(({ kind }) => kind);

describe('refunded or never charged', () => {
  test('no bureau answers after a challenge: the words say refunded, as the statement does', async () => {
    const tenant = await addTenant(server, FUNDS);
    const lastName = 'Larksworth';
    const open = await challenge(tenant, { lastName });
    await spoil(server, lastName, 'reset');
    const code = await server.code(open.to);
    const { data } = await submit(open, code);
    expect(data).toMatchObject({ status: 'failed', errorMessage: expect.stringMatching(/refunded/) });
    expect(JSON.stringify(data)).not.toMatch(/nothing was charged/i);
    expect(await statementOf(tenant)).toEqual(['report-charge', 'report-refund']);
    expect((await submit(open, code)).data).toEqual(data);
    expect(await messageOf(tenant, open.creditReportId)).toMatch(/No bureau answered.*refunded/);
    // Without a challenge there is neither charge nor refund, and the words say that.
    const other = await addTenant(server, FUNDS);
    expect(await failureOf(other, { lastName })).toMatch(/No bureau answered.*Nothing was charged/);
    expect(await statementOf(other)).toEqual([]);
  });

  test('interrupted while it fetched: refunded; interrupted before: nothing was charged', async () => {
    const tenant = await addTenant(server, FUNDS);
    const open = await challenge(tenant);
    const code = await server.code(open.to);
    for (let tries = 0; tries < 3; tries += 1) await submit(open, wrongCode(code));
    expect(await messageOf(tenant, open.creditReportId)).toMatch(/3 attempts are used.*refunded/);
    // As the sweep leaves a report whose worker died while it fetched.
    await server.query(`update credit_reports set failure = 'interrupted' where id = $1`, [open.creditReportId]);
    expect(await messageOf(tenant, open.creditReportId)).toMatch(/interrupted.*refunded/);
    expect((await submit(open, code)).data).toMatchObject({
      errorMessage: expect.stringMatching(/interrupted.*refunded/),
    });
    const { creditReportId } = await generate(tenant, { email: 'screening-down@example.com' });
    await server.query(`update credit_reports set failure = 'interrupted' where id = $1`, [creditReportId]);
    expect(await messageOf(tenant, creditReportId)).toMatch(/interrupted.*Nothing was charged/);
  });
});

describe('429 sms-limit-reached says which limit and until when', () => {
  test('challenge: its three messages are used; a code already sent still completes', async () => {
    const open = await challenge(await addTenant(server, FUNDS));
    const code = await server.code(open.to);
    await sendAgain(open);
    await sendAgain(open);
    const refusal = await refusedResend(open);
    expect(refusal).toMatchObject({ kind: 'challenge', resetsAt: null });
    expect(refusal.message).toMatch(/already sent can still be submitted/);
    expect((await submit(open, code)).data.status).toBe('complete');
  });

  test('company-number: by messages, free again a day after the oldest; by wrong codes, no code is examined', async () => {
    const open = await challenge(await addTenant(server, FUNDS));
    const use = (column: string, count: number) =>
      server.query(
        `update tenant_mobile_uses
            set ${column} = array(select clock_timestamp() - interval '1 hour' * place from generate_series(1, $2) as place)
          where number_hash = $1`,
        [hashOfMobile(server, open.to), count],
      );
    const beforeMs = Date.now();
    await use('messaged_at', 9);
    const byMessages = await refusedResend(open);
    expect(byMessages).toMatchObject({ kind: 'company-number' });
    expect(byMessages.message).toMatch(/already sent can still be submitted.*a new report that needs a code fails/i);
    // Nine in the window and eight allowed: the second oldest has to leave it.
    expectSince(beforeMs, Date.parse(byMessages.resetsAt ?? '') - 16 * 3_600_000);
    await use('messaged_at', 1);
    await use('mistaken_at', 9);
    const byMistakes = await refusedResend(open);
    expect(byMistakes).toMatchObject({ kind: 'company-number' });
    expect(byMistakes.message).toMatch(/wrong codes.*no code is checked/i);
    expect(byMistakes.message).not.toMatch(/can still be submitted/);
    expectSince(beforeMs, Date.parse(byMistakes.resetsAt ?? '') - 15 * 3_600_000);
  });

  test('company-day and company-minute: until midnight and the next minute, UTC; never where the budget is 0', async () => {
    const tenant = await addTenant(server, FUNDS);
    const open = await challenge(tenant);
    await set(tenant, 'sms_daily_messages', 1);
    const beforeMs = Date.now();
    /** At an end of such a period, and of none that has not begun. */
    const isNextEnd = (resetsAt: string | null, periodMs: number) => {
      const endMs = Date.parse(resetsAt ?? '');
      expect(endMs % periodMs).toBe(0);
      expect(endMs).toBeGreaterThan(beforeMs);
      expect(endMs - periodMs).toBeLessThanOrEqual(Date.now());
    };
    const day = await refusedResend(open);
    expect(day.kind).toBe('company-day');
    isNextEnd(day.resetsAt, DAY_MS);
    await set(tenant, 'sms_daily_messages', 0);
    expect(await refusedResend(open)).toMatchObject({ kind: 'company-day', resetsAt: null });
    await set(tenant, 'sms_daily_messages', 1_000);
    await set(tenant, 'sms_daily_credits', 39);
    expect(await refusedResend(open)).toMatchObject({ kind: 'company-day', resetsAt: null });
    await set(tenant, 'sms_daily_credits', 79);
    const credits = await refusedResend(open);
    expect(credits.kind).toBe('company-day');
    isNextEnd(credits.resetsAt, DAY_MS);
    await set(tenant, 'sms_daily_credits', null);
    await set(tenant, 'sms_minute_messages', 0);
    expect(await refusedResend(open)).toMatchObject({ kind: 'company-minute', resetsAt: null });
    await set(tenant, 'sms_minute_messages', 1);
    // In whatever minute the test runs, one message has gone out.
    await server.query(
      `update wallets set sms_minute_messages = 1, sms_minute = floor(extract(epoch from clock_timestamp() + interval '2 s') / 60)
        where tenant_id = $1`,
      [tenant.tenantId],
    );
    const minute = await eventually(async () => {
      const refusal = await refusedResend(open);
      expect(refusal.kind).toBe('company-minute');
      return refusal;
    });
    isNextEnd(minute.resetsAt, 60_000);
    expect(minute.message).toMatch(/already sent can still be submitted/);
  });

  test('destination: a country the company allows no more', async () => {
    const tenant = await addTenant(server, FUNDS);
    const open = await challenge(tenant);
    await set(tenant, 'sms_countries', ['FR']);
    expect(await refusedResend(open)).toMatchObject({ kind: 'destination', resetsAt: null });
  });

  test.each(['messaged_at', 'mistaken_at'])(
    'protection: one neutral sentence for the cap over all companies (%s), and no time',
    async (column) => {
      const open = await challenge(await addTenant(server, FUNDS));
      await server.query(
        `update mobile_uses set ${column} = array_fill(clock_timestamp(), array[20]) where number_hash = $1`,
        [hashOfMobile(server, open.to)],
      );
      const { message, ...refusal } = await refusedResend(open);
      expect(refusal).toEqual({ kind: 'protection', resetsAt: null });
      expect(message).toBe(
        'No message can be sent to this number for now, and generating again does not change that. A code already sent may still work.',
      );
      expect(message).not.toMatch(/compan|tenant|other|cap\b/i);
    },
  );
});

test('402 insufficient-funds: says how the wallet gets topped up', async () => {
  const tenant = await addTenant(server, 100);
  const error: unknown = await generate(tenant, {}).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ status: 402, code: 'insufficient-funds', required: 2_000, available: 100 });
  expect(String(error)).toMatch(/Nothing was charged.*operator of this service.*top/);
});

describe('200 failed: why a demanded code cannot be delivered', () => {
  const reasons: Readonly<Record<string, [Partial<GenerateRequest>, RegExp]>> = {
    'no mobile number': [{}, /mobileNumber is missing/],
    'a landline': [{ mobileNumber: '+442079460018' }, /not a mobile/],
    'a mobile of the United States': [{ mobileNumber: '+12025550123' }, /United States \(US\).*not allowed/],
    'a Jersey mobile': [{ mobileNumber: '+447797712345' }, /Jersey \(JE\).*not allowed.*share \+44/],
  };
  for (const [name, [changes, words]] of Object.entries(reasons)) {
    test(`${name}: named`, async () => {
      const tenant = await addTenant(server, FUNDS);
      expect(await failureOf(tenant, { ...DEMANDED, ...changes })).toMatch(words);
    });
  }

  test('the country is in no row that is not sealed, and the role finance does not hear it', async () => {
    const tenant = await addTenant(server, FUNDS);
    const body = liveBody(server.mintSession(), { ...DEMANDED, mobileNumber: '+447797712345' });
    const { data } = await tenant.trefoil.generate(body, { idempotencyKey: 'jersey' });
    expect(data).toMatchObject({ errorMessage: expect.stringContaining('Jersey') });
    for (const table of ['credit_reports', 'idempotency_keys', 'audit_log', 'outbox']) {
      const rows = await server.query(`select row_to_json(${table}) as row from ${table} where tenant_id = $1`, [
        tenant.tenantId,
      ]);
      expect(rows.length).toBeGreaterThan(0);
      expect(JSON.stringify(rows)).not.toMatch(/Jersey|\bJE\b/);
    }
    const { token } = await addPerson(server, tenant.tenantId, 'finance');
    const path = `/${tenant.tenantId}/v1/credit-reports/${data.creditReportId}`;
    const shown = await send(server.baseUrl, { method: 'GET', path, headers: { authorization: `Bearer ${token}` } });
    expect([shown.status, shown.text]).toEqual([
      200,
      expect.stringContaining('belongs to a country your company has not allowed'),
    ]);
  });

  test('a cap of the company’s own is told; the cap over all companies keeps its neutral sentence', async () => {
    const tenant = await addTenant(server, FUNDS);
    const to = quietMobile();
    for (let count = 0; count < 4; count += 1) await challenge(tenant, { mobileNumber: to });
    expect(await failureOf(tenant, { ...DEMANDED, mobileNumber: to })).toMatch(/your company.*this number.*24 hours/i);
    await set(tenant, 'sms_daily_messages', 4);
    expect(await failureOf(tenant, { ...DEMANDED, mobileNumber: quietMobile() })).toMatch(/your company.*day/i);
    await set(tenant, 'sms_daily_messages', null);
    await set(tenant, 'sms_minute_messages', 0);
    expect(await failureOf(tenant, { ...DEMANDED, mobileNumber: quietMobile() })).toMatch(/your company.*minute/i);
    await server.query(
      `update mobile_uses set challenged_at = array_fill(clock_timestamp(), array[10]) where number_hash = $1`,
      [hashOfMobile(server, to)],
    );
    const neutral = await failureOf(await addTenant(server, FUNDS), { ...DEMANDED, mobileNumber: to });
    expect(neutral).toMatch(/cannot be delivered/);
    expect(neutral).not.toMatch(/compan|tenant|other|24 hours/i);
  });
});

describe('a device session and its person', () => {
  const other = { type: 'previous', ukAddress: { buildingNumber: '2', townOrCity: 'Ludforth', postcode: 'HR10 3AB' } };
  const [first] = liveBody('s').addresses;
  if (!first) throw new Error('no address');
  const corrected = { ...first, ukAddress: { ...first.ukAddress, postcode: 'HR10 2AE' } };
  test.each([
    ['a corrected postcode', [corrected]],
    ['addresses in another order', [other, first]],
  ])('%s: the same session still serves the person', async (_, addresses) => {
    const tenant = await addTenant(server, FUNDS);
    const session = server.mintSession();
    await generate(tenant, { addresses: [first, other] }, session);
    const data = await generate(tenant, { ...DEMANDED, mobileNumber: quietMobile(), addresses }, session);
    expect(data.status).toBe('authentication-required');
  });

  test('another spelling of the name fails, and the message says what must stay the same', async () => {
    const tenant = await addTenant(server, FUNDS);
    const session = server.mintSession();
    await generate(tenant, {}, session);
    const message = await failureOf(tenant, { ...DEMANDED, firstName: 'Adah' }, session);
    expect(message).toMatch(/device could not be verified.*30 minutes.*name.*date of birth/i);
  });
});
