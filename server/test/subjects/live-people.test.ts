// The rights of people in live reports. The export says what became of each; and the limits of a mobile number outlive the erasure of a
// person who had it (docs/decisions/0035-codes-and-caps.md, 0262-erasure-with-a-receipt.md): otherwise a company that erases between
// its attempts could guess and send without them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildSubjectView } from '../../src/documents/view/subject-view.ts';
import { type LiveServer, liveBody, startLiveServer } from '../support/live.ts';
import { type Rights, rightsOf } from '../support/subjects.ts';
import { FUNDS, newName, quietMobile, wrongCode } from '../support/words.ts';

let server: LiveServer;
let rights: Rights;
beforeAll(async () => {
  server = await startLiveServer({ environment: { TREFOIL_JOBS: 'off' } });
  await server.fund(server.demo.tenantId, 10 * FUNDS);
  rights = await rightsOf(server);
});
afterAll(() => server.close());

test('200: an export says why a report was blocked or failed, which codes were wrong, and what was signed', async () => {
  const [lastName, mobileNumber] = [newName(), quietMobile()];
  const generate = async (email: string) =>
    (await server.trefoil.generate(liveBody(server.mintSession(), { lastName, mobileNumber, email }))).data;
  const blocked = await generate('block@example.com');
  const challenged = await generate('challenge@example.com');
  if (challenged.status !== 'authentication-required') throw new Error(challenged.status);
  const code = wrongCode(await server.code(mobileNumber));
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    await server.trefoil.submitOtp(challenged.creditReportId, { ...challenged.challenge, code });
  }
  const complete = await generate('allow@example.com');
  const signed = (await server.trefoil.getEvidence(complete.creditReportId)).data;
  const { firstName, dateOfBirth, addresses } = liveBody('');
  const subject = { firstName, lastName, dateOfBirth, postcode: addresses[0]?.ukAddress.postcode ?? '' };
  const { reports } = await rights.export(subject);
  const [third, second, first] = reports;
  const time = expect.stringMatching(/^\d{4}-.*Z$/);
  expect(first).toMatchObject({
    ...{
      creditReportId: blocked.creditReportId,
      status: 'blocked',
      settledAt: time,
      failureReason: null,
      challenge: null,
    },
  });
  expect(first?.screeningReasons).not.toEqual([]);
  const counts = { challengeId: challenged.challenge.challengeId, attemptsUsed: 3, lateAttempts: 0, messagesSent: 1 };
  expect(second).toMatchObject({
    ...{ status: 'failed', failureReason: 'attempts-used', evidence: null },
    challenge: { ...counts, lastSentAt: time, completedAt: null },
  });
  expect(second?.screeningReasons).not.toEqual([]);
  const { evidenceId, issuedAt, kid, statement, signature } = signed;
  expect(third).toMatchObject({ failureReason: null, evidence: { evidenceId, issuedAt, kid, statement, signature } });
  const exported = { total: 3, reports, nextCursor: null };
  const view = JSON.stringify(buildSubjectView({ tenantName: 'Larkfield Claims', exported, preparedAt: issuedAt }));
  for (const word of ['All attempts at the code were used', first?.screeningReasons[0] ?? '', evidenceId]) {
    expect(view).toContain(word);
  }
  // The document of the page after the newest report, and of the page after the last one.
  const asPdf = (cursor: string) => server.trefoil.exportSubjectDocument({ ...subject, cursor });
  expect((await asPdf(complete.creditReportId)).length).toBeGreaterThan(1_000);
  await expect(asPdf(blocked.creditReportId)).rejects.toMatchObject({ status: 404, code: 'not-found' });
});

test('an erasure gives a company no more challenges and wrong codes of a number, also for another person with it', async () => {
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
