// Reading again: reports by id and in the list, the wallet, its statement and the prices. None of these is in the
// interface; they are promises of our own (decisions 43, 54 and 57), in the envelope without a wallet (decision 2).
import { randomUUID } from 'node:crypto';
import { dig, digList, equal, fits, holds, same } from '../expect.ts';
import { generate, reportsPath, startChallenge, submit } from '../journey.ts';
import { dataOf, invalid, metaOf, refused } from '../replies.ts';
import { creditReportShape } from '../report-shape.ts';
import type { Row } from '../row.ts';
import { branch, RIGHT_CODE, WRONG_CODE } from '../sample.ts';
import type { Api, Reply } from '../session.ts';
import {
  absent,
  count,
  exactly,
  filledText,
  flag,
  instant,
  integer,
  list,
  object,
  oneOf,
  orNull,
  pattern,
  text,
  uuid,
} from '../shape.ts';

const get = (api: Api, path: string): Promise<Reply> => api.send({ path: `/${api.tenantId}/v1/${path}` });
const read = (api: Api, creditReportId: unknown): Promise<Reply> =>
  api.send({ path: `${reportsPath(api.tenantId)}/${String(creditReportId)}` });

/** The envelope of what charges nothing: when it took, and no wallet. */
function unmetered(reply: Reply): Record<string, unknown> {
  fits('meta', metaOf(reply), object({ request: object({ timeTakenMs: count }), wallet: absent }));
  return dataOf(reply);
}

const facts = { test: exactly(true), createdAt: instant };

const item = object({
  creditReportId: uuid,
  status: oneOf('complete', 'authentication-required', 'blocked', 'failed', 'in-progress'),
  test: flag,
  createdAt: instant,
  isPurged: flag,
  creditReport: absent,
});

const pounds = pattern('pounds with two or three decimals', /^-?\d+\.\d{2,3}$/);

const entry = object({
  id: filledText,
  kind: oneOf('top-up', 'adjust', 'report-charge', 'report-refund', 'sms-charge'),
  amount: integer,
  balanceAfter: count,
  creditReportId: orNull(uuid),
  reversesId: orNull(filledText),
  note: orNull(text),
  createdAt: instant,
  amountPounds: pounds,
  balanceAfterPounds: pounds,
  externalReference: orNull(text),
});

const price = object({ credits: count, source: oneOf('list', 'tenant'), effectiveFrom: instant });

const paths = [
  'wallet',
  'wallet/entries',
  'prices',
  'limits',
  'credit-reports',
  `credit-reports/${randomUUID()}`,
] as const;

const reportRows: readonly Row[] = [
  {
    id: 'reading/report-complete',
    title: 'a complete report reads as it was given, in the envelope without a wallet',
    pins: 'Decisions 2, 43 and 57',
    run: async ({ api }) => {
      const given = dataOf(await generate(api), 'complete');
      const data = unmetered(await read(api, given['creditReportId']));
      fits('data', data, object({ status: exactly('complete'), creditReport: creditReportShape, ...facts }));
      same('data.creditReport', data['creditReport'], given['creditReport']);
    },
  },
  {
    id: 'reading/report-challenge',
    title: 'an open challenge reads as authentication-required with its id; after the right code as complete',
    pins: 'Decision 43',
    run: async ({ api }) => {
      const challenge = await startChallenge(api);
      const open = dataOf(await read(api, challenge.creditReportId), 'authentication-required');
      equal('data.challenge.challengeId', dig(open, 'challenge.challengeId'), challenge.challengeId);
      const given = dataOf(await submit(api, challenge, RIGHT_CODE), 'complete');
      const data = dataOf(await read(api, challenge.creditReportId), 'complete');
      same('data.creditReport', data['creditReport'], given['creditReport']);
    },
  },
  {
    id: 'reading/report-failed',
    title: 'reading a challenge uses no attempt; after the third wrong code it reads as failed with a message',
    pins: 'Decision 43',
    run: async ({ api }) => {
      const challenge = await startChallenge(api);
      for (const expected of ['retry', 'retry', 'failed']) {
        dataOf(await read(api, challenge.creditReportId), 'authentication-required');
        dataOf(await submit(api, challenge, WRONG_CODE), expected);
      }
      const data = dataOf(await read(api, challenge.creditReportId), 'failed');
      fits('data', data, object({ errorMessage: filledText, creditReport: absent, ...facts }));
    },
  },
  {
    id: 'reading/report-blocked',
    title: 'a blocked report reads as blocked',
    pins: 'Decision 43',
    run: async ({ api }) => {
      const given = dataOf(await generate(api, branch('block')), 'blocked');
      dataOf(await read(api, given['creditReportId']), 'blocked');
    },
  },
  ...(
    [
      ['unknown', randomUUID()],
      ['not-a-uuid', 'not-a-uuid'],
    ] as const
  ).map(
    ([kind, id]): Row => ({
      id: `reading/report-${kind}`,
      title: `report id ${kind.replaceAll('-', ' ')}: 404 credit-report-not-found`,
      pins: 'Decision 7',
      run: async ({ api }) => {
        refused(await read(api, id), 404, 'credit-report-not-found');
      },
    }),
  ),
  {
    id: 'reading/report-of-another-tenant',
    title: 'a report of another tenant: the same 404 as for an unknown report',
    pins: 'Decision 7',
    run: async ({ api, other }) => {
      const { creditReportId } = dataOf(await generate(other()), 'complete');
      const { requestId: _, ...foreign } = refused(await read(api, creditReportId), 404, 'credit-report-not-found');
      const { requestId: __, ...unknown } = refused(await read(api, randomUUID()), 404, 'credit-report-not-found');
      equal('the body', foreign, unknown);
    },
  },
];

const listRows: readonly Row[] = [
  {
    id: 'reading/list-by-reference',
    title: 'the list holds exactly the reports of a reference, newest first, without their contents',
    pins: 'Decision 57',
    run: async ({ api }) => {
      const externalReference = `conformance-${randomUUID()}`;
      const first = dataOf(await generate(api, { externalReference }), 'complete');
      const second = dataOf(await generate(api, { externalReference, ...branch('block') }), 'blocked');
      const data = unmetered(await get(api, `credit-reports?externalReference=${externalReference}`));
      fits('data', data, object({ items: list(item), nextCursor: exactly(null) }));
      const shown = digList(data, 'items').map((each) => [dig(each, 'creditReportId'), dig(each, 'status')]);
      equal('the items', shown, [
        [second['creditReportId'], 'blocked'],
        [first['creditReportId'], 'complete'],
      ]);
      const blocked = await get(api, `credit-reports?externalReference=${externalReference}&status=blocked`);
      equal('number of blocked items', digList(dataOf(blocked), 'items').length, 1);
    },
  },
  {
    id: 'reading/list-pages',
    title: 'pages hold each report once, and the last one has no cursor',
    pins: 'Decision 57',
    run: async ({ api }) => {
      const externalReference = `conformance-${randomUUID()}`;
      const ids: unknown[] = [];
      for (let index = 0; index < 3; index += 1) {
        ids.unshift(dataOf(await generate(api, { externalReference }), 'complete')['creditReportId']);
      }
      const seen: unknown[] = [];
      let cursor = '';
      for (let page = 0; page < 3; page += 1) {
        const data = dataOf(
          await get(
            api,
            `credit-reports?limit=2&externalReference=${externalReference}${cursor && `&cursor=${cursor}`}`,
          ),
        );
        seen.push(...digList(data, 'items').map((each) => dig(each, 'creditReportId')));
        const { nextCursor } = data;
        if (nextCursor === null) break;
        holds(typeof nextCursor === 'string' && nextCursor !== '', 'nextCursor to be a text or null', nextCursor);
        cursor = encodeURIComponent(nextCursor);
      }
      equal('the ids over all pages', seen, ids);
    },
  },
  ...(['limit=0', 'limit=201', 'limit=many', 'status=expired', 'cursor=made-up'] as const).map(
    (query): Row => ({
      id: `reading/list-400-${query.replace('=', '-')}`,
      title: `the list with ${query}: 400 validation-error that names the parameter`,
      pins: 'Decision 4',
      run: async ({ api }) => {
        invalid(await get(api, `credit-reports?${query}`), `/query/${query.split('=', 1)[0]}`);
      },
    }),
  ),
  {
    id: 'reading/list-unknown-parameter',
    title: 'a parameter nobody knows is ignored',
    pins: 'Decision 11',
    run: async ({ api }) => {
      dataOf(await get(api, 'credit-reports?colour=green'));
    },
  },
];

const walletRows: readonly Row[] = [
  {
    id: 'reading/wallet',
    title: 'the wallet: balance, held and available, which is the difference, in whole credits',
    pins: 'Decision 52',
    run: async ({ api }) => {
      const data = unmetered(await get(api, 'wallet'));
      fits('data', data, object({ balance: count, held: count, available: count, creditsPerPound: exactly(1000) }));
      equal('available', data['available'], Number(data['balance']) - Number(data['held']));
    },
  },
  {
    id: 'reading/entries',
    title: 'the statement: lines newest first, each of a known kind',
    pins: 'Decision 50',
    run: async ({ api }) => {
      const data = unmetered(await get(api, 'wallet/entries?limit=200'));
      fits('data', data, object({ items: list(entry), nextCursor: orNull(filledText) }));
      const places = digList(data, 'items').map((each) => Number(dig(each, 'id')));
      equal(
        'the order',
        places,
        places.toSorted((a, b) => b - a),
      );
    },
  },
  {
    id: 'reading/entries-not-of-tests',
    title: 'a test report leaves no line in the statement',
    pins: 'Interface, "Test mode"',
    run: async ({ api }) => {
      const externalReference = `conformance-${randomUUID()}`;
      const { creditReportId } = dataOf(await generate(api, { externalReference }), 'complete');
      for (const filter of [`creditReportId=${String(creditReportId)}`, `externalReference=${externalReference}`]) {
        const data = dataOf(await get(api, `wallet/entries?${filter}`));
        same('data', data, { items: [], nextCursor: null });
      }
    },
  },
  {
    id: 'reading/entries-csv',
    title: 'the statement as CSV when it is asked for: a header line, lines that end with CRLF',
    pins: 'Decision 50',
    run: async ({ api }) => {
      const path = `/${api.tenantId}/v1/wallet/entries`;
      const reply = await api.send({ path, headers: { accept: 'text/csv' } });
      equal('HTTP status', reply.status, 200);
      const type = reply.headers.get('content-type') ?? 'none';
      holds(type.startsWith('text/csv'), 'content type text/csv', type);
      const [header] = reply.text.split('\r\n', 1);
      const columns = 'id,kind,amount,balanceAfter,creditReportId,reversesId,note,createdAt,';
      equal('the header line', header, `${columns}amountPounds,balanceAfterPounds,externalReference`);
      holds(reply.text.endsWith('\r\n'), 'a file that ends with CRLF', reply.text.slice(-20));
    },
  },
  ...(['limit=0', 'kind=gift', 'from=yesterday', 'to=2026-02-30', 'creditReportId=x', 'cursor=made-up'] as const).map(
    (query): Row => ({
      id: `reading/entries-400-${query.replace('=', '-')}`,
      title: `the statement with ${query}: 400 validation-error that names the parameter`,
      pins: 'Decision 4',
      run: async ({ api }) => {
        invalid(await get(api, `wallet/entries?${query}`), `/query/${query.split('=', 1)[0]}`);
      },
    }),
  ),
  {
    id: 'reading/prices',
    title: 'the prices of a report, a bureau and a message, and the changes that are known',
    pins: 'Decision 54',
    run: async ({ api }) => {
      const data = unmetered(await get(api, 'prices'));
      fits('data', data, object({ report: price, bureau: price, sms: price, changes: list(price) }));
    },
  },
];

export const readingRows: readonly Row[] = [
  ...reportRows,
  ...listRows,
  ...walletRows,
  {
    id: 'reading/no-token',
    title: 'without a token none of it can be read: 401 unauthorized',
    pins: 'Decision 5',
    run: async ({ api }) => {
      for (const path of paths) {
        const reply = await api.send({ path: `/${api.tenantId}/v1/${path}`, authorization: null });
        refused(reply, 401, 'unauthorized');
      }
    },
  },
  {
    id: 'reading/foreign-tenant',
    title: "someone else's tenant: 403 forbidden, the same body as for an unknown tenant",
    pins: 'Decision 6',
    run: async ({ api, other }) => {
      for (const path of paths) {
        const bodies = [];
        for (const tenantId of [other().tenantId, randomUUID()]) {
          const { requestId: _, ...body } = refused(
            await api.send({ path: `/${tenantId}/v1/${path}` }),
            403,
            'forbidden',
          );
          bodies.push(body);
        }
        equal('the body', bodies[0], bodies[1]);
      }
    },
  },
];
