// Every route the router has, against every way of not being allowed. The routes come from the router itself, so a new
// route that is neither an operation of the contract nor named here as public fails the first test. Roles: role-matrix.test.ts.
import { ERROR_CODES, OPERATIONS, type Operation, SCOPES, type Scope } from '@trefoil/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startChallenge } from '../harness.ts';
import { grave } from '../support/grave.ts';
import { addPerson, addTenantWithOwner } from '../support/people.ts';
import { addCredential, encodePart, goodClaims, nowSeconds } from '../support/tokens.ts';
import {
  along,
  inTenant,
  openWalk,
  operations,
  UNKNOWN_ID,
  type Walk,
  withBrokenBody,
} from '../support/walk-routes.ts';
import { readError, withoutRequestId } from '../support/wire.ts';

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

const inReport = operations.filter(([, { path }]) => path.includes(':creditReportId'));
const inChallenge = inReport.filter(
  ([, { body }]) => 'challengeId' in ((body as { properties?: object } | undefined)?.properties ?? {}),
);
const withQuery = operations.filter(([, { query }]) => query !== undefined);

let walk: Walk;
beforeAll(async () => {
  walk = await openWalk();
});
afterAll(() => walk.close());

test('the state that the refusals are compared with shows a written row', async () => {
  const write = () =>
    walk.server.query('update tenants set name = name || $1 where id = $2', ['.', walk.server.other.tenantId]);
  await expect(walk.expectNothingWritten(async () => void (await write()))).rejects.toThrow(/to be/);
});

test('every route is an operation of the contract or named as public', () => {
  const ofOperations = operations.flatMap(([, { method, path }]) =>
    method === 'GET' ? [`GET ${path}`, `HEAD ${path}`] : [`${method} ${path}`],
  );
  expect([...walk.routes].filter((route) => !PUBLIC_ROUTES.has(route)).toSorted()).toEqual(ofOperations.toSorted());
  expect([...PUBLIC_ROUTES].filter((route) => !walk.routes.has(route))).toEqual([]);
});

const unauthorized: Record<string, () => Promise<string | undefined>> = {
  'no token': async () => undefined,
  'an empty header': async () => '',
  'an empty bearer': async () => 'Bearer ',
  'another scheme': async () => `Basic ${Buffer.from(`${walk.server.demo.clientId}:x`).toString('base64')}`,
  garbage: async () => 'Bearer garbage',
  'a token in the wrong scheme': async () => (await walk.bearer(walk.demoClaims())).replace('Bearer', 'Token'),
  'two tokens': async () => `${await walk.bearer(walk.demoClaims())}, ${await walk.bearer(walk.demoClaims())}`,
  'an expired token': () => walk.bearer(walk.demoClaims({ iat: nowSeconds() - 1_000, exp: nowSeconds() - 10 })),
  'a wrong audience': () => walk.bearer(walk.demoClaims({ aud: 'urn:other:api' })),
  'a wrong issuer': () => walk.bearer(walk.demoClaims({ iss: 'https://issuer.example.com' })),
  'algorithm none': async () =>
    `Bearer ${encodePart({ alg: 'none', typ: 'at+jwt' })}.${encodePart(walk.demoClaims())}.`,
  'an unknown client': () => walk.bearer(walk.demoClaims({ client_id: UNKNOWN_ID })),
  'a client of another tenant': () => walk.bearer(walk.demoClaims({ client_id: walk.server.other.clientId })),
  'a sign-in that is over': () => changedPerson('update sign_ins set ended_at = now() where user_id = $1'),
  'a disabled person': () => changedPerson('update users set is_enabled = false where id = $1'),
};

/** The token of an owner to whom this happened after the sign-in. */
async function changedPerson(change: string): Promise<string> {
  const { userId, token } = await addPerson(walk.server, walk.server.demo.tenantId, 'owner');
  await walk.server.query(change, [userId]);
  return `Bearer ${token}`;
}

/** As it is, or with a body that cannot be read: a refusal comes before the body is read. */
const soundOrBroken = (operation: Operation, row: number, column: number) =>
  along([walk.requestOf(operation), withBrokenBody(walk.requestOf(operation))], row, column);

const ways = Object.entries(unauthorized);
test.each(ways.map(([name, header], column) => [name, header, column] as const))(
  '401 unauthorized: %s',
  async (name, makeHeader, column) => {
    const header = await makeHeader();
    // RFC 6750, 3.1: without a token there is no error to name.
    const challenge =
      name === 'no token' ? /^Bearer realm="trefoil"$/ : /^Bearer realm="trefoil", error="invalid_token"$/;
    await walk.expectAllRefused(
      operations,
      (operation, row) => soundOrBroken(operation, row, column).map((request) => [request, header]),
      (reply, id) => {
        walk.expectRefused(reply, 401, 'unauthorized', id);
        expect(reply.headers['www-authenticate'], id).toMatch(challenge);
      },
    );
  },
);

test.each(operations)(
  '%s: a good token is let through: the refusals here have no other cause',
  async (_id, operation) => {
    const report = await walk.subjectsOf(operation);
    const reply = await walk.call(walk.requestOf(operation, { report }), await walk.goodToken(operation));
    expect(reply.status, reply.text).toBe(200);
  },
);

test('403 forbidden: a disabled tenant', async () => {
  // One of its own: what the look-ups of the others remember stays as it is.
  const { tenantId, owner } = await addTenantWithOwner(walk.server);
  const credential = await walk.credentialToken(tenantId, owner.userId);
  await walk.server.query('update tenants set is_enabled = false where id = $1', [tenantId]);
  await walk.expectAllRefused(
    operations,
    (operation) => [
      [walk.requestOf(operation, { tenantId }), operation.needsStepUp ? `Bearer ${owner.token}` : credential],
    ],
    (reply, id) => walk.expectRefused(reply, 403, 'forbidden', id),
  );
});

test.each(inTenant.map(([id, operation], row) => [id, operation, row] as const))(
  '%s: 403 forbidden alike for a foreign and an unknown tenant',
  async (_id, operation, row) => {
    const token = await walk.goodToken(operation);
    await walk.expectNothingWritten(async () => {
      const bodies: object[] = [];
      const { tenantId: otherTenant } = walk.server.other;
      for (const [column, tenantId] of [otherTenant, UNKNOWN_ID, 'not-a-uuid', otherTenant.toUpperCase()].entries()) {
        const requests = [walk.own, walk.foreign].flatMap((report) => {
          const request = walk.requestOf(operation, { tenantId, report });
          return [request, withBrokenBody(request)];
        });
        for (const request of along(requests, row, column)) {
          const reply = await walk.call(request, token);
          await walk.expectNotServed(reply);
          walk.expectRefused(reply, 403, 'forbidden');
          bodies.push(withoutRequestId(reply));
        }
      }
      for (const body of bodies) expect(body).toEqual(bodies[0]);
    });
  },
);

test('403 forbidden: another tenant’s good token', async () => {
  const { other } = walk.server;
  const credential = await walk.bearer({ ...goodClaims(walk.server, other), scope: SCOPES.join(' ') });
  const person = `Bearer ${(await addPerson(walk.server, other.tenantId, 'owner')).token}`;
  await walk.expectAllRefused(
    inTenant,
    (operation) => [[walk.requestOf(operation), operation.needsStepUp ? person : credential]],
    async (reply, id) => {
      await walk.expectNotServed(reply);
      walk.expectRefused(reply, 403, 'forbidden', id);
    },
  );
});

const withStepUp = operations.filter(([, { needsStepUp }]) => needsStepUp);
test('403 forbidden: a credential, where a second factor must just have been proved', async () => {
  const machine = await walk.bearer(walk.demoClaims());
  await walk.expectAllRefused(
    withStepUp,
    (operation) =>
      [walk.requestOf(operation), withBrokenBody(walk.requestOf(operation))].map((each) => [each, machine]),
    (reply, id) => walk.expectRefused(reply, 403, 'forbidden', id),
  );
});

test.each([
  ['never', null],
  ['more than ten minutes ago', 601_000],
])('403 step-up-required: a person who proved a second factor %s', async (_when, secondFactorAgoMs) => {
  const stale = await addPerson(walk.server, walk.server.demo.tenantId, 'owner', { secondFactorAgoMs });
  await walk.expectAllRefused(
    withStepUp,
    (operation) =>
      [walk.requestOf(operation), withBrokenBody(walk.requestOf(operation))].map((each) => [
        each,
        `Bearer ${stale.token}`,
      ]),
    (reply, id) => {
      walk.expectRefused(reply, 403, 'step-up-required', id);
      expect(reply.headers['www-authenticate'], id).toContain('error="insufficient_user_authentication"');
    },
  );
});

/** Made once for each scope, and asked for by all operations that need it. */
function forEachScope(make: (scope: string, others: Scope[]) => Promise<string>): (scope: string) => Promise<string> {
  const made = new Map<string, Promise<string>>();
  return (scope) => {
    const known = made.get(scope);
    const token =
      known ??
      make(
        scope,
        SCOPES.filter((each) => each !== scope),
      );
    made.set(scope, token);
    return token;
  };
}

const lacking: Record<string, (scope: string, others: Scope[]) => Promise<string>> = {
  'the token asked for less': (_scope, others) => walk.bearer(walk.demoClaims({ scope: others.join(' ') })),
  'the token has no scope': () => walk.bearer(walk.demoClaims({ scope: undefined })),
  'the scope is only a part of a word': (scope) =>
    walk.bearer(walk.demoClaims({ scope: `x${scope} ${scope}x ${scope.toUpperCase()}` })),
  'the credential has lost the scope': async (_scope, others) => {
    const narrow = await addCredential(walk.server, walk.server.demo, { scopes: others });
    return walk.bearer({ ...goodClaims(walk.server, narrow), scope: SCOPES.join(' ') });
  },
  'a person whose token lacks the scope': async (_scope, others) => {
    const order = { scope: others.join(' ') };
    return `Bearer ${(await addPerson(walk.server, walk.server.demo.tenantId, 'owner', order)).token}`;
  },
};
const withScope = operations.filter(([, { scope }]) => scope);
test.each(Object.entries(lacking).map(([name, make], column) => [name, make, column] as const))(
  '403 forbidden: without the scope: %s',
  async (_name, make, column) => {
    const tokenWithout = forEachScope(make);
    await walk.expectAllRefused(
      withScope,
      async (operation, row) => {
        const token = await tokenWithout(operation.scope ?? '');
        return soundOrBroken(operation, row, column).map((request) => [request, token]);
      },
      (reply, id) => {
        walk.expectRefused(reply, 403, 'forbidden', id);
        expect(reply.headers['www-authenticate'], id).toContain('error="insufficient_scope"');
      },
    );
  },
);

test('403 forbidden: a person who has left', async () => {
  const token = await changedPerson('update memberships set removed_at = now() where user_id = $1');
  await walk.expectAllRefused(
    withScope,
    (operation) => [[walk.requestOf(operation), token]],
    (reply, id) => walk.expectRefused(reply, 403, 'forbidden', id),
  );
});

const SUBJECTS = ['credentialId', 'secretId', 'userId', 'invitationId', 'endpointId', 'deliveryId', 'eventId'] as const;
const named = operations.flatMap(([id, operation]) =>
  SUBJECTS.filter((name) => operation.path.includes(`:${name}`)).map((name) => [id, name, operation] as const),
);
test.each(named)(
  '%s: 404 not-found alike for a foreign, an unknown and a malformed %s',
  async (_id, name, operation) => {
    const token = await walk.goodToken(operation);
    await walk.expectNothingWritten(async () => {
      const bodies: object[] = [];
      for (const id of [walk.foreign[name], UNKNOWN_ID, 'x', walk.foreign[name].toUpperCase(), '%00', "'--", '..%2f']) {
        const reply = await walk.call(walk.requestOf(operation, { report: { [name]: id } }), token);
        await walk.expectNotServed(reply);
        walk.expectRefused(reply, 404, 'not-found');
        bodies.push(withoutRequestId(reply));
      }
      for (const body of bodies) expect(body).toEqual(bodies[0]);
    });
  },
);

test.each(inReport.map(([id, operation], row) => [id, operation, row] as const))(
  '%s: 404 alike for a foreign, an unknown and a malformed report',
  async (_id, operation, row) => {
    await walk.expectNothingWritten(async () => {
      const token = await walk.bearer(walk.demoClaims());
      const ids = [
        walk.foreign.creditReportId,
        UNKNOWN_ID,
        'x',
        walk.foreign.creditReportId.toUpperCase(),
        '%00',
        "'--",
        '..%2f',
      ];
      const bodies: object[] = [];
      for (const [column, creditReportId] of ids.entries()) {
        for (const { challengeId } of along([walk.own, walk.foreign], row, column)) {
          const reply = await walk.call(walk.requestOf(operation, { report: { creditReportId, challengeId } }), token);
          await walk.expectNotServed(reply);
          walk.expectRefused(reply, 404, 'credit-report-not-found');
          bodies.push(withoutRequestId(reply));
        }
      }
      for (const body of bodies) expect(body).toEqual(bodies[0]);
    });
  },
);

test.each(inChallenge)('%s: 404 alike for a foreign, an unknown and a malformed challenge', async (_id, operation) => {
  // Of the same tenant and another report.
  await startChallenge(walk.server.trefoil);
  await walk.expectNothingWritten(async () => {
    const token = await walk.bearer(walk.demoClaims());
    const second = await walk.server.query<{ id: string }>('select id from challenges where credit_report_id <> $1', [
      walk.own.creditReportId,
    ]);
    const ids = [
      walk.foreign.challengeId,
      UNKNOWN_ID,
      'x',
      walk.foreign.challengeId.toUpperCase(),
      ...second.map(({ id }) => id),
    ];
    const bodies: object[] = [];
    for (const challengeId of ids) {
      const reply = await walk.call(walk.requestOf(operation, { report: { ...walk.own, challengeId } }), token);
      await walk.expectNotServed(reply);
      walk.expectRefused(reply, 404, 'challenge-not-found');
      bodies.push(withoutRequestId(reply));
    }
    for (const body of bodies) expect(body).toEqual(bodies[0]);
  });
});

test.each(withQuery)('%s: 400 names every fault of the query, after 401 and 403', async (_id, operation) => {
  const token = await walk.goodToken(operation);
  await walk.expectNothingWritten(async () => {
    const request = walk.requestOf(operation);
    const query = `limit=0&cursor=&confirm=x&format=x&retentionDays=91&days=0&month=x&test=x&externalReference=${'x'.repeat(256)}`;
    const broken = { ...request, path: `${request.path}?${query}` };
    walk.expectRefused(await walk.call(broken, undefined), 401, 'unauthorized');
    const others = SCOPES.filter((scope) => scope !== operation.scope).join(' ');
    walk.expectRefused(
      await walk.call(broken, await walk.bearer(walk.demoClaims({ scope: others }))),
      403,
      'forbidden',
    );
    const reply = await walk.call(broken, token);
    walk.expectRefused(reply, 400, 'validation-error');
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
  const request = walk.requestOf(operation, { report: await walk.subjectsOf(operation) });
  const path = `${request.path}?page=2&sort[]=x&__proto__=1&limit=1`;
  const reply = await walk.call({ ...request, path }, await walk.goodToken(operation));
  expect(reply.status, reply.text).toBe(200);
});

test('200: each tenant’s account pages show nothing of the other', async () => {
  for (const [mine, theirs, word] of [
    [walk.server.demo, walk.server.other, 'Ot'],
    [walk.server.other, walk.server.demo, 'Olive'],
  ] as const) {
    for (const path of ['/v1/my/profile', '/v1/my/tenants']) {
      const reply = await walk.call({ method: 'GET', path }, await walk.bearer(goodClaims(walk.server, mine)));
      expect(reply.status).toBe(200);
      await grave('another tenant', () => {
        for (const foreignWord of [theirs.tenantId, theirs.clientId, word])
          expect(reply.text).not.toContain(foreignWord);
      });
    }
  }
});

test('403 forbidden alike: selecting a foreign, an unknown and a malformed tenant', async () => {
  const token = await walk.bearer(walk.demoClaims());
  const bodies: object[] = [];
  for (const tenantId of [walk.server.other.tenantId, UNKNOWN_ID, 'x', "' or 1=1 --", '__proto__']) {
    const reply = await walk.call(walk.requestOf(OPERATIONS.selectTenant, { tenantId }), token);
    await walk.expectNotServed(reply);
    walk.expectRefused(reply, 403, 'forbidden');
    bodies.push(withoutRequestId(reply));
  }
  for (const body of bodies) expect(body).toEqual(bodies[0]);
});

test('carriers’ receipts: 403 without their signature, whoever asks and whatever about; 404 for another carrier', async () => {
  await walk.expectNothingWritten(async () => {
    const bodies: object[] = [];
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const signatures = [undefined, '', 'x', 'AAAAAAAAAAAAAAAAAAAAAAAAAAA='];
    for (const authorization of [undefined, await walk.bearer(walk.demoClaims()), 'Bearer garbage']) {
      for (const signature of signatures) {
        for (const query of [`?tenant=${walk.server.demo.tenantId}&send=${UNKNOWN_ID}`, '?tenant=x', '']) {
          const request = {
            method: 'POST',
            path: `/v1/carriers/twilio/receipts${query}`,
            body: 'MessageStatus=delivered',
            headers: { ...headers, ...(signature !== undefined && { 'x-twilio-signature': signature }) },
          };
          const reply = await walk.call(request, authorization);
          walk.expectRefused(reply, 403, 'forbidden');
          bodies.push(withoutRequestId(reply));
        }
      }
    }
    for (const body of bodies) expect(body).toEqual(bodies[0]);
    const elsewhere = { method: 'POST', path: '/v1/carriers/nobody/receipts', body: 'a=b', headers };
    walk.expectRefused(await walk.call(elsewhere, undefined), 404, 'not-found');
  });
});
