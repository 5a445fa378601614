// Reading the wallet, its statement, its months and the prices: promises of our own (decisions 50, 52, 54 and 233).
import { randomUUID } from 'node:crypto';
import { dig, digList, equal, fits, holds, same } from '../expect.ts';
import { generate } from '../journey.ts';
import { dataOf, invalid } from '../replies.ts';
import type { Row } from '../row.ts';
import {
  count,
  exactly,
  filledText,
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
import { get, unmetered } from './reading-calls.ts';

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
  bureauCount: orNull(count),
});

const price = object({ credits: count, source: oneOf('list', 'tenant'), effectiveFrom: instant });

export const readingWalletRows: readonly Row[] = [
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
    id: 'reading/months',
    title: 'the totals of months, newest first, each from where the one before ended, the last one at the balance',
    pins: 'Our decision 233',
    run: async ({ api }) => {
      const items = digList(dataOf(await get(api, 'wallet/months')), 'items');
      const amounts = ['topUps', 'adjustments', 'reports', 'refunds', 'messages'];
      for (const [place, item] of items.entries()) {
        fits(
          'month',
          item,
          object({ month: pattern('YYYY-MM', /^\d{4}-\d{2}$/), startsAt: instant, endsAt: instant, count }),
        );
        const moved = amounts.reduce((sum, name) => sum + Number(dig(item, name)), Number(dig(item, 'opening')));
        equal('closing', dig(item, 'closing'), moved);
        const before = items[place + 1];
        equal('opening', dig(item, 'opening'), before === undefined ? 0 : dig(before, 'closing'));
      }
      equal('the balance', dig(items[0], 'closing'), dataOf(await get(api, 'wallet'))['balance']);
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
      // New columns come last, so that programs that read by position keep working.
      const expected = `${columns}amountPounds,balanceAfterPounds,externalReference,bureauCount`;
      holds(`${header},`.startsWith(`${expected},`), `a header line that begins with ${expected}`, header);
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
