// What a sign-in's cookies are good for at the API, for how long, and what ends them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { purgePayloads } from '../../src/identity/provider/purge-payloads.ts';
import { PERSON_AGE_MS } from '../../src/identity/sessions/find-person.ts';
import { endOtherSignIns } from '../../src/identity/sessions/sign-in-store.ts';
import { startServer, type TestServer } from '../harness.ts';
import {
  ACCESS,
  type Account,
  addAccount,
  Browser,
  newCookie,
  REFRESH,
  setCookies,
  signIn,
} from '../support/browser.ts';
import { SHORT_LOOK_UPS } from '../support/rests.ts';
import { callFromPage, codeOf, enrolTotp, forgetTotpStep } from '../support/sign-in.ts';
import { readError, send } from '../support/wire.ts';

let server: TestServer;
let owner: Account & { userId: string };

beforeAll(async () => {
  server = await startServer({ overrides: { rests: SHORT_LOOK_UPS } });
  owner = await addAccount(server, server.demo.tenantId, 'owner');
});
afterAll(() => server.close());

const api = callFromPage(() => server);

describe('cookies at the API', () => {
  test('without the access token the refresh token makes a new one on the way', async () => {
    const browser = await signIn(server, owner);
    const before = browser.cookie(REFRESH);
    browser.cookies.delete(ACCESS);
    const reply = await api(browser, 'GET', '/v1/my/profile');
    expect(reply.status, reply.text).toBe(200);
    expect(newCookie(reply, ACCESS)).toBeDefined();
    expect(newCookie(reply, REFRESH)).toBeDefined();
    expect(newCookie(reply, REFRESH)).not.toBe(before);
    for (const line of setCookies(reply)) expect(line).toMatch(/Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=\d+$/);
  });

  test('50 requests at once with one refresh token: all are let in, with one and the same successor', async () => {
    const browser = await signIn(server, owner);
    browser.cookies.delete(ACCESS);
    const replies = await Promise.all(Array.from({ length: 50 }, () => api(browser, 'GET', '/v1/my/profile')));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(replies.map((reply) => newCookie(reply, REFRESH))).size).toBe(1);
    const [signInRow] = await server.query<{ count: number }>(
      'select refresh_count as count from sign_ins where user_id = $1 order by created_at desc limit 1',
      [owner.userId],
    );
    expect(signInRow?.count).toBe(1);
  });

  test('401: a request waits for one that refreshes at the same moment, and is judged by what that left', async () => {
    const browser = await signIn(server, owner);
    browser.cookies.delete(ACCESS);
    const [id] = browser.cookie(REFRESH)?.split('.') ?? [];
    await server.query('begin');
    await server.query(
      "update sign_ins set refresh_count = 2, refreshed_at = now() - interval '60 seconds' where id = $1",
      [id],
    );
    const waiting = api(browser, 'GET', '/v1/my/profile');
    await eventually(async () => {
      const [{ count } = { count: 0 }] = await server.query<{ count: number }>(
        "select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      expect(count).toBeGreaterThan(0);
    });
    await server.query('commit');
    expect((await waiting).status).toBe(401);
  });

  test('401: a refresh token that was replaced more than ten seconds ago ends the whole sign-in', async () => {
    const browser = await signIn(server, owner);
    const stolen = browser.cookie(REFRESH) ?? '';
    browser.cookies.delete(ACCESS);
    const fresh = newCookie(await api(browser, 'GET', '/v1/my/profile'), REFRESH) ?? '';
    const [id] = stolen.split('.');
    const cookie = (value: string) => ({ cookie: `${REFRESH}=${value}` });
    expect((await api(browser, 'GET', '/v1/my/profile', cookie(stolen))).status).toBe(200);
    await server.query("update sign_ins set refreshed_at = refreshed_at - interval '11 seconds' where id = $1", [id]);
    const reuse = await api(browser, 'GET', '/v1/my/profile', cookie(stolen));
    expect(reuse.status).toBe(401);
    expect(setCookies(reuse).every((line) => line.includes('Max-Age=0'))).toBe(true);
    const [row] = await server.query<{ ended: boolean }>(
      'select ended_at is not null as ended from sign_ins where id = $1',
      [id],
    );
    expect(row?.ended).toBe(true);
    expect((await api(browser, 'GET', '/v1/my/profile', cookie(fresh))).status).toBe(401);
  });

  const overs: Record<string, string> = {
    'eight hours without use':
      "update sign_ins set refreshed_at = refreshed_at - interval '8 hours 1 second' where id = $1",
    'a day': "update sign_ins set created_at = created_at - interval '24 hours 1 second' where id = $1",
    'its end': 'update sign_ins set ended_at = now() where id = $1',
  };
  test.each(Object.entries(overs))('401: a refresh token after %s', async (_name, change) => {
    const browser = await signIn(server, owner);
    browser.cookies.delete(ACCESS);
    await server.query(change, [browser.cookie(REFRESH)?.split('.')[0]]);
    expect((await api(browser, 'GET', '/v1/my/profile')).status).toBe(401);
  });

  test('401: refresh tokens that were bent, and other tokens in their place', async () => {
    const browser = await signIn(server, owner);
    const good = browser.cookie(REFRESH) ?? '';
    const [id = '', count = '', proof = ''] = good.split('.');
    const other = (await signIn(server, owner)).cookie(REFRESH)?.split('.') ?? [];
    const bent = [
      `${id}.${Number(count) + 1}.${proof}`,
      `${other[0]}.${count}.${proof}`,
      `${id}.0${count}.${proof}`,
      `${id}.${count}.${proof.slice(0, -2)}AA`,
      `${id}.${count}.`,
      `${id}.${count}`,
      '',
      'x',
      browser.cookie(ACCESS) ?? '',
    ];
    for (const value of bent) {
      const reply = await api(browser, 'GET', '/v1/my/profile', { cookie: `${REFRESH}=${value}` });
      expect(reply.status, value).toBe(401);
    }
    // None of these has ended the sign-in itself.
    expect((await api(browser, 'GET', '/v1/my/profile', { cookie: `${REFRESH}=${good}` })).status).toBe(200);
  });

  const origins: [string, Record<string, string>][] = [
    ['no origin', {}],
    ['another origin', { origin: 'https://example.com' }],
    ['a null origin', { origin: 'null' }],
    ['our host on another port', { origin: 'http://127.0.0.1:1' }],
    ['our origin as a part', { origin: 'http://127.0.0.1.example.com' }],
    ['a referrer alone', { referer: 'http://127.0.0.1/' }],
  ];
  test.each(origins)('403 forbidden: a change with cookies and %s', async (_name, headers) => {
    const browser = await signIn(server, owner);
    for (const hasAccess of [true, false]) {
      if (!hasAccess) browser.cookies.delete(ACCESS);
      const reply = await api(browser, 'POST', '/v1/my/tenants/select', headers);
      expect(reply.status).toBe(403);
      expect(readError(reply).code).toBe('forbidden');
      expect(setCookies(reply)).toEqual([]);
    }
  });

  test('200: a change with cookies and our own origin', async () => {
    const browser = await signIn(server, owner);
    const reply = await api(browser, 'POST', '/v1/my/tenants/select', { origin: server.baseUrl });
    expect(reply.status, reply.text).toBe(200);
  });

  test('a header wins over cookies: a bad one is refused, a good one needs no origin', async () => {
    const browser = await signIn(server, owner);
    const bad = await api(browser, 'GET', '/v1/my/profile', { authorization: 'Bearer garbage' });
    expect(bad.status).toBe(401);
    const empty = await api(browser, 'GET', '/v1/my/profile', { authorization: '' });
    expect(empty.status).toBe(401);
    const good = await api(browser, 'POST', '/v1/my/tenants/select', {
      authorization: `Bearer ${browser.cookie(ACCESS)}`,
    });
    expect(good.status, good.text).toBe(200);
  });

  test('401: a credential’s token in the cookie', async () => {
    const { demo, baseUrl } = server;
    const reply = await send(baseUrl, {
      method: 'POST',
      path: '/v1/oauth/token',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Basic ${Buffer.from(`${demo.clientId}:${demo.clientSecret}`).toString('base64')}`,
      },
      body: 'grant_type=client_credentials',
    });
    const cookie = `${ACCESS}=${JSON.parse(reply.text).access_token}`;
    expect((await api(new Browser(server), 'GET', '/v1/my/profile', { cookie })).status).toBe(401);
  });
});

describe('what a person may do follows the tables, on running sign-ins too', () => {
  test('roles, removal, disabled tenants and disabled people take effect within seconds', async () => {
    expect(PERSON_AGE_MS).toBeLessThanOrEqual(5_000);
    const person = await addAccount(server, server.demo.tenantId, 'owner');
    const browser = await signIn(server, person);
    const { tenantId } = server.demo;
    const wallet = async () => (await api(browser, 'GET', `/${tenantId}/v1/wallet`)).status;
    const change = (text: string) => server.query(text, [person.userId]);
    expect(await wallet()).toBe(200);
    await change('update memberships set removed_at = now() where user_id = $1');
    await eventually(async () => expect(await wallet()).toBe(403));
    await change("update memberships set removed_at = null, role = 'finance' where user_id = $1");
    await eventually(async () => expect(await wallet()).toBe(200));
    const generate = await api(browser, 'POST', `/${tenantId}/v1/credit-reports`, { origin: server.baseUrl });
    expect(generate.status).toBe(403);
    expect(generate.text).toContain('reports:write');
    await change('update users set is_enabled = false where id = $1');
    await eventually(async () => expect(await wallet()).toBe(401));
    const page = await browser.open('/v1/auth/login');
    expect(page.path).toMatch(/sign-in/);
  });

  test('ending the other sign-ins of a person ends their sessions too: no browser comes back by itself', async () => {
    const person = await addAccount(server, server.demo.tenantId, 'analyst');
    const [kept, lost] = [await signIn(server, person), await signIn(server, person)];
    const keep = kept.cookie(REFRESH)?.split('.')[0];
    // Begun and not finished: this must not tear the session from the sign-in that is kept.
    await kept.open('/v1/auth/login?stepUp=true');
    await server.database.asSystem((tx) => endOtherSignIns(tx, person.userId, keep));
    expect((await kept.open('/v1/auth/login?returnTo=/livez')).path).toBe('/livez');
    expect((await lost.open('/v1/auth/login?returnTo=/livez')).path).toMatch(/sign-in/);
    lost.cookies.delete(ACCESS);
    expect((await api(lost, 'GET', '/v1/my/profile')).status).toBe(401);
  });

  test('the selected tenant is remembered for a person', async () => {
    const person = await addAccount(server, server.demo.tenantId, 'analyst');
    await server.query("insert into memberships (tenant_id, user_id, role) values ($1, $2, 'admin')", [
      server.other.tenantId,
      person.userId,
    ]);
    const browser = await signIn(server, person);
    const list = async () => JSON.parse((await api(browser, 'GET', '/v1/my/tenants')).text);
    const flags = (items: { id: string; isSelected: boolean }[]) =>
      new Map(items.map(({ id, isSelected }) => [id, isSelected]));
    expect([...flags((await list()).items).values()]).toEqual([false, false]);
    expect((await api(browser, 'POST', '/v1/my/tenants/select', { origin: server.baseUrl })).status).toBe(200);
    const after = await list();
    expect(after.total).toBe(2);
    expect(flags(after.items).get(server.demo.tenantId)).toBe(true);
    expect(flags(after.items).get(server.other.tenantId)).toBe(false);
    expect(after.items.find(({ id }: { id: string }) => id === server.other.tenantId)).toMatchObject({ role: 'admin' });
  });

  test('a fresh second factor is asked for by the page, not by the password’s', async () => {
    const browser = await signIn(server, owner);
    const page = await browser.open('/v1/auth/login?stepUp=true&returnTo=/livez');
    expect(page.path).toMatch(/sign-in/);
    expect(page.reply.text).not.toContain('current-password');
  });

  test('403 step-up-required: what needs a fresh second factor gets it through the page, and works again', async () => {
    const person = await addAccount(server, server.demo.tenantId, 'owner');
    const browser = await signIn(server, person);
    const path = `/${server.demo.tenantId}/v1/credentials`;
    const create = () =>
      browser.callApi('POST', path, {
        headers: { origin: server.baseUrl },
        body: { name: 'Portal', scopes: ['reports:read'] },
      });
    const refused = await create();
    expect(refused.status).toBe(403);
    expect(readError(refused).code).toBe('step-up-required');
    expect(refused.headers['www-authenticate']).toContain('acr_values="urn:trefoil:2fa"');
    const { secret } = await enrolTotp(server, browser, person);
    await forgetTotpStep(server, person);
    const before = browser.cookie(REFRESH)?.split('.')[0];
    const page = await browser.open('/v1/auth/login?stepUp=true&returnTo=/livez');
    expect(page.reply.text).not.toContain('current-password');
    expect((await browser.follow(await browser.post(`${page.path}/code`, { code: codeOf(secret) }))).path).toBe(
      '/livez',
    );
    const after = browser.cookie(REFRESH)?.split('.')[0];
    expect(after).not.toBe(before);
    expect(await server.query('select 1 from sign_ins where id = $1 and ended_at is null', [before])).toEqual([]);
    const created = await create();
    expect(created.status, created.text).toBe(200);
    await server.query("update sign_ins set second_factor_at = now() - interval '11 minutes' where id = $1", [after]);
    await eventually(async () => expect((await create()).status).toBe(403));
  });
});

test('sign-ins of a month ago are forgotten, and no others', async () => {
  const [old, young] = [await signIn(server, owner), await signIn(server, owner)];
  const [oldId, youngId] = [old, young].map((browser) => browser.cookie(REFRESH)?.split('.')[0]);
  await server.query("update sign_ins set created_at = now() - interval '31 days' where id = $1", [oldId]);
  await purgePayloads(server.database);
  const left = await server.query<{ id: string }>('select id from sign_ins where id = any ($1)', [[oldId, youngId]]);
  expect(left.map(({ id }) => id)).toEqual([youngId]);
});
