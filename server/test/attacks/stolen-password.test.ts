// The walk of a thief who has a member's password and nothing else, in a company that requires a second factor: it ends without a
// report, a member, a credential or an endpoint (docs/decisions/0275-a-password-alone.md). The routes come from the router itself.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { generateBody, startServer, type TestServer } from '../harness.ts';
import { SoftAuthenticator } from '../support/authenticator.ts';
import { type Account, addAccount, Browser, signIn } from '../support/browser.ts';
import { watchState } from '../support/dump.ts';
import { grave } from '../support/grave.ts';
import { addLiveReport } from '../support/money-states.ts';
import { addPerson, callAs, personToken } from '../support/people.ts';
import { SHORT_LOOK_UPS } from '../support/rests.ts';
import { codeOf, factorLinkOf, followFactorLink, noteOf, secretOf } from '../support/sign-in.ts';
import { type Reply, send } from '../support/wire.ts';

const SECURITY = '/v1/auth/security';

const routes = new Set<string>();
let server: TestServer;
let victim: Account & { readonly userId: string };
let subjects: Readonly<Record<string, string>>;
beforeAll(async () => {
  const listen = (message: unknown) =>
    (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', ({ method, url }: RouteOptions) => {
      for (const each of [method].flat()) routes.add(`${each} ${url}`);
    });
  subscribe('fastify.initialization', listen);
  server = await startServer({
    hostName: 'localhost',
    environment: { TREFOIL_JOBS: 'off' },
    overrides: { rests: SHORT_LOOK_UPS },
  });
  unsubscribe('fastify.initialization', listen);
  const { tenantId, clientId } = server.demo;
  const owner = await addPerson(server, tenantId, 'owner');
  const turnedOn = await callAs(server, owner, 'PATCH', `/${tenantId}/v1/settings`, { requireSecondFactor: true });
  expect(turnedOn.data).toMatchObject({ requireSecondFactor: true });
  victim = await addAccount(server, tenantId, 'owner');
  // So that the page about a credential is about one of theirs.
  await server.query('update credentials set owner_user_id = $2 where id = $1', [clientId, victim.userId]);
  const creditReportId = await addLiveReport(server, tenantId, { status: 'complete' });
  subjects = { tenantId, creditReportId, userId: owner.userId, credentialId: clientId };
});
afterAll(() => server.close());

/** Every route in a company, with its method: GET includes HEAD. */
function walk(): [method: string, path: string][] {
  const inTenant = [...routes].filter((route) => route.includes('/:tenantId/'));
  return inTenant.map((route) => {
    const [method = '', path = ''] = route.split(' ');
    return [method, path.replace(/:(\w+)/g, (_, name: string) => subjects[name] ?? subjects['userId'] ?? '')];
  });
}

const isPage = (path: string) => path.startsWith('/v1/auth/');
/** Of an answer without a body, its header. */
const isRefused = ({ status, text, headers }: Reply) =>
  status === 403 &&
  (text.includes('"code":"second-factor-required"') ||
    (text === '' && String(headers['www-authenticate']).includes('insufficient_user_authentication')));

/** The requests that were not refused for the lack of a second factor. That one is served is grave, whatever the machine does. */
async function letThrough(ask: (method: string, path: string) => Promise<Reply>, walked = walk()): Promise<string[]> {
  const through: string[] = [];
  for (const [method, path] of walked) {
    const reply = await ask(method, path);
    const isStopped = isPage(path) ? reply.status === 403 && reply.text.includes('second factor') : isRefused(reply);
    await grave('a password alone', () => expect(reply.status, `${method} ${path}`).toBeGreaterThanOrEqual(400));
    if (!isStopped) through.push(`${method} ${path}: ${reply.status}`);
  }
  return through;
}

const BODY = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(generateBody()) };
const withToken = (token: string) => (method: string, path: string) =>
  send(server.baseUrl, {
    ...(method !== 'GET' && method !== 'HEAD' && BODY),
    method,
    path,
    headers: { ...BODY.headers, authorization: `Bearer ${token}` },
  });
const fromPage = (browser: Browser) => (method: string, path: string) =>
  isPage(path) && method === 'POST'
    ? browser.post(path, {})
    : browser.callApi(method, path, { headers: { origin: server.baseUrl, accept: '*/*' } });

test('403 second-factor-required: a password opens no route of the company, by cookie or by token, and writes nothing', async () => {
  const browser = new Browser(server);
  const { path } = await browser.open('/v1/auth/login');
  const { email, password } = victim;
  // The sign-in leads to where a second factor is set up.
  expect((await browser.follow(await browser.post(path, { email, password }))).path).toBe(SECURITY);
  const token = await personToken(server, victim.userId, { secondFactorAgoMs: null });
  expect(walk().length).toBeGreaterThan(60);
  const readState = await watchState(server);
  const before = await readState();
  expect(await letThrough(fromPage(browser))).toEqual([]);
  // Only browsers see pages.
  const api = walk().filter(([, path]) => !isPage(path));
  expect(await letThrough(withToken(token), api)).toEqual([]);
  expect(await readState()).toBe(before);
});

test('200: with a second factor proved an hour ago, and with an API credential: the refusals above have no other cause', async () => {
  const { tenantId } = server.demo;
  const token = await personToken(server, victim.userId, { secondFactorAgoMs: 3_600_000 });
  for (const each of [token, await server.trefoil.getToken()]) {
    for (const path of ['credit-reports', 'wallet', 'members', 'credentials', 'webhook-endpoints', 'settings']) {
      const { status, text } = await withToken(each)('GET', `/${tenantId}/v1/${path}`);
      expect(status, text).toBe(200);
    }
  }
  expect((await server.trefoil.generate(generateBody())).data.status).toBe('complete');
});

test('a company that requires none lets the same sign-in in; another company of the same person does not', async () => {
  const person = await addPerson(server, server.demo.tenantId, 'owner', { secondFactorAgoMs: null });
  const query = `insert into memberships (tenant_id, user_id, role) values ($1, $2, 'owner')`;
  await server.query(query, [server.other.tenantId, person.userId]);
  await eventually(async () =>
    expect((await callAs(server, person, 'GET', `/${server.other.tenantId}/v1/wallet`)).status).toBe(200),
  );
  expect(await callAs(server, person, 'GET', `/${server.demo.tenantId}/v1/wallet`)).toMatchObject({
    code: 'second-factor-required',
  });
  // Nothing of the account itself needs one.
  expect((await callAs(server, person, 'GET', '/v1/my/tenants')).status).toBe(200);
});

const factorsOf = async (userId: string) => {
  const query = `select (select count(*) from user_totps where user_id = $1)::int as totps,
                        (select count(*) from user_passkeys where user_id = $1)::int as passkeys`;
  return (await server.query<{ totps: number; passkeys: number }>(query, [userId]))[0];
};
const NONE = { totps: 0, passkeys: 0 };

/** Tries everything that adds a factor; the notes and challenges come from a sign-in of the thief's own. */
async function tryToEnrol(browser: Browser): Promise<void> {
  const stranger = await addAccount(server, server.other.tenantId, 'analyst');
  const own = await signIn(server, stranger);
  await followFactorLink(server, own, stranger.userId);
  const begun = await own.post(`${SECURITY}/totp`, {});
  const page = await browser.get(SECURITY);
  expect([secretOf(page), page.text.includes('data-options')]).toEqual(['', false]);
  expect(secretOf(await browser.post(`${SECURITY}/totp`, { totpPassword: victim.password }))).toBe('');
  await browser.post(`${SECURITY}/totp/confirm`, { note: noteOf(begun), code: codeOf(secretOf(begun)) });
  const answer = new SoftAuthenticator(server.baseUrl).register('AAAA');
  await browser.post(`${SECURITY}/passkeys`, {
    name: 'x',
    note: noteOf(page),
    answer,
    passkeyPassword: victim.password,
  });
  await browser.post(`${SECURITY}/recovery-codes`, {});
}

test('the thief enrols no factor: the link goes to the victim, and works only in the browser that follows it', async () => {
  const thief = await signIn(server, victim);
  await tryToEnrol(thief);
  expect((await thief.post(`${SECURITY}/link`, {})).headers.location).toContain('done=link-sent');
  const mails = await server.query('select recipient, is_notice from mails where kind = $1', ['factor-link']);
  expect(mails).toContainEqual({ recipient: victim.email, is_notice: false });
  await tryToEnrol(thief);
  // A careless victim follows the link that the thief asked for.
  const own = await signIn(server, victim);
  expect((await own.post(await factorLinkOf(server, victim.userId), {})).status).toBe(303);
  await tryToEnrol(thief);
  expect(await factorsOf(victim.userId)).toEqual(NONE);
  expect(await letThrough(fromPage(thief))).toEqual([]);
});
