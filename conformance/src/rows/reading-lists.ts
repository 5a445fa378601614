// Lists of reports, their counts, and the timeline of one: promises of our own (decisions 57, 230 and 231).
import { randomUUID } from 'node:crypto';
import { dig, digList, equal, fits, holds } from '../expect.ts';
import { generate, startChallenge, submit } from '../journey.ts';
import { dataOf, invalid, refused } from '../replies.ts';
import type { Row } from '../row.ts';
import { branch, RIGHT_CODE, WRONG_CODE } from '../sample.ts';
import { absent, count, exactly, filledText, flag, instant, list, object, oneOf, orNull, uuid } from '../shape.ts';
import { get, read, unmetered } from './reading-calls.ts';

const item = object({
  creditReportId: uuid,
  status: oneOf('complete', 'authentication-required', 'blocked', 'failed', 'in-progress'),
  test: flag,
  createdAt: instant,
  externalReference: orNull(filledText),
  costCredits: count,
  source: filledText,
  isPurged: flag,
  failureReason: orNull(filledText),
  creditReport: absent,
});

export const readingListRows: readonly Row[] = [
  {
    id: 'reading/timeline',
    title: 'the timeline: what happened in the order of time, and of the number its last three digits',
    pins: 'Decision 231',
    run: async ({ api }) => {
      const challenge = await startChallenge(api, { mobileNumber: '+447700900123' });
      await submit(api, challenge, RIGHT_CODE);
      const reply = await get(api, `credit-reports/${challenge.creditReportId}/timeline`);
      const data = unmetered(reply);
      const step = object({ kind: filledText, at: instant });
      const bureau = object({ bureau: filledText, outcome: exactly('ok'), answeredAt: orNull(instant) });
      fits(
        'data',
        data,
        object({
          creditReportId: exactly(challenge.creditReportId),
          status: exactly('complete'),
          test: exactly(true),
          isPurged: exactly(false),
          mobileEnding: exactly('123'),
          bureaus: list(bureau),
          items: list(step),
        }),
      );
      const steps = digList(data, 'items');
      const kinds = steps.map((each) => dig(each, 'kind'));
      equal('the kinds', kinds, ['requested', 'message-sent', 'message-delivered', 'code-verified', 'completed']);
      const times = steps.map((each) => String(dig(each, 'at')));
      equal('the order', times, times.toSorted());
      holds(!JSON.stringify(data).includes('0123'), 'no more than three digits of the number', data);
    },
  },
  {
    id: 'reading/timeline-unknown',
    title: 'the timeline of a report that is not there: 404 credit-report-not-found',
    pins: 'Decision 231',
    run: async ({ api }) => {
      for (const id of [randomUUID(), 'not-a-uuid']) {
        refused(await get(api, `credit-reports/${id}/timeline`), 404, 'credit-report-not-found');
      }
    },
  },

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
  {
    id: 'reading/list-reference-shown',
    title: 'a report shows its reference, a cost of 0 in test mode and no reason, in the list and by id',
    pins: 'Decision 230',
    run: async ({ api }) => {
      const externalReference = `conformance ${randomUUID()}`;
      const { creditReportId } = dataOf(await generate(api, { externalReference }), 'complete');
      const query = `externalReference=${encodeURIComponent(externalReference)}`;
      const [listed] = digList(dataOf(await get(api, `credit-reports?${query}`)), 'items');
      const given = { externalReference: exactly(externalReference), costCredits: exactly(0), source: exactly('api') };
      fits('the item', listed, object({ ...given, failureReason: exactly(null) }));
      fits('data', dataOf(await read(api, creditReportId)), object(given));
    },
  },
  {
    id: 'reading/list-failure-reason',
    title: 'a failed report says why, as a word: the third wrong code is attempts-used',
    pins: 'Decision 230',
    run: async ({ api }) => {
      const externalReference = `conformance-${randomUUID()}`;
      const challenge = await startChallenge(api, { externalReference });
      for (let guess = 0; guess < 3; guess += 1) await submit(api, challenge, WRONG_CODE);
      const [listed] = digList(
        dataOf(await get(api, `credit-reports?externalReference=${externalReference}`)),
        'items',
      );
      fits('the item', listed, object({ status: exactly('failed'), failureReason: exactly('attempts-used') }));
    },
  },
  {
    id: 'reading/list-by-mode-and-time',
    title: 'the list holds the reports of a mode and of a time: from is inclusive, to is exclusive',
    pins: 'Decision 230',
    run: async ({ api }) => {
      const externalReference = `conformance-${randomUUID()}`;
      await generate(api, { externalReference });
      const of = async (filter: string) =>
        digList(dataOf(await get(api, `credit-reports?externalReference=${externalReference}${filter}`)), 'items');
      const [made] = await of('');
      const createdAt = encodeURIComponent(String(dig(made, 'createdAt')));
      equal('test=true', (await of('&test=true')).length, 1);
      equal('test=false', (await of('&test=false')).length, 0);
      equal('to its time', (await of(`&to=${createdAt}`)).length, 0);
      // To the millisecond: the stored time may be some microseconds later.
      equal('from its time', (await of(`&from=${createdAt}`)).length, 1);
    },
  },
  {
    id: 'reading/counts',
    title: 'the counts by status of a reference are those of its list, and their sum',
    pins: 'Decision 230',
    run: async ({ api }) => {
      const externalReference = `conformance-${randomUUID()}`;
      await generate(api, { externalReference });
      await generate(api, { externalReference });
      await generate(api, { externalReference, ...branch('block') });
      await startChallenge(api, { externalReference });
      const data = unmetered(await get(api, `credit-reports/counts?externalReference=${externalReference}`));
      const counts = { complete: 2, 'authentication-required': 1, blocked: 1, failed: 0, 'in-progress': 0 };
      equal('the counts', data, { total: 4, ...counts });
      const live = dataOf(await get(api, `credit-reports/counts?externalReference=${externalReference}&test=false`));
      equal('the live ones', live['total'], 0);
    },
  },
  ...(
    [
      'limit=0',
      'limit=201',
      'limit=many',
      'status=expired',
      'cursor=made-up',
      'test=maybe',
      'from=yesterday',
      'to=2026-02-30',
    ] as const
  ).map(
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
