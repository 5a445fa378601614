// The sandbox that can fail: how a report, each bureau and each message ends, as testOptions ask. None of it is in the
// interface; these are promises of our own (decision 207).
import { dig, digList, equal, fits, holds, same } from '../expect.ts';
import { generate, startChallenge, submit } from '../journey.ts';
import { dataOf, metaOf } from '../replies.ts';
import type { Row } from '../row.ts';
import { type Fields, RIGHT_CODE } from '../sample.ts';
import type { Api } from '../session.ts';
import { absent, exactly, filledText, instant, object, uuid } from '../shape.ts';
import { read } from './reading-calls.ts';
import { AT_BUREAUS, AT_GENERATE, options, pins } from './sandbox-calls.ts';

const BUREAUS = ['equifax', 'experian', 'transunion'] as const;

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

export const sandboxOutcomeRows: readonly Row[] = [
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
];
