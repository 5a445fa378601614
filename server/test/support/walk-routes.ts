// What a walk over every route needs: two tenants with one thing of each kind, for each operation a request that would succeed
// with the right token, and what a refusal must look like. Two files walk: one crosses routes with ways of not being allowed, the
// other with roles.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { OPERATIONS, type Operation, SCOPES } from '@trefoil/contract';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { expect } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { createCredential } from '../../src/identity/credentials/change-credential.ts';
import { newId } from '../../src/lib/ids.ts';
import { generateBody, startChallenge } from '../harness.ts';
import { watchState } from './dump.ts';
import { grave } from './grave.ts';
import { startLiveServer } from './live.ts';
import { addPerson, callAs } from './people.ts';
import { type Claims, goodClaims, signToken } from './tokens.ts';
import { addWebhook } from './webhooks.ts';
import { type Reply, readError, send, type WireRequest } from './wire.ts';

export const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000';
export const operations = Object.entries(OPERATIONS) as [string, Operation][];
export const inTenant = operations.filter(([, { path }]) => path.includes(':tenantId'));

/**
 * Of a third dimension, all values, or one that changes along both others, so that each two values of any two dimensions still meet.
 * `npm run prove` takes all (tools/prove/checks.ts).
 */
const IS_WHOLE = process.env['TREFOIL_TEST_MATRIX'] === 'whole';
export const along = <T>(values: readonly T[], row: number, column: number): readonly T[] =>
  IS_WHOLE ? values : values.filter((_, index) => index === (row + column) % values.length);

/** What the paths of one tenant can name. */
export type Subjects = {
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

type Target = { readonly tenantId?: string; readonly report?: Partial<Subjects> };

/** A request and its authorization. */
type Asked = readonly [WireRequest, string | undefined];

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
export const needsComplete = ({ path }: Operation) => /\/:creditReportId\/(evidence|document)$/.test(path);

/** A refusal comes before the body is read, so a broken body must not change it. */
export const withBrokenBody = (request: WireRequest): WireRequest =>
  request.body === undefined
    ? request
    : { ...request, body: '{"firstName":', headers: { 'content-type': 'text/plain' } };

export type Walk = Awaited<ReturnType<typeof openWalk>>;

export async function openWalk() {
  const routes = new Set<string>();
  const listen = (message: unknown) =>
    (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', ({ method, url }: RouteOptions) => {
      for (const each of [method].flat()) routes.add(`${each} ${url}`);
    });
  subscribe('fastify.initialization', listen);
  // With providers, so that every route there is is registered.
  // Nothing works in the background, so that what is written was written by a request.
  const server = await startLiveServer({ environment: { TREFOIL_JOBS: 'off' } });
  unsubscribe('fastify.initialization', listen);
  const readState = await watchState(server);

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
  const kept: string[] = [];
  /** Others than those of every test are deleted, so that the tenant may make more. */
  const addEndpoint = (tenantId: string) => addWebhook(server, tenantId, kept);

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

  const own = await addSubjects(server.demo.tenantId);
  kept.push(own.endpointId);
  const foreign = await addSubjects(server.other.tenantId);
  kept.push(foreign.endpointId);
  /** Words that belong to one tenant only; none may stand in a refusal. */
  const secretWords = [
    ...[server.demo, server.other].flatMap(({ tenantId, clientId }) => [tenantId, clientId]),
    ...['Claims', 'Olive', 'Otto', '@', own.creditReportId, own.challengeId],
    ...Object.values(foreign),
  ];

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

  const leakedWords = ({ text }: Reply) => secretWords.filter((word) => text.includes(word));

  function expectRefused(reply: Reply, status: number, code: string, about?: string): void {
    expect(reply.status, about).toBe(status);
    expect(readError(reply).code, about).toBe(code);
    expect(leakedWords(reply), about).toEqual([]);
  }

  /** About what is another tenant's: whatever the machine does, it is not served, and the refusal has no word of it. */
  const expectNotServed = (reply: Reply): Promise<void> =>
    grave('another tenant', () => {
      expect(reply.status, reply.text).toBeGreaterThanOrEqual(400);
      expect(leakedWords(reply), reply.text).toEqual([]);
    });

  /**
   * Asks with the same fault about every operation of the list, several at once, and reads the state only before and after: one
   * refusal takes a millisecond, and reading the state takes longer.
   */
  async function expectAllRefused(
    list: readonly (readonly [string, Operation])[],
    ask: (operation: Operation, row: number) => readonly Asked[] | Promise<readonly Asked[]>,
    expectOne: (reply: Reply, id: string) => unknown,
  ): Promise<void> {
    const asked = await Promise.all(
      list.map(async ([id, operation], row) => ({ id, requests: await ask(operation, row) })),
    );
    const calls = asked.flatMap(({ id, requests }) => requests.map((request) => ({ id, request })));
    expect(new Set(calls.map(({ id }) => id)).size).toBe(list.length);
    await expectNothingWritten(async () => {
      const replies = await Promise.all(
        calls.map(async ({ id, request: [request, token] }) => ({ id, reply: await call(request, token) })),
      );
      for (const { id, reply } of replies) await expectOne(reply, id);
    });
  }

  async function expectNothingWritten(work: () => Promise<void>): Promise<void> {
    const before = await readState();
    await work();
    expect(await readState()).toBe(before);
  }

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

  return {
    ...{
      server,
      routes,
      own,
      foreign,
      subjectsOf,
      requestOf,
      call,
      expectRefused,
      expectNotServed,
      expectNothingWritten,
      expectAllRefused,
    },
    ...{ bearer, demoClaims, goodToken, credentialToken },
    close: () => server.close(),
  };
}
