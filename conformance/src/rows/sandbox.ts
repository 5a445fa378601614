// The sandbox that can fail: testOptions, a report's own clock, the inbox and the catalogue. None of it is in the
// interface; these are promises of our own (decisions 207, 209 and 284).
import { randomUUID } from 'node:crypto';
import { dig, digList, equal, fits, holds, same } from '../expect.ts';
import { generate, quote, reportsPath, resend, startChallenge, submit } from '../journey.ts';
import { bareBody, dataOf, invalid, metaOf, refused } from '../replies.ts';
import type { Row } from '../row.ts';
import { branch, consumer, type Fields, RIGHT_CODE } from '../sample.ts';
import type { Api, Reply } from '../session.ts';
import { absent, count, exactly, filledText, instant, list, object, orNull, uuid } from '../shape.ts';

const BUREAUS = ['equifax', 'experian', 'transunion'] as const;
const pins = 'Our decision 207';

const options = (testOptions: unknown, changes: Fields = {}): Fields => ({ testOptions, ...changes });

const read = (api: Api, creditReportId: unknown): Promise<Reply> =>
  api.send({ path: `${reportsPath(api.tenantId)}/${String(creditReportId)}` });

const advance = (api: Api, creditReportId: string, advanceSeconds: unknown): Promise<Reply> =>
  api.send({
    method: 'POST',
    path: `${reportsPath(api.tenantId)}/${creditReportId}/test-clock`,
    body: { advanceSeconds },
  });

const AT_GENERATE = [
  'screening-unavailable',
  'device-not-verified',
  'mobile-missing',
  'not-a-mobile',
  'country-not-allowed',
  'company-number',
  'company-mistakes',
  'company-day',
  'company-minute',
  'protection',
] as const;
const AT_BUREAUS = ['no-bureau-answered', 'interrupted'] as const;

async function failsAtOnce(api: Api, reason: string, changes: Fields): Promise<void> {
  const reply = await generate(api, options({ outcome: 'failed', reason }, changes));
  const data = dataOf(reply, 'failed');
  const failureReason = exactly(reason === 'protection' ? 'not-deliverable' : reason);
  fits('data', data, object({ creditReportId: uuid, errorMessage: filledText, failureReason, challengeType: absent }));
  equal('cost', dig(metaOf(reply), 'wallet.cost'), 0);
  same('errorMessage when read', dataOf(await read(api, data['creditReportId']))['errorMessage'], data['errorMessage']);
}

const failureRows = [...AT_GENERATE, ...AT_BUREAUS].map(
  (reason): Row => ({
    id: `sandbox/failed/${reason}`,
    title: `outcome failed with reason ${reason}: 200 failed at generate, cost 0, the same when read`,
    pins,
    run: ({ api }) => failsAtOnce(api, reason, {}),
  }),
);

const lateRows = AT_BUREAUS.map(
  (reason): Row => ({
    id: `sandbox/failed-after-code/${reason}`,
    title: `reason ${reason} with a challenge: failed after the right code, and again for every later code`,
    pins,
    run: async ({ api }) => {
      const challenge = await startChallenge(api, options({ outcome: 'failed', reason }));
      const data = dataOf(await submit(api, challenge, RIGHT_CODE), 'failed');
      equal('failureReason', data['failureReason'], reason);
      same('a later code', dataOf(await submit(api, challenge, '000000'), 'failed'), data);
    },
  }),
);

const bureauRows = BUREAUS.flatMap((bureau) =>
  ['no-trace', 'unavailable'].map(
    (outcome): Row => ({
      id: `sandbox/bureau/${bureau}-${outcome}`,
      title: `${bureau} is ${outcome}: complete, partly-traced, and no record names it`,
      pins,
      run: async ({ api }) => {
        const data = dataOf(await generate(api, options({ bureauResults: [{ bureau, outcome }] })), 'complete');
        const expected = BUREAUS.map((each) => ({ bureau: each, outcome: each === bureau ? outcome : 'ok' }));
        same('bureauResults', data['bureauResults'], expected);
        equal('coverage', dig(data, 'coverage.status'), 'partly-traced');
        const names = digList(data, 'creditReport.consumerData.records').flatMap((each) =>
          digList(each, 'bureaus').map((own) => dig(own, 'id')),
        );
        holds(names.length > 0 && !names.includes(bureau), `records, none of ${bureau}`, names);
      },
    }),
  ),
);

const fundRows = ['insufficient-funds', 'insufficient-credits'].map(
  (code): Row => ({
    id: `sandbox/402/${code}`,
    title: `402 ${code} on request, at generate and at resend, with required and available`,
    pins: 'Interface, "Errors" (both codes); our decision 207',
    run: async ({ api }) => {
      const shape = object({ required: count, available: count });
      fits('error', refused(await generate(api, options({ outcome: code })), 402, code), shape);
      const challenge = await startChallenge(api, options({ resend: code }));
      fits('error', refused(await resend(api, challenge), 402, code), shape);
      dataOf(await submit(api, challenge, RIGHT_CODE), 'complete');
    },
  }),
);

const ERRORS: readonly [status: number, code: string, header: string][] = [
  [403, 'step-up-required', 'www-authenticate'],
  [500, 'internal-error', 'x-request-id'],
  [503, 'service-unavailable', 'retry-after'],
];
const errorRows = ERRORS.map(
  ([status, code, header]): Row => ({
    id: `sandbox/${status}/${code}`,
    title: `${status} ${code} on request, without a report`,
    pins: 'Our decision 284',
    run: async ({ api }) => {
      const body = consumer(options({ outcome: code }));
      const reply = await api.send({ method: 'POST', path: reportsPath(api.tenantId), body, about: 503 });
      fits('error', refused(reply, status, code), object({ creditReportId: absent }));
      holds(reply.headers.has(header), `the header ${header}`, reply.headers);
    },
  }),
);

const limitRows = ['company-number', 'company-day', 'company-minute', 'destination', 'protection'].map(
  (kind): Row => ({
    id: `sandbox/429/${kind}`,
    title: `a resend gets 429 sms-limit-reached with limit.kind ${kind}`,
    pins,
    run: async ({ api }) => {
      const reply = await resend(api, await startChallenge(api, options({ resend: kind })));
      const body = refused(reply, 429, 'sms-limit-reached');
      fits('limit', body['limit'], object({ kind: exactly(kind), resetsAt: orNull(instant) }));
      equal('Retry-After', reply.headers.get('retry-after'), null);
    },
  }),
);

const receiptRows = Object.entries({
  delivered: 'delivered',
  undelivered: 'undelivered',
  refused: 'refused',
  never: 'submitted',
}).map(
  ([receipt, state]): Row => ({
    id: `sandbox/receipt/${receipt}`,
    title: `receipt ${receipt}: the message of the challenge is ${state}`,
    pins,
    run: async ({ api }) => {
      const { creditReportId } = await startChallenge(api, options({ receipt }));
      const [send] = digList(dataOf(await read(api, creditReportId)), 'challenge.sends');
      const settledAt = receipt === 'never' ? exactly(null) : instant;
      fits('send', send, object({ state: exactly(state), settledAt }));
    },
  }),
);

const faulty: readonly [name: string, changes: Fields, pointer: string][] = [
  ['live', options({}, { test: undefined }), '/testOptions'],
  ['test-false', options({}, { test: false }), '/testOptions'],
  ['null', options(null), '/testOptions'],
  ['outcome', options({ outcome: 'unknown' }), '/testOptions/outcome'],
  ['reason', options({ outcome: 'failed', reason: 'unknown' }), '/testOptions/reason'],
  ['reason-missing', options({ outcome: 'failed' }), '/testOptions/reason'],
  ['reason-alone', options({ reason: 'interrupted' }), '/testOptions/reason'],
  ['delay', options({ delayMs: 10_001 }), '/testOptions/delayMs'],
  ['receipt-without-challenge', options({ receipt: 'never' }), '/testOptions/receipt'],
  ['resend-without-challenge', options({ resend: 'protection' }), '/testOptions/resend'],
  [
    'bureau-not-asked',
    options({ bureauResults: [{ bureau: 'experian', outcome: 'ok' }] }, { bureaus: ['equifax'] }),
    '/testOptions/bureauResults/0/bureau',
  ],
];

const faultRows = faulty.map(
  ([name, changes, pointer]): Row => ({
    id: `sandbox/400/${name}`,
    title: `testOptions that cannot be (${name}): 400 at ${pointer}, by generate and by the quote`,
    pins: 'Our decisions 207 and 208',
    run: async ({ api }) => {
      invalid(await generate(api, changes), pointer);
      invalid(await quote(api, consumer(changes)), pointer);
    },
  }),
);

export const sandboxRows: readonly Row[] = [
  ...failureRows,
  ...lateRows,
  ...bureauRows,
  {
    id: 'sandbox/bureau/none-answers',
    title: 'every bureau unavailable: 200 failed',
    pins,
    run: async ({ api }) => {
      const bureauResults = BUREAUS.map((bureau) => ({ bureau, outcome: 'unavailable' }));
      dataOf(await generate(api, options({ bureauResults })), 'failed');
    },
  },
  {
    id: 'sandbox/bureau/nobody-found',
    title: 'every bureau no-trace: complete, not-traced, with empty lists',
    pins,
    run: async ({ api }) => {
      const bureauResults = BUREAUS.map((bureau) => ({ bureau, outcome: 'no-trace' }));
      const data = dataOf(await generate(api, options({ bureauResults })), 'complete');
      equal('coverage', dig(data, 'coverage.status'), 'not-traced');
      same('records', dig(data, 'creditReport.consumerData.records'), []);
      same('searches', dig(data, 'creditReport.previousSearches.providers'), []);
    },
  },
  ...fundRows,
  {
    id: 'sandbox/429/rate-limited',
    title: '429 rate-limited on request, with Retry-After',
    pins,
    run: async ({ api }) => {
      const body = consumer(options({ outcome: 'rate-limited' }));
      // The kit would wait for its end, which never comes.
      const ask = () => api.send({ method: 'POST', path: reportsPath(api.tenantId), body, about: 429 });
      const first = await ask();
      refused(first, 429, 'rate-limited');
      holds(Number(first.headers.get('retry-after')) >= 1, 'Retry-After of a second or more', first.headers);
      // The first may have met the tenant's own limit: this call waits for that, and the next is refused all the same.
      dataOf(await generate(api), 'complete');
      refused(await ask(), 429, 'rate-limited');
    },
  },
  ...errorRows,
  {
    id: 'sandbox/503/with-report',
    title: '503 with creditReportId on request: the report can be read, and the same key gets it',
    pins: 'Our decision 284',
    run: async ({ api }) => {
      const body = consumer(options({ outcome: 'service-unavailable-with-report' }));
      const headers = { 'idempotency-key': randomUUID() };
      const ask = () => api.send({ method: 'POST', path: reportsPath(api.tenantId), body, headers, about: 503 });
      const late = await ask();
      const { creditReportId } = refused(late, 503, 'service-unavailable');
      holds(Number(late.headers.get('retry-after')) >= 1, 'Retry-After of a second or more', late.headers);
      dataOf(await read(api, creditReportId), 'complete');
      equal('creditReportId of the repeat', dataOf(await ask(), 'complete')['creditReportId'], creditReportId);
    },
  },
  {
    id: 'sandbox/410/purged',
    title: '410 credit-report-purged on request: generate answers, then reads, codes and resends are refused',
    pins: 'Our decision 284',
    run: async ({ api }) => {
      const challenge = await startChallenge(api, options({ outcome: 'credit-report-purged' }));
      for (const reply of [
        await read(api, challenge.creditReportId),
        await submit(api, challenge, '000000'),
        await submit(api, challenge, RIGHT_CODE),
        await resend(api, challenge),
      ]) {
        refused(reply, 410, 'credit-report-purged');
      }
    },
  },
  ...limitRows,
  ...receiptRows,
  {
    id: 'sandbox/delay',
    title: 'delayMs delays the answer by so much',
    pins,
    run: async ({ api }) => {
      const reply = await generate(api, options({ delayMs: 300 }));
      dataOf(reply, 'complete');
      const taken = dig(metaOf(reply), 'request.timeTakenMs');
      holds(Number(taken) >= 295, 'timeTakenMs of 295 or more', taken);
    },
  },
  ...faultRows,
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
