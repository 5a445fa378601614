// The order of checks: of several faults the first in line is answered. Decision 9.
import { randomUUID } from 'node:crypto';
import { generate, otpPath, reportsPath, resend, resendBody, startChallenge, submit, submitBody } from '../journey.ts';
import { dataOf, invalid, refused } from '../replies.ts';
import type { Row } from '../row.ts';
import { branch, consumer, RIGHT_CODE } from '../sample.ts';

const pins = 'Decision 9';
const plain = { 'content-type': 'text/plain' };
const json = { 'content-type': 'application/json' };

export const orderRows: readonly Row[] = [
  {
    id: 'order/401-before-403',
    title: 'no token on an unknown tenant: 401, not 403',
    pins,
    run: async ({ api }) => {
      const call = { method: 'POST', path: reportsPath(randomUUID()), body: consumer(), authorization: null };
      refused(await api.send(call), 401, 'unauthorized');
    },
  },
  {
    id: 'order/401-before-body',
    title: 'no token and a bad body: 401, not 400 or 415',
    pins,
    run: async ({ api }) => {
      const call = { method: 'POST', path: reportsPath(api.tenantId), authorization: null };
      refused(await api.send({ ...call, raw: '{', headers: json }), 401, 'unauthorized');
      refused(await api.send({ ...call, raw: 'x', headers: plain }), 401, 'unauthorized');
    },
  },
  {
    id: 'order/403-before-415',
    title: 'an unknown tenant and a wrong media type: 403, not 415',
    pins,
    run: async ({ api }) => {
      const call = { method: 'POST', path: reportsPath(randomUUID()), raw: 'x', headers: plain };
      refused(await api.send(call), 403, 'forbidden');
    },
  },
  {
    id: 'order/403-before-400',
    title: 'an unknown tenant and a bad body: 403, not 400',
    pins,
    run: async ({ api }) => {
      const call = { method: 'POST', path: reportsPath(randomUUID()) };
      refused(await api.send({ ...call, raw: '{', headers: json }), 403, 'forbidden');
      refused(await api.send({ ...call, body: {} }), 403, 'forbidden');
    },
  },
  {
    id: 'order/415-before-404',
    title: 'an unknown report and a wrong media type: 415, not 404',
    pins,
    run: async ({ api }) => {
      const call = { method: 'POST', path: otpPath(api.tenantId, randomUUID()), raw: 'x', headers: plain };
      refused(await api.send(call), 415, 'unsupported-media-type');
    },
  },
  {
    id: 'order/400-before-404',
    title: 'an unknown report and a bad body: 400, not 404',
    pins,
    run: async ({ api }) => {
      invalid(await submitBody(api, randomUUID(), {}), '/challengeId', '/code');
      invalid(await resendBody(api, randomUUID(), {}), '/challengeId');
    },
  },
  {
    id: 'order/400-before-422',
    title: 'a reused key and a bad body: 400, not 422',
    pins,
    run: async ({ api }) => {
      const headers = { 'idempotency-key': randomUUID() };
      dataOf(await generate(api, branch('allow'), headers), 'complete');
      invalid(await generate(api, { firstName: undefined }, headers), '/firstName');
    },
  },
  {
    id: 'order/404-before-state',
    title: 'an unknown challenge on a report that failed or completed: 404, not its state',
    pins,
    run: async ({ api }) => {
      const challengeId = randomUUID();
      const complete = await startChallenge(api);
      dataOf(await submit(api, complete, RIGHT_CODE), 'complete');
      refused(await submit(api, { ...complete, challengeId }, RIGHT_CODE), 404, 'challenge-not-found');
      const failed = await startChallenge(api);
      for (const code of ['000001', '000002', '000003']) await submit(api, failed, code);
      refused(await submit(api, { ...failed, challengeId }, RIGHT_CODE), 404, 'challenge-not-found');
      refused(await resend(api, { ...failed, challengeId }), 404, 'challenge-not-found');
    },
  },
  {
    id: 'order/400-before-state',
    title: 'a malformed code on a failed or completed challenge: 400, not its state',
    pins,
    run: async ({ api }) => {
      const challenge = await startChallenge(api);
      dataOf(await submit(api, challenge, RIGHT_CODE), 'complete');
      invalid(await submit(api, challenge, ''), '/code');
    },
  },
  {
    id: 'order/state-before-limits',
    title: 'a closed challenge without messages left: 409 challenge-closed, not 429',
    pins,
    run: async ({ api }) => {
      const challenge = await startChallenge(api);
      for (let sends = 2; sends <= 3; sends += 1) dataOf(await resend(api, challenge));
      dataOf(await submit(api, challenge, RIGHT_CODE), 'complete');
      refused(await resend(api, challenge), 409, 'challenge-closed');
    },
  },
];
