// A deployment that has two of the three bureaus: it asks those, says so where the third is asked for, and finishes what was
// begun while it had all three (docs/decisions/0194-adapters-describe-their-settings.md).
import { createTrefoil, TrefoilError } from '@trefoil/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generateBody } from '../harness.ts';
import { expectBooksToBalance } from '../support/books.ts';
import { type LiveServer, liveBody, startLiveServer } from '../support/live.ts';

let server: LiveServer;
let node: { readonly baseUrl: string; close(): Promise<void> };
let trefoil: LiveServer['trefoil'];
beforeAll(async () => {
  server = await startLiveServer();
  await server.fund(server.demo.tenantId, 1_000_000);
  const { transunion: _, ...two } = JSON.parse(server.environment['TREFOIL_BUREAUS'] ?? '{}');
  node = await server.startNode({ TREFOIL_BUREAUS: JSON.stringify(two) });
  trefoil = createTrefoil({ baseUrl: node.baseUrl, ...server.demo, maxRetries: 0 });
});
afterAll(async () => {
  try {
    await expectBooksToBalance(server);
  } finally {
    await node.close();
    await server.close();
  }
});

const refusalOf = (asked: Promise<unknown>) =>
  asked.then(
    () => undefined,
    (error: unknown) => error as TrefoilError,
  );

test('200 complete: the bureaus it has are asked and charged', async () => {
  const { meta, data } = await trefoil.generate(liveBody(server.mintSession(), { bureaus: ['experian', 'equifax'] }));
  expect(data).toMatchObject({
    status: 'complete',
    bureauResults: [{ bureau: 'equifax' }, { bureau: 'experian' }],
  });
  expect(meta.wallet.cost).toBe(1_400);
});

test('400 at /bureaus/1: a bureau it does not have, with those it has; nothing is held and nobody is asked', async () => {
  const reports = () => server.query('select id from credit_reports order by id');
  const before = [await server.wallet(server.demo.tenantId), await reports()];
  const body = liveBody(server.mintSession(), { bureaus: ['equifax', 'transunion', 'experian'] });
  const refusal = await refusalOf(trefoil.generate(body));
  expect(refusal).toBeInstanceOf(TrefoilError);
  expect(refusal).toMatchObject({
    status: 400,
    code: 'validation-error',
    details: [{ path: '/bureaus/1', message: 'This bureau cannot be asked here. Use one of: equifax, experian.' }],
  });
  expect([await server.wallet(server.demo.tenantId), await reports()]).toEqual(before);
});

test('200: test mode asks no bureau, so all three may be named', async () => {
  const { data } = await trefoil.generate(generateBody());
  expect(data).toMatchObject({ status: 'complete' });
});

test('200 complete: a challenge begun with three bureaus is finished without the third, which is refunded', async () => {
  const to = '+447700900077';
  const before = await server.wallet(server.demo.tenantId);
  const body = liveBody(server.mintSession(), { email: 'challenge@example.com', mobileNumber: to });
  const { data } = await server.trefoil.generate(body);
  if (data.status !== 'authentication-required') throw new Error(data.status);
  const code = await server.code(to);
  const right = await trefoil.submitOtp(data.creditReportId, { ...data.challenge, code });
  expect(right.data).toMatchObject({
    status: 'complete',
    bureauResults: [
      { bureau: 'equifax', outcome: expect.stringMatching(/^(ok|no-trace)$/) },
      { bureau: 'experian', outcome: expect.stringMatching(/^(ok|no-trace)$/) },
      { bureau: 'transunion', outcome: 'unavailable' },
    ],
  });
  expect(await server.wallet(server.demo.tenantId)).toEqual({ balance: before.balance - 1_440, held: 0 });
});
