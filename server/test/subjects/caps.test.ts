// The limits of a mobile number outlive the erasure of a person who had it (docs/decisions/0035-codes-and-caps.md,
// 0262-erasure-with-a-receipt.md): otherwise a company that erases between its attempts could guess and send without them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LiveServer, liveBody, startLiveServer } from '../support/live.ts';
import { rightsOf } from '../support/subjects.ts';
import { FUNDS, newName, quietMobile, wrongCode } from '../support/words.ts';

let server: LiveServer;
beforeAll(async () => {
  server = await startLiveServer({ environment: { TREFOIL_JOBS: 'off' } });
  await server.fund(server.demo.tenantId, 10 * FUNDS);
});
afterAll(() => server.close());

test('an erasure gives a company no more challenges and wrong codes of a number, also for another person with it', async () => {
  const rights = await rightsOf(server);
  const mobileNumber = quietMobile();
  const challenge = async (lastName: string) => {
    const body = liveBody(server.mintSession(), { email: 'challenge@example.com', mobileNumber, lastName });
    return { body, data: (await server.trefoil.generate(body)).data };
  };
  const lastName = newName();
  // Nine wrong codes, of nine.
  for (let count = 0; count < 3; count += 1) {
    const { data } = await challenge(lastName);
    if (data.status !== 'authentication-required') throw new Error(data.status);
    const code = wrongCode(await server.code(mobileNumber));
    const submit = () => server.trefoil.submitOtp(data.creditReportId, { ...data.challenge, code });
    const answers = [await submit(), await submit(), await submit()];
    expect(answers.map((answer) => answer.data.status)).toEqual(['retry', 'retry', 'failed']);
  }
  const { body, data } = await challenge(lastName);
  expect(data.status).toBe('failed');
  const { firstName, dateOfBirth, addresses } = body;
  const postcode = addresses[0]?.ukAddress.postcode ?? '';
  const { erased, receipt } = await rights.erase({ firstName, lastName, dateOfBirth, postcode });
  expect(erased).toBe(4);
  expect(receipt).toContain('"mobile-counts-of-this-company-25-hours"');
  for (const name of [lastName, newName()]) {
    expect((await challenge(name)).data).toMatchObject({ status: 'failed', failureReason: 'company-mistakes' });
  }
});
