// The test inbox: the exact text of every message that test challenges would have sent, derived, never stored.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generateBody, startChallenge } from '../../harness.ts';
import { challenge, messages } from '../../support/challenges.ts';
import { type LiveServer, startLiveServer } from '../../support/live.ts';
import { addPerson, callAs } from '../../support/people.ts';
import { addTenant } from '../../support/tenant.ts';
import { codeIn } from '../../support/words.ts';

let server: LiveServer;
beforeAll(async () => {
  server = await startLiveServer();
});
afterAll(() => server.close());

const TEXT = '123456 is your code for Larkfield Loans. It is valid for 5 minutes. Do not share it with anyone.';

test('200: the text to the letter, the number masked, newest first; nothing before the first challenge', async () => {
  const tenant = await addTenant(server, 0);
  const list = async (query = {}) => (await tenant.trefoil.listTestInbox(query)).data;
  expect(await list()).toEqual({ items: [], nextCursor: null });
  const first = await startChallenge(tenant.trefoil, { mobileNumber: '+447700900123' });
  const second = await startChallenge(tenant.trefoil);
  await tenant.trefoil.resendSms(second.creditReportId, { challengeId: second.challengeId });
  await tenant.trefoil.generate(generateBody());
  const { items, nextCursor } = await list();
  expect(nextCursor).toBeNull();
  expect(items).toEqual([
    { ...second, number: 2, to: null, text: TEXT, state: 'delivered', sentAt: expect.any(String) },
    { ...second, number: 1, to: null, text: TEXT, state: 'delivered', sentAt: expect.any(String) },
    { ...first, number: 1, to: '********0123', text: TEXT, state: 'delivered', sentAt: expect.any(String) },
  ]);
  const times = items.map(({ sentAt }) => sentAt);
  expect(times).toEqual(times.toSorted().toReversed());
  expect((await list({ creditReportId: first.creditReportId })).items).toEqual(items.slice(2));
  expect((await list({ creditReportId: '01890000-0000-7000-8000-000000000000' })).items).toEqual([]);
});

test('the same text as the carrier gets in live mode, apart from the code; the bound line too', async () => {
  const tenant = await addTenant(server, 10_000);
  await server.query(`update tenants set otp_host = 'apply.example.com' where id = $1`, [tenant.tenantId]);
  const live = await challenge(server, { tenant });
  const [sent] = await messages(server, live.to);
  await startChallenge(tenant.trefoil);
  const { items } = (await tenant.trefoil.listTestInbox()).data;
  // The live challenge is not in it.
  expect(items).toHaveLength(1);
  expect(items[0]?.text).toBe(sent?.body.replaceAll(codeIn(sent), '123456'));
  expect(items[0]?.text).toContain('\n@apply.example.com #123456');
});

test('pages of every size show each message once, in the same order, although a page can end inside a challenge', async () => {
  const tenant = await addTenant(server, 0);
  for (let each = 0; each < 4; each += 1) {
    const { creditReportId, challengeId } = await startChallenge(tenant.trefoil);
    await tenant.trefoil.generate(generateBody());
    for (let resends = 0; resends < each % 3; resends += 1) {
      await tenant.trefoil.resendSms(creditReportId, { challengeId });
    }
  }
  const all = (await tenant.trefoil.listTestInbox()).data.items;
  expect(all).toHaveLength(7);
  for (const limit of [1, 2, 3, 6, 7, 8]) {
    const seen: typeof all = [];
    let cursor: string | undefined;
    do {
      const { data } = await tenant.trefoil.listTestInbox(cursor === undefined ? { limit } : { limit, cursor });
      expect(data.items.length).toBeLessThanOrEqual(limit);
      seen.push(...data.items);
      cursor = data.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual(all);
  }
  const creditReportId = all[0]?.creditReportId ?? '';
  const one = (await tenant.trefoil.listTestInbox({ creditReportId, limit: 1 })).data;
  expect(one.items).toEqual(all.slice(0, 1));
});

test('ten thousand newer live reports hide neither a message nor its report from test mode', async () => {
  const tenant = await addTenant(server, 0);
  const { creditReportId } = await startChallenge(tenant.trefoil);
  await server.query(
    `insert into credit_reports (tenant_id, id, is_test, caller_id, status, sealed_request)
     select $1, ('ffffffff-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, false, $1, 'blocked', ''
       from generate_series(1, 10000) as n`,
    [tenant.tenantId],
  );
  expect((await tenant.trefoil.listTestInbox()).data).toMatchObject({ items: [{ creditReportId }], nextCursor: null });
  const ofTests = (await tenant.trefoil.listReports({ test: true })).data;
  expect(ofTests).toMatchObject({ items: [{ creditReportId }], nextCursor: null });
  // Live ones are looked for among ten thousand reports of both modes: then the cursor continues.
  expect((await tenant.trefoil.listReports({ test: false, status: 'complete' })).data).toEqual({
    items: [],
    nextCursor: expect.any(String),
  });
});

test.each(['x', 'bm90LWEtcG9zaXRpb24', ''])('400 validation-error: an invented cursor %j', async (cursor) => {
  const call = server.trefoil.listTestInbox({ cursor });
  await expect(call).rejects.toMatchObject({ status: 400, details: [{ path: '/query/cursor' }] });
});

test('another tenant sees none of it; finance sees no number; a purged report has no messages', async () => {
  const tenant = await addTenant(server, 0);
  const { creditReportId } = await startChallenge(tenant.trefoil, { mobileNumber: '+447700900456' });
  const others = (await server.otherTrefoil.listTestInbox({ creditReportId })).data;
  expect(others.items).toEqual([]);
  const finance = await addPerson(server, tenant.tenantId, 'finance');
  const { data } = await callAs(server, finance, 'GET', `/${tenant.tenantId}/v1/test/inbox`);
  expect(data['items']).toMatchObject([{ creditReportId, to: null }]);
  await server.query('delete from data_keys where credit_report_id = $1', [creditReportId]);
  expect((await tenant.trefoil.listTestInbox()).data.items).toEqual([]);
});

test('neither text nor number is stored or logged in clear', async () => {
  const mobileNumber = '+447700900987';
  await startChallenge(server.trefoil, { mobileNumber });
  await server.trefoil.listTestInbox();
  expect(server.logText()).not.toContain(mobileNumber.slice(1));
  expect(server.logText()).not.toContain('is your code');
});
