// The five minutes, waited out for real. Interface, "Limits"; decisions 36, 42. A challenge that must still be open is
// timed from before its request was sent, one that must have expired from after its answer arrived.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { equal, holds } from '../expect.ts';
import { generate, resend, startChallenge, submit } from '../journey.ts';
import { dataOf, refused } from '../replies.ts';
import type { Row } from '../row.ts';
import { branch, RIGHT_CODE, WRONG_CODE } from '../sample.ts';
import { withSteadyClock } from '../steady-clock.ts';

const LIFETIME_S = 300;
const EXPIRED_S = LIFETIME_S + 3;

/** Waits until so many seconds after an instant of performance.now(). */
const until = (instant: number, seconds: number) => sleep(Math.max(instant + seconds * 1000 - performance.now(), 0));

const pins = 'Interface, "Limits", OTP challenge lifetime';

const rows: readonly Row[] = [
  {
    id: 'slow/expired-submit',
    title: 'more than five minutes after the message: 410 challenge-expired, for the right code and every time',
    pins,
    pace: 'slow',
    run: async ({ api }) => {
      const challenge = await startChallenge(api);
      await until(challenge.generated.arrivedAt, EXPIRED_S);
      for (const code of [RIGHT_CODE, WRONG_CODE, RIGHT_CODE]) {
        refused(await submit(api, challenge, code), 410, 'challenge-expired');
      }
    },
  },
  {
    id: 'slow/expired-resend',
    title: 'more than five minutes after the message: a resend gets 410 and does not revive the challenge',
    pins: `${pins}; decision 42`,
    pace: 'slow',
    run: async ({ api }) => {
      const challenge = await startChallenge(api);
      await until(challenge.generated.arrivedAt, EXPIRED_S);
      refused(await resend(api, challenge), 410, 'challenge-expired');
      refused(await submit(api, challenge, RIGHT_CODE), 410, 'challenge-expired');
    },
  },
  {
    id: 'slow/wrong-codes-do-not-extend',
    title: 'wrong codes do not prolong the five minutes, and a late third one is expired, not failed',
    pins,
    pace: 'slow',
    run: async ({ api }) => {
      const challenge = await startChallenge(api);
      dataOf(await submit(api, challenge, '000001'), 'retry');
      await until(challenge.generated.arrivedAt, 20);
      dataOf(await submit(api, challenge, '000002'), 'retry');
      await until(challenge.generated.arrivedAt, EXPIRED_S);
      refused(await submit(api, challenge, '000003'), 410, 'challenge-expired');
    },
  },
  {
    id: 'slow/resend-extends',
    title: 'a resend starts the five minutes again: the right code completes 5:10 after generate',
    pins,
    pace: 'slow',
    run: async ({ api }) => {
      const challenge = await startChallenge(api);
      await until(challenge.generated.arrivedAt, 20);
      dataOf(await resend(api, challenge));
      await until(challenge.generated.arrivedAt, LIFETIME_S + 10);
      dataOf(await submit(api, challenge, RIGHT_CODE), 'complete');
    },
  },
  {
    id: 'slow/resend-expires',
    title: 'five minutes after the last resend the challenge expires',
    pins,
    pace: 'slow',
    run: async ({ api }) => {
      const challenge = await startChallenge(api);
      await until(challenge.generated.arrivedAt, 20);
      const resent = await resend(api, challenge);
      dataOf(resent);
      await until(resent.arrivedAt, EXPIRED_S + 1);
      refused(await submit(api, challenge, RIGHT_CODE), 410, 'challenge-expired');
    },
  },
  {
    id: 'slow/refused-resend-does-not-extend',
    title: 'a resend refused for want of messages does not prolong the five minutes',
    pins: `${pins}; decision 41`,
    pace: 'slow',
    run: async ({ api }) => {
      const challenge = await startChallenge(api);
      dataOf(await resend(api, challenge));
      const last = await resend(api, challenge);
      dataOf(last);
      await until(last.arrivedAt, 20);
      refused(await resend(api, challenge), 429, 'sms-limit-reached');
      await until(last.arrivedAt, EXPIRED_S);
      refused(await submit(api, challenge, RIGHT_CODE), 410, 'challenge-expired');
    },
  },
  {
    id: 'slow/expired-frees-key',
    title: 'more than five minutes after the message the generate key is free: the same request begins a new challenge',
    pins: 'Decision 56',
    pace: 'slow',
    run: async ({ api }) => {
      const headers = { 'idempotency-key': randomUUID() };
      const challenge = await startChallenge(api, {}, headers);
      await until(challenge.generated.arrivedAt, EXPIRED_S);
      const again = dataOf(await generate(api, branch('challenge'), headers), 'authentication-required');
      holds(again['creditReportId'] !== challenge.creditReportId, 'another creditReportId', again['creditReportId']);
    },
  },
  {
    id: 'slow/still-open',
    title: 'at 4:55 the right code still completes',
    pins: `${pins}; decision 36`,
    pace: 'slow',
    run: async ({ api }) => {
      const challenge = await startChallenge(api);
      await until(challenge.generated.sentAt, LIFETIME_S - 5);
      dataOf(await submit(api, challenge, RIGHT_CODE), 'complete');
    },
  },
  {
    id: 'slow/still-judged',
    title: 'at 4:50 a wrong code is still judged: retry with two attempts left',
    pins: `${pins}; decision 36`,
    pace: 'slow',
    run: async ({ api }) => {
      const challenge = await startChallenge(api);
      await until(challenge.generated.sentAt, LIFETIME_S - 10);
      const data = dataOf(await submit(api, challenge, WRONG_CODE), 'retry');
      equal('attemptsRemaining', data['attemptsRemaining'], 2);
    },
  },
];

export const slowRows: readonly Row[] = rows.map((row) => ({ ...row, run: withSteadyClock(row.run) }));
