// Money in test mode: charges, refunds and 402 in a wallet that live mode does not know. Promises of our own (decision 287). The company has one
// test wallet, so these rows run alone.
import { dig, digList, equal, fits, same } from '../expect.ts';
import { generate, startChallenge, submit } from '../journey.ts';
import { dataOf, invalid, metaOf, refused } from '../replies.ts';
import type { Row } from '../row.ts';
import type { Fields } from '../sample.ts';
import type { Api } from '../session.ts';
import { count, object } from '../shape.ts';
import { get } from './reading-calls.ts';

const pins = 'Our decision 287';
const CHARGES: Fields = { testOptions: { charges: true } };

const reset = (api: Api, body: Fields) =>
  api.send({ method: 'POST', path: `/${api.tenantId}/v1/test/wallet/reset`, body });

const balanceOf = async (api: Api) => Number(dataOf(await get(api, 'wallet?test=true'))['balance']);

/** Oldest first. */
async function movesOf(api: Api, creditReportId: unknown): Promise<string[]> {
  const page = dataOf(await get(api, `wallet/entries?test=true&creditReportId=${String(creditReportId)}`));
  const moves = digList(page, 'items').map((each) => `${String(dig(each, 'kind'))} ${String(dig(each, 'amount'))}`);
  return moves.toReversed();
}

async function priceOf(api: Api): Promise<number> {
  const prices = dataOf(await get(api, 'prices'));
  return Number(dig(prices, 'report.credits')) + 3 * Number(dig(prices, 'bureau.credits'));
}

const row = (name: string, title: string, run: (api: Api) => Promise<void>): Row => ({
  id: `sandbox/charges/${name}`,
  title,
  pins,
  pace: 'alone',
  run: ({ api }) => run(api),
});

export const sandboxMoneyRows: readonly Row[] = [
  row(
    'charge',
    'charges true: complete costs the price, and balance before less cost is balance after',
    async (api) => {
      dataOf(await reset(api, {}));
      const [before, price] = [await balanceOf(api), await priceOf(api)];
      equal('the balance after a reset', before, 1_000_000);
      const reply = await generate(api, CHARGES);
      const { creditReportId } = dataOf(reply, 'complete');
      same('meta.wallet', dig(metaOf(reply), 'wallet'), { balance: before - price, cost: price });
      same('its lines', await movesOf(api, creditReportId), [`report-charge ${-price}`]);
    },
  ),
  row(
    'refund',
    'charges true: a challenge is charged at generate, and refunded after the third wrong code',
    async (api) => {
      dataOf(await reset(api, {}));
      const price = await priceOf(api);
      const challenge = await startChallenge(api, CHARGES);
      equal('cost', dig(metaOf(challenge.generated), 'wallet.cost'), price);
      for (let guess = 0; guess < 2; guess += 1) dataOf(await submit(api, challenge, '000000'), 'retry');
      const failed = await submit(api, challenge, '000000');
      dataOf(failed, 'failed');
      equal('cost of the code', dig(metaOf(failed), 'wallet.cost'), 0);
      const moves = await movesOf(api, challenge.creditReportId);
      same(
        'the first and the last line',
        [moves[0], moves.at(-1)],
        [`report-charge ${-price}`, `report-refund ${price}`],
      );
    },
  ),
  row('402', 'charges true: 402 insufficient-funds once the test wallet is short, with what it has', async (api) => {
    dataOf(await reset(api, { credits: 1 }));
    const error = refused(await generate(api, CHARGES), 402, 'insufficient-funds');
    fits('error', error, object({ required: count, available: count }));
    equal('available', error['available'], 1);
    dataOf(await reset(api, {}));
  }),
  row('off', 'without charges no test report moves the test wallet', async (api) => {
    const before = await balanceOf(api);
    const reply = await generate(api, { testOptions: { charges: false } });
    equal('cost', dig(metaOf(reply), 'wallet.cost'), 0);
    same('its lines', await movesOf(api, dataOf(reply, 'complete')['creditReportId']), []);
    equal('the balance', await balanceOf(api), before);
  }),
  row('400', 'charges that are no truth value, and credits out of range: 400', async (api) => {
    invalid(await generate(api, { testOptions: { charges: 'yes' } }), '/testOptions/charges');
    for (const credits of [-1, 1_000_001, 1.5]) invalid(await reset(api, { credits }), '/credits');
  }),
];
