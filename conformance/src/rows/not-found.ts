// What cannot be found, and what belongs to someone else. Interface, "Endpoints", rule 3; decisions 6 and 7.
import { randomUUID } from 'node:crypto';
import { equal } from '../expect.ts';
import { generate, otpPath, reportsPath, resend, resendPath, startChallenge, submit } from '../journey.ts';
import { dataOf, refused } from '../replies.ts';
import type { Row } from '../row.ts';
import { consumer, RIGHT_CODE } from '../sample.ts';
import type { Api, Reply } from '../session.ts';

const pins = 'Interface, "Endpoints", rule 3; decision 7';
const acts = [
  ['otp', (api: Api, challenge: Parameters<typeof resend>[1]) => submit(api, challenge, RIGHT_CODE)],
  ['resend', (api: Api, challenge: Parameters<typeof resend>[1]) => resend(api, challenge)],
] as const;

const strangers: readonly (readonly [string, () => string])[] = [
  ['unknown', randomUUID],
  ['not-a-uuid', () => 'not-a-uuid'],
  ['nil', () => '00000000-0000-0000-0000-000000000000'],
];

/** The body without what must differ between two answers. */
function anonymous(reply: Reply, status: number, code: string): object {
  const { requestId: _, ...rest } = refused(reply, status, code);
  return rest;
}

const tenantPaths = (tenantId: string) => [
  { path: reportsPath(tenantId), body: consumer() },
  { path: otpPath(tenantId, randomUUID()), body: { challengeId: randomUUID(), code: RIGHT_CODE } },
  { path: resendPath(tenantId, randomUUID()), body: { challengeId: randomUUID() } },
];

export const notFoundRows: readonly Row[] = [
  ...acts.flatMap(([name, act]) => [
    ...strangers.flatMap(([kind, makeId]): Row[] => [
      {
        id: `not-found/${name}/report-${kind}`,
        title: `${name}, report id ${kind.replaceAll('-', ' ')}: 404 credit-report-not-found`,
        pins,
        run: async ({ api }) => {
          const challenge = await startChallenge(api);
          refused(await act(api, { ...challenge, creditReportId: makeId() }), 404, 'credit-report-not-found');
        },
      },
      {
        id: `not-found/${name}/challenge-${kind}`,
        title: `${name}, challenge id ${kind.replaceAll('-', ' ')}: 404 challenge-not-found`,
        pins,
        run: async ({ api }) => {
          const challenge = await startChallenge(api);
          refused(await act(api, { ...challenge, challengeId: makeId() }), 404, 'challenge-not-found');
        },
      },
    ]),
    {
      id: `not-found/${name}/challenge-of-another-report`,
      title: `${name}, challenge of another report: 404 challenge-not-found`,
      pins: 'Interface, "Errors"',
      run: async ({ api }) => {
        const [one, two] = await Promise.all([startChallenge(api), startChallenge(api)]);
        refused(await act(api, { ...one, challengeId: two.challengeId }), 404, 'challenge-not-found');
        dataOf(await submit(api, two, RIGHT_CODE), 'complete');
      },
    } satisfies Row,
    {
      id: `not-found/${name}/report-before-challenge`,
      title: `${name}, neither id known: the report is looked for first`,
      pins: 'Decision 9',
      run: async ({ api }) => {
        const challenge = { ...(await startChallenge(api)), creditReportId: randomUUID(), challengeId: randomUUID() };
        refused(await act(api, challenge), 404, 'credit-report-not-found');
      },
    } satisfies Row,
    {
      id: `not-found/${name}/other-tenants-report`,
      title: `${name}, report of another tenant: the same 404 as for an unknown report`,
      pins: 'Decision 7',
      run: async ({ api, other }) => {
        const challenge = await startChallenge(other());
        const foreign = anonymous(await act(api, challenge), 404, 'credit-report-not-found');
        const unknown = { ...challenge, creditReportId: randomUUID() };
        equal('the body', foreign, anonymous(await act(api, unknown), 404, 'credit-report-not-found'));
        dataOf(await submit(other(), challenge, RIGHT_CODE), 'complete');
      },
    } satisfies Row,
    {
      id: `not-found/${name}/other-tenants-challenge`,
      title: `${name}, challenge of another tenant on an own report: 404 challenge-not-found`,
      pins: 'Decision 7',
      run: async ({ api, other }) => {
        const { challengeId } = await startChallenge(other());
        refused(await act(api, { ...(await startChallenge(api)), challengeId }), 404, 'challenge-not-found');
      },
    } satisfies Row,
  ]),
  {
    id: 'tenant/unknown',
    title: 'a tenant that does not exist: 403 forbidden on every tenant path',
    pins: 'Decision 6',
    run: async ({ api }) => {
      for (const { path, body } of tenantPaths(randomUUID())) {
        refused(await api.send({ method: 'POST', path, body }), 403, 'forbidden');
      }
    },
  },
  {
    id: 'tenant/not-a-uuid',
    title: 'a tenant segment that is no id: the same 403 as for an unknown tenant',
    pins: 'Decision 6',
    run: async ({ api }) => {
      const send = (tenantId: string) => api.send({ method: 'POST', path: reportsPath(tenantId), body: consumer() });
      const malformed = anonymous(await send('acme'), 403, 'forbidden');
      equal('the body', malformed, anonymous(await send(randomUUID()), 403, 'forbidden'));
    },
  },
  {
    id: 'tenant/foreign',
    title: "someone else's tenant: 403 forbidden, the same body as for an unknown tenant, on every tenant path",
    pins: 'Decision 6',
    run: async ({ api, other }) => {
      const unknown = tenantPaths(randomUUID());
      for (const [index, { path, body }] of tenantPaths(other().tenantId).entries()) {
        const foreign = anonymous(await api.send({ method: 'POST', path, body }), 403, 'forbidden');
        const twin = { method: 'POST', path: unknown[index]?.path ?? '', body };
        equal('the body', foreign, anonymous(await api.send(twin), 403, 'forbidden'));
      }
    },
  },
  {
    id: 'tenant/own-only',
    title: 'each credential works in its own tenant',
    pins: 'Interface, "Authentication" 4',
    run: async ({ api, other }) => {
      dataOf(await generate(api), 'complete');
      dataOf(await generate(other()), 'complete');
    },
  },
];
