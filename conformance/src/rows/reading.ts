// Reading again: reports by id, and what nobody may read. None of this is in the interface; they are promises of our own
// (decisions 43, 54 and 57), in the envelope without a wallet (decision 2). Lists, timelines and the wallet are beside it.
import { randomUUID } from 'node:crypto';
import { dig, equal, fits, same } from '../expect.ts';
import { generate, startChallenge, submit } from '../journey.ts';
import { dataOf, refused } from '../replies.ts';
import { creditReportShape } from '../report-shape.ts';
import type { Row } from '../row.ts';
import { branch, RIGHT_CODE, WRONG_CODE } from '../sample.ts';
import { absent, exactly, filledText, instant, object, orNull } from '../shape.ts';
import { read, unmetered } from './reading-calls.ts';

const facts = {
  test: exactly(true),
  createdAt: instant,
  externalReference: orNull(filledText),
  costCredits: exactly(0),
  source: filledText,
};

const paths = [
  'wallet',
  'wallet/entries',
  'prices',
  'limits',
  'credit-reports',
  'credit-reports/counts',
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
      const failureReason = exactly('attempts-used');
      fits('data', data, object({ errorMessage: filledText, failureReason, creditReport: absent, ...facts }));
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

export const readingRows: readonly Row[] = [
  ...reportRows,
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
