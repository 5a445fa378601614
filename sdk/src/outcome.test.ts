// Every outcome has a kind of its own, and the compiler insists on each. `npm run types` checks the marked lines.
import { expect, test } from 'vitest';
import { type GenerateResponse, match, outcomeOf, type SubmitOtpResponse, unreachable } from './index.ts';

const creditReportId = '01998a3e-7c11-7d22-8a33-4b5c6d7e8f90';
const errorMessage = 'It did not work.';
const complete = (status: 'traced' | 'partly-traced' | 'not-traced') => ({
  status: 'complete' as const,
  challengeType: 'none' as const,
  creditReportId,
  bureauResults: [],
  coverage: { status, message: 'In words.' },
  creditReport: { consumerData: { records: [] } },
});
const answerOf = (data: object) => ({ meta: {}, data }) as unknown as GenerateResponse;
const submitted = (data: object) => ({ meta: {}, data }) as unknown as SubmitOtpResponse;

const shared = {
  traced: () => 'traced',
  'partly-traced': () => 'partly-traced',
  'not-traced': () => 'not-traced',
  failed: ({ failureReason }: { failureReason: string | null }) => `failed: ${failureReason}`,
};
const generateHandlers = { ...shared, 'authentication-required': () => 'challenge', blocked: () => 'blocked' };
const submitHandlers = {
  ...shared,
  retry: ({ attemptsRemaining }: { attemptsRemaining: number }) => `${attemptsRemaining} left`,
};

const GENERATED: [string, object, string][] = [
  ['a report', complete('traced'), 'traced'],
  ['a part of a report', complete('partly-traced'), 'partly-traced'],
  ['nobody found', complete('not-traced'), 'not-traced'],
  ['a challenge', { status: 'authentication-required', creditReportId, challenge: { challengeId: 'c' } }, 'challenge'],
  ['blocked', { status: 'blocked', creditReportId }, 'blocked'],
  ['failed', { status: 'failed', creditReportId, errorMessage, failureReason: 'expired' }, 'failed: expired'],
  ['failed at an older service', { status: 'failed', creditReportId, errorMessage }, 'failed: null'],
];
for (const [name, data, expected] of GENERATED) {
  test(`generate, ${name}: ${expected}`, () => expect(match(answerOf(data), generateHandlers)).toBe(expected));
}

const SUBMITTED: [string, object, string][] = [
  ['a report', complete('traced'), 'traced'],
  ['nobody found', complete('not-traced'), 'not-traced'],
  ['a wrong code', { status: 'retry', creditReportId, errorMessage, attemptsRemaining: 2 }, '2 left'],
  ['failed', { status: 'failed', creditReportId, errorMessage, failureReason: 'expired' }, 'failed: expired'],
];
for (const [name, data, expected] of SUBMITTED) {
  test(`submitOtp, ${name}: ${expected}`, () => expect(match(submitted(data), submitHandlers)).toBe(expected));
}

test('nobody found: there is no report whose empty lists could pass for a clean file', () => {
  const outcome = outcomeOf(answerOf(complete('not-traced')));
  expect(outcome).not.toHaveProperty('creditReport');
  expect(outcomeOf(answerOf(complete('traced')))).toHaveProperty('creditReport');
});

test('an outcome that this version does not know is an error, not silence', () => {
  const unknown = answerOf({ status: 'postponed', creditReportId });
  expect(() => match(unknown, generateHandlers)).toThrow(/postponed.*update @trefoil\/sdk/);
});

test('what does not handle every outcome does not compile', () => {
  const answer = answerOf({ status: 'blocked', creditReportId });
  const { 'not-traced': _, ...withoutNotTraced } = generateHandlers;
  // @ts-expect-error: not-traced is not handled
  match(answer, withoutNotTraced);
  // @ts-expect-error: outcomes of generate are not those of a code
  expect(() => match(answer, submitHandlers)).toThrow(/blocked is not handled/);
  const outcome = outcomeOf(answer);
  switch (outcome.kind) {
    case 'traced':
    case 'partly-traced':
      expect(outcome.creditReport).toBeDefined();
      break;
    case 'not-traced':
      // @ts-expect-error: there is no report
      expect(outcome.creditReport).toBeUndefined();
      break;
    case 'authentication-required':
      expect(outcome.challengeId).toBeDefined();
      break;
    case 'blocked':
      expect(outcome.creditReportId).toBe(creditReportId);
      break;
    case 'failed':
      expect(outcome.errorMessage).toBeDefined();
      break;
    default:
      unreachable(outcome);
  }
});
