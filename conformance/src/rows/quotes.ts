// Quotes: what a report would cost and whether it would be refused. Not in the interface: a promise of our own (decision 208).
import { dig, digList, equal, fits, holds, same } from '../expect.ts';
import { generate, quote } from '../journey.ts';
import { dataOf, invalid, metaOf } from '../replies.ts';
import type { Row } from '../row.ts';
import { consumer } from '../sample.ts';
import { absent, count, exactly, filledText, flag, instant, integer, list, object, orNull } from '../shape.ts';

export const quoteRows: readonly Row[] = [
  {
    id: 'sandbox/quote',
    title: 'a quote: price by bureau, of a message and in all, funds, and the limits of the company; no wallet in meta',
    pins: 'Our decision 208',
    run: async ({ api }) => {
      const reply = await quote(api, consumer({ bureaus: ['equifax', 'experian'] }));
      fits('meta', metaOf(reply), object({ request: object({ timeTakenMs: count }), wallet: absent }));
      const data = dataOf(reply);
      const limit = object({ kind: filledText, refuses: flag, resetsAt: orNull(instant) });
      const funds = object({ required: count, available: integer, sufficient: flag });
      const shape = { test: exactly(true), report: count, message: count, maximum: count, funds, limits: list(limit) };
      fits('data', data, object(shape));
      const bureaus = digList(data, 'bureaus');
      same(
        'bureaus',
        bureaus.map((each) => dig(each, 'bureau')),
        ['equifax', 'experian'],
      );
      const price = bureaus.reduce<number>((sum, each) => sum + Number(dig(each, 'credits')), Number(data['report']));
      equal('required', dig(data, 'funds.required'), price + Number(data['message']));
      equal('maximum', data['maximum'], price + 3 * Number(data['message']));
      const kinds = digList(data, 'limits').map((each) => dig(each, 'kind'));
      for (const kind of ['destination', 'company-number', 'company-day', 'company-minute']) {
        holds(kinds.includes(kind), `a limit ${kind}`, kinds);
      }
      holds(!kinds.includes('protection'), 'nothing about the limit over all companies', kinds);
    },
  },
  {
    id: 'sandbox/quote-validates',
    title: 'a quote names the same faults as generate',
    pins: 'Our decision 208',
    run: async ({ api }) => {
      const changes = { firstName: undefined, bureaus: [], dateOfBirth: 'yesterday' };
      const [quoted, generated] = [await quote(api, consumer(changes)), await generate(api, changes)];
      invalid(quoted, '/firstName', '/bureaus', '/dateOfBirth');
      same('details', dig(quoted.body, 'details'), dig(generated.body, 'details'));
    },
  },
];
