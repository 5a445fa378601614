// Every row of the state table in docs/decisions/0050, walked over HTTP against the simulators. Each walk has a tenant of
// its own, so that its whole story can be told to the last line: reports, holds, ledger, events, audit, messages.
// P = 2,000 (three bureaus), S = 40; numbers in 9003xx get no receipt unless a test asks for one.
import type { GenerateRequest } from '@trefoil/contract';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { reportJobs } from '../src/credit-reports/jobs.ts';
import { createKeyedHash } from '../src/lib/keyed-hash.ts';
import { expectBooksToBalance } from './support/books.ts';
import { readMetrics } from './support/dump.ts';
import { type InboxMessage, type LiveServer, liveBody, startLiveServer } from './support/live.ts';
import { addTenant, type OwnTenant, refusalOf, type Story, storyOf } from './support/tenant.ts';

const FUNDS = 10_000;
const P = 2_000;
const S = 40;
/** A sweep rests 5 s and up to a fifth more. */
const SWEPT = { timeout: 15_000, interval: 100 };
const SOON = { timeout: 10_000, interval: 20 };

let server: LiveServer;
beforeAll(async () => {
  server = await startLiveServer();
});
afterAll(async () => {
  try {
    await expectBooksToBalance(server);
  } finally {
    await server.close();
  }
});

let lastNumber = 0;
/** A number nobody else uses; the digit chooses what the carrier does with it. */
function newMobile(digit: number): string {
  lastNumber += 1;
  return `+447700900${digit}${String(lastNumber % 100).padStart(2, '0')}`;
}
const quietMobile = () => newMobile(3);

/** Under which the service counts the uses of a number. */
const hashOf = (to: string) => createKeyedHash(server.config.hashKey, 'mobile')(to);

let lastPerson = 0;
/** A family name of a test's own, so that a rule at a simulator meets this test alone. */
function newName(): string {
  lastPerson += 1;
  return `Larksworth${String.fromCharCode(97 + (lastPerson % 26), 97 + Math.trunc(lastPerson / 26))}`;
}

type Part = 'albion' | 'beacon' | 'cygnet' | 'screening' | 'carrier';
async function control(part: Part, rule: object): Promise<void> {
  const response = await fetch(`${server.providers.addresses[part]}/control`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(rule),
  });
  expect(response.status).toBe(201);
}
const BUREAUS = ['albion', 'beacon', 'cygnet'] as const;
/** Makes these bureaus behave so for everybody of this name. */
async function spoil(lastName: string, behaviour: string, parts: readonly Part[] = BUREAUS): Promise<void> {
  for (const part of parts) await control(part, { match: { lastName }, behaviour });
}

async function tellReceipt(sendId: string, status: string): Promise<number[]> {
  const response = await fetch(`${server.providers.addresses.carrier}/control/receipts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sendId, status }),
  });
  return ((await response.json()) as { answers: number[] }).answers;
}

/** How often each bureau was asked about this report. */
async function askedTimes(creditReportId: string): Promise<number[]> {
  return Promise.all(BUREAUS.map(async (part) => (await server.enquiries(part)).get(creditReportId) ?? 0));
}

async function generate(tenant: OwnTenant, changes: Partial<GenerateRequest> = {}, sessionId = server.mintSession()) {
  const before = await server.wallet(tenant.tenantId);
  const { meta, data } = await tenant.trefoil.generate(liveBody(sessionId, changes));
  // Interface and docs/decisions/0050: on generate, balance before − cost = balance after, whatever came of it.
  expect(meta.wallet.balance).toBe(before.balance - meta.wallet.cost);
  return { data, cost: meta.wallet.cost };
}

type Challenged = {
  readonly tenant: OwnTenant;
  readonly to: string;
  readonly lastName: string;
  readonly creditReportId: string;
  readonly challengeId: string;
};

async function challenge(
  options: { tenant?: OwnTenant; credits?: number; to?: string; lastName?: string } = {},
): Promise<Challenged> {
  const tenant = options.tenant ?? (await addTenant(server, options.credits ?? FUNDS));
  const { to = quietMobile(), lastName = newName() } = options;
  const { data, cost } = await generate(tenant, { email: 'challenge@example.com', mobileNumber: to, lastName });
  if (data.status !== 'authentication-required') throw new Error(JSON.stringify(data));
  expect([cost, data.challengeType]).toEqual([P, 'otp']);
  return { tenant, to, lastName, creditReportId: data.creditReportId, challengeId: data.challenge.challengeId };
}

/** The messages to a number in the order of their sends, once there are so many. */
async function messages(to: string, count = 1): Promise<InboxMessage[]> {
  return vi.waitFor(async () => {
    const found = await server.inbox(to);
    expect(found.length).toBe(count);
    return found.toSorted((a, b) => (a.sendId < b.sendId ? -1 : 1));
  }, SOON);
}
const codeIn = ({ body }: InboxMessage) => /^\d{6}/.exec(body)?.[0] ?? '';
const codeOf = async ({ to }: Challenged) => codeIn((await messages(to))[0] as InboxMessage);
/** Six digits that are none of these. */
const wrongCode = (...codes: string[]) =>
  ['000000', '111111', '222222', '333333'].find((each) => !codes.includes(each)) ?? '';

const submit = ({ tenant, creditReportId, challengeId }: Challenged, code: string) =>
  tenant.trefoil.submitOtp(creditReportId, { challengeId, code });
const resend = ({ tenant, creditReportId, challengeId }: Challenged) =>
  tenant.trefoil.resendSms(creditReportId, { challengeId });
const story = ({ tenant }: { tenant: OwnTenant }) => storyOf(server, tenant);
const statusOf = async (creditReportId: string) =>
  (await server.query<{ status: string }>('select status from credit_reports where id = $1', [creditReportId]))[0]
    ?.status;

/** The sends of a challenge, once the carrier's word to the submit is written down. */
async function sendsOf({ creditReportId }: Challenged, isSettled = false) {
  return vi.waitFor(async () => {
    const sends = await server.query<{ id: string; state: string; carrier_ref: string | null }>(
      'select id, state, carrier_ref from sms_sends where credit_report_id = $1 order by id',
      [creditReportId],
    );
    expect(sends.length).toBeGreaterThan(0);
    for (const { state, carrier_ref } of sends) {
      expect(isSettled ? !['queued', 'submitted'].includes(state) : state !== 'queued' && carrier_ref !== null).toBe(
        true,
      );
    }
    return sends;
  }, SOON);
}

/** As if so much time had passed since the last message: of the challenge, and of its messages if told. */
async function letTimePass({ creditReportId }: Challenged, interval: string, ofSends = true): Promise<void> {
  await server.query(
    `update challenges set last_sent_at = last_sent_at - $2::interval, due_at = due_at - $2::interval
      where credit_report_id = $1`,
    [creditReportId, interval],
  );
  if (!ofSends) return;
  await server.query('update sms_sends set sent_at = sent_at - $2::interval where credit_report_id = $1', [
    creditReportId,
    interval,
  ]);
}

/** Runs one job now, as a node would: for those that rest longer than a test can wait. */
async function runJob(name: string): Promise<number> {
  const parts = { database: server.database } as Parameters<typeof reportJobs>[0];
  const job = reportJobs(parts, {} as Parameters<typeof reportJobs>[1], undefined).find((each) => each.name === name);
  if (!job) throw new Error(`no job ${name}`);
  return job.run();
}

const NOTHING: Story = { balance: FUNDS, held: 0, reports: [], holds: [], lines: [], events: [], audit: [], sends: [] };
const CHALLENGED: Story = {
  balance: FUNDS - P,
  held: S,
  reports: ['challenged'],
  holds: ['report 2000 captured 2000', 'sms 40 open'],
  lines: ['report-charge -2000 8000'],
  events: ['wallet.charged report 1', 'challenge.sent send 1'],
  audit: ['report.challenged by caller report 1'],
  sends: ['submitted'],
};

describe.concurrent('– → pending', () => {
  test('402 insufficient-funds: no report, no hold, nobody is asked; the figures are right to the credit', async () => {
    const tenant = await addTenant(server, P + S - 1);
    const body = liveBody(server.mintSession(), { mobileNumber: quietMobile() });
    expect(await refusalOf(tenant.trefoil.generate(body))).toEqual({
      status: 402,
      code: 'insufficient-funds',
      required: P + S,
      available: P + S - 1,
    });
    expect(await storyOf(server, tenant)).toEqual({ ...NOTHING, balance: P + S - 1 });
    const { mobileNumber: _, ...withoutMobile } = body;
    const { meta } = await tenant.trefoil.generate(withoutMobile);
    expect(meta.wallet).toEqual({ cost: P, balance: S - 1 });
    // One bureau alone costs 800, and 39 are left.
    const one = tenant.trefoil.generate({ ...withoutMobile, bureaus: ['equifax'] });
    expect(await refusalOf(one)).toMatchObject({ required: 800, available: S - 1 });
  });

  test('402: what is held counts as spent', async () => {
    const tenant = await addTenant(server, 2 * P);
    const lastName = newName();
    await spoil(lastName, 'slow=1500', ['albion']);
    const first = tenant.trefoil.generate(liveBody(server.mintSession(), { lastName, mobileNumber: quietMobile() }));
    await vi.waitFor(async () => expect((await server.wallet(tenant.tenantId)).held).toBe(P + S), SOON);
    const second = tenant.trefoil.generate(liveBody(server.mintSession()));
    expect(await refusalOf(second)).toMatchObject({ status: 402, required: P, available: P - S });
    expect((await first).meta.wallet).toEqual({ cost: P, balance: P });
  });

  test('held before anybody is asked: P and S, nothing charged yet, no event', async () => {
    const tenant = await addTenant(server, FUNDS);
    const lastName = newName();
    await spoil(lastName, 'slow=1500', ['beacon']);
    const work = tenant.trefoil.generate(liveBody(server.mintSession(), { lastName, mobileNumber: quietMobile() }));
    await vi.waitFor(async () => {
      expect(await storyOf(server, tenant)).toEqual({
        ...NOTHING,
        held: P + S,
        reports: ['pending'],
        holds: ['report 2000 open', 'sms 40 open'],
      });
    }, SOON);
    expect((await work).data.status).toBe('complete');
  });
});

describe.concurrent('pending → complete', () => {
  const complete: Story = {
    ...NOTHING,
    balance: FUNDS - P,
    reports: ['complete'],
    holds: ['report 2000 captured 2000', 'sms 40 voided'],
    lines: ['report-charge -2000 8000'],
    events: ['report.completed report 1', 'wallet.charged report 1'],
    audit: ['report.completed by caller report 1'],
  };

  test('200 complete: P charged, S given back, each bureau asked once', async () => {
    const tenant = await addTenant(server, FUNDS);
    const { data, cost } = await generate(tenant, { mobileNumber: quietMobile() });
    expect(data).toMatchObject({ status: 'complete', challengeType: 'none' });
    expect(cost).toBe(P);
    expect(await storyOf(server, tenant)).toEqual(complete);
    expect(await askedTimes(data.creditReportId)).toEqual([1, 1, 1]);
    expect((await server.enquiries('screening')).get(data.creditReportId)).toBe(1);
  });

  test('200 complete: a no-trace is an answer and is charged', async () => {
    const tenant = await addTenant(server, FUNDS);
    const { data, cost } = await generate(tenant);
    expect(data).toMatchObject({
      bureauResults: [
        { bureau: 'equifax', outcome: 'no-trace' },
        { bureau: 'experian', outcome: 'no-trace' },
        { bureau: 'transunion', outcome: 'no-trace' },
      ],
    });
    expect(cost).toBe(P);
    expect(await storyOf(server, tenant)).toEqual({ ...complete, holds: ['report 2000 captured 2000'] });
  });

  test('200 complete: a person of the bureaus’ own, three files in one report', async () => {
    const tenant = await addTenant(server, FUNDS);
    const response = await fetch(`${server.providers.addresses.albion}/people?count=1`);
    const { people } = (await response.json()) as {
      people: {
        firstName: string;
        lastName: string;
        dateOfBirth: string;
        addresses: Record<string, string | null>[];
      }[];
    };
    const [person] = people;
    if (!person) throw new Error('the bureaus know nobody');
    const [address] = person.addresses;
    const { postcode = '', townOrCity = '', buildingNumber, thoroughfare } = address ?? {};
    const ukAddress = {
      postcode: postcode ?? '',
      townOrCity: townOrCity ?? '',
      ...(buildingNumber && { buildingNumber }),
      ...(thoroughfare && { thoroughfare }),
    };
    const { firstName, lastName, dateOfBirth } = person;
    const { data, cost } = await generate(tenant, {
      firstName,
      lastName,
      dateOfBirth,
      addresses: [{ type: 'current', ukAddress }],
    });
    if (data.status !== 'complete') throw new Error(JSON.stringify(data));
    expect(data.bureauResults?.map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'ok']);
    expect(data.creditReport.consumerData.records.length).toBeGreaterThan(0);
    expect(cost).toBe(P);
  });

  const partial = [
    [['albion'], 1_400, ['unavailable', 'no-trace', 'no-trace']],
    [['albion', 'cygnet'], 800, ['unavailable', 'no-trace', 'unavailable']],
  ] as const;
  for (const [parts, price, outcomes] of partial) {
    test(`200 complete: ${parts.length} of 3 unavailable, ${price} charged and the rest given back`, async () => {
      const tenant = await addTenant(server, FUNDS);
      const lastName = newName();
      await spoil(lastName, 'reset', parts);
      const { data, cost } = await generate(tenant, { lastName });
      expect(data).toMatchObject({ status: 'complete' });
      if (data.status !== 'complete') return;
      expect(data.bureauResults?.map(({ outcome }) => outcome)).toEqual(outcomes);
      expect(cost).toBe(price);
      expect(await storyOf(server, tenant)).toEqual({
        ...complete,
        balance: FUNDS - price,
        holds: [`report 2000 captured ${price}`],
        lines: [`report-charge -${price} ${FUNDS - price}`],
      });
    });
  }
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
    sessionId?: string,
  ): Promise<void> {
    const { data, cost } = await generate(tenant, changes, sessionId);
    expect(data.status).toBe('failed');
    expect(cost).toBe(0);
    if (data.status === 'failed') expect(data.errorMessage).toMatch(/^[A-Z].*\.$/);
    const expected = failed(reason);
    const holds = changes.mobileNumber === undefined ? ['report 2000 voided'] : expected.holds;
    expect(await storyOf(server, tenant)).toEqual({ ...expected, holds });
  }

  test('200 failed: no bureau answers', async () => {
    const tenant = await addTenant(server, FUNDS);
    const lastName = newName();
    await spoil(lastName, 'reset');
    await expectFailed(tenant, { lastName, mobileNumber: quietMobile() }, 'no-bureau-answered');
  });

  test('200 failed: the screening is down, and no bureau is asked', async () => {
    const tenant = await addTenant(server, FUNDS);
    const email = 'screening-down@example.com';
    await expectFailed(tenant, { email, mobileNumber: quietMobile() }, 'screening-unavailable');
    const [report] = await server.query<{ id: string }>('select id from credit_reports where tenant_id = $1', [
      tenant.tenantId,
    ]);
    expect(await askedTimes(report?.id ?? '')).toEqual([0, 0, 0]);
  });

  test('200 failed: the screening hangs, within its two seconds', async () => {
    const tenant = await addTenant(server, FUNDS);
    const lastName = newName();
    await control('screening', { match: { lastName }, behaviour: 'hang' });
    const startedMs = performance.now();
    await expectFailed(tenant, { lastName, mobileNumber: quietMobile() }, 'screening-unavailable');
    expect(performance.now() - startedMs).toBeLessThan(4_000);
  });

  test('200 blocked: cost 0, no bureau is asked', async () => {
    const tenant = await addTenant(server, FUNDS);
    const { data, cost } = await generate(tenant, { email: 'block@example.com', mobileNumber: quietMobile() });
    expect(data).toEqual({ status: 'blocked', creditReportId: data.creditReportId });
    expect(cost).toBe(0);
    expect(await storyOf(server, tenant)).toEqual({
      ...failed(''),
      reports: ['blocked'],
      events: ['report.blocked report 1'],
      audit: ['report.blocked by caller report 1'],
    });
    expect(await askedTimes(data.creditReportId)).toEqual([0, 0, 0]);
  });

  const email = 'challenge@example.com';
  const undeliverable = {
    'no mobile number': {},
    'a landline': { mobileNumber: '+442079460018' },
    'a mobile of another country': { mobileNumber: '+12025550123' },
    'a Channel Islands mobile': { mobileNumber: '+447797712345' },
  };
  for (const [name, changes] of Object.entries(undeliverable)) {
    test(`200 failed: a challenge is demanded and there is ${name}: no message, cost 0`, async () => {
      const tenant = await addTenant(server, FUNDS);
      await expectFailed(tenant, { email, ...changes }, 'not-deliverable');
    });
  }

  test('200 challenge: another country, once the tenant allows it', async () => {
    const tenant = await addTenant(server, FUNDS);
    await server.query(`update tenants set sms_countries = '{GB,US}' where id = $1`, [tenant.tenantId]);
    const { data } = await generate(tenant, { email, mobileNumber: '+12025550124' });
    expect(data.status).toBe('authentication-required');
  });

  test('200 failed: the sixth challenge of a number in a day, whichever tenant asks', async () => {
    const to = quietMobile();
    const tenants = [await addTenant(server, 10 * FUNDS), await addTenant(server, 10 * FUNDS)];
    for (let count = 0; count < 5; count += 1) await challenge({ tenant: tenants[count % 2] as OwnTenant, to });
    await expectFailed(await addTenant(server, FUNDS), { email, mobileNumber: to }, 'not-deliverable');
    expect(await messages(to, 5)).toHaveLength(5);
    // A day later they count no more.
    await server.query(
      `update mobile_uses set challenged_at = array(select at - interval '24 hours' from unnest(challenged_at) as at),
              messaged_at = array(select at - interval '24 hours' from unnest(messaged_at) as at)
        where number_hash = $1`,
      [hashOf(to)],
    );
    await challenge({ tenant: tenants[0] as OwnTenant, to });
  });

  test('200 failed: a number that has had its ten messages', async () => {
    const to = quietMobile();
    const tenant = await addTenant(server, 100_000);
    for (let count = 0; count < 3; count += 1) {
      const open = await challenge({ tenant, to });
      await resend(open);
      await resend(open);
    }
    const last = await challenge({ tenant, to });
    await messages(to, 10);
    await vi.waitFor(async () => expect((await story(last)).sends).toEqual(Array(10).fill('submitted')), SOON);
    // Ten are sent: the resend of an open challenge is refused as well, and no money moves.
    const before = await story(last);
    expect(await refusalOf(resend(last))).toEqual({ status: 429, code: 'sms-limit-reached' });
    expect(await story(last)).toEqual(before);
    await expectFailed(await addTenant(server, FUNDS), { email, mobileNumber: to }, 'not-deliverable');
  });

  test('200 failed: the tenant’s credits for messages of the day are spent, to the credit', async () => {
    const tenant = await addTenant(server, FUNDS);
    const limit = (credits: number) =>
      server.query('update tenants set sms_daily_credits = $2 where id = $1', [tenant.tenantId, credits]);
    await limit(S - 1);
    await expectFailed(tenant, { email, mobileNumber: quietMobile() }, 'not-deliverable');
    await limit(2 * S);
    const open = await challenge({ tenant });
    expect((await resend(open)).data).toEqual({ smsSentCount: 2, remainingSmsCount: 1 });
    expect(await refusalOf(resend(open))).toEqual({ status: 429, code: 'sms-limit-reached' });
    // The next day it may again.
    await server.query('update wallets set sms_day = sms_day - 1 where tenant_id = $1', [tenant.tenantId]);
    expect((await resend(open)).data).toEqual({ smsSentCount: 3, remainingSmsCount: 0 });
  });

  test('200 failed: fifteen wrong codes for a number in a day, and the right one is not examined any more', async () => {
    const to = quietMobile();
    const tenant = await addTenant(server, 100_000);
    const first = await challenge({ tenant, to });
    const code = await codeOf(first);
    await server.query(
      'update mobile_uses set mistaken_at = array_fill(clock_timestamp(), array[14]) where number_hash = $1',
      [hashOf(to)],
    );
    expect((await submit(first, wrongCode(code))).data.status).toBe('retry');
    const over = await submit(first, code);
    expect(over.data).toMatchObject({ status: 'failed' });
    expect((await server.wallet(tenant.tenantId)).balance).toBe(100_000);
    await expectFailed(await addTenant(server, FUNDS), { email, mobileNumber: to }, 'not-deliverable');
  });
});

describe.concurrent('device sessions', () => {
  const strangers: Record<string, (tenant: OwnTenant) => Promise<string>> = {
    unknown: async () => 'a-session-nobody-made',
    forged: async () => {
      const session = server.mintSession();
      const last = session.at(-6) === 'A' ? 'B' : 'A';
      return `${session.slice(0, -6)}${last}${session.slice(-5)}`;
    },
    'over 30 minutes old': async () => server.mintSession(new Date(Date.now() - 30 * 60_000 - 1_000)),
    'first used for another person': async (tenant) => {
      const session = server.mintSession();
      await tenant.trefoil.generate(liveBody(session, { firstName: 'Beatrix' }));
      return session;
    },
    'first used for the same name, born another day': async (tenant) => {
      const session = server.mintSession();
      await tenant.trefoil.generate(liveBody(session, { dateOfBirth: '1984-03-10' }));
      return session;
    },
    'first used by another tenant': async () => {
      const session = server.mintSession();
      const other = await addTenant(server, FUNDS);
      await other.trefoil.generate(liveBody(session));
      return session;
    },
  };
  for (const [name, sessionOf] of Object.entries(strangers)) {
    test(`${name}: completes if nothing is demanded, fails without a message or a cost if a challenge is`, async () => {
      const tenant = await addTenant(server, FUNDS);
      const session = await sessionOf(tenant);
      const before = await storyOf(server, tenant);
      const to = quietMobile();
      const demanded = await generate(tenant, { email: 'challenge@example.com', mobileNumber: to }, session);
      expect(demanded).toMatchObject({ data: { status: 'failed' }, cost: 0 });
      if (demanded.data.status === 'failed')
        expect(demanded.data.errorMessage).toMatch(/device could not be verified/i);
      const after = await storyOf(server, tenant);
      expect(after).toMatchObject({ balance: before.balance, held: 0, lines: before.lines, sends: [] });
      expect(after.reports.at(-1)).toBe('failed device-not-verified');
      expect(await server.inbox(to)).toEqual([]);
      const allowed = await generate(tenant, {}, session);
      expect(allowed).toMatchObject({ data: { status: 'complete' }, cost: P });
    });
  }

  test('the same person, tenant and page again: known, whatever the spelling', async () => {
    const tenant = await addTenant(server, FUNDS);
    const session = server.mintSession();
    await generate(tenant, {}, session);
    const changes = { email: 'challenge@example.com', mobileNumber: quietMobile(), firstName: ' ADA ' };
    const { data } = await generate(tenant, changes, session);
    expect(data.status).toBe('authentication-required');
  });

  test('a session that met a 409 or a 422 is not bound by it', async () => {
    const tenant = await addTenant(server, FUNDS);
    const lastName = newName();
    await spoil(lastName, 'slow=1000', ['albion']);
    const call = { idempotencyKey: 'session' };
    const running = tenant.trefoil.generate(liveBody(server.mintSession(), { lastName }), call);
    await vi.waitFor(async () => expect((await server.wallet(tenant.tenantId)).held).toBe(P), SOON);
    const session = server.mintSession();
    const stranger = liveBody(session, { firstName: 'Beatrix' });
    expect(await refusalOf(tenant.trefoil.generate(stranger, call))).toMatchObject({ status: 422 });
    await running;
    expect(await refusalOf(tenant.trefoil.generate(stranger, call))).toMatchObject({ status: 422 });
    const changes = { email: 'challenge@example.com', mobileNumber: quietMobile() };
    expect((await generate(tenant, changes, session)).data.status).toBe('authentication-required');
  });

  test('a session that met a 402 is not bound by it', async () => {
    const [poor, rich] = [await addTenant(server, 0), await addTenant(server, FUNDS)];
    const session = server.mintSession();
    expect(await refusalOf(poor.trefoil.generate(liveBody(session)))).toMatchObject({ status: 402 });
    const changes = { email: 'challenge@example.com', mobileNumber: quietMobile() };
    expect((await generate(rich, changes, session)).data.status).toBe('authentication-required');
  });
});

describe.concurrent('pending → challenged', () => {
  test('200 authentication-required: P charged, S held, one message in GSM-7 that names the tenant', async () => {
    const open = await challenge();
    const [message] = await messages(open.to);
    await sendsOf(open);
    expect(await story(open)).toEqual(CHALLENGED);
    expect(message).toMatchObject({ encoding: 'GSM-7', segments: 1, submits: 1 });
    expect(message?.body).toMatch(/^\d{6} is your code for Larkfield Loans\. /);
    expect(message?.body).not.toMatch(/@/);
    expect(await askedTimes(open.creditReportId)).toEqual([0, 0, 0]);
  });

  test('the message ends with the origin-bound line once the tenant has set its host', async () => {
    const tenant = await addTenant(server, FUNDS);
    await server.query(`update tenants set otp_host = 'apply.example.com' where id = $1`, [tenant.tenantId]);
    const open = await challenge({ tenant });
    const [message] = await messages(open.to);
    expect(message?.body.endsWith(`\n@apply.example.com #${codeIn(message)}`)).toBe(true);
    expect(message).toMatchObject({ encoding: 'GSM-7', segments: 1 });
  });

  test('a queued message that nobody has handed over is handed over by the job, with the same code', async () => {
    const open = await challenge();
    const code = await codeOf(open);
    await sendsOf(open);
    // As a crash after the settlement leaves it.
    await server.query(
      `update sms_sends set state = 'queued', submitted_at = null, carrier_ref = null, sent_at = sent_at - interval '3 seconds'
        where credit_report_id = $1`,
      [open.creditReportId],
    );
    const again = await vi.waitFor(async () => {
      const found = await server.inbox(open.to);
      expect(found).toHaveLength(2);
      return found;
    }, SWEPT);
    expect(again.map(codeIn)).toEqual([code, code]);
    await sendsOf(open);
    expect(await story(open)).toEqual(CHALLENGED);
  });

  test('a queued message whose code has run out is never handed over; its hold is given back', async () => {
    const open = await challenge();
    await messages(open.to);
    await sendsOf(open);
    await server.query(
      `update sms_sends set state = 'queued', submitted_at = null, sent_at = sent_at - interval '301 seconds'
        where credit_report_id = $1`,
      [open.creditReportId],
    );
    await vi.waitFor(async () => expect((await story(open)).sends).toEqual(['undelivered']), SWEPT);
    expect(await story(open)).toMatchObject({ held: 0, holds: ['report 2000 captured 2000', 'sms 40 voided'] });
    expect(await server.inbox(open.to)).toHaveLength(1);
  });
});

describe.concurrent('the worker of a pending report is gone', () => {
  test('the lease is over: failed by the sweep, all given back, no bureau asked again; the late worker changes nothing', async () => {
    const tenant = await addTenant(server, FUNDS);
    const lastName = newName();
    // Longer than the sweep's rest, shorter than the bureau's own deadline.
    await spoil(lastName, 'slow=8000', ['cygnet']);
    const body = liveBody(server.mintSession(), { lastName, mobileNumber: quietMobile() });
    const zombie = tenant.trefoil.generate(body, { idempotencyKey: 'zombie' });
    await vi.waitFor(async () => expect((await server.wallet(tenant.tenantId)).held).toBe(P + S), SOON);
    await server.query(`update holds set expires_at = clock_timestamp() - interval '1 second' where tenant_id = $1`, [
      tenant.tenantId,
    ]);
    const swept: Story = {
      ...NOTHING,
      reports: ['failed interrupted'],
      holds: ['report 2000 voided', 'sms 40 voided'],
      events: ['report.failed report 1'],
      audit: ['report.failed by system report 1'],
    };
    await vi.waitFor(async () => expect(await storyOf(server, tenant)).toEqual(swept), SWEPT);
    const { meta, data } = await zombie;
    expect(data.status).toBe('failed');
    expect(meta.wallet).toEqual({ cost: 0, balance: FUNDS });
    expect(await storyOf(server, tenant)).toEqual(swept);
    expect(await askedTimes(data.creditReportId)).toEqual([1, 1, 1]);
    // The key has the answer that holds.
    const again = await tenant.trefoil.generate(body, { idempotencyKey: 'zombie' });
    expect(again.data).toEqual(data);
    expect(await storyOf(server, tenant)).toEqual(swept);
  });
});

describe.concurrent('challenged → challenged, failed', () => {
  test('200 retry, 200 retry, 200 failed: two move nothing, the third refunds P once; then always the same answer', async () => {
    const open = await challenge();
    const code = await codeOf(open);
    await sendsOf(open);
    const wrong = wrongCode(code);
    for (const attemptsRemaining of [2, 1]) {
      const { meta, data } = await submit(open, wrong);
      expect(data).toMatchObject({ status: 'retry', attemptsRemaining });
      expect(meta.wallet).toEqual({ cost: 0, balance: FUNDS - P });
      expect(await story(open)).toEqual(CHALLENGED);
    }
    const failed = await submit(open, wrong);
    expect(failed.data).toMatchObject({ status: 'failed' });
    expect(failed.meta.wallet).toEqual({ cost: 0, balance: FUNDS });
    const refunded: Story = {
      ...CHALLENGED,
      balance: FUNDS,
      reports: ['failed attempts-used'],
      lines: ['report-charge -2000 8000', 'report-refund 2000 10000'],
      events: [...CHALLENGED.events, 'report.failed report 1', 'wallet.refunded report 1'],
      audit: [...CHALLENGED.audit, 'report.failed by caller report 1'],
    };
    expect(await story(open)).toEqual(refunded);
    // The right code is not examined any more.
    for (const each of [code, wrong]) {
      const again = await submit(open, each);
      expect(again.data).toEqual(failed.data);
      expect(again.meta.wallet).toEqual({ cost: 0, balance: FUNDS });
    }
    expect(await refusalOf(resend(open))).toEqual({ status: 409, code: 'challenge-closed' });
    expect(await story(open)).toEqual(refunded);
    expect(await askedTimes(open.creditReportId)).toEqual([0, 0, 0]);
  });

  test('a resend gives no new attempts: two wrong, resend, one wrong is failed', async () => {
    const open = await challenge();
    const wrong = wrongCode(await codeOf(open));
    await submit(open, wrong);
    await submit(open, wrong);
    await resend(open);
    const codes = (await messages(open.to, 2)).map(codeIn);
    expect((await submit(open, wrongCode(...codes))).data.status).toBe('failed');
  });

  test('the code of test mode is a wrong code', async () => {
    const open = await challenge();
    expect(await codeOf(open)).not.toBe('123456');
    expect((await submit(open, '123456')).data.status).toBe('retry');
  });

  test('404: neither another tenant nor another report can answer a challenge', async () => {
    const [open, other] = [await challenge(), await challenge()];
    const code = await codeOf(open);
    expect(await refusalOf(submit({ ...open, tenant: other.tenant }, code))).toMatchObject({
      status: 404,
      code: 'credit-report-not-found',
    });
    const crossed = submit({ ...open, creditReportId: other.creditReportId, tenant: other.tenant }, code);
    expect(await refusalOf(crossed)).toMatchObject({ status: 404, code: 'challenge-not-found' });
    expect((await submit(other, code)).data.status).toBe('retry');
  });
});

describe.concurrent('challenged → fetching → complete, failed', () => {
  const verified: Story = {
    ...CHALLENGED,
    balance: FUNDS - P - S,
    held: 0,
    reports: ['fetching'],
    holds: ['report 2000 captured 2000', 'sms 40 captured 40'],
    lines: ['report-charge -2000 8000', 'sms-charge -40 7960'],
    events: [
      ...CHALLENGED.events,
      'challenge.delivered send 1',
      'wallet.charged send 1',
      'challenge.verified report 1',
    ],
    audit: [...CHALLENGED.audit, 'sms.settled by caller send 1'],
    sends: ['delivered'],
  };
  const completed: Story = {
    ...verified,
    reports: ['complete'],
    events: [...verified.events, 'report.completed report 1'],
    audit: [...verified.audit, 'report.completed by caller report 1'],
  };

  test('200 complete: the code proves the message, S is charged once, the submit costs 0', async () => {
    const open = await challenge();
    const code = await codeOf(open);
    await sendsOf(open);
    const spaced = `${code.slice(0, 3)} ${code.slice(3, 5)}-${code.slice(5)}`;
    const { meta, data } = await submit(open, spaced);
    expect(data).toMatchObject({ status: 'complete', creditReportId: open.creditReportId });
    expect(meta.wallet).toEqual({ cost: 0, balance: FUNDS - P - S });
    expect(await story(open)).toEqual(completed);
    expect(await askedTimes(open.creditReportId)).toEqual([1, 1, 1]);
    // A receipt that comes after the code charges nothing more, whatever it says.
    const [send] = await sendsOf(open);
    for (const status of ['sent', 'delivered', 'undelivered', 'failed']) await tellReceipt(send?.id ?? '', status);
    expect(await story(open)).toEqual(completed);
  });

  test('while one fetches: the same code waits and shares the report, another code is refused; one enquiry each', async () => {
    const open = await challenge();
    await spoil(open.lastName, 'slow=2000', ['albion']);
    const code = await codeOf(open);
    await sendsOf(open);
    const first = submit(open, code);
    await vi.waitFor(async () => expect(await story(open)).toEqual(verified), SOON);
    const waiting = [submit(open, code), submit(open, code)];
    const keyed = open.tenant.trefoil.submitOtp(
      open.creditReportId,
      { challengeId: open.challengeId, code },
      { idempotencyKey: 'waits' },
    );
    expect(await refusalOf(submit(open, wrongCode(code)))).toEqual({ status: 409, code: 'challenge-closed' });
    expect(await refusalOf(resend(open))).toEqual({ status: 409, code: 'challenge-closed' });
    const answers = await Promise.all([first, ...waiting, keyed]);
    for (const { meta, data } of answers) {
      expect(data).toEqual(answers[0]?.data);
      expect(meta.wallet).toEqual({ cost: 0, balance: FUNDS - P - S });
    }
    expect(answers[0]?.data.status).toBe('complete');
    expect(await story(open)).toEqual(completed);
    expect(await askedTimes(open.creditReportId)).toEqual([1, 1, 1]);
    const replayed = await open.tenant.trefoil.submitOtp(
      open.creditReportId,
      { challengeId: open.challengeId, code },
      { idempotencyKey: 'waits' },
    );
    expect(replayed.data).toEqual(answers[0]?.data);
  });

  test('200 complete: a bureau that did not answer is refunded, as a line of its own', async () => {
    const open = await challenge();
    await spoil(open.lastName, 'reset', ['beacon']);
    const { meta, data } = await submit(open, await codeOf(open));
    expect(data.status).toBe('complete');
    if (data.status === 'complete') {
      expect(data.bureauResults?.map(({ outcome }) => outcome)).toEqual(['no-trace', 'unavailable', 'no-trace']);
    }
    expect(meta.wallet).toEqual({ cost: 0, balance: FUNDS - P - S + 600 });
    expect(await story(open)).toEqual({
      ...completed,
      balance: FUNDS - P - S + 600,
      lines: [...completed.lines, 'report-refund 600 8560'],
      events: [...completed.events, 'wallet.refunded report 1'],
    });
  });

  test('200 failed: no bureau answers, all of P is refunded, the message stays paid', async () => {
    const open = await challenge();
    await spoil(open.lastName, 'reset');
    const code = await codeOf(open);
    const { meta, data } = await submit(open, code);
    expect(data).toMatchObject({ status: 'failed' });
    expect(meta.wallet).toEqual({ cost: 0, balance: FUNDS - S });
    const failed: Story = {
      ...verified,
      balance: FUNDS - S,
      reports: ['failed no-bureau-answered'],
      lines: [...verified.lines, 'report-refund 2000 9960'],
      events: [...verified.events, 'report.failed report 1', 'wallet.refunded report 1'],
      audit: [...verified.audit, 'report.failed by caller report 1'],
    };
    expect(await story(open)).toEqual(failed);
    expect((await submit(open, code)).data).toEqual(data);
    expect(await story(open)).toEqual(failed);
    expect(await askedTimes(open.creditReportId)).toEqual([1, 1, 1]);
  });

  test('the worker of a fetch is gone: failed and refunded by the job; the late worker changes nothing', async () => {
    const open = await challenge();
    await spoil(open.lastName, 'slow=8000', ['albion']);
    const zombie = submit(open, await codeOf(open));
    await vi.waitFor(async () => expect(await statusOf(open.creditReportId)).toBe('fetching'), SOON);
    await server.query(
      `update challenges set due_at = clock_timestamp() - interval '1 second' where credit_report_id = $1`,
      [open.creditReportId],
    );
    const swept: Story = {
      ...verified,
      balance: FUNDS - S,
      reports: ['failed interrupted'],
      lines: [...verified.lines, 'report-refund 2000 9960'],
      events: [...verified.events, 'report.failed report 1', 'wallet.refunded report 1'],
      audit: [...verified.audit, 'report.failed by system report 1'],
    };
    await vi.waitFor(async () => expect(await story(open)).toEqual(swept), SWEPT);
    const { meta, data } = await zombie;
    expect(data).toMatchObject({ status: 'failed' });
    expect(meta.wallet).toEqual({ cost: 0, balance: FUNDS - S });
    expect(await story(open)).toEqual(swept);
    expect(await askedTimes(open.creditReportId)).toEqual([1, 1, 1]);
  });

  test('409 request-in-progress: the same code waits for its budget and no longer', async () => {
    const open = await challenge();
    const code = await codeOf(open);
    const [send] = await sendsOf(open);
    // As a worker on another node leaves it while it fetches.
    await server.query(`update credit_reports set status = 'fetching', fence = 1 where id = $1`, [open.creditReportId]);
    await server.query(
      `update challenges set completing_send_id = $2, due_at = clock_timestamp() + interval '30 seconds'
        where credit_report_id = $1`,
      [open.creditReportId, send?.id],
    );
    const startedMs = performance.now();
    expect(await refusalOf(submit(open, code))).toEqual({
      status: 409,
      code: 'request-in-progress',
      retryAfterSeconds: 1,
    });
    expect(performance.now() - startedMs).toBeGreaterThan(15_000);
    await server.query(`update challenges set due_at = clock_timestamp() where credit_report_id = $1`, [
      open.creditReportId,
    ]);
    await vi.waitFor(async () => expect(await statusOf(open.creditReportId)).toBe('failed'), SWEPT);
    expect((await server.wallet(open.tenant.tenantId)).balance).toBe(FUNDS);
  }, 60_000);
});

describe.concurrent('after complete', () => {
  test('the completing code gives the report again for ten minutes, cost 0; then 409', async () => {
    const open = await challenge();
    await resend(open);
    const [first = '', second = ''] = (await messages(open.to, 2)).map(codeIn);
    await sendsOf(open);
    const done = await submit(open, second);
    const end = await story(open);
    expect(end.holds).toEqual(['report 2000 captured 2000', 'sms 40 open', 'sms 40 captured 40']);
    const again = await submit(open, second);
    expect(again.data).toEqual(done.data);
    expect(again.meta.wallet).toEqual({ cost: 0, balance: FUNDS - P - S });
    // The other message's code was right a moment ago, and is another code now.
    expect(await refusalOf(submit(open, first))).toEqual({ status: 409, code: 'challenge-closed' });
    await server.query(
      `update challenges set completed_at = completed_at - interval '599 seconds' where credit_report_id = $1`,
      [open.creditReportId],
    );
    expect((await submit(open, second)).data).toEqual(done.data);
    await server.query(
      `update challenges set completed_at = completed_at - interval '2 seconds' where credit_report_id = $1`,
      [open.creditReportId],
    );
    expect(await refusalOf(submit(open, second))).toEqual({ status: 409, code: 'challenge-closed' });
    expect(await refusalOf(resend(open))).toEqual({ status: 409, code: 'challenge-closed' });
    expect(await story(open)).toEqual(end);
    expect(await askedTimes(open.creditReportId)).toEqual([1, 1, 1]);
  });

  test('three other codes end the replay for good', async () => {
    const open = await challenge();
    const code = await codeOf(open);
    await submit(open, code);
    for (let count = 0; count < 3; count += 1) {
      expect(await refusalOf(submit(open, wrongCode(code)))).toMatchObject({ status: 409 });
    }
    expect(await refusalOf(submit(open, code))).toEqual({ status: 409, code: 'challenge-closed' });
  });
});

describe.concurrent('resend', () => {
  test('200, 200, 429: each holds S of its own, starts five minutes anew and has a code of its own', async () => {
    const open = await challenge();
    await letTimePass(open, '4 minutes 50 seconds', false);
    expect((await resend(open)).data).toEqual({ smsSentCount: 2, remainingSmsCount: 1 });
    const [row] = await server.query<{ fresh: boolean }>(
      `select last_sent_at > clock_timestamp() - interval '30 seconds'
          and due_at > clock_timestamp() + interval '4 minutes 30 seconds' as fresh
         from challenges where credit_report_id = $1`,
      [open.creditReportId],
    );
    expect(row?.fresh).toBe(true);
    expect((await resend(open)).data).toEqual({ smsSentCount: 3, remainingSmsCount: 0 });
    const sent: Story = {
      ...CHALLENGED,
      held: 3 * S,
      holds: ['report 2000 captured 2000', 'sms 40 open', 'sms 40 open', 'sms 40 open'],
      events: [...CHALLENGED.events, 'challenge.sent send 2', 'challenge.sent send 3'],
      sends: ['submitted', 'submitted', 'submitted'],
    };
    await messages(open.to, 3);
    await vi.waitFor(async () => expect(await story(open)).toEqual(sent), SOON);
    expect(await refusalOf(resend(open))).toEqual({ status: 429, code: 'sms-limit-reached' });
    expect(await story(open)).toEqual(sent);
    const codes = (await messages(open.to, 3)).map(codeIn);
    expect(new Set(codes).size).toBe(3);
    for (const { submits } of await server.inbox(open.to)) expect(submits).toBe(1);
  });

  test('402 insufficient-funds: nothing is sent, counted or held', async () => {
    const open = await challenge({ credits: P + 2 * S - 1 });
    await sendsOf(open);
    const before = await story(open);
    expect(await refusalOf(resend(open))).toEqual({
      status: 402,
      code: 'insufficient-funds',
      required: S,
      available: S - 1,
    });
    expect(await story(open)).toEqual(before);
    const [uses] = await server.query<{ count: number }>(
      'select sms_sent_count as count from challenges where credit_report_id = $1',
      [open.creditReportId],
    );
    expect(uses?.count).toBe(1);
    await server.fund(open.tenant.tenantId, 1);
    expect((await resend(open)).data).toEqual({ smsSentCount: 2, remainingSmsCount: 1 });
  });

  test('429 before 402: a poor tenant with no message left hears of the limit', async () => {
    const open = await challenge({ credits: P + 3 * S });
    await resend(open);
    await resend(open);
    expect(await refusalOf(resend(open))).toEqual({ status: 429, code: 'sms-limit-reached' });
  });

  test('the same Idempotency-Key sends one message', async () => {
    const open = await challenge();
    const { challengeId } = open;
    const call = () => open.tenant.trefoil.resendSms(open.creditReportId, { challengeId }, { idempotencyKey: 'again' });
    expect((await call()).data).toEqual((await call()).data);
    expect(await messages(open.to, 2)).toHaveLength(2);
    expect((await story(open)).held).toBe(2 * S);
  });

  test('an earlier message’s code is right within its own five minutes, and proves that message', async () => {
    const open = await challenge();
    await resend(open);
    const [first] = (await messages(open.to, 2)).map(codeIn);
    await sendsOf(open);
    await server.query(
      `update sms_sends set sent_at = sent_at - interval '290 seconds'
        where id = (select min(id::text)::uuid from sms_sends where credit_report_id = $1)`,
      [open.creditReportId],
    );
    expect((await submit(open, first ?? '')).data.status).toBe('complete');
    const { holds, sends, held } = await story(open);
    expect({ holds, sends, held }).toEqual({
      holds: ['report 2000 captured 2000', 'sms 40 captured 40', 'sms 40 open'],
      sends: ['delivered', 'submitted'],
      held: S,
    });
  });

  test('an outlived code is a wrong code and uses an attempt', async () => {
    const open = await challenge();
    await resend(open);
    const [first = '', second = ''] = (await messages(open.to, 2)).map(codeIn);
    await server.query(
      `update sms_sends set sent_at = sent_at - interval '301 seconds'
        where id = (select min(id::text)::uuid from sms_sends where credit_report_id = $1)`,
      [open.creditReportId],
    );
    expect((await submit(open, first)).data).toMatchObject({ status: 'retry', attemptsRemaining: 2 });
    expect((await submit(open, second)).data.status).toBe('complete');
  });
});

describe.concurrent('challenged → expired', () => {
  const expired: Story = {
    ...CHALLENGED,
    balance: FUNDS,
    reports: ['expired expired'],
    lines: ['report-charge -2000 8000', 'report-refund 2000 10000'],
    events: [...CHALLENGED.events, 'report.expired report 1', 'wallet.refunded report 1'],
    audit: [...CHALLENGED.audit, 'report.expired by system report 1'],
  };
  const seen: Story = { ...expired, audit: [...CHALLENGED.audit, 'report.expired by caller report 1'] };
  const gone = { status: 410, code: 'challenge-expired' };

  test('410 seen by a submit, even with the right code: refunded once, no attempt used, for good', async () => {
    const open = await challenge();
    const code = await codeOf(open);
    await sendsOf(open);
    await letTimePass(open, '301 seconds');
    for (const each of [code, wrongCode(code), code]) expect(await refusalOf(submit(open, each))).toEqual(gone);
    expect(await refusalOf(resend(open))).toEqual(gone);
    expect(await story(open)).toEqual(seen);
    const [row] = await server.query(
      'select attempts_used, due_at, completed_at from challenges where credit_report_id = $1',
      [open.creditReportId],
    );
    expect(row).toEqual({ attempts_used: 0, due_at: null, completed_at: null });
  });

  test('410 seen by a resend: refunded once, no message', async () => {
    const open = await challenge();
    await messages(open.to);
    await sendsOf(open);
    await letTimePass(open, '301 seconds');
    expect(await refusalOf(resend(open))).toEqual(gone);
    expect(await story(open)).toEqual(seen);
    expect(await refusalOf(resend(open))).toEqual(gone);
    expect(await refusalOf(submit(open, '000000'))).toEqual(gone);
    expect(await story(open)).toEqual(seen);
    expect(await server.inbox(open.to)).toHaveLength(1);
  });

  test('seen by the job alone: refunded; every later call is 410 and moves nothing', async () => {
    const open = await challenge();
    const code = await codeOf(open);
    await sendsOf(open);
    await letTimePass(open, '301 seconds');
    await vi.waitFor(async () => expect(await story(open)).toEqual(expired), SWEPT);
    expect(await refusalOf(submit(open, code))).toEqual(gone);
    expect(await refusalOf(resend(open))).toEqual(gone);
    expect(await story(open)).toEqual(expired);
  });

  test('410: once expired and refunded, no code opens it, whatever the clock says then', async () => {
    const open = await challenge();
    const code = await codeOf(open);
    await sendsOf(open);
    await letTimePass(open, '301 seconds');
    await vi.waitFor(async () => expect(await story(open)).toEqual(expired), SWEPT);
    await letTimePass(open, '-301 seconds');
    expect(await refusalOf(submit(open, code))).toEqual(gone);
    expect(await refusalOf(resend(open))).toEqual(gone);
    expect(await story(open)).toEqual(expired);
    expect(await askedTimes(open.creditReportId)).toEqual([0, 0, 0]);
  });

  test('a message sent while the job waits for the lock keeps the challenge open', async () => {
    const open = await challenge();
    const code = await codeOf(open);
    await sendsOf(open);
    const blocker = new Client({ connectionString: server.environment['TREFOIL_OWNER_DATABASE_URL'] ?? '' });
    await blocker.connect();
    try {
      // A resend holds the report while the job finds the challenge due and waits.
      await blocker.query('begin');
      await blocker.query('select from credit_reports where id = $1 for update', [open.creditReportId]);
      await letTimePass(open, '301 seconds', false);
      await vi.waitFor(async () => {
        const waiting = await server.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
              and query like '%for no key update%'`,
        );
        expect(waiting.length).toBeGreaterThan(0);
      }, SWEPT);
      await blocker.query(
        `update challenges set last_sent_at = clock_timestamp(), due_at = clock_timestamp() + interval '5 minutes'
          where credit_report_id = $1`,
        [open.creditReportId],
      );
      await blocker.query('commit');
    } finally {
      await blocker.end();
    }
    // One that was found beside it shows that the job has been through.
    const other = await challenge();
    await letTimePass(other, '301 seconds');
    await vi.waitFor(async () => expect(await statusOf(other.creditReportId)).toBe('expired'), SWEPT);
    expect(await story(open)).toEqual(CHALLENGED);
    expect((await submit(open, code)).data.status).toBe('complete');
  });

  test('the last instant still counts: at 4:59 the right code completes', async () => {
    const open = await challenge();
    const code = await codeOf(open);
    await letTimePass(open, '298 seconds');
    expect((await submit(open, code)).data.status).toBe('complete');
  });

  test('the job does not end it before its five minutes are over, even when told to look', async () => {
    const open = await challenge();
    await sendsOf(open);
    await letTimePass(open, '200 seconds');
    await server.query('update challenges set due_at = clock_timestamp() where credit_report_id = $1', [
      open.creditReportId,
    ]);
    const other = await challenge();
    await letTimePass(other, '301 seconds');
    await vi.waitFor(async () => expect(await statusOf(other.creditReportId)).toBe('expired'), SWEPT);
    expect(await story(open)).toEqual(CHALLENGED);
  });
});

describe.concurrent('a send', () => {
  test('receipt delivered: S is charged as its own line; sent before it and anything after it changes nothing', async () => {
    const open = await challenge();
    await messages(open.to);
    const [send] = await sendsOf(open);
    expect(await tellReceipt(send?.id ?? '', 'sent')).toEqual([204]);
    expect(await story(open)).toEqual(CHALLENGED);
    expect(await tellReceipt(send?.id ?? '', 'delivered')).toEqual([204]);
    const delivered: Story = {
      ...CHALLENGED,
      balance: FUNDS - P - S,
      held: 0,
      holds: ['report 2000 captured 2000', 'sms 40 captured 40'],
      lines: ['report-charge -2000 8000', 'sms-charge -40 7960'],
      events: [...CHALLENGED.events, 'challenge.delivered send 1', 'wallet.charged send 1'],
      audit: [...CHALLENGED.audit, 'sms.settled by twilio send 1'],
      sends: ['delivered'],
    };
    expect(await story(open)).toEqual(delivered);
    for (const status of ['delivered', 'sent', 'undelivered', 'failed', 'delivered', 'queued']) {
      expect(await tellReceipt(send?.id ?? '', status)).toEqual([204]);
    }
    expect(await story(open)).toEqual(delivered);
    // The right code after it charges no second S.
    const { meta } = await submit(open, await codeOf(open));
    expect(meta.wallet).toEqual({ cost: 0, balance: FUNDS - P - S });
  });

  const undelivered = (state: string): Story => ({
    ...CHALLENGED,
    held: 0,
    holds: ['report 2000 captured 2000', 'sms 40 voided'],
    events: [...CHALLENGED.events, 'challenge.undelivered send 1'],
    audit: [...CHALLENGED.audit, `sms.settled by ${state === 'undelivered' ? 'twilio' : 'system'} send 1`],
    sends: [state],
  });

  test('receipt undelivered: S is given back, the challenge stays open, and a right code still proves the message', async () => {
    const open = await challenge({ to: newMobile(2) });
    const code = await codeOf(open);
    await vi.waitFor(async () => expect(await story(open)).toEqual(undelivered('undelivered')), SOON);
    // The carrier was wrong: the consumer typed the code. Charged late, out of what is there.
    const { meta, data } = await submit(open, code);
    expect(data.status).toBe('complete');
    expect(meta.wallet).toEqual({ cost: 0, balance: FUNDS - P - S });
    expect(await story(open)).toMatchObject({
      lines: ['report-charge -2000 8000', 'sms-charge -40 7960'],
      holds: ['report 2000 captured 2000', 'sms 40 voided'],
      sends: ['delivered'],
    });
  });

  test('refused by the carrier: S is given back, it counts as a send, the next one is held anew', async () => {
    const open = await challenge({ to: newMobile(6) });
    await vi.waitFor(async () => expect(await story(open)).toEqual(undelivered('refused')), SOON);
    expect((await resend(open)).data).toEqual({ smsSentCount: 2, remainingSmsCount: 1 });
    await vi.waitFor(async () => expect((await story(open)).sends).toEqual(['refused', 'refused']), SOON);
    expect(await story(open)).toMatchObject({ held: 0, lines: CHALLENGED.lines });
  });

  test('72 hours of silence: S is given back and the message is known as silent', async () => {
    const open = await challenge();
    await messages(open.to);
    const [send] = await sendsOf(open);
    await server.query(
      `update sms_sends set sent_at = sent_at - interval '72 hours' + interval '1 minute' where id = $1`,
      [send?.id],
    );
    await runJob('end-silent-messages');
    expect(await story(open)).toEqual(CHALLENGED);
    await server.query(`update sms_sends set sent_at = sent_at - interval '2 minutes' where id = $1`, [send?.id]);
    await runJob('end-silent-messages');
    expect(await story(open)).toEqual(undelivered('silent'));
    await runJob('end-silent-messages');
    expect(await story(open)).toEqual(undelivered('silent'));
  });

  test('delivered after all, with funds: charged late, once', async () => {
    const open = await challenge({ to: newMobile(2) });
    await messages(open.to);
    await vi.waitFor(async () => expect(await story(open)).toEqual(undelivered('undelivered')), SOON);
    const [send] = await sendsOf(open, true);
    for (let count = 0; count < 3; count += 1) await tellReceipt(send?.id ?? '', 'delivered');
    expect(await story(open)).toEqual({
      ...undelivered('undelivered'),
      balance: FUNDS - P - S,
      lines: ['report-charge -2000 8000', 'sms-charge -40 7960'],
      events: [...undelivered('').events, 'challenge.delivered send 1', 'wallet.charged send 1'],
      audit: [...undelivered('undelivered').audit, 'sms.settled by twilio send 1'],
      sends: ['delivered'],
    });
  });

  test('delivered after all, without funds: written off, once, with an alarm; the wallet is untouched', async () => {
    const alarms = async () =>
      Number(/trefoil_alarms_total\{alarm="sms-writeoff"\} (\d+)/.exec(await readMetrics(server))?.[1] ?? 0);
    const alarmsBefore = await alarms();
    const open = await challenge({ to: newMobile(2), credits: P + S });
    await messages(open.to);
    const [send] = await sendsOf(open, true);
    await server.query(
      `insert into tenant_prices values ($1, 'report', '2001-01-01Z', 1), ($1, 'bureau', '2001-01-01Z', 0)`,
      [open.tenant.tenantId],
    );
    // One credit short of S: what is left is not taken.
    await open.tenant.trefoil.generate(liveBody(server.mintSession()));
    for (let count = 0; count < 3; count += 1) await tellReceipt(send?.id ?? '', 'delivered');
    const end = await story(open);
    expect(end).toMatchObject({
      balance: S - 1,
      held: 0,
      lines: ['report-charge -2000 40', 'report-charge -1 39', 'sms-writeoff 0 39'],
      sends: ['delivered'],
    });
    expect(end.events.slice(-1)).toEqual(['challenge.delivered send 1']);
    expect(await alarms()).toBe(alarmsBefore + 1);
    expect(server.logText()).toContain('a delivered message was written off');
  });

  test('an unknown submit is never repeated; its receipt bills it', async () => {
    const open = await challenge({ to: newMobile(7) });
    await vi.waitFor(async () => expect((await story(open)).sends).toEqual(['delivered']), SOON);
    expect(await story(open)).toMatchObject({ balance: FUNDS - P - S, held: 0 });
    expect(await server.inbox(open.to)).toMatchObject([{ submits: 1 }]);
  });

  test('a submit that hangs stays open: neither charged nor sent again', async () => {
    const open = await challenge({ to: newMobile(8) });
    await vi.waitFor(async () => expect((await story(open)).sends).toEqual(['submitted']), SOON);
    // Two rests of the job that hands over what is queued.
    const runs = async () =>
      Number(
        /trefoil_job_runs_total\{job="submit-messages",outcome="done"\} (\d+)/.exec(await readMetrics(server))?.[1] ??
          0,
      );
    const before = await runs();
    await vi.waitFor(async () => expect(await runs()).toBeGreaterThanOrEqual(before + 2), {
      timeout: 20_000,
      interval: 200,
    });
    expect(await story(open)).toEqual(CHALLENGED);
    const [send] = await server.query<{ id: string }>('select id from sms_sends where credit_report_id = $1', [
      open.creditReportId,
    ]);
    const response = await fetch(`${server.providers.addresses.carrier}/control/submits`);
    const { submits } = (await response.json()) as { submits: { sendId: string; submits: number }[] };
    expect(submits.find(({ sendId }) => sendId === send?.id)?.submits).toBe(1);
  });

  test('receipts twice, in the wrong order and against each other: charged once', async () => {
    for (const digit of [4, 5]) {
      const open = await challenge({ to: newMobile(digit) });
      await vi.waitFor(async () => expect((await story(open)).sends).toEqual(['delivered']), SOON);
      expect(await story(open)).toMatchObject({ balance: FUNDS - P - S, held: 0 });
    }
  });

  test('receipts that are quicker than the answer to the submit: charged once, the message keeps its reference', async () => {
    const to = quietMobile();
    await control('carrier', { match: { to }, behaviour: 'early' });
    const open = await challenge({ to });
    const [message] = await messages(to);
    const [send] = await sendsOf(open, true);
    await vi.waitFor(async () => expect((await story(open)).lines).toHaveLength(2), SOON);
    expect(send?.state).toBe('delivered');
    expect(send?.carrier_ref).toBe(message?.sid);
  });

  test('after the challenge is over its message is still settled by its own receipt', async () => {
    const open = await challenge();
    await messages(open.to);
    const [send] = await sendsOf(open);
    await letTimePass(open, '301 seconds');
    expect(await refusalOf(submit(open, '000000'))).toMatchObject({ status: 410 });
    await tellReceipt(send?.id ?? '', 'delivered');
    expect(await story(open)).toMatchObject({
      balance: FUNDS - S,
      held: 0,
      lines: ['report-charge -2000 8000', 'report-refund 2000 10000', 'sms-charge -40 9960'],
    });
  });
});

describe.concurrent('prices', () => {
  test('a price that changes while a challenge is open changes neither its refund nor its message', async () => {
    const open = await challenge();
    const code = await codeOf(open);
    await sendsOf(open);
    await server.query(
      `insert into tenant_prices values ($1, 'report', '2001-01-01Z', 9), ($1, 'bureau', '2001-01-01Z', 99), ($1, 'sms', '2001-01-01Z', 3)`,
      [open.tenant.tenantId],
    );
    await spoil(open.lastName, 'reset', ['albion']);
    const { meta } = await submit(open, code);
    expect(meta.wallet.balance).toBe(FUNDS - P - S + 600);
  });

  test('free of charge is a price: everything works and leaves lines of zero', async () => {
    const tenant = await addTenant(server, 0);
    await server.query(
      `insert into tenant_prices values ($1, 'report', '2001-01-01Z', 0), ($1, 'bureau', '2001-01-01Z', 0), ($1, 'sms', '2001-01-01Z', 0)`,
      [tenant.tenantId],
    );
    const lastName = newName();
    const to = quietMobile();
    const { data, cost } = await generate(tenant, { email: 'challenge@example.com', mobileNumber: to, lastName });
    if (data.status !== 'authentication-required') throw new Error(JSON.stringify(data));
    expect(cost).toBe(0);
    await spoil(lastName, 'reset', ['albion']);
    const { creditReportId, challenge: asked } = data;
    const done = await submit(
      { tenant, to, lastName, creditReportId, ...asked },
      codeIn((await messages(to))[0] as InboxMessage),
    );
    expect(done.data.status).toBe('complete');
    const { lines, held, balance } = await storyOf(server, tenant);
    // Nothing was charged for the bureau that did not answer, so there is nothing to give back.
    expect({ lines, held, balance }).toEqual({ lines: ['report-charge 0 0', 'sms-charge 0 0'], held: 0, balance: 0 });
  });
});
