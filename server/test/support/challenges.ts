// A live report with a challenge, from its first message to its end: what a test does with it, and what the service has
// written about it. Each has a tenant of its own unless a test wants another, so that all of the tenant's story can be
// compared.
import type { GenerateRequest } from '@trefoil/contract';
import { expect } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { type InboxMessage, type LiveServer, liveBody } from './live.ts';
import { sendReceipt } from './providers.ts';
import { addTenant, type OwnTenant, type Story, storyOf } from './tenant.ts';
import { codeIn, FUNDS, newName, P, quietMobile, S } from './words.ts';

export type Challenged = {
  readonly tenant: OwnTenant;
  readonly to: string;
  readonly lastName: string;
  readonly creditReportId: string;
  readonly challengeId: string;
};

/** The story of a tenant with FUNDS that has done nothing. */
export const NOTHING: Story = {
  balance: FUNDS,
  held: 0,
  reports: [],
  holds: [],
  lines: [],
  events: [],
  audit: [],
  sends: [],
};
/** The story of a tenant with FUNDS and one open challenge, whose message the carrier has taken. */
export const CHALLENGED: Story = {
  balance: FUNDS - P,
  held: S,
  reports: ['challenged'],
  holds: ['report 2000 captured 2000', 'sms 40 open'],
  lines: ['report-charge -2000 8000'],
  events: ['report.challenged report 1', 'wallet.charged report 1', 'challenge.sent send 1'],
  audit: ['report.challenged by caller report 1'],
  sends: ['submitted'],
};

export async function generate(
  server: LiveServer,
  tenant: OwnTenant,
  changes: Partial<GenerateRequest> = {},
  sessionId = server.mintSession(),
) {
  const before = await server.wallet(tenant.tenantId);
  const { meta, data } = await tenant.trefoil.generate(liveBody(sessionId, changes));
  // Interface and docs/decisions/0050-when-the-report-is-charged.md: on generate, balance before − cost = balance after,
  // whatever came of it.
  expect(meta.wallet.balance).toBe(before.balance - meta.wallet.cost);
  return { data, cost: meta.wallet.cost };
}

type Wishes = {
  readonly tenant?: OwnTenant;
  readonly credits?: number;
  readonly to?: string;
  readonly lastName?: string;
};

export async function challenge(server: LiveServer, wishes: Wishes = {}): Promise<Challenged> {
  const tenant = wishes.tenant ?? (await addTenant(server, wishes.credits ?? FUNDS));
  const { to = quietMobile(), lastName = newName() } = wishes;
  const { data, cost } = await generate(server, tenant, { email: 'challenge@example.com', mobileNumber: to, lastName });
  if (data.status !== 'authentication-required') throw new Error(JSON.stringify(data));
  expect([cost, data.challengeType]).toEqual([P, 'otp']);
  return { tenant, to, lastName, creditReportId: data.creditReportId, challengeId: data.challenge.challengeId };
}

/** The messages to a number in the order of their sends, once there are so many. */
export async function messages(server: LiveServer, to: string, count = 1): Promise<InboxMessage[]> {
  return eventually(async () => {
    const found = await server.inbox(to);
    expect(found.length).toBe(count);
    return found.toSorted((a, b) => (a.sendId < b.sendId ? -1 : 1));
  });
}
/** The code of a challenge with one message. */
export const codeOf = async (server: LiveServer, { to }: Challenged) =>
  codeIn((await messages(server, to))[0] as InboxMessage);

type Open = Pick<Challenged, 'tenant' | 'creditReportId' | 'challengeId'>;
export const submit = ({ tenant, creditReportId, challengeId }: Open, code: string) =>
  tenant.trefoil.submitOtp(creditReportId, { challengeId, code });
export const resend = ({ tenant, creditReportId, challengeId }: Open) =>
  tenant.trefoil.resendSms(creditReportId, { challengeId });

export const story = (server: LiveServer, { tenant }: Challenged) => storyOf(server, tenant);
export const statusOf = async (server: LiveServer, creditReportId: string) =>
  (await server.query<{ status: string }>('select status from credit_reports where id = $1', [creditReportId]))[0]
    ?.status;

/** The sends of a challenge, once the carrier's word to the submit is written down. */
export async function sendsOf(server: LiveServer, { creditReportId }: Challenged, isSettled = false) {
  return eventually(async () => {
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
  });
}

/** A receipt that the service has not only stored but applied. */
export async function applyReceipt(server: LiveServer, sendId: string, status: string): Promise<number[]> {
  const answers = await sendReceipt(server, sendId, status);
  await server.receiptsApplied();
  return answers;
}

/** As if so much time had passed since the last message: of the challenge, and of its messages if asked. */
export async function letTimePass(
  server: LiveServer,
  { creditReportId }: Challenged,
  interval: string,
  ofSends = true,
): Promise<void> {
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

/** Resolves when the sweep takes leases that ran out: from so long with a reachable database on. */
export async function leasesAreSwept(server: LiveServer, reachableMs: number): Promise<void> {
  await eventually(async () => {
    const trusted = await server.query(
      `select from sweepers where reachable_since <= clock_timestamp() - $1 * interval '1 millisecond'`,
      [reachableMs],
    );
    expect(trusted.length).toBeGreaterThan(0);
  });
}
