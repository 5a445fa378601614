// How a client signs its requests: one token for all callers, renewed once when the service refuses it; or cookies.
import { afterAll, beforeEach, expect, test } from 'vitest';
import { answer, hang, hangUp, refuse, startFailingServer, tenantId } from './failing-server.ts';
import { createTrefoil, type GenerateRequest, TrefoilError } from './index.ts';

const request = { test: true } as GenerateRequest;
const server = await startFailingServer();
afterAll(() => server.close());
beforeEach(() => server.reset());

const connect = () => createTrefoil({ baseUrl: server.baseUrl, tenantId, clientId: 'c', clientSecret: 's' });
const sent = () => server.asked().map(({ headers }) => headers.authorization);
const unauthorized = refuse(401, 'unauthorized');

test('callers at once share one token', async () => {
  const trefoil = connect();
  await Promise.all(Array.from({ length: 5 }, () => trefoil.getWallet()));
  expect(server.tokens()).toBe(1);
  expect(new Set(sent())).toEqual(new Set(['Bearer token-1']));
});

test('401: the token is renewed once, and the call is sent again under the same key', async () => {
  const trefoil = connect();
  server.state.fates = [unauthorized];
  await trefoil.generate(request);
  expect(sent()).toEqual(['Bearer token-1', 'Bearer token-2']);
  expect(new Set(server.keys()).size).toBe(1);
});

test('401 twice: thrown, for another token would not help either', async () => {
  const trefoil = connect();
  server.state.fates = [unauthorized, unauthorized];
  await expect(trefoil.generate(request)).rejects.toMatchObject({ status: 401, code: 'unauthorized' });
  expect(server.asked()).toHaveLength(2);
});

test('callers that are refused at once renew the token together', async () => {
  const trefoil = connect();
  server.state.otherwise = (response, asked) =>
    (asked.headers.authorization === 'Bearer token-1' ? unauthorized : answer())(response, asked);
  await Promise.all(Array.from({ length: 5 }, () => trefoil.getWallet()));
  expect(server.tokens()).toBe(2);
});

test('a getToken of the caller is told which token was refused; the same token again is not sent again', async () => {
  const refused: (string | undefined)[] = [];
  const own = (next: string) =>
    createTrefoil({
      baseUrl: server.baseUrl,
      tenantId,
      getToken: async ({ refusedToken } = {}) => {
        refused.push(refusedToken);
        return refusedToken === undefined ? 'old' : next;
      },
    });
  server.state.fates = [unauthorized];
  await own('new').getWallet();
  expect(sent()).toEqual(['Bearer old', 'Bearer new']);
  server.reset();
  server.state.fates = [unauthorized];
  await expect(own('old').getWallet()).rejects.toMatchObject({ status: 401 });
  expect(server.asked()).toHaveLength(1);
  expect(refused).toEqual([undefined, 'old', undefined, 'old']);
});

test('a request for a token is repeated like any other, and a failed one is not remembered', async () => {
  const trefoil = connect();
  server.state.tokenFates = [hangUp, refuse(503, 'service-unavailable', { 'retry-after': '0' }), unauthorized];
  await expect(trefoil.getWallet()).rejects.toMatchObject({ status: 401 });
  await trefoil.getWallet();
  expect(sent()).toEqual(['Bearer token-4']);
});

test('the time limit of a call covers its wait for a token, and leaves other callers’ token alone', async () => {
  const trefoil = connect();
  server.state.tokenFates = [
    (response, asked) => void setTimeout(() => answer({ access_token: 'late', expires_in: 900 })(response, asked), 300),
  ];
  const patient = trefoil.getWallet();
  const error = await trefoil.generate(request, { timeoutMs: 50 }).catch((caught: unknown) => caught);
  expect(error).toMatchObject({ reason: 'time-limit', wasSent: false });
  expect((error as Error).message).toMatch(/was not sent, so it had no effect/);
  await patient;
  expect(sent()).toEqual(['Bearer late']);
});

test('a token that never comes does not hold a caller for longer than the time limit', async () => {
  const trefoil = createTrefoil({
    baseUrl: server.baseUrl,
    tenantId,
    clientId: 'c',
    clientSecret: 's',
    timeoutMs: 200,
  });
  server.state.tokenFates = [hang];
  await expect(trefoil.getWallet()).rejects.toMatchObject({ reason: 'time-limit' });
});

test('cookies: no Authorization header, no token, and a 401 is final', async () => {
  const trefoil = createTrefoil({ auth: 'cookies', baseUrl: server.baseUrl, tenantId });
  await trefoil.getWallet();
  expect(sent()).toEqual([undefined]);
  server.state.fates = [unauthorized];
  await expect(trefoil.getWallet()).rejects.toMatchObject({ status: 401 });
  expect(server.tokens()).toBe(0);
  expect(server.asked()).toHaveLength(2);
  await expect(trefoil.getToken()).rejects.toThrow(/browser keeps the token/);
});

test('cookies: without baseUrl the calls go to the origin of the page, and say so to the browser', async () => {
  const seen: [unknown, RequestInit | undefined][] = [];
  const trefoil = createTrefoil({
    auth: 'cookies',
    tenantId,
    fetch: async (url, init) => {
      seen.push([url, init]);
      return Response.json({ meta: {}, data: {} });
    },
  });
  await trefoil.getWallet();
  expect(seen).toMatchObject([[`/${tenantId}/v1/wallet`, { credentials: 'same-origin' }]]);
});

const NO_TOKENS: [string, object | string][] = [
  ['a page', '<!doctype html><title>Welcome</title>'],
  ['nothing', ''],
  ['null', 'null'],
  ['an object without a token', { ok: true }],
  ['an empty token', { access_token: '', expires_in: 900 }],
  ['a token that is no text', { access_token: 7, expires_in: 900 }],
];
for (const [name, body] of NO_TOKENS) {
  test(`200 with ${name} instead of a token: the error says that something else answered, and nothing is sent`, async () => {
    server.state.tokenFates = [answer(body)];
    const trefoil = connect();
    const error = await trefoil.getWallet().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(TrefoilError);
    expect(error).toMatchObject({ status: 200, code: 'unknown', message: expect.stringMatching(/Check baseUrl/) });
    expect(server.asked()).toEqual([]);
    // It is not remembered as the token.
    await trefoil.getWallet();
    expect(sent()).toEqual(['Bearer token-2']);
  });
}

test('a token without a lifetime is used until it is refused', async () => {
  server.state.tokenFates = [answer({ access_token: 'lasting' })];
  const trefoil = connect();
  await trefoil.getWallet();
  server.state.fates = [unauthorized];
  await trefoil.getWallet();
  expect(sent()).toEqual(['Bearer lasting', 'Bearer lasting', 'Bearer token-2']);
});
