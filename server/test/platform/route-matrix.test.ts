// Every route the router has, against every way of not being allowed. The routes come from the router itself, so a new
// route that is neither an operation of the contract nor named here as public fails the first test.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import {
  ERROR_CODES,
  OPERATIONS,
  type Operation,
  ROLE_SCOPES,
  ROLES,
  type Role,
  SCOPES,
  type Scope,
} from '@trefoil/contract';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { createCredential } from '../../src/identity/credentials/change-credential.ts';
import { newId } from '../../src/lib/ids.ts';
import { generateBody, startChallenge, type TestServer } from '../harness.ts';
import { watchState } from '../support/dump.ts';
import { grave } from '../support/grave.ts';
import { startLiveServer } from '../support/live.ts';
import { addPerson, addTenantWithOwner, callAs } from '../support/people.ts';
import { addCredential, type Claims, encodePart, goodClaims, nowSeconds, signToken } from '../support/tokens.ts';
import { addWebhook } from '../support/webhooks.ts';
import { type Reply, readError, send, type WireRequest, withoutRequestId } from '../support/wire.ts';

const PUBLIC_ROUTES = new Set([
  'GET /',
  'HEAD /',
  'GET /livez',
  'HEAD /livez',
  'GET /readyz',
  'HEAD /readyz',
  'GET /openapi.json',
  'HEAD /openapi.json',
  'GET /docs',
  'HEAD /docs',
  'GET /docs/',
  'HEAD /docs/',
  'GET /docs/reference',
  'HEAD /docs/reference',
  'GET /docs/js/start.js',
  'HEAD /docs/js/start.js',
  'GET /docs/js/storage.js',
  'HEAD /docs/js/storage.js',
  'GET /docs/openapi.json',
  'HEAD /docs/openapi.json',
  'GET /docs/openapi.yaml',
  'HEAD /docs/openapi.yaml',
  // The console's page and files, the same for everybody (console.test.ts); what it shows comes from operations.
  ...['/console', '/console/', '/console/*', '/console/assets/*'].flatMap((path) => [`GET ${path}`, `HEAD ${path}`]),
  'GET /docs/errors',
  'HEAD /docs/errors',
  ...ERROR_CODES.flatMap((code) => [`GET /docs/errors/${code}`, `HEAD /docs/errors/${code}`]),
  'POST /v1/oauth/token',
  // Its key is the carrier's signature; refusals are in receipts.test.ts and below.
  'POST /v1/carriers/:carrier/receipts',
  // For browsers of anybody; their refusals are in fingerprints.test.ts.
  'GET /v1/fingerprints/device',
  'HEAD /v1/fingerprints/device',
  'POST /v1/fingerprints/collections',
  'OPTIONS /v1/fingerprints/collections',
  // Evidence is verified by strangers; refusals are in verification-pages.test.ts.
  'GET /.well-known/trefoil-evidence-keys.json',
  'HEAD /.well-known/trefoil-evidence-keys.json',
  'GET /.well-known/trefoil-evidence/:file',
  'HEAD /.well-known/trefoil-evidence/:file',
  'GET /v/:evidenceId',
  'HEAD /v/:evidenceId',
  'POST /v/:evidenceId/digest',
  'GET /v1/oauth/jwks',
  'GET /.well-known/openid-configuration',
  'GET /.well-known/oauth-authorization-server',
  // Signing in, and pages for who is signed in: they take no token but prove for themselves who is there.
  'GET /v1/auth/account',
  'POST /v1/auth/account/tenant',
  'GET /v1/auth/callback',
  'GET /v1/auth/consent/:uid',
  'POST /v1/auth/consent/:uid',
  'GET /v1/auth/credentials/:tenantId/:credentialId',
  'POST /v1/auth/credentials/:tenantId/:credentialId',
  'GET /v1/auth/first-factor/:token',
  'POST /v1/auth/first-factor/:token',
  'GET /v1/auth/forgotten-password',
  'POST /v1/auth/forgotten-password',
  'GET /v1/auth/invitations/:token',
  'POST /v1/auth/invitations/:token',
  'GET /v1/auth/login',
  'POST /v1/auth/logout',
  'GET /v1/auth/reset-password/:token',
  'POST /v1/auth/reset-password/:token',
  'GET /v1/auth/security',
  'POST /v1/auth/security/link',
  'POST /v1/auth/security/passkeys',
  'POST /v1/auth/security/passkeys/remove',
  'POST /v1/auth/security/password',
  'POST /v1/auth/security/recovery-codes',
  'POST /v1/auth/security/sign-ins/end',
  'POST /v1/auth/security/totp',
  'POST /v1/auth/security/totp/confirm',
  'POST /v1/auth/security/totp/remove',
  'GET /v1/auth/sign-in/:uid',
  'POST /v1/auth/sign-in/:uid',
  'POST /v1/auth/sign-in/:uid/code',
  'POST /v1/auth/sign-in/:uid/passkey',
  'POST /v1/auth/sign-in/:uid/recovery-code',
  'GET /v1/auth/signed-out',
  'GET /v1/oauth/authorize',
  'GET /v1/oauth/authorize/:uid',
  'GET /v1/oauth/logout',
  'POST /v1/oauth/logout/confirm',
  'GET /v1/oauth/logout/success',
  'POST /v1/oauth/revoke',
]);

const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000';
const operations = Object.entries(OPERATIONS) as [string, Operation][];
const inTenant = operations.filter(([, { path }]) => path.includes(':tenantId'));
const inReport = operations.filter(([, { path }]) => path.includes(':creditReportId'));
const inChallenge = inReport.filter(
  ([, { body }]) => 'challengeId' in ((body as { properties?: object } | undefined)?.properties ?? {}),
);
const withQuery = operations.filter(([, { query }]) => query !== undefined);

const routes = new Set<string>();
let server: TestServer;
let readState: () => Promise<string>;
/** What the paths of one tenant can name. */
type Subjects = {
  readonly creditReportId: string;
  /** For what only a complete report has. */
  readonly completeReportId: string;
  readonly challengeId: string;
  readonly credentialId: string;
  readonly secretId: string;
  readonly userId: string;
  readonly invitationId: string;
  readonly endpointId: string;
  readonly deliveryId: string;
  readonly eventId: string;
};
let own: Subjects;
let foreign: Subjects;
/** Words that belong to one tenant only; none may stand in a refusal. */
let secretWords: string[];

beforeAll(async () => {
  const listen = (message: unknown) =>
    (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', ({ method, url }: RouteOptions) => {
      for (const each of [method].flat()) routes.add(`${each} ${url}`);
    });
  subscribe('fastify.initialization', listen);
  // With providers, so that every route there is is registered.
  // Nothing works in the background, so that what is written was written by a request.
  server = await startLiveServer({ environment: { TREFOIL_JOBS: 'off' } });
  unsubscribe('fastify.initialization', listen);
  readState = await watchState(server);
  own = await addSubjects(server.demo.tenantId);
  foreign = await addSubjects(server.other.tenantId);
  secretWords = [server.demo, server.other].flatMap(({ tenantId, clientId }) => [tenantId, clientId]);
  secretWords.push('Claims', 'Olive', 'Otto', '@', own.creditReportId, own.challengeId);
  secretWords.push(...Object.values(foreign));
});
afterAll(() => server.close());

const KEYS = {
  keys: [
    {
      kty: 'EC',
      crv: 'P-256',
      x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
      y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
    },
  ],
};

/** Made through the API by somebody who may; `withKeys` for a credential that signs. */
async function addCredentialOf(tenantId: string, withKeys = false) {
  const owner = await addPerson(server, tenantId, 'owner');
  const order = { name: 'Subject', scopes: ['reports:read'], ...(withKeys && { publicKeys: KEYS }) };
  const credential = (await callAs(server, owner, 'POST', `/${tenantId}/v1/credentials`, order)).data as {
    id?: string;
    secrets?: { id: string }[];
  };
  return { credentialId: credential.id ?? '', secretId: credential.secrets?.[0]?.id ?? UNKNOWN_ID };
}

async function addInvitation(tenantId: string) {
  const invitationId = newId();
  await server.query(
    // Two days old: one that was just sent is not sent again, and today's count towards the day's limit.
    `insert into invitations (tenant_id, id, email, role, created_at, sent_at, expires_at)
     values ($1, $2, $3, 'analyst', now() - interval '2 days', now() - interval '2 days', now() + interval '5 days')`,
    [tenantId, invitationId, `${invitationId}@example.com`],
  );
  return { invitationId };
}

const trefoilOf = (tenantId: string) => (tenantId === server.demo.tenantId ? server.trefoil : server.otherTrefoil);
const addComplete = async (tenantId: string) => ({
  completeReportId: (await trefoilOf(tenantId).generate(generateBody())).data.creditReportId,
});
const addMember = async (tenantId: string) => ({ userId: (await addPerson(server, tenantId, 'analyst')).userId });
/** Others than those of every test are deleted, so that the tenant may make more. */
const addEndpoint = (tenantId: string) =>
  addWebhook(
    server,
    tenantId,
    [own, foreign].flatMap((each) => each?.endpointId ?? []),
  );

/** The first in the feed: other transactions on the cluster may hold later ones back. */
const findEvent = (tenantId: string) =>
  eventually(async () => {
    const [event] = (await trefoilOf(tenantId).listEvents({ limit: 1 })).data.items;
    expect(event).toBeDefined();
    return { eventId: event?.id ?? '' };
  });

const addSubjects = async (tenantId: string): Promise<Subjects> => ({
  ...(await startChallenge(trefoilOf(tenantId))),
  ...(await addComplete(tenantId)),
  ...(await addCredentialOf(tenantId)),
  ...(await addMember(tenantId)),
  ...(await addInvitation(tenantId)),
  ...(await addEndpoint(tenantId)),
  ...(await findEvent(tenantId)),
});

/** What a good request is about: new ones for a change, since some end what they are about. */
async function subjectsOf(operation: Operation): Promise<Partial<Subjects>> {
  const { method, path } = operation;
  const { tenantId } = server.demo;
  if (method === 'GET') return own;
  return {
    ...(path.includes(':creditReportId') && (await startChallenge(trefoilOf(tenantId)))),
    ...(needsComplete(operation) && (await addComplete(tenantId))),
    ...(path.includes(':credentialId') && (await addCredentialOf(tenantId, path.endsWith('/public-keys')))),
    ...(path.includes(':userId') && (await addMember(tenantId))),
    ...(path.includes(':invitationId') && (await addInvitation(tenantId))),
    ...(path.includes('/webhook-endpoints') && (await addEndpoint(tenantId))),
  };
}

type Target = { readonly tenantId?: string; readonly report?: Partial<Subjects> };

/** The person of `generateBody`. */
const CONSUMER = { firstName: 'Ada', lastName: 'Example', dateOfBirth: '1984-03-09', postcode: 'HR10 2AB' };

const bodyOf = (id: string): object | undefined =>
  ({
    createCredential: { name: 'Portal', scopes: ['reports:read'] },
    changeCredential: { name: 'Portal' },
    addCredentialSecret: { graceSeconds: 0 },
    replaceCredentialKeys: { publicKeys: KEYS },
    changeMember: { role: 'developer' },
    changeSettings: { lowBalanceCredits: 1 },
    createWebhookEndpoint: { url: 'https://hooks.example.com/' },
    changeWebhookEndpoint: { description: 'Portal' },
    replayWebhookEvents: { since: '2026-01-01' },
    testWebhookEndpoint: {},
    inviteMember: { email: `i-${newId()}@example.com`, role: 'analyst' },
    advanceTestClock: { advanceSeconds: 1 },
    ...{ findSubject: CONSUMER, exportSubject: CONSUMER, exportSubjectDocument: CONSUMER },
    // Nobody: a report of the others waits for its code.
    eraseSubject: { ...CONSUMER, lastName: 'Nobody' },
  })[id];

/** What only a complete report has, and what the role finance does not see whatever its scopes. */
const needsComplete = ({ path }: Operation) => /\/:creditReportId\/(evidence|document)$/.test(path);

/** A request that would succeed with the right token. */
function requestOf(operation: Operation, target: Target = {}): WireRequest {
  const { tenantId = server.demo.tenantId, report } = target;
  const subjects: Record<string, string> = { ...own, ...report, tenantId };
  if (needsComplete(operation)) {
    subjects['creditReportId'] = report?.completeReportId ?? report?.creditReportId ?? own.completeReportId;
  }
  const path = operation.path.replace(/:(\w+)/g, (_, name: string) => subjects[name] ?? UNKNOWN_ID);
  if (!operation.body) return { method: operation.method, path };
  const id = operations.find(([, each]) => each === operation)?.[0] ?? '';
  const ofReport = { ...generateBody(), challengeId: subjects['challengeId'], code: '000000', tenantId };
  const body = JSON.stringify(bodyOf(id) ?? ofReport);
  return { method: operation.method, path, body, headers: { 'content-type': 'application/json' } };
}

async function call(request: WireRequest, authorization: string | undefined): Promise<Reply> {
  const headers = { ...request.headers, ...(authorization !== undefined && { authorization }) };
  return send(server.baseUrl, { ...request, headers });
}

/** A refusal comes before the body is read, so a broken body must not change it. */
const withBrokenBody = (request: WireRequest): WireRequest =>
  request.body === undefined
    ? request
    : { ...request, body: '{"firstName":', headers: { 'content-type': 'text/plain' } };

function expectRefused(reply: Reply, status: number, code: string): void {
  expect(reply.status).toBe(status);
  expect(readError(reply).code).toBe(code);
  for (const word of secretWords) expect(reply.text).not.toContain(word);
}

/** About what is another tenant's: whatever the machine does, it is not served, and the refusal has no word of it. */
const expectNotServed = (reply: Reply): Promise<void> =>
  grave('another tenant', () => {
    expect(reply.status, reply.text).toBeGreaterThanOrEqual(400);
    for (const word of secretWords) expect(reply.text).not.toContain(word);
  });

async function expectNothingWritten(work: () => Promise<void>): Promise<void> {
  const before = await readState();
  await work();
  expect(await readState()).toBe(before);
}

test('the state that the refusals are compared with shows a written row', async () => {
  const write = () => server.query('update tenants set name = name || $1 where id = $2', ['.', server.other.tenantId]);
  await expect(expectNothingWritten(async () => void (await write()))).rejects.toThrow(/to be/);
});

test('every route is an operation of the contract or named as public', () => {
  const ofOperations = operations.flatMap(([, { method, path }]) =>
    method === 'GET' ? [`GET ${path}`, `HEAD ${path}`] : [`${method} ${path}`],
  );
  expect([...routes].filter((route) => !PUBLIC_ROUTES.has(route)).toSorted()).toEqual(ofOperations.toSorted());
  expect([...PUBLIC_ROUTES].filter((route) => !routes.has(route))).toEqual([]);
});

const bearer = (claims: Claims, header = {}) => signToken(server, claims, header).then((token) => `Bearer ${token}`);
const demoClaims = (changes: Claims = {}) => ({
  ...goodClaims(server, server.demo),
  scope: SCOPES.join(' '),
  ...changes,
});

/** A token that may do this: a person's where a second factor is asked for, otherwise a credential's. */
async function goodToken(operation: Operation, tenant = server.demo): Promise<string> {
  if (!operation.needsStepUp) return bearer({ ...goodClaims(server, tenant), scope: SCOPES.join(' ') });
  return `Bearer ${(await addPerson(server, tenant.tenantId, 'owner')).token}`;
}

/** Of a new credential with every scope, so that its owner's role alone decides. */
async function credentialToken(tenantId: string, ownerUserId: string): Promise<string> {
  const order = { tenantId, name: 'x', ownerUserId, scopes: SCOPES };
  const { clientId } = await server.database.asSystem((tx) => createCredential(tx, order));
  return bearer({ ...goodClaims(server, { ...server.demo, tenantId, clientId }), scope: SCOPES.join(' ') });
}

const unauthorized: Record<string, () => Promise<string | undefined>> = {
  'no token': async () => undefined,
  'an empty header': async () => '',
  'an empty bearer': async () => 'Bearer ',
  'another scheme': async () => `Basic ${Buffer.from(`${server.demo.clientId}:x`).toString('base64')}`,
  garbage: async () => 'Bearer garbage',
  'a token in the wrong scheme': async () => (await bearer(demoClaims())).replace('Bearer', 'Token'),
  'two tokens': async () => `${await bearer(demoClaims())}, ${await bearer(demoClaims())}`,
  'an expired token': () => bearer(demoClaims({ iat: nowSeconds() - 1_000, exp: nowSeconds() - 10 })),
  'a wrong audience': () => bearer(demoClaims({ aud: 'urn:other:api' })),
  'a wrong issuer': () => bearer(demoClaims({ iss: 'https://issuer.example.com' })),
  'algorithm none': async () => `Bearer ${encodePart({ alg: 'none', typ: 'at+jwt' })}.${encodePart(demoClaims())}.`,
  'an unknown client': () => bearer(demoClaims({ client_id: UNKNOWN_ID })),
  'a client of another tenant': () => bearer(demoClaims({ client_id: server.other.clientId })),
};

/**
 * Of a third dimension, all values, or one that changes along both others, so that each two values of any two dimensions still meet.
 * `npm run prove` takes all (tools/prove/checks.ts).
 */
const IS_WHOLE = process.env['TREFOIL_TEST_MATRIX'] === 'whole';
const along = <T>(values: readonly T[], row: number, column: number): readonly T[] =>
  IS_WHOLE ? values : values.filter((_, index) => index === (row + column) % values.length);

const ways = Object.entries(unauthorized);
const numbered = operations.map(([id, operation], row) => [id, operation, row] as const);
describe.each(numbered)('%s', (_id, operation, row) => {
  test.each(ways.map(([name, header], column) => [name, header, column] as const))(
    '401 unauthorized: %s',
    async (name, header, column) => {
      await expectNothingWritten(async () => {
        for (const request of along([requestOf(operation), withBrokenBody(requestOf(operation))], row, column)) {
          const reply = await call(request, await header());
          expectRefused(reply, 401, 'unauthorized');
          // RFC 6750, 3.1: without a token there is no error to name.
          const challenge =
            name === 'no token' ? /^Bearer realm="trefoil"$/ : /^Bearer realm="trefoil", error="invalid_token"$/;
          expect(reply.headers['www-authenticate']).toMatch(challenge);
        }
      });
    },
  );

  test('a good token is let through: the refusals above have no other cause', async () => {
    const report = await subjectsOf(operation);
    const reply = await call(requestOf(operation, { report }), await goodToken(operation));
    expect(reply.status, reply.text).toBe(200);
  });

  test('403 forbidden: a disabled tenant', async () => {
    // One of its own: what the look-ups of the others remember stays as it is.
    const { tenantId, owner } = await addTenantWithOwner(server);
    const token = operation.needsStepUp ? `Bearer ${owner.token}` : await credentialToken(tenantId, owner.userId);
    await server.query('update tenants set is_enabled = false where id = $1', [tenantId]);
    await expectNothingWritten(async () => {
      expectRefused(await call(requestOf(operation, { tenantId }), token), 403, 'forbidden');
    });
  });
});

test.each(inTenant)('%s: 403 forbidden alike for a foreign and an unknown tenant', async (_id, operation) => {
  const token = await goodToken(operation);
  await expectNothingWritten(async () => {
    const bodies: object[] = [];
    const { tenantId: otherTenant } = server.other;
    for (const tenantId of [otherTenant, UNKNOWN_ID, 'not-a-uuid', otherTenant.toUpperCase()]) {
      for (const report of [own, foreign]) {
        const request = requestOf(operation, { tenantId, report });
        for (const each of [request, withBrokenBody(request)]) {
          const reply = await call(each, token);
          await expectNotServed(reply);
          expectRefused(reply, 403, 'forbidden');
          bodies.push(withoutRequestId(reply));
        }
      }
    }
    for (const body of bodies) expect(body).toEqual(bodies[0]);
  });
});

test.each(inTenant)('%s: 403 forbidden: another tenant’s good token', async (_id, operation) => {
  const token = await goodToken(operation, server.other);
  await expectNothingWritten(async () => {
    const reply = await call(requestOf(operation), token);
    await expectNotServed(reply);
    expectRefused(reply, 403, 'forbidden');
  });
});

test.each(operations.filter(([, { needsStepUp }]) => needsStepUp))(
  '%s: 403 for a credential, and for a person whose second factor was not just proved',
  async (_id, operation) => {
    const machine = await bearer(demoClaims());
    const stale = await Promise.all(
      [null, 601_000].map((secondFactorAgoMs) =>
        addPerson(server, server.demo.tenantId, 'owner', { secondFactorAgoMs }),
      ),
    );
    await expectNothingWritten(async () => {
      for (const request of [requestOf(operation), withBrokenBody(requestOf(operation))]) {
        expectRefused(await call(request, machine), 403, 'forbidden');
        for (const { token } of stale) {
          const reply = await call(request, `Bearer ${token}`);
          expectRefused(reply, 403, 'step-up-required');
          expect(reply.headers['www-authenticate']).toContain('error="insufficient_user_authentication"');
        }
      }
    });
  },
);

test.each(operations.filter(([, { scope }]) => scope))(
  '%s: 403 forbidden: a person whose token lacks the scope, or who has left',
  async (_id, operation) => {
    const { scope = '' } = operation;
    const { tenantId } = server.demo;
    const others = SCOPES.filter((each) => each !== scope).join(' ');
    const narrow = await addPerson(server, tenantId, 'owner', { scope: others });
    const left = await addPerson(server, tenantId, 'owner');
    await server.query('update memberships set removed_at = now() where user_id = $1', [left.userId]);
    await expectNothingWritten(async () => {
      for (const { token } of [narrow, left]) {
        expectRefused(await call(requestOf(operation), `Bearer ${token}`), 403, 'forbidden');
      }
    });
  },
);

test.each(operations)('%s: 401 unauthorized: a sign-in that is over, and a disabled person', async (_id, operation) => {
  const [ended, disabled] = [
    await addPerson(server, server.demo.tenantId, 'owner'),
    await addPerson(server, server.demo.tenantId, 'owner'),
  ];
  await server.query('update sign_ins set ended_at = now() where user_id = $1', [ended.userId]);
  await server.query('update users set is_enabled = false where id = $1', [disabled.userId]);
  await expectNothingWritten(async () => {
    for (const { token } of [ended, disabled]) {
      expectRefused(await call(requestOf(operation), `Bearer ${token}`), 401, 'unauthorized');
    }
  });
});

/** Every role as a person and as a credential of such a person, both with tokens that name all scopes. */
const BEARERS = ['person', 'credential'] as const;
const matrix = ROLES.flatMap((role, row) =>
  inTenant.flatMap(([id, operation], column) =>
    along(BEARERS, row, column).map((kind) => [role, kind, id, operation, row + column] as const),
  ),
);
const tokens = new Map<string, Promise<string>>();

function roleToken(role: Role, kind: (typeof BEARERS)[number]): Promise<string> {
  const known = tokens.get(`${role} ${kind}`);
  const token = known ?? makeRoleToken(role, kind);
  tokens.set(`${role} ${kind}`, token);
  return token;
}

async function makeRoleToken(role: Role, kind: (typeof BEARERS)[number]): Promise<string> {
  const { tenantId } = server.demo;
  const { userId, token } = await addPerson(server, tenantId, role);
  return kind === 'person' ? `Bearer ${token}` : credentialToken(tenantId, userId);
}

const mayCall = (role: Role, kind: (typeof BEARERS)[number], operation: Operation) => {
  const { scope, needsStepUp } = operation;
  const held: readonly Scope[] = ROLE_SCOPES[role];
  if (role === 'finance' && needsComplete(operation)) return false;
  return (scope === undefined || held.includes(scope)) && !(needsStepUp && kind === 'credential');
};

describe('as each role', () => {
  test.each(matrix)(
    'as %s, with the token of a %s: %s: 200 where the role has the scope, else 403 and nothing is written',
    async (role, kind, _id, operation) => {
      const token = await roleToken(role, kind);
      if (!mayCall(role, kind, operation)) {
        await expectNothingWritten(async () => {
          for (const request of [requestOf(operation), withBrokenBody(requestOf(operation))]) {
            expectRefused(await call(request, token), 403, 'forbidden');
          }
        });
        return;
      }
      const report = await subjectsOf(operation);
      const reply = await call(requestOf(operation, { report }), token);
      expect(reply.status, reply.text).toBe(200);
      await grave('another tenant', () => {
        for (const word of [server.other.tenantId, server.other.clientId, ...Object.values(foreign)]) {
          expect(reply.text).not.toContain(word);
        }
      });
    },
  );

  test.each(matrix)(
    'as %s, with the token of a %s: %s: 403 forbidden alike in a foreign and an unknown tenant',
    async (role, kind, _id, operation, place) => {
      const token = await roleToken(role, kind);
      await expectNothingWritten(async () => {
        const bodies: object[] = [];
        for (const [index, tenantId] of [server.other.tenantId, UNKNOWN_ID].entries()) {
          for (const report of along([own, foreign], place, index)) {
            const reply = await call(requestOf(operation, { tenantId, report }), token);
            await expectNotServed(reply);
            expectRefused(reply, 403, 'forbidden');
            bodies.push(withoutRequestId(reply));
          }
        }
        for (const body of bodies) expect(body).toEqual(bodies[0]);
      });
    },
  );

  test.each(matrix.filter(([, , , { path }]) => /:(?!tenantId)/.test(path)))(
    'as %s, with the token of a %s: %s: a foreign id and an unknown one get the same answer in the own tenant',
    async (role, kind, _id, operation) => {
      const token = await roleToken(role, kind);
      const names = Object.keys(own) as (keyof Subjects)[];
      const unknown = Object.fromEntries(names.map((name) => [name, UNKNOWN_ID]));
      await expectNothingWritten(async () => {
        const replies = [
          await call(requestOf(operation, { report: foreign }), token),
          await call(requestOf(operation, { report: unknown }), token),
        ];
        for (const reply of replies) {
          await expectNotServed(reply);
          expect(reply.status).toBe(mayCall(role, kind, operation) ? 404 : 403);
          expect(withoutRequestId(reply)).toEqual(withoutRequestId(replies[0] as Reply));
        }
      });
    },
  );
});

test.each(inTenant.filter(([, { scope }]) => scope && !(ROLE_SCOPES.analyst as readonly Scope[]).includes(scope)))(
  '%s: 403 forbidden: an analyst here who is an owner elsewhere',
  async (_id, operation) => {
    const { userId, token } = await addPerson(server, server.demo.tenantId, 'analyst');
    const query = `insert into memberships (tenant_id, user_id, role) values ($1, $2, 'owner')`;
    await server.query(query, [server.other.tenantId, userId]);
    await expectNothingWritten(async () => {
      expectRefused(await call(requestOf(operation), `Bearer ${token}`), 403, 'forbidden');
    });
  },
);

const SUBJECTS = ['credentialId', 'secretId', 'userId', 'invitationId', 'endpointId', 'deliveryId', 'eventId'] as const;
const named = operations.flatMap(([id, operation]) =>
  SUBJECTS.filter((name) => operation.path.includes(`:${name}`)).map((name) => [id, name, operation] as const),
);
test.each(named)(
  '%s: 404 not-found alike for a foreign, an unknown and a malformed %s',
  async (_id, name, operation) => {
    const token = await goodToken(operation);
    await expectNothingWritten(async () => {
      const bodies: object[] = [];
      for (const id of [foreign[name], UNKNOWN_ID, 'x', foreign[name].toUpperCase(), '%00', "'--", '..%2f']) {
        const reply = await call(requestOf(operation, { report: { [name]: id } }), token);
        await expectNotServed(reply);
        expectRefused(reply, 404, 'not-found');
        bodies.push(withoutRequestId(reply));
      }
      for (const body of bodies) expect(body).toEqual(bodies[0]);
    });
  },
);

test.each(operations.filter(([, { scope }]) => scope))(
  '%s: 403 forbidden: a token without the scope',
  async (_id, operation) => {
    const { scope = '' } = operation;
    const others = SCOPES.filter((each) => each !== scope);
    const narrow = await addCredential(server, server.demo, { scopes: others });
    const lacking = {
      'the token asked for less': demoClaims({ scope: others.join(' ') }),
      'the token has no scope': demoClaims({ scope: undefined }),
      'the scope is only a part of a word': demoClaims({ scope: `x${scope} ${scope}x ${scope.toUpperCase()}` }),
      'the credential has lost the scope': { ...goodClaims(server, narrow), scope: SCOPES.join(' ') },
    };
    await expectNothingWritten(async () => {
      for (const claims of Object.values(lacking)) {
        for (const request of [requestOf(operation), withBrokenBody(requestOf(operation))]) {
          const reply = await call(request, await bearer(claims));
          expectRefused(reply, 403, 'forbidden');
          expect(reply.headers['www-authenticate']).toContain('error="insufficient_scope"');
        }
      }
    });
  },
);

test.each(inReport)('%s: 404 alike for a foreign, an unknown and a malformed report', async (_id, operation) => {
  await expectNothingWritten(async () => {
    const token = await bearer(demoClaims());
    const ids = [foreign.creditReportId, UNKNOWN_ID, 'x', foreign.creditReportId.toUpperCase(), '%00', "'--", '..%2f'];
    const bodies: object[] = [];
    for (const creditReportId of ids) {
      for (const { challengeId } of [own, foreign]) {
        const reply = await call(requestOf(operation, { report: { creditReportId, challengeId } }), token);
        await expectNotServed(reply);
        expectRefused(reply, 404, 'credit-report-not-found');
        bodies.push(withoutRequestId(reply));
      }
    }
    for (const body of bodies) expect(body).toEqual(bodies[0]);
  });
});

test.each(inChallenge)('%s: 404 alike for a foreign, an unknown and a malformed challenge', async (_id, operation) => {
  // Of the same tenant and another report.
  await startChallenge(server.trefoil);
  await expectNothingWritten(async () => {
    const token = await bearer(demoClaims());
    const second = await server.query<{ id: string }>('select id from challenges where credit_report_id <> $1', [
      own.creditReportId,
    ]);
    const ids = [
      foreign.challengeId,
      UNKNOWN_ID,
      'x',
      foreign.challengeId.toUpperCase(),
      ...second.map(({ id }) => id),
    ];
    const bodies: object[] = [];
    for (const challengeId of ids) {
      const reply = await call(requestOf(operation, { report: { ...own, challengeId } }), token);
      await expectNotServed(reply);
      expectRefused(reply, 404, 'challenge-not-found');
      bodies.push(withoutRequestId(reply));
    }
    for (const body of bodies) expect(body).toEqual(bodies[0]);
  });
});

test.each(withQuery)('%s: 400 names every fault of the query, after 401 and 403', async (_id, operation) => {
  const token = await goodToken(operation);
  await expectNothingWritten(async () => {
    const request = requestOf(operation);
    const query = `limit=0&cursor=&confirm=x&format=x&retentionDays=91&days=0&month=x&test=x&externalReference=${'x'.repeat(256)}`;
    const broken = { ...request, path: `${request.path}?${query}` };
    expectRefused(await call(broken, undefined), 401, 'unauthorized');
    const others = SCOPES.filter((scope) => scope !== operation.scope).join(' ');
    expectRefused(await call(broken, await bearer(demoClaims({ scope: others }))), 403, 'forbidden');
    const reply = await call(broken, token);
    expectRefused(reply, 400, 'validation-error');
    const { details } = readError(reply) as unknown as { details: { path: string }[] };
    const { properties } = operation.query as unknown as { properties: object };
    expect(details.map(({ path }) => path).toSorted()).toEqual(
      ['confirm', 'cursor', 'days', 'externalReference', 'format', 'limit', 'month', 'retentionDays', 'test']
        .filter((name) => name in properties)
        .map((name) => `/query/${name}`),
    );
  });
});

test.each(withQuery)('%s: 200 with parameters it does not know', async (_id, operation) => {
  const request = requestOf(operation, { report: await subjectsOf(operation) });
  const path = `${request.path}?page=2&sort[]=x&__proto__=1&limit=1`;
  const reply = await call({ ...request, path }, await goodToken(operation));
  expect(reply.status, reply.text).toBe(200);
});

test('200: each tenant’s account pages show nothing of the other', async () => {
  for (const [mine, theirs, word] of [
    [server.demo, server.other, 'Ot'],
    [server.other, server.demo, 'Olive'],
  ] as const) {
    for (const path of ['/v1/my/profile', '/v1/my/tenants']) {
      const reply = await call({ method: 'GET', path }, await bearer(goodClaims(server, mine)));
      expect(reply.status).toBe(200);
      await grave('another tenant', () => {
        for (const foreignWord of [theirs.tenantId, theirs.clientId, word])
          expect(reply.text).not.toContain(foreignWord);
      });
    }
  }
});

test('403 forbidden alike: selecting a foreign, an unknown and a malformed tenant', async () => {
  const token = await bearer(demoClaims());
  const bodies: object[] = [];
  for (const tenantId of [server.other.tenantId, UNKNOWN_ID, 'x', "' or 1=1 --", '__proto__']) {
    const reply = await call(requestOf(OPERATIONS.selectTenant, { tenantId }), token);
    await expectNotServed(reply);
    expectRefused(reply, 403, 'forbidden');
    bodies.push(withoutRequestId(reply));
  }
  for (const body of bodies) expect(body).toEqual(bodies[0]);
});

test('carriers’ receipts: 403 without their signature, whoever asks and whatever about; 404 for another carrier', async () => {
  await expectNothingWritten(async () => {
    const bodies: object[] = [];
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const signatures = [undefined, '', 'x', 'AAAAAAAAAAAAAAAAAAAAAAAAAAA='];
    for (const authorization of [undefined, await bearer(demoClaims()), 'Bearer garbage']) {
      for (const signature of signatures) {
        for (const query of [`?tenant=${server.demo.tenantId}&send=${UNKNOWN_ID}`, '?tenant=x', '']) {
          const request = {
            method: 'POST',
            path: `/v1/carriers/twilio/receipts${query}`,
            body: 'MessageStatus=delivered',
            headers: { ...headers, ...(signature !== undefined && { 'x-twilio-signature': signature }) },
          };
          const reply = await call(request, authorization);
          expectRefused(reply, 403, 'forbidden');
          bodies.push(withoutRequestId(reply));
        }
      }
    }
    for (const body of bodies) expect(body).toEqual(bodies[0]);
    const elsewhere = { method: 'POST', path: '/v1/carriers/nobody/receipts', body: 'a=b', headers };
    expectRefused(await call(elsewhere, undefined), 404, 'not-found');
  });
});
