// The sandbox that can fail: errors on request, and the faults of testOptions themselves. None of it is in the interface;
// these are promises of our own (decisions 207, 208 and 284).
import { randomUUID } from 'node:crypto';
import { equal, fits, holds } from '../expect.ts';
import { generate, quote, reportsPath, resend, startChallenge, submit } from '../journey.ts';
import { dataOf, invalid, refused } from '../replies.ts';
import type { Row } from '../row.ts';
import { consumer, type Fields, RIGHT_CODE } from '../sample.ts';
import { absent, count, exactly, instant, object, orNull } from '../shape.ts';
import { read } from './reading-calls.ts';
import { options, pins } from './sandbox-calls.ts';

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

export const sandboxErrorRows: readonly Row[] = [
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
  ...faultRows,
];
