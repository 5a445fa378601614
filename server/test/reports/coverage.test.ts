// No trace is not a clean file: every complete report says how far its person was found, wherever it is answered
// (docs/decisions/0160-coverage.md). Live against the simulators, and in test mode.
import type { GenerateRequest } from '@trefoil/contract';
import type { CreditReportResponse, GenerateResponse, SubmitOtpResponse } from '@trefoil/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findPerson } from '../../../tools/dev/ask-simulators.ts';
import { newId } from '../../src/lib/ids.ts';
import { generateBody, startChallenge } from '../harness.ts';
import { type LiveServer, liveBody, startLiveServer } from '../support/live.ts';
import { addLiveReport, results } from '../support/money-states.ts';
import { control } from '../support/providers.ts';

let server: LiveServer;
let known: Pick<GenerateRequest, 'firstName' | 'lastName' | 'dateOfBirth' | 'addresses'>;
beforeAll(async () => {
  server = await startLiveServer();
  await server.fund(server.demo.tenantId, 100_000);
  known = await findPerson(server.providers.addresses.albion, 'person-0001');
});
afterAll(() => server.close());

type Data = (GenerateResponse | SubmitOtpResponse | CreditReportResponse)['data'];

function coverageOf(data: Data) {
  if (data.status !== 'complete') throw new Error(JSON.stringify(data));
  const { coverage, bureauResults } = data;
  return {
    status: coverage?.status,
    message: coverage?.message,
    outcomes: bureauResults?.map(({ outcome }) => outcome),
  };
}

const read = async (creditReportId: string) => coverageOf((await server.trefoil.getReport(creditReportId)).data);
const live = (changes: Partial<GenerateRequest> = {}) => liveBody(server.mintSession(), changes);

/** The answers that keys have kept, as they were before there was a coverage and test mode told its bureaus. */
const forgetKept = () =>
  server.query(
    `update idempotency_keys set answer = (answer::jsonb #- '{data,coverage}' #- '{data,bureauResults}')::json`,
  );

describe('live', () => {
  test('200 complete, not-traced: no bureau found the person, which is told from a clean file at generate, GET and replay', async () => {
    const body = live();
    const idempotencyKey = newId();
    const { data } = await server.trefoil.generate(body, { idempotencyKey });
    const told = coverageOf(data);
    expect(told).toEqual({
      status: 'not-traced',
      message: expect.stringContaining('not a clean file'),
      outcomes: ['no-trace', 'no-trace', 'no-trace'],
    });
    expect(await read(data.creditReportId)).toEqual(told);
    const replayed = await server.trefoil.generate(body, { idempotencyKey });
    expect(replayed.data).toEqual(data);
    await forgetKept();
    expect((await server.trefoil.generate(body, { idempotencyKey })).data).toEqual(data);
  });

  test('200 complete, traced: every bureau that was asked found the person', async () => {
    const { data } = await server.trefoil.generate(live(known));
    expect(coverageOf(data)).toMatchObject({ status: 'traced', outcomes: ['ok', 'ok', 'ok'] });
  });

  test('200 complete, partly-traced after a challenge: the code, the code again, GET and replay say the same', async () => {
    const mobileNumber = '+447700900161';
    const rule = { match: { lastName: known.lastName }, behaviour: 'no-trace', times: 1 };
    const { data: challenged } = await server.trefoil.generate(
      live({ ...known, email: 'challenge@example.com', mobileNumber }),
    );
    if (challenged.status !== 'authentication-required') throw new Error(challenged.status);
    const { creditReportId, challenge } = challenged;
    await control(server, 'beacon', rule);
    const code = { challengeId: challenge.challengeId, code: await server.code(mobileNumber) };
    const idempotencyKey = newId();
    const { data } = await server.trefoil.submitOtp(creditReportId, code, { idempotencyKey });
    const told = coverageOf(data);
    expect(told).toEqual({
      status: 'partly-traced',
      message: expect.stringContaining('experian'),
      outcomes: ['ok', 'no-trace', 'ok'],
    });
    expect((await server.trefoil.submitOtp(creditReportId, code)).data).toEqual(data);
    expect((await server.trefoil.submitOtp(creditReportId, code, { idempotencyKey })).data).toEqual(data);
    expect(await read(creditReportId)).toEqual(told);
  });

  test('200 complete: a report that was stored before tells its coverage from the results kept with it', async () => {
    const rows = [
      [results('ok', 'ok', 'ok'), 'traced'],
      [results('ok', 'no-trace', 'unavailable'), 'partly-traced'],
      [results('no-trace', 'unavailable', 'unavailable'), 'not-traced'],
    ] as const;
    for (const [bureauResults, status] of rows) {
      const id = await addLiveReport(server, server.demo.tenantId, { status: 'complete', bureauResults });
      expect(await read(id)).toMatchObject({ status, outcomes: bureauResults.map(({ outcome }) => outcome) });
    }
  });
});

describe('test mode', () => {
  const bureaus: GenerateRequest['bureaus'] = ['transunion', 'equifax'];
  const traced = { status: 'traced', message: expect.any(String), outcomes: ['ok', 'ok'] };

  test('200 complete: the bureaus of the request, all ok and traced, at generate, GET and replay', async () => {
    const body = generateBody({ bureaus, email: 'test001@example.com' });
    const idempotencyKey = newId();
    const { data } = await server.trefoil.generate(body, { idempotencyKey });
    expect(coverageOf(data)).toEqual(traced);
    expect(data).toMatchObject({ bureauResults: bureaus.map((bureau) => ({ bureau, outcome: 'ok' })) });
    expect(await read(data.creditReportId)).toEqual(traced);
    await forgetKept();
    expect((await server.trefoil.generate(body, { idempotencyKey })).data).toEqual(data);
  });

  test('200 complete after a challenge: the code, the code again, GET and replay say the same', async () => {
    const { creditReportId, challengeId } = await startChallenge(server.trefoil, { bureaus });
    const code = { challengeId, code: '123456' };
    const idempotencyKey = newId();
    const { data } = await server.trefoil.submitOtp(creditReportId, code, { idempotencyKey });
    expect(coverageOf(data)).toEqual(traced);
    expect((await server.trefoil.submitOtp(creditReportId, code)).data).toEqual(data);
    await forgetKept();
    expect((await server.trefoil.submitOtp(creditReportId, code, { idempotencyKey })).data).toEqual(data);
    expect(await read(creditReportId)).toEqual(traced);
  });
});
