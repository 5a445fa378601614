// A node that has no providers, beside nodes that have them or had them: it begins nothing live, and what needs no provider
// still works for challenges that are open.
import { createTrefoil } from '@trefoil/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { challenge, letTimePass } from '../support/challenges.ts';
import { type LiveServer, liveBody } from '../support/live.ts';
import { useLiveServer } from '../support/one-node.ts';
import { refusalOf } from '../support/tenant.ts';
import { FUNDS } from '../support/words.ts';

let server: LiveServer;
useLiveServer((started) => {
  server = started;
});
let node: { readonly baseUrl: string; close(): Promise<void> };
beforeAll(async () => {
  node = await server.startNode({ TREFOIL_BUREAUS: '', TREFOIL_SCREENING: '', TREFOIL_SMS: '' });
});
afterAll(() => node.close());

const CLOSED = { status: 503, code: 'service-unavailable', retryAfterSeconds: 3_600 };

test('503 for a live report, a code and a message; 410 for an expired challenge, which is refunded', async () => {
  const open = await challenge(server);
  const { creditReportId, challengeId, tenant } = open;
  const trefoil = createTrefoil({ ...tenant, baseUrl: node.baseUrl, maxRetries: 0 });
  expect(await refusalOf(trefoil.generate(liveBody(server.mintSession())))).toEqual(CLOSED);
  expect(await refusalOf(trefoil.submitOtp(creditReportId, { challengeId, code: '000000' }))).toEqual(CLOSED);
  expect(await refusalOf(trefoil.resendSms(creditReportId, { challengeId }))).toEqual(CLOSED);
  await letTimePass(server, open, '301 seconds');
  const gone = { status: 410, code: 'challenge-expired' };
  expect(await refusalOf(trefoil.resendSms(creditReportId, { challengeId }))).toEqual(gone);
  expect((await server.wallet(tenant.tenantId)).balance).toBe(FUNDS);
});
