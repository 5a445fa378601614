// People sign in and out: through the pages with a browser's cookies, and as whoever would like to be somebody else.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { startServer, type TestServer } from '../harness.ts';
import { ACCESS, type Account, addAccount, Browser, REFRESH, setCookies, signIn } from '../support/browser.ts';
import { dumpDatabase, dumpRedis } from '../support/dump.ts';
import { auditOf } from '../support/people.ts';
import { SHORT_LOOK_UPS } from '../support/rests.ts';
import { callFromPage } from '../support/sign-in.ts';
import { type Reply, readError, send } from '../support/wire.ts';

let server: TestServer;
let owner: Account & { userId: string };

beforeAll(async () => {
  server = await startServer({ overrides: { rests: SHORT_LOOK_UPS } });
  owner = await addAccount(server, server.demo.tenantId, 'owner');
});
afterAll(() => server.close());

const api = callFromPage(() => server);

describe('signing in', () => {
  test('leads through the provider and back to where it began, and the API takes the cookies', async () => {
    const browser = new Browser(server);
    const page = await browser.open('/v1/auth/login?returnTo=/openapi.json');
    expect(page.path).toMatch(/^\/v1\/auth\/sign-in\/[\w-]+$/);
    expect(page.reply.status).toBe(200);
    const back = await browser.follow(await browser.post(page.path, { ...owner, userId: '' }));
    expect(back.path).toBe('/openapi.json');
    const profile = await api(browser, 'GET', '/v1/my/profile');
    expect(profile.status, profile.text).toBe(200);
    expect(JSON.parse(profile.text)).toMatchObject({ id: owner.userId, email: owner.email });
    const wallet = await api(browser, 'GET', `/${server.demo.tenantId}/v1/wallet`);
    expect(wallet.status, wallet.text).toBe(200);
    const foreign = await api(browser, 'GET', `/${server.other.tenantId}/v1/wallet`);
    expect(foreign.status).toBe(403);
  });

  test('every cookie is Secure, HttpOnly and SameSite=Lax; what began the sign-in is gone when it ends', async () => {
    const browser = new Browser(server);
    const page = await browser.open('/v1/auth/login');
    const began = [...browser.cookies.keys()];
    expect(began.some((name) => name.startsWith('__Host-trefoil_login.'))).toBe(true);
    await browser.follow(await browser.post(page.path, { email: owner.email, password: owner.password }));
    for (const [name, { attributes, path }] of browser.cookies) {
      expect(attributes, name).toContain('secure');
      expect(attributes, name).toContain('httponly');
      expect(attributes, name).toContain('samesite=lax');
      expect(
        attributes.some((attribute) => attribute.startsWith('domain')),
        name,
      ).toBe(false);
      if (name.startsWith('__Host-')) expect(path).toBe('/');
      expect(name).toMatch(/^__(Host|Secure)-trefoil_/);
    }
    const left = [...browser.cookies.keys()];
    expect(left).toContain(ACCESS);
    expect(left).toContain(REFRESH);
    expect(left.filter((name) => /login|resume/.test(name))).toEqual([]);
  });

  test('a second sign-in in the same browser asks for nothing; in another it does', async () => {
    const browser = await signIn(server, owner);
    const again = await browser.follow(await browser.get('/v1/auth/login?returnTo=/livez'));
    expect(again.path).toBe('/livez');
    expect((await new Browser(server).open('/v1/auth/login')).path).toMatch(/sign-in/);
  });

  test('two tabs at once each come back to their own place', async () => {
    const browser = new Browser(server);
    const [one, two] = [
      await browser.open('/v1/auth/login?returnTo=/livez'),
      await browser.open('/v1/auth/login?returnTo=/readyz'),
    ];
    const form = { email: owner.email, password: owner.password };
    expect((await browser.follow(await browser.post(two.path, form))).path).toBe('/readyz');
    const second = await browser.follow(await browser.post(one.path, form));
    expect(second.path).toBe('/livez');
  });

  test('each step may be served by another node', async () => {
    const node = await server.startNode();
    try {
      const browser = new Browser(server);
      const elsewhere = new Browser(node);
      const share = (from: Browser, to: Browser) => {
        to.cookies.clear();
        for (const [name, cookie] of from.cookies) to.cookies.set(name, cookie);
      };
      const pathOf = ({ headers }: Reply) => {
        const { pathname, search } = new URL(headers.location ?? '', server.baseUrl);
        return `${pathname}${search}`;
      };
      const page = await browser.open('/v1/auth/login?returnTo=/livez');
      share(browser, elsewhere);
      const form = { email: owner.email, password: owner.password };
      const finished = await elsewhere.post(page.path, form, { origin: server.baseUrl });
      share(elsewhere, browser);
      const answer = await browser.get(pathOf(finished));
      share(browser, elsewhere);
      expect(pathOf(await elsewhere.get(pathOf(answer)))).toBe('/livez');
      share(elsewhere, browser);
      expect((await api(browser, 'GET', '/v1/my/profile')).status).toBe(200);
      expect((await elsewhere.get('/v1/my/profile')).status).toBe(200);
      await browser.post('/v1/auth/logout', {});
      await eventually(async () => expect((await elsewhere.get('/v1/my/profile')).status).toBe(401));
    } finally {
      await node.close();
    }
  });

  test('neither codes nor session ids nor tokens stand in the database or the log', async () => {
    const browser = new Browser(server);
    const page = await browser.open('/v1/auth/login');
    const session = browser.cookie('__Host-trefoil_session') ?? '';
    const uid = page.path.split('/').at(-1) ?? '';
    const login = [...browser.cookies].find(([name]) => name.startsWith('__Host-trefoil_login.'))?.[1].value ?? '';
    const midway = await dumpDatabase(server);
    expect(uid.length).toBeGreaterThan(20);
    expect(midway).not.toContain(uid);
    expect(midway).toContain('/v1/oauth/authorize/');
    const finished = await browser.post(page.path, { email: owner.email, password: owner.password });
    const resumed = await browser.get(new URL(finished.headers.location ?? '', server.baseUrl).pathname);
    const answer = new URL(resumed.headers.location ?? '', server.baseUrl);
    const code = answer.searchParams.get('code') ?? '';
    await browser.get(`${answer.pathname}${answer.search}`);
    const values = [
      login,
      session,
      uid,
      code,
      browser.cookie('__Host-trefoil_session'),
      browser.cookie(ACCESS),
      browser.cookie(REFRESH),
    ];
    const [kept, log] = [`${await dumpDatabase(server)}${await dumpRedis(server)}`, server.logText()];
    for (const value of values.filter(Boolean) as string[]) {
      expect(value.length).toBeGreaterThan(20);
      expect(kept).not.toContain(value);
      expect(log).not.toContain(value);
    }
    expect(values.filter(Boolean).length).toBeGreaterThanOrEqual(5);
    expect(log).not.toContain(owner.email);
  });

  test('the chain of every tenant of the person tells of it, with ids alone', async () => {
    const person = await addAccount(server, server.demo.tenantId, 'analyst');
    await server.query("insert into memberships (tenant_id, user_id, role) values ($1, $2, 'admin')", [
      server.other.tenantId,
      person.userId,
    ]);
    const browser = await signIn(server, person);
    await browser.post('/v1/auth/logout', {});
    for (const { tenantId } of [server.demo, server.other]) {
      const rows = (await auditOf(server, tenantId)).filter(({ actor }) => actor === person.userId);
      expect(rows.map(({ action }) => action)).toEqual(['person.signed-in', 'token.issued', 'person.signed-out']);
      expect(JSON.stringify(rows)).not.toContain('@');
    }
  });
});

describe('where a sign-in may lead', () => {
  const hostile = [
    'https://example.com/',
    '//example.com',
    '/\\example.com',
    '/%2fexample.com',
    '/%5cexample.com',
    '/%252f%252fexample.com',
    '/\t/example.com',
    '/.//example.com',
    'javascript:alert(1)',
    'livez',
    '',
  ];
  test.each(hostile)('400 validation-error: %j', async (returnTo) => {
    const reply = await send(server.baseUrl, {
      method: 'GET',
      path: `/v1/auth/login?returnTo=${encodeURIComponent(returnTo)}`,
    });
    expect(reply.status).toBe(400);
    expect(readError(reply).code).toBe('validation-error');
    expect(setCookies(reply)).toEqual([]);
  });

  test('400: given twice', async () => {
    const reply = await new Browser(server).get('/v1/auth/login?returnTo=/livez&returnTo=//example.com');
    expect(reply.status).toBe(400);
  });

  test('a cookie that was changed leads nowhere else either', async () => {
    const browser = new Browser(server);
    const page = await browser.open('/v1/auth/login');
    const [name = ''] = [...browser.cookies.keys()].filter((each) => each.startsWith('__Host-trefoil_login.'));
    const kept = browser.cookies.get(name);
    const state = kept?.value.split('.')[0] ?? '';
    browser.cookies.set(name, {
      ...{ path: '/', attributes: [] },
      value: `${state}.${Buffer.from('//example.com').toString('base64url')}`,
    });
    const back = await browser.follow(await browser.post(page.path, { email: owner.email, password: owner.password }));
    expect(back.reply.status).toBe(400);
    expect(browser.cookie(ACCESS)).toBeUndefined();
  });
});

describe('the way back', () => {
  /** Signs in as far as the answer of the provider, and does not follow it. */
  async function answerOf(browser: Browser): Promise<URL> {
    const page = await browser.open('/v1/auth/login');
    const finished = await browser.post(page.path, { email: owner.email, password: owner.password });
    const resumed = await browser.get(new URL(finished.headers.location ?? '', server.baseUrl).pathname);
    return new URL(resumed.headers.location ?? '', server.baseUrl);
  }
  const visit = (browser: Browser, url: URL) => browser.get(`${url.pathname}${url.search}`);

  function expectRefused(reply: Reply, browser: Browser): void {
    expect(reply.status).toBe(400);
    expect(reply.headers['content-type']).toContain('text/html');
    expect(browser.cookie(ACCESS)).toBeUndefined();
    expect(browser.cookie(REFRESH)).toBeUndefined();
  }

  test('303: as it comes, the answer is taken once', async () => {
    const browser = new Browser(server);
    const answer = await answerOf(browser);
    expect(answer.searchParams.get('iss')).toBe(server.baseUrl);
    expect((await visit(browser, answer)).status).toBe(303);
    expect(browser.cookie(ACCESS)).toBeDefined();
    browser.cookies.delete(ACCESS);
    browser.cookies.delete(REFRESH);
    expectRefused(await visit(browser, answer), browser);
  });

  test('400: somebody else’s answer, in a browser that began no sign-in', async () => {
    const answer = await answerOf(new Browser(server));
    const victim = new Browser(server);
    expectRefused(await visit(victim, answer), victim);
  });

  test('400: somebody else’s answer, in a browser that began its own', async () => {
    const answer = await answerOf(new Browser(server));
    const victim = new Browser(server);
    const own = await answerOf(victim);
    answer.searchParams.set('state', own.searchParams.get('state') ?? '');
    expectRefused(await visit(victim, answer), victim);
  });

  const bends: Record<string, (answer: URL) => void> = {
    'another state': (answer) => answer.searchParams.set('state', 'x'.repeat(43)),
    'a state that begins alike': (answer) =>
      answer.searchParams.set('state', `${answer.searchParams.get('state')?.slice(0, 8)}${'x'.repeat(35)}`),
    'no state': (answer) => answer.searchParams.delete('state'),
    'two states': (answer) => answer.searchParams.append('state', answer.searchParams.get('state') ?? ''),
    'another issuer': (answer) => answer.searchParams.set('iss', 'https://issuer.example.com'),
    'no issuer': (answer) => answer.searchParams.delete('iss'),
    'another code': (answer) => answer.searchParams.set('code', 'x'.repeat(43)),
    'no code': (answer) => answer.searchParams.delete('code'),
    'an error': (answer) => {
      answer.searchParams.delete('code');
      answer.searchParams.set('error', 'access_denied');
    },
  };
  test.each(Object.entries(bends))('400: %s', async (_name, bend) => {
    const browser = new Browser(server);
    const answer = await answerOf(browser);
    bend(answer);
    expectRefused(await visit(browser, answer), browser);
  });
});

describe('signing out', () => {
  test('303: cookies, sign-in and the provider’s session are over', async () => {
    const browser = await signIn(server, owner);
    const [access = '', refresh = '', session = ''] = [ACCESS, REFRESH, '__Host-trefoil_session'].map((name) =>
      browser.cookie(name),
    );
    const reply = await browser.post('/v1/auth/logout', {});
    expect(reply.status).toBe(303);
    expect(reply.headers.location).toBe('/v1/auth/signed-out');
    expect([...browser.cookies.keys()].filter((name) => /access|refresh|session/.test(name))).toEqual([]);
    // Whoever copied the tokens before has nothing either: refreshing fails at once, access within seconds.
    expect((await api(browser, 'GET', '/v1/my/profile', { cookie: `${REFRESH}=${refresh}` })).status).toBe(401);
    await eventually(async () =>
      expect((await api(browser, 'GET', '/v1/my/profile', { authorization: `Bearer ${access}` })).status).toBe(401),
    );
    browser.cookies.set('__Host-trefoil_session', { value: session, path: '/', attributes: [] });
    expect((await browser.open('/v1/auth/login')).path).toMatch(/sign-in/);
  });

  test('403: another site cannot do it', async () => {
    const browser = await signIn(server, owner);
    for (const origin of [undefined, 'null', 'https://example.com']) {
      expect((await browser.post('/v1/auth/logout', {}, { origin })).status).toBe(403);
    }
    expect((await api(browser, 'GET', '/v1/my/profile')).status).toBe(200);
  });

  test('303: whoever is not signed in is signed out all the same', async () => {
    expect((await new Browser(server).post('/v1/auth/logout', {})).status).toBe(303);
  });
});
