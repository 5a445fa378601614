// What helps to try the sandbox out: a report's own clock, the inbox and the catalogue. None of it is in the interface; these
// are promises of our own (decisions 207 and 209).
import { dig, digList, equal, fits, holds, same } from '../expect.ts';
import { generate, reportsPath, resend, startChallenge, submit } from '../journey.ts';
import { bareBody, dataOf, invalid, refused } from '../replies.ts';
import type { Row } from '../row.ts';
import { branch, RIGHT_CODE } from '../sample.ts';
import type { Api, Reply } from '../session.ts';
import { count, exactly, filledText, instant, list, object } from '../shape.ts';
import { read } from './reading-calls.ts';
import { AT_BUREAUS, AT_GENERATE, pins } from './sandbox-calls.ts';

const advance = (api: Api, creditReportId: string, advanceSeconds: unknown): Promise<Reply> =>
  api.send({
    method: 'POST',
    path: `${reportsPath(api.tenantId)}/${creditReportId}/test-clock`,
    body: { advanceSeconds },
  });

export const sandboxAidRows: readonly Row[] = [
  {
    id: 'sandbox/clock/expires',
    title: 'the clock of a report moved 301 seconds: 410 challenge-expired for codes and resends, failed when read',
    pins,
    run: async ({ api }) => {
      const challenge = await startChallenge(api);
      const data = dataOf(await advance(api, challenge.creditReportId, 301), 'failed');
      equal('expiresInSeconds', data['expiresInSeconds'], null);
      refused(await submit(api, challenge, RIGHT_CODE), 410, 'challenge-expired');
      refused(await resend(api, challenge), 410, 'challenge-expired');
      dataOf(await read(api, challenge.creditReportId), 'failed');
    },
  },
  {
    id: 'sandbox/clock/still-open',
    title: 'the clock moved 200 seconds: the challenge is open for the rest, and the right code completes',
    pins,
    run: async ({ api }) => {
      const challenge = await startChallenge(api);
      const data = dataOf(await advance(api, challenge.creditReportId, 200), 'authentication-required');
      const left = Number(data['expiresInSeconds']);
      holds(left > 30 && left <= 100, 'expiresInSeconds of about 100', left);
      dataOf(await submit(api, challenge, RIGHT_CODE), 'complete');
    },
  },
  {
    id: 'sandbox/clock/refusals',
    title: 'the clock: 400 outside 1 to 86,400, 409 without a challenge, 404 for an unknown report',
    pins,
    run: async ({ api }) => {
      const { creditReportId } = await startChallenge(api);
      for (const seconds of [0, -1, 1.5, 86_401, '60', undefined]) {
        invalid(await advance(api, creditReportId, seconds), '/advanceSeconds');
      }
      const complete = dataOf(await generate(api, branch('allow')), 'complete');
      refused(await advance(api, String(complete['creditReportId']), 1), 409, 'conflict');
      refused(await advance(api, '01890000-0000-7000-8000-000000000000', 1), 404, 'credit-report-not-found');
    },
  },
  {
    id: 'sandbox/inbox',
    title: 'the inbox has the text with the code, newest message first, the number masked',
    pins,
    run: async ({ api }) => {
      const challenge = await startChallenge(api);
      dataOf(await resend(api, challenge));
      const path = `/${api.tenantId}/v1/test/inbox?creditReportId=${challenge.creditReportId}`;
      const items = digList(dataOf(await api.send({ path })), 'items');
      same(
        'numbers',
        items.map((each) => dig(each, 'number')),
        [2, 1],
      );
      for (const item of items) {
        const shape = { challengeId: exactly(challenge.challengeId), state: exactly('delivered'), sentAt: instant };
        fits('message', item, object(shape));
        const [text, to] = [String(dig(item, 'text')), String(dig(item, 'to'))];
        holds(text.startsWith(`${RIGHT_CODE} is your code`), 'the text, beginning with the code', text);
        equal('to', to, '********0123');
      }
    },
  },
  {
    id: 'sandbox/inbox-pages',
    title: 'the inbox in pages of one: no message twice, none missing',
    pins,
    run: async ({ api }) => {
      const challenge = await startChallenge(api);
      dataOf(await resend(api, challenge));
      const path = `/${api.tenantId}/v1/test/inbox?limit=1`;
      const first = dataOf(await api.send({ path }));
      const second = dataOf(await api.send({ path: `${path}&cursor=${String(first['nextCursor'])}` }));
      const keyOf = (page: Record<string, unknown>) =>
        digList(page, 'items').map((each) => `${String(dig(each, 'creditReportId'))} ${String(dig(each, 'number'))}`);
      equal('items on a page', [keyOf(first).length, keyOf(second).length], [1, 1]);
      holds(keyOf(first)[0] !== keyOf(second)[0], 'another message on the second page', keyOf(second));
    },
  },
  {
    id: 'sandbox/catalogue',
    title: 'the catalogue lists the values of the interface and of testOptions, each with its effect',
    pins: 'Interface, "Test mode"; our decision 209',
    run: async ({ api }) => {
      const body = bareBody(await api.send({ path: '/v1/test/catalogue' }));
      const value = object({ field: filledText, value: filledText, effect: filledText });
      fits('body', body, object({ items: list(value), total: count }));
      const items = digList(body, 'items');
      equal('total', body['total'], items.length);
      const of = (field: string) =>
        items.filter((each) => dig(each, 'field') === field).map((each) => dig(each, 'value'));
      for (const status of ['allow', 'challenge', 'block']) {
        holds(of('/challengeOptions/status').includes(status), `the status ${status}`, of('/challengeOptions/status'));
      }
      holds(of('/code').includes(RIGHT_CODE), 'the right code', of('/code'));
      for (const reason of [...AT_GENERATE, ...AT_BUREAUS]) {
        holds(of('/testOptions/reason').includes(reason), `the reason ${reason}`, of('/testOptions/reason'));
      }
      const emails = of('/email').join(' ');
      for (const prefix of ['test001', 'test002', 'test003', 'test004']) {
        holds(emails.includes(prefix), `the e-mail ${prefix}`, emails);
      }
    },
  },
];
