// The authorization code flow as somebody would bend it who wants another person's code, token or consent.
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '../harness.ts';
import {
  addApp,
  authorize,
  authorizePath,
  exchange,
  getCode,
  getTokens,
  goodParams,
  newVerifier,
  REDIRECT_URI,
  requestToken,
  type TestApp,
  type Tokens,
} from '../support/apps.ts';
import { type Account, addAccount, Browser } from '../support/browser.ts';
import { getProfile } from '../support/sign-in.ts';
import { send } from '../support/wire.ts';

let server: TestServer;
let owner: Account & { userId: string };
let app: TestApp;

beforeAll(async () => {
  server = await startServer();
  owner = await addAccount(server, server.demo.tenantId, 'owner');
  app = await addApp(server);
});
afterAll(() => server.close());

const profile = async (token: string) => (await getProfile(server, token)).status;
const errorOf = (text: string) => (JSON.parse(text) as { error?: string }).error;
const refresh = (token: string, by: TestApp = app, changes: Record<string, string> = {}) =>
  requestToken(server, { grant_type: 'refresh_token', refresh_token: token, ...changes }, by);

const hiddenFields = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  );

test('tokens name the person, the application and the sign-in, and hold nothing personal', async () => {
  const tokens = await getTokens(server, app, owner);
  const claims = decodeJwt(tokens.access_token);
  expect(claims).toMatchObject({
    iss: server.baseUrl,
    aud: 'urn:trefoil:api',
    sub: owner.userId,
    client_id: app.clientId,
    scope: 'reports:read wallet:read',
  });
  expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(900);
  expect(decodeProtectedHeader(tokens.access_token)).toMatchObject({ alg: 'ES256', typ: 'at+jwt' });
  const idClaims = decodeJwt(tokens.id_token);
  expect(idClaims).toMatchObject({
    sub: owner.userId,
    aud: app.clientId,
    nonce: 'a-nonce',
    acr: 'urn:trefoil:1fa',
    amr: ['pwd'],
  });
  expect(decodeProtectedHeader(tokens.id_token)).toMatchObject({ alg: 'ES256' });
  expect(JSON.stringify([claims, idClaims])).not.toContain('@');
  expect(claims['sid']).toBe(tokens.refresh_token.split('.')[0]);
});

describe('a request that must not begin', () => {
  /** Refused to the person's face: whoever sent it must not get the browser back. */
  const withoutRedirect: Record<string, Record<string, string | undefined>> = {
    'an unknown application': { client_id: '01890000-0000-7000-8000-000000000000' },
    'a credential as application': { client_id: '' },
    'no application': { client_id: undefined },
    'another redirect URI': { redirect_uri: 'https://example.com/callback' },
    'a longer redirect URI': { redirect_uri: `${REDIRECT_URI}/more` },
    'a redirect URI with a query': { redirect_uri: `${REDIRECT_URI}?x=1` },
    'a shorter redirect URI': { redirect_uri: REDIRECT_URI.slice(0, -1) },
    'a redirect URI that goes up': { redirect_uri: `${REDIRECT_URI}/../callback` },
    'a redirect URI in capitals': { redirect_uri: REDIRECT_URI.toUpperCase() },
    'a redirect URI with a user': { redirect_uri: REDIRECT_URI.replace('//', '//example.org@') },
    'no redirect URI': { redirect_uri: undefined },
  };
  test.each(Object.entries(withoutRedirect))('400 as a page: %s', async (name, changes) => {
    const all = { ...goodParams(app, newVerifier()), ...changes };
    if (name === 'a credential as application') all['client_id'] = server.demo.clientId;
    const params = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Record<
      string,
      string
    >;
    const reply = await new Browser(server).get(authorizePath(params));
    expect(reply.status).toBe(400);
    expect(reply.headers.location).toBeUndefined();
    expect(reply.headers['content-type']).toContain('text/html');
    expect(reply.headers['content-security-policy']).toContain("default-src 'none'");
    expect(reply.text).not.toContain('example.com/callback');
  });

  const withRedirect: Record<string, [Record<string, string | undefined>, string]> = {
    'no PKCE': [{ code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    'plain PKCE': [{ code_challenge_method: 'plain' }, 'invalid_request'],
    'PKCE without a method': [{ code_challenge_method: undefined }, 'invalid_request'],
    'the implicit flow': [{ response_type: 'token' }, 'unsupported_response_type'],
    'the hybrid flow': [{ response_type: 'code id_token' }, 'unsupported_response_type'],
    'another resource': [{ resource: 'https://example.com/api' }, 'invalid_target'],
    'a request object': [{ request: 'e30.e30.' }, 'request_not_supported'],
    'no sign-in wanted and none there': [{ prompt: 'none' }, 'login_required'],
  };
  test.each(Object.entries(withRedirect))('303 with an error: %s', async (_name, [changes, error]) => {
    const all = { ...goodParams(app, newVerifier()), ...changes };
    const params = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Record<
      string,
      string
    >;
    const reply = await new Browser(server).get(authorizePath(params));
    expect(reply.status).toBe(303);
    const answer = new URL(reply.headers.location ?? '');
    expect(answer.href.startsWith(REDIRECT_URI)).toBe(true);
    const query = new URLSearchParams(answer.search || answer.hash.slice(1));
    expect(query.get('error')).toBe(error);
    expect(query.get('state')).toBe('a-state');
    expect(query.get('iss')).toBe(server.baseUrl);
    expect(query.get('code')).toBeNull();
  });
});

describe('a code', () => {
  const bends: Record<string, Record<string, string>> = {
    'another verifier': { code_verifier: newVerifier() },
    'an empty verifier': { code_verifier: '' },
    'the challenge as verifier': { code_verifier: 'x'.repeat(43) },
    'another redirect URI': { redirect_uri: 'https://example.com/callback' },
    'another code': { code: 'x'.repeat(43) },
  };
  test.each(Object.entries(bends))('400: with %s; the code itself still works', async (_name, changes) => {
    const got = await getCode(server, app, owner);
    const reply = await exchange(server, got, changes);
    expect(reply.status).toBe(400);
    expect(['invalid_grant', 'invalid_request']).toContain(errorOf(reply.text));
    expect((await exchange(server, got)).status).toBe(200);
  });

  test('400 invalid_grant: another application presents it', async () => {
    const got = await getCode(server, app, owner);
    const thief = await addApp(server);
    const reply = await exchange(server, { ...got, app: thief });
    expect(reply.status).toBe(400);
    expect(errorOf(reply.text)).toBe('invalid_grant');
  });

  test('400 invalid_grant: a second time, which also ends the sign-in it made', async () => {
    const got = await getCode(server, app, owner);
    const tokens = JSON.parse((await exchange(server, got)).text) as Tokens;
    const again = await exchange(server, got);
    expect(again.status).toBe(400);
    expect(errorOf(again.text)).toBe('invalid_grant');
    expect((await refresh(tokens.refresh_token)).status).toBe(400);
    expect(await profile(tokens.access_token)).toBe(401);
  });

  test('of 10 exchanges at once exactly one gets tokens', async () => {
    const got = await getCode(server, app, owner);
    const replies = await Promise.all(Array.from({ length: 10 }, () => exchange(server, got)));
    expect(replies.filter(({ status }) => status === 200).length).toBe(1);
    expect(replies.filter(({ status }) => status === 400).length).toBe(9);
  });

  test('400 invalid_grant: after a minute', async () => {
    const got = await getCode(server, app, owner);
    await server.query(
      "update oidc_payloads set expires_at = expires_at - interval '60 seconds' where model = 'AuthorizationCode'",
    );
    expect((await exchange(server, got)).status).toBe(400);
  });

  test('401 invalid_client: an application with a secret needs it', async () => {
    const secretive = await addApp(server, false);
    const got = await getCode(server, secretive, owner);
    const reply = await exchange(server, { ...got, app: { ...secretive, clientSecret: undefined } });
    expect(reply.status).toBe(401);
    expect((await exchange(server, got)).status).toBe(200);
  });
});

describe('a refresh token', () => {
  test('is not given without offline access', async () => {
    const tokens = await getTokens(server, app, owner, { scope: 'openid reports:read' });
    expect(tokens.refresh_token).toBeUndefined();
  });

  test('of 50 refreshes at once all get the same successor', async () => {
    const { refresh_token } = await getTokens(server, app, owner);
    const replies = await Promise.all(Array.from({ length: 50 }, () => refresh(refresh_token)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    const successors = new Set(replies.map(({ text }) => (JSON.parse(text) as Tokens).refresh_token));
    expect(successors.size).toBe(1);
    expect(successors.has(refresh_token)).toBe(false);
  });

  test('400 invalid_grant: two generations old, and then the youngest too', async () => {
    const first = (await getTokens(server, app, owner)).refresh_token;
    const second = (JSON.parse((await refresh(first)).text) as Tokens).refresh_token;
    const third = (JSON.parse((await refresh(second)).text) as Tokens).refresh_token;
    expect(errorOf((await refresh(first)).text)).toBe('invalid_grant');
    expect(errorOf((await refresh(third)).text)).toBe('invalid_grant');
  });

  test('400 invalid_grant: another application presents it, and its own goes on', async () => {
    const { refresh_token } = await getTokens(server, app, owner);
    const thief = await addApp(server);
    expect(errorOf((await refresh(refresh_token, thief)).text)).toBe('invalid_grant');
    expect((await refresh(refresh_token)).status).toBe(200);
  });

  test('less scope may be asked for, never more', async () => {
    const { refresh_token } = await getTokens(server, app, owner);
    const less = await refresh(refresh_token, app, { scope: 'wallet:read' });
    expect((JSON.parse(less.text) as Tokens).scope).toBe('wallet:read');
    const more = await refresh((JSON.parse(less.text) as Tokens).refresh_token, app, {
      scope: 'wallet:read members:write',
    });
    expect(errorOf(more.text)).toBe('invalid_scope');
  });

  test('a disabled person and a disabled application get nothing more', async () => {
    const person = await addAccount(server, server.demo.tenantId, 'owner');
    const ours = await addApp(server);
    const one = (await getTokens(server, ours, person)).refresh_token;
    await server.query('update users set is_enabled = false where id = $1', [person.userId]);
    expect((await refresh(one, ours)).status).toBe(400);
    await server.query('update users set is_enabled = true where id = $1', [person.userId]);
    await server.query('update oauth_apps set is_enabled = false where id = $1', [ours.clientId]);
    expect((await refresh(one, ours)).status).toBe(401);
  });
});

describe('consent', () => {
  test('303 access_denied: the person does not agree', async () => {
    const browser = new Browser(server);
    const page = await browser.open(authorizePath(goodParams(app, newVerifier())));
    const consent = await browser.follow(
      await browser.post(page.path, { email: owner.email, password: owner.password }),
    );
    expect(consent.path).toMatch(/^\/v1\/auth\/consent\//);
    const { reply } = await browser.follow(await browser.post(consent.path, { decision: 'deny' }));
    const answer = new URL(reply.headers.location ?? '');
    expect(answer.searchParams.get('error')).toBe('access_denied');
  });

  test('is remembered in the session, but offline access is asked for every time', async () => {
    const browser = new Browser(server);
    const params = { ...goodParams(app, newVerifier()), scope: 'openid reports:read' };
    expect((await authorize(browser, authorizePath(params), owner)).searchParams.get('code')).toBeTruthy();
    const again = await browser.open(authorizePath(params));
    expect(new URL(again.reply.headers.location ?? '').searchParams.get('code')).toBeTruthy();
    const offline = await browser.open(authorizePath(goodParams(app, newVerifier())));
    expect(offline.path).toMatch(/^\/v1\/auth\/consent\//);
  });

  test('signing in anew and agreeing anew, both asked for at once, come to an end', async () => {
    const params = { ...goodParams(app, newVerifier()), prompt: 'login consent' };
    const answer = await authorize(new Browser(server), authorizePath(params), owner);
    expect(answer.searchParams.get('code')).toBeTruthy();
  });
});

test('signing out at the provider ends the application’s sign-in', async () => {
  const browser = new Browser(server);
  const verifier = newVerifier();
  const params = { ...goodParams(app, verifier), scope: 'openid reports:read' };
  const answer = await authorize(browser, authorizePath(params), owner);
  const code = answer.searchParams.get('code') ?? '';
  const tokens = JSON.parse((await exchange(server, { app, code, verifier })).text) as Tokens;
  const query = new URLSearchParams({
    id_token_hint: tokens.id_token,
    post_logout_redirect_uri: REDIRECT_URI,
    state: 's',
  });
  const page = await browser.get(`/v1/oauth/logout?${query}`);
  expect(page.status).toBe(200);
  expect(page.text).toContain('Sign out?');
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
  const done = await browser.post('/v1/oauth/logout/confirm', { xsrf, logout: 'yes' });
  expect(done.status).toBe(303);
  expect(done.headers.location).toBe(`${REDIRECT_URI}?state=s`);
  expect(await profile(tokens.access_token)).toBe(401);
  expect((await browser.open(authorizePath(params))).path).toMatch(/sign-in/);
});

test('303: signing out at the provider without being signed in ends at the page that says so', async () => {
  const browser = new Browser(server);
  const done = await browser.follow(await browser.get('/v1/oauth/logout'));
  expect(done.path).toBe('/v1/auth/signed-out');
  expect(done.reply.status).toBe(200);
});

test('400: another site cannot sign anybody out at the provider', async () => {
  const browser = new Browser(server);
  const params = { ...goodParams(app, newVerifier()), scope: 'openid' };
  await authorize(browser, authorizePath(params), owner);
  await browser.get('/v1/oauth/logout');
  for (const xsrf of ['', 'x'.repeat(43)]) {
    expect((await browser.post('/v1/oauth/logout/confirm', { xsrf, logout: 'yes' })).status).toBe(400);
  }
  expect((await browser.open(authorizePath(params))).reply.status).toBe(303);
});

test('where one person is signed in another may sign in: the first one’s session ends', async () => {
  const browser = new Browser(server);
  const verifier = newVerifier();
  const params = { ...goodParams(app, verifier), scope: 'openid reports:read', prompt: 'login' };
  await authorize(browser, authorizePath(params), owner);
  const second = await addAccount(server, server.demo.tenantId, 'analyst');
  const page = await browser.open(authorizePath(params));
  const between = await browser.follow(
    await browser.post(page.path, { email: second.email, password: second.password }),
  );
  expect(between.reply.text).toContain('/v1/oauth/logout/confirm');
  const consent = await browser.follow(
    await browser.post('/v1/oauth/logout/confirm', hiddenFields(between.reply.text)),
  );
  expect(consent.path).toMatch(/consent/);
  const { reply } = await browser.follow(await browser.post(consent.path, { decision: 'allow' }));
  const code = new URL(reply.headers.location ?? '').searchParams.get('code') ?? '';
  const tokens = JSON.parse((await exchange(server, { app, code, verifier })).text) as Tokens;
  expect(decodeJwt(tokens.access_token).sub).toBe(second.userId);
});

describe('revoking', () => {
  const revoke = (token: string, by: TestApp) =>
    send(server.baseUrl, {
      method: 'POST',
      path: '/v1/oauth/revoke',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ token, client_id: by.clientId }).toString(),
    });

  test('200: a refresh token takes its sign-in with it; another application’s request changes nothing', async () => {
    const tokens = await getTokens(server, app, owner);
    expect((await revoke(tokens.refresh_token, await addApp(server))).status).toBe(200);
    expect((await revoke('x'.repeat(80), app)).status).toBe(200);
    const running = JSON.parse((await refresh(tokens.refresh_token)).text) as Tokens;
    expect((await revoke(running.refresh_token, app)).status).toBe(200);
    expect((await refresh(running.refresh_token)).status).toBe(400);
  });

  test('400 unsupported_token_type: an access token', async () => {
    const tokens = await getTokens(server, app, owner);
    const reply = await revoke(tokens.access_token, app);
    expect(reply.status).toBe(400);
    expect(errorOf(reply.text)).toBe('unsupported_token_type');
  });
});
