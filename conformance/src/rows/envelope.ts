// The envelope around outcomes and the bare body of errors. Interface, "Response envelope" and "Errors".
import { dig, equal, fits, holds } from '../expect.ts';
import { generate, resend, startChallenge, submit } from '../journey.ts';
import { dataOf, isJson, metaOf, refused } from '../replies.ts';
import type { Row } from '../row.ts';
import { branch, RIGHT_CODE, WRONG_CODE } from '../sample.ts';
import type { Api, Reply } from '../session.ts';
import { absent, count, exactly, integer, object } from '../shape.ts';

const request = object({ timeTakenMs: count });
const meteredFree = object({ request, wallet: object({ balance: integer, cost: exactly(0) }) });

const metered: readonly (readonly [string, string, (api: Api) => Promise<Reply>])[] = [
  ['complete', 'generate that completes', (api) => generate(api, branch('allow'))],
  ['challenge', 'generate that asks for a code', (api) => generate(api, branch('challenge'))],
  ['blocked', 'generate that is blocked', (api) => generate(api, branch('block'))],
  ['submit-complete', 'a right code', async (api) => submit(api, await startChallenge(api), RIGHT_CODE)],
  ['submit-retry', 'a wrong code', async (api) => submit(api, await startChallenge(api), WRONG_CODE)],
  [
    'submit-failed',
    'the third wrong code',
    async (api) => {
      const challenge = await startChallenge(api);
      for (const code of ['000001', '000002']) await submit(api, challenge, code);
      return submit(api, challenge, '000003');
    },
  ],
];

export const envelopeRows: readonly Row[] = [
  ...metered.map(
    ([name, what, act]): Row => ({
      id: `envelope/${name}`,
      title: `${what}: meta has the time taken, an integer balance and cost 0`,
      pins: 'Interface, "Response envelope"; "Test mode" 1',
      run: async ({ api }) => {
        const reply = await act(api);
        fits('meta', metaOf(reply), meteredFree);
        holds(isJson(reply), 'content type application/json', reply.headers.get('content-type'));
      },
    }),
  ),
  {
    id: 'envelope/resend',
    title: 'resend-SMS: meta has the request and no wallet',
    pins: 'Interface, "Response envelope"',
    run: async ({ api }) => {
      const reply = await resend(api, await startChallenge(api));
      fits('meta', metaOf(reply), object({ request, wallet: absent }));
      holds(isJson(reply), 'content type application/json', reply.headers.get('content-type'));
    },
  },
  {
    id: 'envelope/balance-untouched',
    title: 'a whole test-mode journey leaves the balance as it was',
    pins: 'Interface, "Test mode" 1',
    run: async ({ api }) => {
      // Live traffic of the same tenant may move the balance meanwhile, so a difference must show three times.
      let before: unknown;
      let after: unknown;
      for (let tries = 0; tries < 3; tries += 1) {
        before = dig(metaOf(await generate(api, branch('allow'))), 'wallet.balance');
        const challenge = await startChallenge(api);
        dataOf(await resend(api, challenge));
        dataOf(await submit(api, challenge, WRONG_CODE), 'retry');
        after = dig(metaOf(await submit(api, challenge, RIGHT_CODE)), 'wallet.balance');
        if (after === before) return;
      }
      equal('meta.wallet.balance after the journey', after, before);
    },
  },
  {
    id: 'envelope/error-bare',
    title: 'an error body is bare: code, message and requestId, no data and no meta',
    pins: 'Interface, "Errors"; decision 4',
    run: async ({ api }) => {
      refused(await generate(api, { firstName: undefined }), 400, 'validation-error');
      refused(await submit(api, { ...(await startChallenge(api)), challengeId: 'x' }, '1'), 404, 'challenge-not-found');
      refused(await api.send({ path: '/v1/my/profile', authorization: null }), 401, 'unauthorized');
    },
  },
];
