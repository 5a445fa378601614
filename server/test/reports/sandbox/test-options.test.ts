// testOptions over HTTP: each option and each outcome, as a live report with that outcome looks
// (docs/decisions/0207-a-sandbox-that-can-fail.md).
import {
  BUREAU_OUTCOMES,
  type GenerateRequest,
  TEST_OUTCOMES,
  TEST_REASONS,
  TEST_RECEIPTS,
  TEST_RESENDS,
  type TestReason,
} from '@trefoil/contract';
import type { TrefoilError } from '@trefoil/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failureMessage } from '../../../src/credit-reports/rules/failure-message.ts';
import { generateBody, startChallenge, startServer, type TestServer } from '../../harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

type Options = NonNullable<GenerateRequest['testOptions']>;
type Status = 'allow' | 'challenge' | 'block';

const CODE = '123456';
const MOBILE = '+447700900123';
const withOptions = (testOptions: Options, changes: Partial<GenerateRequest> = {}) =>
  generateBody({ mobileNumber: MOBILE, testOptions, ...changes });
const inBranch = (status: Status) => ({ challengeOptions: { status } });
const generate = async (testOptions: Options, changes: Partial<GenerateRequest> = {}) =>
  (await server.trefoil.generate(withOptions(testOptions, changes))).data;

async function refusal(call: Promise<unknown>): Promise<TrefoilError> {
  return call.then(
    (answer) => {
      throw new Error(`not refused: ${JSON.stringify(answer)}`);
    },
    (error: unknown) => error as TrefoilError,
  );
}

const AT_BUREAUS: readonly TestReason[] = ['no-bureau-answered', 'interrupted'];
const AT_ONCE = TEST_REASONS.filter((reason) => !AT_BUREAUS.includes(reason));
const PLAIN = new Set<TestReason>(['screening-unavailable', 'device-not-verified', ...AT_BUREAUS]);

/** The sentence that live mode says for this reason, before anything was charged. */
function sentenceOf(reason: TestReason): string {
  if (PLAIN.has(reason)) return failureMessage({ failure: reason as 'interrupted', money: 'not-charged' });
  const country = reason === 'country-not-allowed' ? 'GB' : undefined;
  return failureMessage({
    failure: 'not-deliverable',
    because: reason as 'protection',
    money: 'not-charged',
    country,
  });
}

/** What a read adds to the first answer. */
const FACTS = {
  test: true,
  createdAt: expect.any(String),
  externalReference: null,
  costCredits: 0,
  source: 'api',
};

describe('outcome failed', () => {
  test.each(TEST_REASONS)(
    '200 failed at generate: %s, with the words of live mode, and the same when it is read',
    async (reason) => {
      const { data, meta } = await server.trefoil.generate(withOptions({ outcome: 'failed', reason }));
      expect(data).toEqual({
        status: 'failed',
        creditReportId: data.creditReportId,
        errorMessage: sentenceOf(reason),
        failureReason: reason === 'protection' ? 'not-deliverable' : reason,
      });
      expect(meta.wallet.cost).toBe(0);
      const read = (await server.trefoil.getReport(data.creditReportId)).data;
      expect(read).toEqual({ ...data, ...FACTS });
    },
  );

  test.each(AT_ONCE)('200 failed at generate in the branch challenge: %s leaves no challenge', async (reason) => {
    const data = await generate({ outcome: 'failed', reason }, inBranch('challenge'));
    expect(data).toMatchObject({ status: 'failed', errorMessage: sentenceOf(reason) });
    const rows = await server.query('select from challenges where credit_report_id = $1', [data.creditReportId]);
    expect(rows).toEqual([]);
  });

  test.each(AT_BUREAUS)('200 failed after the right code: %s, and again for every later code', async (reason) => {
    const testOptions: Options = { outcome: 'failed', reason };
    const { creditReportId, challengeId } = await startChallenge(server.trefoil, { testOptions });
    const submit = (code: string) => server.trefoil.submitOtp(creditReportId, { challengeId, code });
    expect((await submit('000000')).data.status).toBe('retry');
    const { data, meta } = await submit(CODE);
    const errorMessage = failureMessage({ failure: reason as 'interrupted', money: 'test' });
    expect(data).toEqual({ status: 'failed', creditReportId, errorMessage, failureReason: reason });
    expect(meta.wallet.cost).toBe(0);
    for (const code of [CODE, '000000']) expect((await submit(code)).data).toEqual(data);
    expect((await server.trefoil.getReport(creditReportId)).data).toMatchObject({ status: 'failed', errorMessage });
  });

  test('a key replays a failure after which bureaus would have been asked, and is free after any other, as in live mode', async () => {
    for (const reason of TEST_REASONS) {
      const idempotencyKey = `key-of-${reason}`;
      const ask = async () =>
        (await server.trefoil.generate(withOptions({ outcome: 'failed', reason }), { idempotencyKey })).data
          .creditReportId;
      const [first, second] = [await ask(), await ask()];
      expect([reason, first === second]).toEqual([reason, AT_BUREAUS.includes(reason)]);
    }
  });

  test('the stored answer of a key does not name the country of the number', async () => {
    const testOptions: Options = { outcome: 'failed', reason: 'country-not-allowed' };
    const data = await generate(testOptions, {});
    expect(data).toMatchObject({ errorMessage: expect.stringContaining('United Kingdom (GB)') });
    await server.trefoil.generate(withOptions(testOptions), { idempotencyKey: 'country' });
    const [row] = await server.query<{ answer: string }>(
      `select answer::text from idempotency_keys where answer::text like '%country your company%' limit 1`,
    );
    expect(row?.answer).not.toContain('United Kingdom');
  });
});

describe('bureauResults', () => {
  const BUREAUS = ['equifax', 'experian', 'transunion'] as const;

  test.each(BUREAUS.flatMap((bureau) => BUREAU_OUTCOMES.map((outcome) => [bureau, outcome] as const)))(
    '200 complete: %s is %s, the others are ok; the same after a code and when read',
    async (bureau, outcome) => {
      const testOptions: Options = { bureauResults: [{ bureau, outcome }] };
      const data = await generate(testOptions);
      if (data.status !== 'complete') throw new Error(data.status);
      const expected = BUREAUS.map((each) => ({ bureau: each, outcome: each === bureau ? outcome : 'ok' }));
      expect(data.bureauResults).toEqual(expected);
      expect(data.coverage.status).toBe(outcome === 'ok' ? 'traced' : 'partly-traced');
      const named = new Set(
        data.creditReport.consumerData.records.flatMap(({ bureaus }) => bureaus.map(({ id }) => id)),
      );
      expect(named.has(bureau)).toBe(outcome === 'ok');
      const read = (await server.trefoil.getReport(data.creditReportId)).data;
      const { challengeType: _, ...shown } = data;
      expect(read).toEqual({ ...shown, ...FACTS });
      const { creditReportId, challengeId } = await startChallenge(server.trefoil, { testOptions });
      const after = (await server.trefoil.submitOtp(creditReportId, { challengeId, code: CODE })).data;
      expect(after).toEqual({ ...shown, creditReportId });
      expect((await server.trefoil.submitOtp(creditReportId, { challengeId, code: CODE })).data).toEqual(after);
    },
  );

  test('200 complete, not-traced: nobody found anybody; empty lists, and residencies as in a live report without files', async () => {
    const bureauResults = BUREAUS.map((bureau) => ({ bureau, outcome: 'no-trace' as const }));
    const data = await generate({ bureauResults }, { email: 'test003@example.com' });
    if (data.status !== 'complete') throw new Error(data.status);
    expect(data.coverage.status).toBe('not-traced');
    const { consumerData, previousSearches, residencies, person } = data.creditReport;
    expect([consumerData.records, previousSearches.providers]).toEqual([[], []]);
    expect(residencies).toMatchObject([{ yearsAtAddress: null, monthsAtAddress: null, isCurrent: true }]);
    expect(person).toEqual({ title: null, firstName: 'Ada', lastName: 'Example', dateOfBirth: '1984-03-09' });
  });

  test('200 complete: one found nobody and the others did not answer', async () => {
    const [first, ...rest] = BUREAUS;
    const others = rest.map((bureau) => ({ bureau, outcome: 'unavailable' as const }));
    const data = await generate({ bureauResults: [{ bureau: first, outcome: 'no-trace' }, ...others] });
    expect(data).toMatchObject({ status: 'complete', coverage: { status: 'not-traced' } });
  });

  test('200 failed: all are unavailable, at generate and after the right code', async () => {
    const bureauResults = BUREAUS.map((bureau) => ({ bureau, outcome: 'unavailable' as const }));
    expect(await generate({ bureauResults })).toMatchObject({
      status: 'failed',
      errorMessage: sentenceOf('no-bureau-answered'),
    });
    const { creditReportId, challengeId } = await startChallenge(server.trefoil, { testOptions: { bureauResults } });
    const { data } = await server.trefoil.submitOtp(creditReportId, { challengeId, code: CODE });
    expect(data).toMatchObject({ status: 'failed', errorMessage: 'No bureau answered. Try again later.' });
  });

  test('an Idempotency-Key replays the chosen results', async () => {
    const body = withOptions({ bureauResults: [{ bureau: 'experian', outcome: 'unavailable' }] });
    const ask = async () => (await server.trefoil.generate(body, { idempotencyKey: 'chosen' })).data;
    expect(await ask()).toEqual(await ask());
  });
});

describe('refusals', () => {
  const CODES = ['insufficient-funds', 'insufficient-credits'] as const;

  test.each(CODES)(
    '402 %s at generate: with the price of the request, no report, and the key stays free',
    async (outcome) => {
      const count = () => server.query('select count(*)::int from credit_reports');
      const before = await count();
      const call = server.trefoil.generate(withOptions({ outcome }), { idempotencyKey: `key-of-${outcome}` });
      const error = await refusal(call);
      expect(error).toMatchObject({
        status: 402,
        code: outcome,
        required: 2_040,
        available: 0,
        isInsufficientFunds: true,
      });
      expect(error.docs).toMatch(new RegExp(`/docs/errors/${outcome}$`));
      expect(await count()).toEqual(before);
      const { data } = await server.trefoil.generate(withOptions({}), { idempotencyKey: `key-of-${outcome}` });
      expect(data.status).toBe('complete');
      const without = generateBody({ testOptions: { outcome }, bureaus: ['equifax'] });
      expect(await refusal(server.trefoil.generate(without))).toMatchObject({ required: 800 });
    },
  );

  test('429 rate-limited at generate: with Retry-After', async () => {
    const error = await refusal(server.trefoil.generate(withOptions({ outcome: 'rate-limited' })));
    expect(error).toMatchObject({ status: 429, code: 'rate-limited', retryAfterSeconds: 1 });
  });

  test.each(TEST_RESENDS)('a resend is refused: %s; nothing is counted, and the code still works', async (option) => {
    const challenge = await startChallenge(server.trefoil, { mobileNumber: MOBILE, testOptions: { resend: option } });
    const { creditReportId, challengeId } = challenge;
    for (let tries = 0; tries < 2; tries += 1) {
      const beforeMs = Date.now();
      const error = await refusal(server.trefoil.resendSms(creditReportId, { challengeId }));
      const isFunds = option.startsWith('insufficient');
      expect(error).toMatchObject(
        isFunds
          ? { status: 402, code: option, required: 40, available: 0 }
          : { status: 429, code: 'sms-limit-reached', limit: { kind: option } },
      );
      expect(error.retryAfterSeconds).toBeUndefined();
      const resets = error.limit?.resetsAt ?? null;
      expect(resets === null).toBe(
        ['destination', 'protection', 'insufficient-funds', 'insufficient-credits'].includes(option),
      );
      if (resets !== null) expect(Date.parse(resets)).toBeGreaterThanOrEqual(beforeMs);
    }
    const [row] = await server.query('select sms_sent_count from challenges where id = $1', [challengeId]);
    expect(row).toEqual({ sms_sent_count: 1 });
    expect((await server.trefoil.submitOtp(creditReportId, { challengeId, code: CODE })).data.status).toBe('complete');
  });
});

describe('receipt', () => {
  const STATES = { delivered: 'delivered', undelivered: 'undelivered', refused: 'refused', never: 'submitted' };
  test.each(TEST_RECEIPTS)(
    '%s: every message of the challenge shows it, in the report and in the inbox',
    async (receipt) => {
      const { creditReportId, challengeId } = await startChallenge(server.trefoil, { testOptions: { receipt } });
      await server.trefoil.resendSms(creditReportId, { challengeId });
      const { data } = await server.trefoil.getReport(creditReportId);
      if (data.status !== 'authentication-required') throw new Error(data.status);
      const settledAt = receipt === 'never' ? null : expect.any(String);
      expect(data.challenge.sends).toEqual(
        [1, 2].map(() => ({ state: STATES[receipt], sentAt: expect.any(String), settledAt })),
      );
      const { items } = (await server.trefoil.listTestInbox({ creditReportId })).data;
      expect(items.map(({ state }) => state)).toEqual([STATES[receipt], STATES[receipt]]);
    },
  );
});

describe('400 validation-error', () => {
  const faultsOf = async (body: object) => {
    const error = await refusal(server.trefoil.generate(body as GenerateRequest));
    expect([error.status, error.code]).toEqual([400, 'validation-error']);
    const quoted = await refusal(server.trefoil.quote(body as GenerateRequest));
    expect(quoted.details).toEqual(error.details);
    return error.details;
  };

  test.each([undefined, false])(
    'testOptions with test %s: at /testOptions, by generate and by the quote',
    async (value) => {
      const { test: _, ...live } = withOptions({ delayMs: 5 });
      const body = value === undefined ? live : { ...live, test: value };
      expect(await faultsOf(body)).toEqual([
        { path: '/testOptions', message: 'testOptions is for test mode only: set test to true or leave it out.' },
      ]);
    },
  );

  const NOT_ASKED = { bureaus: ['equifax'] };
  test.each([
    // options, changes, path, part of the message
    [null, {}, '/testOptions', 'an object'],
    ['', {}, '/testOptions', 'an object'],
    [{ outcome: 'broken' }, {}, '/testOptions/outcome', TEST_OUTCOMES.join(', ')],
    [{ outcome: 'failed', reason: 'broken' }, {}, '/testOptions/reason', TEST_REASONS.join(', ')],
    [{ outcome: 'failed' }, {}, '/testOptions/reason', TEST_REASONS.join(', ')],
    [{ reason: 'interrupted' }, {}, '/testOptions/reason', 'outcome failed'],
    [{ outcome: 'rate-limited', reason: 'interrupted' }, {}, '/testOptions/reason', 'outcome failed'],
    [{ outcome: 'failed', reason: 'mobile-missing' }, inBranch('allow'), '/testOptions/reason', 'challenge'],
    [{ outcome: 'failed', reason: 'device-not-verified' }, inBranch('block'), '/testOptions/reason', 'challenge'],
    [{ outcome: 'failed', reason: 'no-bureau-answered' }, inBranch('block'), '/testOptions/reason', 'blocked'],
    [{ resend: 'broken' }, inBranch('challenge'), '/testOptions/resend', TEST_RESENDS.join(', ')],
    [{ resend: 'protection' }, {}, '/testOptions/resend', 'challenge'],
    [{ receipt: 'broken' }, inBranch('challenge'), '/testOptions/receipt', TEST_RECEIPTS.join(', ')],
    [{ receipt: 'never' }, inBranch('allow'), '/testOptions/receipt', 'challenge'],
    [{ receipt: 'never', outcome: 'rate-limited' }, inBranch('challenge'), '/testOptions/receipt', 'challenge'],
    [{ delayMs: -1 }, {}, '/testOptions/delayMs', '0 or more'],
    [{ delayMs: 10_001 }, {}, '/testOptions/delayMs', '10000 or less'],
    [{ delayMs: 1.5 }, {}, '/testOptions/delayMs', 'whole number'],
    [{ bureauResults: [{ bureau: 'other', outcome: 'ok' }] }, {}, '/testOptions/bureauResults/0/bureau', 'equifax'],
    [{ bureauResults: [{ bureau: 'equifax', outcome: 'x' }] }, {}, '/testOptions/bureauResults/0/outcome', 'no-trace'],
    [
      { bureauResults: [{ bureau: 'experian', outcome: 'ok' }] },
      NOT_ASKED,
      '/testOptions/bureauResults/0/bureau',
      'equifax',
    ],
    [
      { bureauResults: ['ok', 'no-trace'].map((outcome) => ({ bureau: 'equifax', outcome })) },
      {},
      '/testOptions/bureauResults/1/bureau',
      'only once',
    ],
    [{ bureauResults: [], outcome: 'rate-limited' }, {}, '/testOptions/bureauResults', 'outcome'],
    [{ bureauResults: [], outcome: 'service-unavailable' }, {}, '/testOptions/bureauResults', 'outcome'],
    [
      { resend: 'protection', outcome: 'credit-report-purged' },
      inBranch('challenge'),
      '/testOptions/resend',
      'outcome',
    ],
    [{ bureauResults: [] }, inBranch('block'), '/testOptions/bureauResults', 'block'],
  ])('testOptions %j with %j: at %s', async (testOptions, changes, path, part) => {
    const details = await faultsOf({ ...generateBody(changes as Partial<GenerateRequest>), testOptions });
    expect(details).toEqual([{ path, message: expect.stringContaining(part) }]);
  });
});

describe('the interface is unchanged', () => {
  test.each([
    ['allow', 'complete'],
    ['challenge', 'authentication-required'],
    ['block', 'blocked'],
  ] as const)(
    'empty options, options unknown and a delay of nothing change nothing in the branch %s',
    async (status, expected) => {
      const plain = await server.trefoil.generate(generateBody({ ...inBranch(status), email: 'test004@example.com' }));
      expect(plain.data.status).toBe(expected);
      for (const testOptions of [{}, { unknown: true }, { delayMs: 0 }]) {
        const { data } = await server.trefoil.generate(
          generateBody({ ...inBranch(status), email: 'test004@example.com', testOptions: testOptions as Options }),
        );
        const { creditReportId: _, ...rest } = data;
        const { creditReportId: __, ...before } = plain.data;
        if ('challenge' in rest || 'challenge' in before) expect(rest.status).toBe(before.status);
        else expect(rest).toEqual(before);
      }
    },
  );

  test('unknown options are not stored', async () => {
    const testOptions = { delayMs: 1, secret: 'x'.repeat(500) } as Options;
    const size = async (options: Options) => {
      const { data } = await server.trefoil.generate(generateBody({ testOptions: options }));
      const [row] = await server.query<{ size: number }>(
        'select length(sealed_request) as size from credit_reports where id = $1',
        [data.creditReportId],
      );
      return row?.size;
    };
    expect(await size(testOptions)).toBe(await size({ delayMs: 1 }));
  });
});
