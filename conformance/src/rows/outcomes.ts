// Which fields of `data` come with which status. Interface, "Generate and OTP response data".
import { equal, fits } from '../expect.ts';
import { generate, resend, startChallenge, submit } from '../journey.ts';
import { dataOf } from '../replies.ts';
import type { Row } from '../row.ts';
import { branch, RIGHT_CODE, WRONG_CODE } from '../sample.ts';
import { absent, count, exactly, filledText, isObject, object, type Shape, uuid7 } from '../shape.ts';

const pins = 'Interface, "Generate and OTP response data"';
const anObject: Shape = (at, value) => (isObject(value) ? [] : [`${at}: expected an object`]);

const id = uuid7;
const complete = { creditReportId: id, creditReport: anObject, errorMessage: absent, attemptsRemaining: absent };
const retry = { creditReportId: id, errorMessage: filledText, challengeType: absent, creditReport: absent };
const failed = { ...retry, status: exactly('failed'), attemptsRemaining: absent };

export const outcomeRows: readonly Row[] = [
  {
    id: 'outcome/generate-complete',
    title: 'complete from generate: challengeType none, a report, no challenge, no error message',
    pins,
    run: async ({ api }) => {
      const data = dataOf(await generate(api, branch('allow')), 'complete');
      fits('data', data, object({ ...complete, challengeType: exactly('none'), challenge: absent }));
    },
  },
  {
    id: 'outcome/authentication-required',
    title: 'authentication-required: challengeType otp and a challengeId, no report, no error message',
    pins,
    run: async ({ api }) => {
      const data = dataOf(await generate(api, branch('challenge')), 'authentication-required');
      fits(
        'data',
        data,
        object({
          creditReportId: id,
          challengeType: exactly('otp'),
          challenge: object({ challengeId: id }),
          creditReport: absent,
          errorMessage: absent,
          attemptsRemaining: absent,
        }),
      );
    },
  },
  {
    id: 'outcome/blocked',
    title: 'blocked is an HTTP 200 with an id, without challengeType, challenge or report',
    pins: `${pins}; "Errors", rules`,
    run: async ({ api }) => {
      const data = dataOf(await generate(api, branch('block')), 'blocked');
      const none = { challengeType: absent, challenge: absent, creditReport: absent, attemptsRemaining: absent };
      fits('data', data, object({ creditReportId: id, ...none }));
    },
  },
  {
    id: 'outcome/submit-complete',
    title: 'complete from a code: the same creditReportId and a report, no challengeType',
    pins,
    run: async ({ api }) => {
      const challenge = await startChallenge(api);
      const data = dataOf(await submit(api, challenge, RIGHT_CODE), 'complete');
      fits('data', data, object({ ...complete, challengeType: absent }));
      equal('data.creditReportId', data['creditReportId'], challenge.creditReportId);
    },
  },
  {
    id: 'outcome/submit-retry',
    title: 'retry: the same creditReportId, an error message and attemptsRemaining, no challengeType, no report',
    pins,
    run: async ({ api }) => {
      const challenge = await startChallenge(api);
      const data = dataOf(await submit(api, challenge, WRONG_CODE), 'retry');
      fits('data', data, object({ ...retry, attemptsRemaining: count }));
      equal('data.creditReportId', data['creditReportId'], challenge.creditReportId);
    },
  },
  {
    id: 'outcome/submit-failed',
    title: 'failed is an HTTP 200 with an error message, without challengeType, attemptsRemaining or report',
    pins: `${pins}; "Errors", rules`,
    run: async ({ api }) => {
      const challenge = await startChallenge(api);
      for (const code of ['000001', '000002']) dataOf(await submit(api, challenge, code), 'retry');
      const data = dataOf(await submit(api, challenge, '000003'), 'failed');
      fits('data', data, object(failed));
      equal('data.creditReportId', data['creditReportId'], challenge.creditReportId);
    },
  },
  {
    id: 'outcome/resend',
    title: 'resend-SMS: data has the two counts and no outcome',
    pins: 'Interface, "Resend-SMS request and response"',
    run: async ({ api }) => {
      const data = dataOf(await resend(api, await startChallenge(api)));
      fits('data', data, object({ remainingSmsCount: count, smsSentCount: count, status: absent }));
    },
  },
];
