// What a company sees of its own traffic: what became of a challenge's messages, its limits, its statement as a file, and its
// events. None of it is in the interface; these are promises of our own (decisions 168 to 170 and 198).
import { randomUUID } from 'node:crypto';
import { dig, digList, equal, fits, holds } from '../expect.ts';
import { reportsPath, resend, startChallenge, submit } from '../journey.ts';
import { dataOf, metaOf } from '../replies.ts';
import type { Row } from '../row.ts';
import { RIGHT_CODE } from '../sample.ts';
import type { Api, Reply } from '../session.ts';
import { absent, count, exactly, filledText, flag, instant, list, object, orNull, pattern } from '../shape.ts';

const get = (api: Api, path: string): Promise<Reply> => api.send({ path: `/${api.tenantId}/v1/${path}` });

const delivered = object({ state: exactly('delivered'), sentAt: instant, settledAt: instant });
const limit = object({ name: filledText, max: count, used: count, resetsAt: orNull(instant) });

/** The types of a report's events, read until the last one is there. */
async function readEvents(api: Api, creditReportId: string): Promise<unknown[]> {
  const events: unknown[] = [];
  let cursor = '';
  for (let calls = 0; calls < 20; calls += 1) {
    const page = dataOf(await get(api, `events?creditReportId=${creditReportId}&limit=2&wait=5${cursor}`));
    fits('data', page, object({ items: list(object({})), nextCursor: filledText, hasMore: flag }));
    events.push(...digList(page, 'items'));
    if (events.some((event) => dig(event, 'type') === 'credit-report.completed')) return events;
    cursor = `&cursor=${String(page['nextCursor'])}`;
  }
  return events;
}

export const seeingRows: readonly Row[] = [
  {
    id: 'seeing/sends',
    title: 'an open challenge lists its messages, oldest first; in test mode each is delivered when it is asked for',
    pins: 'Our decision 168',
    run: async ({ api }) => {
      const challenge = await startChallenge(api);
      const read = async () =>
        dataOf(
          await api.send({ path: `${reportsPath(api.tenantId)}/${challenge.creditReportId}` }),
          'authentication-required',
        );
      fits('challenge', (await read())['challenge'], object({ sends: list(delivered), mobileNumber: absent }));
      equal('number of messages', digList(await read(), 'challenge.sends').length, 1);
      dataOf(await resend(api, challenge));
      const sends = digList(await read(), 'challenge.sends');
      equal('number of messages after a resend', sends.length, 2);
      const times = sends.map((each) => String(dig(each, 'sentAt')));
      equal('the order', times, times.toSorted());
    },
  },
  {
    id: 'seeing/wallet-sms-day',
    title: 'the wallet shows how much of the day’s budget of messages is used',
    pins: 'Our decision 169',
    run: async ({ api }) => {
      const shape = { maxMessages: count, usedMessages: count, maxCredits: count, usedCredits: count };
      fits('data', dataOf(await get(api, 'wallet')), object({ smsDay: object({ ...shape, resetsAt: instant }) }));
    },
  },
  {
    id: 'seeing/limits',
    title: 'the limits of the company: requests, messages of the day and the minute, each with its use',
    pins: 'Our decision 169',
    run: async ({ api }) => {
      const reply = await get(api, 'limits');
      fits('meta', metaOf(reply), object({ request: object({ timeTakenMs: count }), wallet: absent }));
      const data = dataOf(reply);
      fits('data', data, object({ items: list(limit) }));
      const names = digList(data, 'items').map((each) => dig(each, 'name'));
      for (const name of ['requests', 'sms-messages-day', 'sms-credits-day', 'sms-messages-minute']) {
        holds(names.includes(name), `a limit named ${name}`, names);
      }
    },
  },
  {
    id: 'seeing/usage',
    title:
      'the usage of the last days: as many days as asked for, in order, whose credits sum up to those of the period',
    pins: 'Our decision 234',
    run: async ({ api }) => {
      for (const query of ['usage?days=3', 'usage?days=3&test=true']) {
        const data = dataOf(await get(api, query));
        const days = digList(data, 'days');
        equal('number of days', days.length, 3);
        const dates = days.map((day) => String(dig(day, 'day')));
        equal('the order', dates, dates.toSorted());
        for (const name of ['reports', 'messages']) {
          const sum = days.reduce((all: number, day) => all + Number(dig(day, name)), 0);
          equal(`spent on ${name}`, dig(data, `spent.${name}`), sum);
        }
        const counts = { complete: count, blocked: count, failed: count, expired: count };
        fits('data', data, object({ test: exactly(query.endsWith('test=true')), outcomes: object(counts) }));
        fits(
          'codes',
          data['codes'],
          object({ sent: count, delivered: count, verified: count, medianSeconds: orNull(count) }),
        );
      }
    },
  },
  {
    id: 'seeing/bureaus',
    title: 'how bureaus answered: 48 half hours for each, in order',
    pins: 'Our decision 234',
    run: async ({ api }) => {
      for (const item of digList(dataOf(await get(api, 'bureaus')), 'items')) {
        const slots = digList(item, 'slots');
        equal('number of half hours', slots.length, 48);
        for (const slot of slots) fits('half hour', slot, object({ startsAt: instant, asked: count, answered: count }));
        const starts = slots.map((slot) => String(dig(slot, 'startsAt')));
        equal('the order', starts, starts.toSorted());
      }
    },
  },
  {
    id: 'seeing/activity',
    title: 'what happened last, newest first, without a person',
    pins: 'Our decision 234',
    run: async ({ api }) => {
      await startChallenge(api);
      const items = digList(dataOf(await get(api, 'activity?limit=5&test=true')), 'items');
      holds(items.length > 0 && items.length <= 5, 'one to five items', items.length);
      const shape = { id: filledText, kind: filledText, occurredAt: instant, mobileNumber: absent, lastName: absent };
      for (const item of items) fits('item', item, object(shape));
      const times = items.map((item) => String(dig(item, 'occurredAt')));
      equal('the order', times, times.toSorted().toReversed());
    },
  },
  {
    id: 'seeing/entries-format-csv',
    title: 'format=csv gives the statement as a file to a browser, and keeps to the limit',
    pins: 'Our decision 170',
    run: async ({ api }) => {
      const path = `/${api.tenantId}/v1/wallet/entries?format=csv&limit=1`;
      const reply = await api.send({ path, headers: { accept: 'text/html,*/*;q=0.8' } });
      equal('HTTP status', reply.status, 200);
      const type = reply.headers.get('content-type') ?? 'none';
      holds(type.startsWith('text/csv'), 'content type text/csv', type);
      const lines = reply.text.split('\r\n').slice(1, -1);
      holds(lines.length <= 1, 'one line at most', lines.length);
    },
  },
  {
    id: 'seeing/events',
    title:
      'the events of a report in the order of its changes, page by page, each once, marked as test and without a person; the same newest first',
    pins: 'Our decisions 198, 239, 278 and 281',
    run: async ({ api }) => {
      const reference = `conformance-${randomUUID()}`;
      const challenge = await startChallenge(api, { externalReference: reference });
      const { externalReference } = dataOf(await submit(api, challenge, RIGHT_CODE), 'complete');
      equal('externalReference of the answer', externalReference, reference);
      const { creditReportId } = challenge;
      const events = await readEvents(api, creditReportId);
      equal(
        'the types',
        events.map((event) => dig(event, 'type')),
        [
          'credit-report.challenged',
          'challenge.sent',
          'challenge.delivered',
          'challenge.verified',
          'credit-report.completed',
        ],
      );
      const id = pattern('an id that begins with evt_', /^evt_/);
      const given = { creditReportId: exactly(creditReportId), externalReference: exactly(reference) };
      const data = object({ ...given, mobileNumber: absent, lastName: absent });
      for (const event of events) {
        fits(
          'event',
          event,
          object({
            ...{ id, createdAt: instant, sequence: count, tenantId: exactly(api.tenantId) },
            ...{ test: exactly(true), data },
          }),
        );
      }
      const ids = events.map((event) => dig(event, 'id'));
      equal('number of ids', new Set(ids).size, events.length);
      const sequences = events.map((event) => Number(dig(event, 'sequence')));
      const isRising = sequences.every((sequence, place) => place === 0 || sequence > (sequences[place - 1] ?? 0));
      holds(isRising, 'each event has a higher sequence than the one before it', sequences);
      const newest = dataOf(await get(api, `events?creditReportId=${creditReportId}&order=newest`));
      equal(
        'the ids, newest first',
        digList(newest, 'items').map((event) => dig(event, 'id')),
        ids.toReversed(),
      );
    },
  },
];
