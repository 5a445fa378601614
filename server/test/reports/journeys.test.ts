// The interface's journeys through the client library against the real server.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generateBody, startChallenge, startServer, type TestServer } from '../harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

test('200 complete: an allowed consumer gets the report at once, at no cost', async () => {
  const { meta, data } = await server.trefoil.generate(generateBody({ challengeOptions: { status: 'allow' } }));
  expect(data).toMatchObject({ status: 'complete', challengeType: 'none' });
  expect(meta.wallet.cost).toBe(0);
});

test('200 complete: the right code ends a challenge with the same report as without one', async () => {
  const challenge = await startChallenge(server.trefoil, { email: 'test003@example.com' });
  const { data } = await server.trefoil.submitOtp(challenge.creditReportId, {
    challengeId: challenge.challengeId,
    code: '123456',
  });
  const direct = await server.trefoil.generate(generateBody({ email: 'test003@example.com' }));
  expect(data.status === 'complete' && data.creditReport).toEqual(
    direct.data.status === 'complete' && direct.data.creditReport,
  );
  expect('challengeType' in data).toBe(false);
});

test('meta.wallet.balance is the balance of the tenant’s wallet row', async () => {
  await server.query('update wallets set balance = 12345 where tenant_id = $1', [server.demo.tenantId]);
  const { meta } = await server.trefoil.generate(generateBody());
  expect(meta.wallet).toEqual({ balance: 12345, cost: 0 });
});

test('503 service-unavailable: a live request says when to come back', async () => {
  const { test: _, ...live } = generateBody();
  await expect(server.trefoil.generate(live)).rejects.toMatchObject({
    status: 503,
    code: 'service-unavailable',
    retryAfterSeconds: expect.any(Number),
  });
});

test('400 validation-error: bytes that are not UTF-8 are refused, not turned into other characters', async () => {
  const headers = { authorization: `Bearer ${await server.trefoil.getToken()}`, 'content-type': 'application/json' };
  const body = Buffer.from(JSON.stringify(generateBody({ firstName: 'Ada?' })));
  body[body.indexOf('Ada?') + 3] = 0xff;
  const address = `${server.baseUrl}/${server.demo.tenantId}/v1/credit-reports`;
  expect((await fetch(address, { method: 'POST', headers, body })).status).toBe(400);
  const latin = { ...headers, 'content-type': 'application/json; charset=iso-8859-1' };
  expect((await fetch(address, { method: 'POST', headers: latin, body: '{}' })).status).toBe(415);
});
