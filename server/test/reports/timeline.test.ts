// The timeline of a report, live and test, open, ended and erased (docs/decisions/0231-the-timeline-of-a-report.md).
import type { TimelineData, TimelineItem } from '@trefoil/contract';
import { createTrefoil, type Trefoil } from '@trefoil/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { expectSince } from '../../../tools/testing/expect-since.ts';
import { newId } from '../../src/lib/ids.ts';
import { generateBody, startChallenge } from '../harness.ts';
import { applyReceipt, challenge, codeOf, generate, resend, sendsOf, submit } from '../support/challenges.ts';
import { type LiveServer, startLiveServer } from '../support/live.ts';
import { addLiveReport } from '../support/money-states.ts';
import { addPerson, auditOf, callAs } from '../support/people.ts';
import { addTenant } from '../support/tenant.ts';
import { addCredential } from '../support/tokens.ts';
import { FUNDS, newName, P, S, wrongCode } from '../support/words.ts';

const startedMs = Date.now();
let server: LiveServer;
beforeAll(async () => {
  server = await startLiveServer();
});
afterAll(() => server.close());

const timelineOf = async (trefoil: Trefoil, creditReportId: string): Promise<TimelineData> =>
  (await trefoil.getTimeline(creditReportId)).data;
const kinds = ({ items }: TimelineData) => items.map(({ kind }) => kind);
const words = ({ items }: TimelineData) =>
  items.map(({ kind, message, credits, failureReason }) =>
    [kind, message, credits, failureReason].filter((each) => each !== undefined).join(' '),
  );
/** A statement about times alone: each is an instant of this file's run, and none is before the one above it. */
function expectInOrder(items: readonly TimelineItem[]): void {
  const times = items.map(({ at }) => Date.parse(at));
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  for (const time of times) expectSince(startedMs, time);
}

test('200: a live report at once: its charge, each bureau’s outcome and time, the end', async () => {
  const tenant = await addTenant(server, FUNDS);
  const { data } = await generate(server, tenant, { lastName: newName(), mobileNumber: '+447700900456' });
  expect(data.status).toBe('complete');
  const timeline = await timelineOf(tenant.trefoil, data.creditReportId);
  expect(timeline).toMatchObject({
    ...{ creditReportId: data.creditReportId, status: 'complete', test: false, source: 'api', isPurged: false },
    mobileEnding: '456',
  });
  expect(words(timeline).toSorted()).toEqual([`completed`, `report-charged ${P}`, 'requested'].toSorted());
  expectInOrder(timeline.items);
  expect(timeline.bureaus).toHaveLength(3);
  for (const { outcome, answeredAt } of timeline.bureaus ?? []) {
    expect(['ok', 'no-trace']).toContain(outcome);
    expectSince(startedMs, answeredAt);
  }
});

test('200: a live challenge with two messages: open, delivered, right code, charges; nothing of the consumer', async () => {
  const open = await challenge(server);
  const { trefoil } = open.tenant;
  await sendsOf(server, open);
  expect(words(await timelineOf(trefoil, open.creditReportId))).toEqual([
    'requested',
    `report-charged ${P}`,
    'message-sent 1',
  ]);
  expect(await timelineOf(trefoil, open.creditReportId)).toMatchObject({
    status: 'authentication-required',
    mobileEnding: open.to.slice(-3),
    bureaus: [],
  });
  const code = await codeOf(server, open);
  await resend(open);
  const [first, second] = await eventually(async () => {
    const sends = await sendsOf(server, open);
    expect(sends).toHaveLength(2);
    return sends;
  });
  await applyReceipt(server, second?.id ?? '', 'undelivered');
  await submit(open, wrongCode(code));
  expect((await submit(open, code)).data.status).toBe('complete');
  const timeline = await timelineOf(trefoil, open.creditReportId);
  expect(words(timeline).slice(0, 5)).toEqual([
    'requested',
    `report-charged ${P}`,
    'message-sent 1',
    'message-sent 2',
    'message-undelivered 2',
  ]);
  // One transaction: the right code proves that the first message arrived. Its statements may be a millisecond apart.
  expect(words(timeline).slice(5, 8).toSorted()).toEqual([
    'code-verified',
    `message-charged 1 ${S}`,
    'message-delivered 1',
  ]);
  expect(words(timeline).slice(8)).toEqual(['completed']);
  expect(first?.state).toBe('submitted');
  expectInOrder(timeline.items);
  const text = JSON.stringify(timeline);
  for (const secret of [open.to, open.to.slice(-4), open.lastName, code]) expect(text).not.toContain(secret);
  const audit = await auditOf(server, open.tenant.tenantId);
  expect(audit.at(-1)).toMatchObject({
    ...{ action: 'report.timeline-read', subject: open.creditReportId, details: { status: 'complete' } },
  });
});

test('200: a refund and its reason after three wrong codes', async () => {
  const open = await challenge(server);
  const code = await codeOf(server, open);
  for (let guess = 0; guess < 3; guess++) await submit(open, wrongCode(code));
  const timeline = await timelineOf(open.tenant.trefoil, open.creditReportId);
  expect(timeline.status).toBe('failed');
  expect(words(timeline)).toContain('failed attempts-used');
  expect(words(timeline)).toContain(`report-refunded ${P}`);
});

test('200: while a request works on it, there is what has happened so far', async () => {
  const { tenantId } = server.demo;
  const id = await addLiveReport(server, tenantId, { status: 'pending' });
  expect(await timelineOf(server.trefoil, id)).toMatchObject({ status: 'in-progress', items: [{ kind: 'requested' }] });
  const fetching = await addLiveReport(server, tenantId, { status: 'fetching', challengeId: newId() });
  expect((await timelineOf(server.trefoil, fetching)).status).toBe('in-progress');
});

test('200: test mode: messages as testOptions says, the right code, bureaus; no money', async () => {
  const plain = await server.trefoil.generate(generateBody({ mobileNumber: '+447700900789' }));
  const atOnce = await timelineOf(server.trefoil, plain.data.creditReportId);
  expect(kinds(atOnce)).toEqual(['requested', 'completed']);
  expect(atOnce).toMatchObject({ test: true, mobileEnding: '789' });
  expect(atOnce.bureaus?.map(({ bureau, outcome }) => `${bureau} ${outcome}`)).toEqual([
    'equifax ok',
    'experian ok',
    'transunion ok',
  ]);
  const lost = await startChallenge(server.trefoil, { testOptions: { receipt: 'undelivered' } });
  await server.trefoil.resendSms(lost.creditReportId, { challengeId: lost.challengeId });
  await server.trefoil.submitOtp(lost.creditReportId, { challengeId: lost.challengeId, code: '123456' });
  const timeline = await timelineOf(server.trefoil, lost.creditReportId);
  expect(words(timeline)).toEqual([
    'requested',
    'message-sent 1',
    'message-undelivered 1',
    'message-sent 2',
    'message-undelivered 2',
    'code-verified',
    'completed',
  ]);
  expect(timeline.mobileEnding).toBeNull();
  const silent = await startChallenge(server.trefoil, { testOptions: { receipt: 'never' } });
  expect(kinds(await timelineOf(server.trefoil, silent.creditReportId))).toEqual(['requested', 'message-sent']);
  await server.trefoil.advanceTestClock(silent.creditReportId, 400);
  expect((await timelineOf(server.trefoil, silent.creditReportId)).status).toBe('failed');
});

test('200: of an erased report times, status and money remain; the number and the bureaus’ times do not', async () => {
  const open = await challenge(server);
  await submit(open, await codeOf(server, open));
  const { trefoil, tenantId } = open.tenant;
  const before = await timelineOf(trefoil, open.creditReportId);
  // Its time is over; the job has not erased it yet.
  await server.query(`update credit_reports set settled_at = settled_at - interval '31 days' where id = $1`, [
    open.creditReportId,
  ]);
  const due = await timelineOf(trefoil, open.creditReportId);
  expect(due).toMatchObject({ isPurged: true, mobileEnding: null, status: 'complete' });
  await server.query(
    `update credit_reports set settled_at = settled_at + interval '31 days', sealed_request = '', sealed_report = null,
            sealed_provenance = null, purged_at = clock_timestamp() where id = $1`,
    [open.creditReportId],
  );
  await server.query('delete from data_keys where tenant_id = $1 and credit_report_id = $2', [
    tenantId,
    open.creditReportId,
  ]);
  const after = await timelineOf(trefoil, open.creditReportId);
  expect(after).toEqual({
    ...before,
    isPurged: true,
    mobileEnding: null,
    bureaus: before.bureaus?.map((bureau) => ({ ...bureau, answeredAt: null })),
    items: [...before.items, { kind: 'erased', at: expect.any(String) }],
  });
  const test = await startChallenge(server.trefoil, { testOptions: { receipt: 'refused' } });
  await server.query('delete from data_keys where credit_report_id = $1', [test.creditReportId]);
  expect(kinds(await timelineOf(server.trefoil, test.creditReportId))).toEqual(['requested', 'message-sent']);
});

test('200: finance sees times and money, and neither number nor bureaus', async () => {
  const open = await challenge(server);
  await submit(open, await codeOf(server, open));
  const { tenantId, trefoil } = open.tenant;
  const finance = await addPerson(server, tenantId, 'finance');
  const { data } = await callAs(
    server,
    finance,
    'GET',
    `/${tenantId}/v1/credit-reports/${open.creditReportId}/timeline`,
  );
  const { bureaus: _, ...seen } = await timelineOf(trefoil, open.creditReportId);
  expect(data).toEqual({ ...seen, mobileEnding: null });
  const person = await addPerson(server, tenantId, 'caseworker');
  const full = await callAs(server, person, 'GET', `/${tenantId}/v1/credit-reports/${open.creditReportId}/timeline`);
  expect(full.data).toMatchObject({ mobileEnding: open.to.slice(-3), bureaus: expect.any(Array) });
});

test('404 credit-report-not-found: another tenant’s, an unknown and a malformed id, and a live one for a test-only credential', async () => {
  const { data } = await server.otherTrefoil.generate(generateBody());
  for (const id of [data.creditReportId, newId(), 'x', '%00', 'counts']) {
    await expect(server.trefoil.getTimeline(id)).rejects.toMatchObject({
      ...{ status: 404, code: 'credit-report-not-found' },
    });
  }
  const credential = await addCredential(server, server.demo);
  await server.query('update credentials set is_test_only = true where id = $1', [credential.clientId]);
  const testOnly = createTrefoil({ baseUrl: server.baseUrl, ...credential });
  const live = await addLiveReport(server, server.demo.tenantId, { status: 'blocked' });
  await expect(testOnly.getTimeline(live)).rejects.toMatchObject({ status: 404 });
  const own = await testOnly.generate(generateBody());
  expect((await testOnly.getTimeline(own.data.creditReportId)).data.test).toBe(true);
});
