// Resend-SMS: three messages per challenge, the first one included. Interface, "Limits"; decisions 41 and 42.
import { equal, holds } from '../expect.ts';
import { type Challenge, resend, resendBody, startChallenge, submit } from '../journey.ts';
import { dataOf, invalid, refused } from '../replies.ts';
import type { Row } from '../row.ts';
import { RIGHT_CODE } from '../sample.ts';
import type { Api } from '../session.ts';

const pins = 'Interface, "Limits", OTP SMS sends';

async function expectCounts(api: Api, challenge: Challenge, sent: number, remaining: number): Promise<void> {
  const { smsSentCount, remainingSmsCount } = dataOf(await resend(api, challenge));
  equal('counts', { smsSentCount, remainingSmsCount }, { smsSentCount: sent, remainingSmsCount: remaining });
}

async function usedUp(api: Api): Promise<Challenge> {
  const challenge = await startChallenge(api);
  await expectCounts(api, challenge, 2, 1);
  await expectCounts(api, challenge, 3, 0);
  return challenge;
}

export const resendRows: readonly Row[] = [
  {
    id: 'resend/counts',
    title: 'the first resend says 2 sent and 1 left, the second 3 sent and 0 left',
    pins,
    run: async ({ api }) => {
      await usedUp(api);
    },
  },
  {
    id: 'resend/limit',
    title: 'a fourth message: 429 sms-limit-reached without Retry-After, every time',
    pins: `${pins}; decision 41`,
    run: async ({ api }) => {
      const challenge = await usedUp(api);
      for (let tries = 0; tries < 2; tries += 1) {
        const reply = await resend(api, challenge);
        refused(reply, 429, 'sms-limit-reached');
        equal('Retry-After', reply.headers.get('retry-after'), null);
      }
    },
  },
  {
    id: 'resend/limit-kind',
    title: 'a fourth message: limit says that the challenge’s own limit was met, which no waiting resets',
    pins: 'Decision 156',
    run: async ({ api }) => {
      const body = refused(await resend(api, await usedUp(api)), 429, 'sms-limit-reached');
      equal('limit', body['limit'], { kind: 'challenge', resetsAt: null });
    },
  },
  {
    id: 'resend/limit-keeps-challenge',
    title: 'after the last message the right code still completes',
    pins: 'Interface, "States and transitions"',
    run: async ({ api }) => {
      const challenge = await usedUp(api);
      refused(await resend(api, challenge), 429, 'sms-limit-reached');
      dataOf(await submit(api, challenge, RIGHT_CODE), 'complete');
    },
  },
  {
    id: 'resend/after-wrong-code',
    title: 'a wrong code does not use up messages',
    pins: 'Interface, "States and transitions"',
    run: async ({ api }) => {
      const challenge = await startChallenge(api);
      for (const code of ['000001', '000002']) dataOf(await submit(api, challenge, code), 'retry');
      await expectCounts(api, challenge, 2, 1);
      await expectCounts(api, challenge, 3, 0);
    },
  },
  {
    id: 'resend/without-mobile',
    title: 'without a mobile number the simulated sends are counted all the same',
    pins: 'Interface, "Test mode" 3; decision 32',
    run: async ({ api }) => {
      const challenge = await startChallenge(api, { mobileNumber: undefined });
      await expectCounts(api, challenge, 2, 1);
    },
  },
  {
    id: 'resend/per-challenge',
    title: 'messages are counted per challenge: another challenge starts afresh',
    pins,
    run: async ({ api }) => {
      await usedUp(api);
      await expectCounts(api, await startChallenge(api), 2, 1);
    },
  },
  {
    id: 'resend/after-complete',
    title: 'after complete: 409 challenge-closed',
    pins: 'Decision 42',
    run: async ({ api }) => {
      const challenge = await startChallenge(api);
      dataOf(await submit(api, challenge, RIGHT_CODE), 'complete');
      refused(await resend(api, challenge), 409, 'challenge-closed');
    },
  },
  {
    id: 'resend/after-failed',
    title: 'after failed: 409 challenge-closed',
    pins: 'Decision 42',
    run: async ({ api }) => {
      const challenge = await startChallenge(api);
      for (const code of ['000001', '000002', '000003']) await submit(api, challenge, code);
      refused(await resend(api, challenge), 409, 'challenge-closed');
    },
  },
  {
    id: 'resend/parallel',
    title: 'ten resends at once: exactly two messages, the rest 429 sms-limit-reached',
    pins,
    run: async ({ api }) => {
      const challenge = await startChallenge(api);
      const replies = await Promise.all(Array.from({ length: 10 }, () => resend(api, challenge)));
      const counts = replies.filter(({ status }) => status === 200).map((reply) => dataOf(reply)['smsSentCount']);
      equal('smsSentCount of the resends that succeeded', counts.map(String).toSorted(), ['2', '3']);
      for (const reply of replies) if (reply.status !== 200) refused(reply, 429, 'sms-limit-reached');
    },
  },
  ...[undefined, 7, ''].map(
    (challengeId): Row => ({
      id: `resend/challenge-id/${challengeId === undefined ? 'missing' : challengeId === '' ? 'empty' : 'number'}`,
      title: `challengeId ${JSON.stringify(challengeId) ?? 'missing'}: 400 that names it, and no message is used`,
      pins: 'Interface, "Resend-SMS request and response"',
      run: async ({ api }) => {
        const challenge = await startChallenge(api);
        invalid(await resendBody(api, challenge.creditReportId, { challengeId }), '/challengeId');
        await expectCounts(api, challenge, 2, 1);
      },
    }),
  ),
  {
    id: 'resend/refusal-uses-nothing',
    title: 'a resend for a challenge of another report sends nothing for either',
    pins: 'Interface, "Endpoints", rule 3',
    run: async ({ api }) => {
      const [one, two] = await Promise.all([startChallenge(api), startChallenge(api)]);
      holds(one.challengeId !== two.challengeId, 'two different challenges', one.challengeId);
      refused(await resend(api, { ...one, challengeId: two.challengeId }), 404, 'challenge-not-found');
      await expectCounts(api, one, 2, 1);
      await expectCounts(api, two, 2, 1);
    },
  },
];
