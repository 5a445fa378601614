// Near misses that must be let through or helped out, and the pages that errors point to. Decisions 11, 156, 158 and 159.
import { dig, digList, equal, fits, holds } from '../expect.ts';
import { generate, otpPath, reportsPath, resendPath, startChallenge, submit } from '../journey.ts';
import { dataOf, invalid, refused } from '../replies.ts';
import type { Row } from '../row.ts';
import { consumer, RIGHT_CODE } from '../sample.ts';
import { type Api, basic, type Reply } from '../session.ts';
import { exactly, object, pattern } from '../shape.ts';

/** The path of an address that an error named, to be asked of the server under test wherever it is reached. */
function docsPath(reply: Reply): string {
  const { docs } = reply.body as { docs: string };
  return new URL(docs).pathname;
}

async function expectPage(api: Api, path: string): Promise<void> {
  const page = await api.send({ path, authorization: null });
  equal(`HTTP status of ${path}`, page.status, 200);
  const type = page.headers.get('content-type') ?? 'none';
  holds(type.startsWith('text/html'), 'a page of HTML', type);
  const policy = page.headers.get('content-security-policy') ?? 'none';
  holds(policy.includes("default-src 'none'"), 'a content policy that lets nothing in', policy);
}

const CODES = [
  ...['validation-error', 'unauthorized', 'insufficient-funds', 'forbidden', 'credit-report-not-found'],
  ...['challenge-not-found', 'not-found', 'method-not-allowed', 'challenge-closed', 'request-in-progress'],
  ...['challenge-expired', 'credit-report-purged', 'payload-too-large', 'unsupported-media-type'],
  ...['idempotency-key-reused', 'rate-limited', 'sms-limit-reached', 'internal-error', 'service-unavailable'],
];

export const hintRows: readonly Row[] = [
  {
    id: 'hint/upper-case-path',
    title: 'tenant and report ids in capitals are the same ids, and come back as they were given out',
    pins: 'Decision 158',
    run: async ({ api }) => {
      const { creditReportId, challengeId } = await startChallenge(api);
      const path = otpPath(api.tenantId.toUpperCase(), creditReportId.toUpperCase());
      const reply = await api.send({ method: 'POST', path, body: { challengeId, code: RIGHT_CODE } });
      equal('creditReportId', dataOf(reply, 'complete')['creditReportId'], creditReportId);
    },
  },
  {
    id: 'hint/upper-case-body',
    title: 'a challenge id in capitals is the same challenge',
    pins: 'Decision 158',
    run: async ({ api }) => {
      const { creditReportId, challengeId } = await startChallenge(api);
      const body = { challengeId: challengeId.toUpperCase() };
      dataOf(await api.send({ method: 'POST', path: resendPath(api.tenantId, creditReportId), body }));
      const submitted = { ...body, code: RIGHT_CODE };
      dataOf(
        await api.send({ method: 'POST', path: otpPath(api.tenantId, creditReportId), body: submitted }),
        'complete',
      );
    },
  },
  ...(['POST', 'GET'] as const).map(
    (method): Row => ({
      id: `hint/slash-${method.toLowerCase()}`,
      title: `${method} with a slash at the end: 404 not-found, and the message speaks of the slash`,
      pins: 'Decision 158',
      run: async ({ api }) => {
        const path = `${reportsPath(api.tenantId)}/`;
        const body = method === 'POST' ? consumer() : undefined;
        const { message } = refused(await api.send({ method, path, body }), 404, 'not-found');
        fits('message', message, pattern('a sentence about the slash', /slash/i));
      },
    }),
  ),
  {
    id: 'hint/basic',
    title: 'client id and secret on the API: 401 unauthorized, and the message speaks of a Bearer token',
    pins: 'Decision 158',
    run: async ({ api }) => {
      const { clientId, clientSecret } = api.session.credential;
      const authorization = basic(clientId, clientSecret);
      const { message } = refused(await api.send({ path: '/v1/my/profile', authorization }), 401, 'unauthorized');
      fits(
        'message',
        message,
        pattern('a sentence about Bearer that does not speak of expiry', /^(?!.*expired).*Bearer/),
      );
    },
  },
  {
    id: 'hint/replay-over',
    title: 'once three other codes have ended the replay, every code hears the same, and not of another code',
    pins: 'Decision 158',
    run: async ({ api }) => {
      const challenge = await startChallenge(api);
      dataOf(await submit(api, challenge, RIGHT_CODE), 'complete');
      for (const code of ['000001', '000002', '000003']) await submit(api, challenge, code);
      const right = refused(await submit(api, challenge, RIGHT_CODE), 409, 'challenge-closed');
      const wrong = refused(await submit(api, challenge, '000004'), 409, 'challenge-closed');
      equal('message for the right code', right['message'], wrong['message']);
      fits('message', right['message'], pattern('no word of another code', /^(?!.*another code)/));
    },
  },
  {
    id: 'hint/phone',
    title: 'a phone number in national form: 400 that shows the international form',
    pins: 'Decision 158',
    run: async ({ api }) => {
      const body = refused(await generate(api, { mobileNumber: '07700900123' }), 400, 'validation-error');
      const message = pattern('a sentence with a number in international form', /\+\d{6,}/);
      fits('details.0', (body['details'] as unknown[])[0], object({ path: exactly('/mobileNumber'), message }));
    },
  },
  ...['Test', 'isTest', 'testMode', 'sandbox', 'tset', 'test '].map(
    (name): Row => ({
      id: `hint/misspelt-test-${name.trim()}${name.endsWith(' ') ? '-space' : ''}`,
      title: `${JSON.stringify(name)} instead of test, at generate and at quote: 400 that asks for "test": true`,
      pins: 'Decision 11',
      run: async ({ api }) => {
        // Without a bureau the request is not valid anyway: a server that ignores the name makes no live search.
        const body = consumer({ test: undefined, bureaus: [], [name]: true });
        for (const path of ['', '/quote']) {
          const reply = await api.send({ method: 'POST', path: `${reportsPath(api.tenantId)}${path}`, body });
          invalid(reply, `/${name}`, '/bureaus');
          const messages = digList(reply.body, 'details').map((each) => String(dig(each, 'message')));
          holds(
            messages.some((each) => each.includes('"test": true')),
            'a sentence that asks for "test": true',
            messages,
          );
        }
      },
    }),
  ),
  {
    id: 'hint/no-body',
    title: 'a request without a body: 400 that says so and asks for a JSON object',
    pins: 'Decision 158',
    run: async ({ api }) => {
      for (const headers of [{}, { 'content-type': 'application/json' }]) {
        const reply = await api.send({ method: 'POST', path: reportsPath(api.tenantId), raw: '', headers });
        const body = refused(reply, 400, 'validation-error');
        fits('message', body['message'], pattern('a sentence that there is no body', /no body/i));
        const message = pattern('a sentence that asks for a JSON object', /JSON object/);
        fits('details.0', (body['details'] as unknown[])[0], object({ path: exactly(''), message }));
      }
    },
  },
  {
    id: 'hint/query-twice',
    title: 'a query parameter sent twice: 400 that asks for it once',
    pins: 'Decision 158',
    run: async ({ api }) => {
      const path = `${reportsPath(api.tenantId)}?limit=2&limit=3`;
      const body = refused(await api.send({ path }), 400, 'validation-error');
      const message = pattern('a sentence that asks for it once', /once/);
      fits('details.0', (body['details'] as unknown[])[0], object({ path: exactly('/query/limit'), message }));
    },
  },
  {
    id: 'docs/of-errors',
    title: 'docs of an error leads to a page about its code',
    pins: 'Decision 159',
    run: async ({ api }) => {
      const replies = [
        await api.send({ path: '/v1/my/profile', authorization: null }),
        await api.send({ path: '/v1/no-such-thing' }),
        await generate(api, { firstName: 7 }),
        await api.send({
          method: 'POST',
          path: '/v1/oauth/token',
          raw: 'grant_type=nothing',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          authorization: null,
        }),
      ];
      for (const reply of replies) {
        const { code } = reply.body as { code: string };
        equal('path of docs', docsPath(reply), `/docs/errors/${code}`);
        await expectPage(api, docsPath(reply));
      }
    },
  },
  {
    id: 'docs/of-codes',
    title: 'every code of the catalogue has its page',
    pins: 'Decision 159',
    run: async ({ api }) => {
      for (const code of CODES) await expectPage(api, `/docs/errors/${code}`);
    },
  },
];
