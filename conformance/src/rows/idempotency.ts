// The optional Idempotency-Key header: a retry repeats the answer, not the act. Decision 56.
import { randomUUID } from 'node:crypto';
import { dig, equal, holds, same } from '../expect.ts';
import { generate, type Headers, reportsPath, resend, startChallenge, submit, submitBody } from '../journey.ts';
import { dataOf, invalid, metaOf, refused, summary } from '../replies.ts';
import { type Row, Skip } from '../row.ts';
import { branch, consumer, RIGHT_CODE, WRONG_CODE } from '../sample.ts';
import type { Api, Reply } from '../session.ts';

const pins = 'Decision 56';
const withKey = (key: string = randomUUID()): Headers => ({ 'idempotency-key': key });
const isReplay = (reply: Reply) => reply.headers.get('idempotent-replayed') === 'true';

/** The same answer apart from the time it took, marked as a replay. */
function expectReplay(reply: Reply, first: Reply): void {
  same('data', dataOf(reply), dataOf(first));
  same('meta.wallet', metaOf(reply)['wallet'], metaOf(first)['wallet']);
  equal('Idempotent-Replayed of the first answer', first.headers.get('idempotent-replayed'), null);
  equal('Idempotent-Replayed', reply.headers.get('idempotent-replayed'), 'true');
}

async function useKey(api: Api, headers: Headers): Promise<Reply> {
  const reply = await generate(api, branch('allow'), headers);
  dataOf(reply, 'complete');
  return reply;
}

/** A keyed generate whose challenge has failed since. */
async function failChallenge(api: Api, headers: Headers): Promise<Reply> {
  const challenge = await startChallenge(api, {}, headers);
  for (const code of ['000001', '000002']) dataOf(await submit(api, challenge, code), 'retry');
  dataOf(await submit(api, challenge, WRONG_CODE), 'failed');
  return challenge.generated;
}

export const idempotencyRows: readonly Row[] = [
  ...(['allow', 'challenge', 'block'] as const).map(
    (status): Row => ({
      id: `idempotency/replay-${status}`,
      title: `generate (${status}) again with its key: the same answer, marked Idempotent-Replayed`,
      pins,
      run: async ({ api }) => {
        const headers = withKey();
        const first = await generate(api, branch(status), headers);
        expectReplay(await generate(api, branch(status), headers), first);
      },
    }),
  ),
  {
    id: 'idempotency/as-received',
    title: 'a key is about the body as received: null, an empty text and absent are three requests',
    pins,
    run: async ({ api }) => {
      for (const [first, other] of [
        [{ title: null }, { title: undefined }],
        [{ title: '' }, { title: null }],
        [{ mobileNumber: '+44 7700 900123' }, { mobileNumber: '+447700900123' }],
      ]) {
        const headers = withKey();
        const answer = await generate(api, first, headers);
        refused(await generate(api, other, headers), 422, 'idempotency-key-reused');
        expectReplay(await generate(api, first, headers), answer);
      }
    },
  },
  {
    id: 'idempotency/key-order',
    title: 'the order of the fields in the body does not matter',
    pins,
    run: async ({ api }) => {
      const headers = withKey();
      const first = await generate(api, {}, headers);
      const body = Object.fromEntries(Object.entries(consumer()).toReversed());
      expectReplay(await api.send({ method: 'POST', path: reportsPath(api.tenantId), body, headers }), first);
    },
  },
  {
    id: 'idempotency/other-body',
    title: 'the key with another body: 422 idempotency-key-reused',
    pins,
    run: async ({ api }) => {
      const headers = withKey();
      await useKey(api, headers);
      const other = { ...branch('allow'), lastName: 'Different' };
      refused(await generate(api, other, headers), 422, 'idempotency-key-reused');
    },
  },
  {
    id: 'idempotency/other-report',
    title: 'the key of one report used for a code of another report: 422 idempotency-key-reused',
    pins,
    run: async ({ api }) => {
      const headers = withKey();
      const [one, two] = await Promise.all([startChallenge(api), startChallenge(api)]);
      dataOf(await submit(api, one, WRONG_CODE, headers), 'retry');
      refused(await submit(api, two, WRONG_CODE, headers), 422, 'idempotency-key-reused');
    },
  },
  {
    id: 'idempotency/other-route',
    title: 'the key on another route is another key',
    pins,
    run: async ({ api }) => {
      const headers = withKey();
      const challenge = await startChallenge(api);
      await useKey(api, headers);
      const resent = await resend(api, challenge, headers);
      equal('smsSentCount', dataOf(resent)['smsSentCount'], 2);
      const submitted = await submit(api, challenge, RIGHT_CODE, headers);
      dataOf(submitted, 'complete');
      holds(!isReplay(resent) && !isReplay(submitted), 'no replay on the other routes', 'Idempotent-Replayed: true');
    },
  },
  {
    id: 'idempotency/other-key',
    title: 'another key makes another report',
    pins,
    run: async ({ api }) => {
      const [one, two] = await Promise.all([useKey(api, withKey()), useKey(api, withKey())]);
      const ids = [dataOf(one)['creditReportId'], dataOf(two)['creditReportId']];
      holds(ids[0] !== ids[1], 'two different creditReportIds', ids);
    },
  },
  {
    id: 'idempotency/other-tenant',
    title: "another tenant's use of the same key is independent",
    pins,
    run: async ({ api, other }) => {
      const headers = withKey();
      const first = await useKey(api, headers);
      const second = await useKey(other(), headers);
      holds(!isReplay(second), 'no replay for the other tenant', 'Idempotent-Replayed: true');
      const ids = [first, second].map((reply) => dataOf(reply)['creditReportId']);
      holds(ids[0] !== ids[1], 'two different creditReportIds', ids);
    },
  },
  ...(
    [
      ['empty', ''],
      ['over-255', 'k'.repeat(256)],
    ] as const
  ).map(
    ([name, key]): Row => ({
      id: `idempotency/key-${name}`,
      title: `a key that is ${name.replace('-', ' ')}: 400 validation-error`,
      pins,
      run: async ({ api }) => invalid(await generate(api, branch('allow'), withKey(key))),
    }),
  ),
  {
    id: 'idempotency/key-255',
    title: 'a key of 255 characters is accepted',
    pins,
    run: async ({ api }) => {
      const headers = withKey(randomUUID().padEnd(255, 'k'));
      const first = await useKey(api, headers);
      expectReplay(await generate(api, branch('allow'), headers), first);
    },
  },
  {
    id: 'idempotency/invalid-not-kept',
    title: 'a 400 is not kept: the corrected request succeeds with the same key',
    pins,
    run: async ({ api }) => {
      const headers = withKey();
      invalid(await generate(api, { firstName: undefined }, headers), '/firstName');
      holds(!isReplay(await useKey(api, headers)), 'a fresh answer', 'Idempotent-Replayed: true');
    },
  },
  {
    id: 'idempotency/not-found-not-kept',
    title: 'a 404 is not kept: the corrected request succeeds with the same key',
    pins,
    run: async ({ api }) => {
      const headers = withKey();
      const challenge = await startChallenge(api);
      const wrong = { challengeId: randomUUID(), code: RIGHT_CODE };
      refused(await submitBody(api, challenge.creditReportId, wrong, headers), 404, 'challenge-not-found');
      dataOf(await submit(api, challenge, RIGHT_CODE, headers), 'complete');
    },
  },
  {
    id: 'idempotency/parallel',
    title: 'ten requests at once with one key: one report; the others replay it or get 409 request-in-progress',
    pins,
    run: async ({ api }) => {
      const headers = withKey();
      const replies = await Promise.all(Array.from({ length: 10 }, () => generate(api, branch('allow'), headers)));
      const answered = replies.filter(({ status }) => status === 200);
      for (const reply of replies) {
        if (answered.includes(reply)) continue;
        refused(reply, 409, 'request-in-progress');
        holds(reply.headers.has('retry-after'), 'Retry-After on request-in-progress', 'none');
      }
      const ids = new Set(answered.map((reply) => dig(reply.body, 'data.creditReportId')));
      equal('number of different reports', ids.size, 1);
      const fresh = answered.filter((reply) => !isReplay(reply)).length;
      holds(fresh === 1, 'exactly one answer that is no replay', replies.map(summary).join(', '));
    },
  },
  {
    id: 'idempotency/free-after-failure',
    title:
      'after a challenge that failed the generate key is free: the same request begins anew, and replays from there',
    pins,
    run: async ({ api }) => {
      const headers = withKey();
      const first = await failChallenge(api, headers);
      const second = await generate(api, branch('challenge'), headers);
      const ids = [dataOf(first), dataOf(second, 'authentication-required')].map((data) => data['creditReportId']);
      holds(ids[0] !== ids[1], 'two different creditReportIds', ids);
      expectReplay(await generate(api, branch('challenge'), headers), second);
    },
  },
  {
    id: 'idempotency/free-for-another-body',
    title: 'a free generate key may be used for another request, and is then its key',
    pins,
    run: async ({ api }) => {
      const headers = withKey();
      await failChallenge(api, headers);
      const answered = await useKey(api, headers);
      holds(!isReplay(answered), 'a fresh answer', 'Idempotent-Replayed: true');
      refused(await generate(api, branch('challenge'), headers), 422, 'idempotency-key-reused');
    },
  },
  {
    id: 'idempotency/failure-kept-by-its-code',
    title: 'the key of the code that failed a challenge keeps its answer',
    pins,
    run: async ({ api }) => {
      const headers = withKey();
      const challenge = await startChallenge(api);
      for (const code of ['000001', '000002']) dataOf(await submit(api, challenge, code), 'retry');
      const first = await submit(api, challenge, WRONG_CODE, headers);
      dataOf(first, 'failed');
      expectReplay(await submit(api, challenge, WRONG_CODE, headers), first);
    },
  },
  {
    id: 'idempotency/wrong-code-once',
    title: 'a wrong code repeated with its key uses one attempt',
    pins,
    run: async ({ api }) => {
      const headers = withKey();
      const challenge = await startChallenge(api);
      const first = await submit(api, challenge, WRONG_CODE, headers);
      equal('attemptsRemaining', dataOf(first, 'retry')['attemptsRemaining'], 2);
      for (let again = 0; again < 3; again += 1) expectReplay(await submit(api, challenge, WRONG_CODE, headers), first);
      const next = dataOf(await submit(api, challenge, WRONG_CODE), 'retry');
      equal('attemptsRemaining after a new wrong code', next['attemptsRemaining'], 1);
      expectReplay(await submit(api, challenge, WRONG_CODE, headers), first);
    },
  },
  {
    id: 'idempotency/right-code',
    title: 'a right code repeated with its key gives the same report',
    pins,
    run: async ({ api }) => {
      const headers = withKey();
      const challenge = await startChallenge(api);
      const first = await submit(api, challenge, RIGHT_CODE, headers);
      dataOf(first, 'complete');
      expectReplay(await submit(api, challenge, RIGHT_CODE, headers), first);
    },
  },
  {
    id: 'idempotency/resend-once',
    title: 'a resend repeated with its key counts one message',
    pins,
    run: async ({ api }) => {
      const headers = withKey();
      const challenge = await startChallenge(api);
      const first = await resend(api, challenge, headers);
      for (let again = 0; again < 3; again += 1) expectReplay(await resend(api, challenge, headers), first);
      const { smsSentCount } = dataOf(await resend(api, challenge));
      equal('smsSentCount of a new resend', smsSentCount, 3);
    },
  },
  {
    id: 'idempotency/webhook-once',
    title:
      'a test message of a webhook endpoint, and its resend, repeated with their key: one delivery, and the same answer marked',
    pins,
    run: async ({ api }) => {
      const base = `/${api.tenantId}/v1/webhook-endpoints`;
      const post = (path: string, body?: object, headers: Headers = {}) =>
        api.send({ method: 'POST', path: base + path, body, headers });
      // Rows that run beside this one make reports: their events must not come to this endpoint.
      const made = await post('', { url: 'https://hooks.example.com/', test: true, eventTypes: ['wallet.topped-up'] });
      if (made.status !== 200) throw new Skip(`no webhook endpoint can be made here: ${made.status}`);
      const endpointId = String(dataOf(made)['id']);
      try {
        const headers = withKey();
        const first = await post(`/${endpointId}/test`, undefined, headers);
        const paths = [`/${endpointId}/test`, `/deliveries/${dataOf(first)['id']}/resend`];
        for (const path of paths) {
          dataOf(await post(path, undefined, headers));
          const again = await post(path, undefined, headers);
          holds(isReplay(again), 'Idempotent-Replayed: true', summary(again));
          equal('the delivery', dataOf(again)['id'], dataOf(first)['id']);
        }
        const listed = await api.send({ path: `${base}/${endpointId}/deliveries` });
        equal('number of deliveries', (dataOf(listed)['items'] as unknown[]).length, 1);
      } finally {
        await api.send({ method: 'DELETE', path: `${base}/${endpointId}` });
      }
    },
  },
];
