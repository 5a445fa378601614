// Live reports end to end: the real app, simulators as processes, and books that explain every credit.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectBooksToBalance } from '../support/books.ts';
import { type LiveServer, liveBody, startLiveServer } from '../support/live.ts';

let server: LiveServer;
beforeAll(async () => {
  server = await startLiveServer();
  await server.fund(server.demo.tenantId, 1_000_000);
});
afterAll(async () => {
  try {
    await expectBooksToBalance(server);
  } finally {
    await server.close();
  }
});

describe('generate', () => {
  test('200 complete: charged, and balance before − cost = balance after', async () => {
    const before = await server.wallet(server.demo.tenantId);
    const { meta, data } = await server.trefoil.generate(liveBody(server.mintSession()));
    expect(data).toMatchObject({ status: 'complete', challengeType: 'none' });
    expect(meta.wallet).toEqual({ cost: 2_000, balance: before.balance - 2_000 });
    expect(await server.wallet(server.demo.tenantId)).toEqual({ balance: before.balance - 2_000, held: 0 });
  });

  test('200 authentication-required, then the code of the message completes', async () => {
    const to = '+447700900010';
    const before = await server.wallet(server.demo.tenantId);
    const body = liveBody(server.mintSession(), { email: 'challenge@example.com', mobileNumber: to });
    const { meta, data } = await server.trefoil.generate(body);
    if (data.status !== 'authentication-required') throw new Error(JSON.stringify(data));
    expect(meta.wallet).toEqual({ cost: 2_000, balance: before.balance - 2_000 });
    const { creditReportId, challenge } = data;
    const wrong = await server.trefoil.submitOtp(creditReportId, { ...challenge, code: '000000' });
    expect(wrong.data).toMatchObject({ status: 'retry', attemptsRemaining: 2 });
    const code = await server.code(to);
    const right = await server.trefoil.submitOtp(creditReportId, { ...challenge, code });
    expect(right.data).toMatchObject({ status: 'complete', creditReportId });
    expect(right.meta.wallet).toEqual({ cost: 0, balance: before.balance - 2_040 });
  });
});
