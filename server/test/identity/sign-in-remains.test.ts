// What is left over or on its way when something else happens: half-finished sign-ins and a changed password, cookies of
// sign-ins nobody finishes, a refused refresh, texts no database keeps, and a database that is away.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { setPassword } from '../../src/identity/factors/change-password.ts';
import { makeResetPath } from '../../src/identity/factors/recover-person.ts';
import { createLinkTokens } from '../../src/mail/link-tokens.ts';
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
  requestToken,
  type TestApp,
} from '../support/apps.ts';
import { ACCESS, type Account, addAccount, Browser, REFRESH, signIn } from '../support/browser.ts';
import { codeOf, enrolTotp, forgetTotpStep, openSignIn } from '../support/sign-in.ts';

const CHOSEN = 'violet harbour seventeen';

let server: TestServer;
let app: TestApp;
beforeAll(async () => {
  server = await startServer();
  app = await addApp(server);
});
afterAll(() => server.close());

/** With a password of some age, as people have. */
async function newOwner() {
  const owner = await addAccount(server, server.demo.tenantId, 'owner');
  const query = `update user_passwords set changed_at = changed_at - interval '1 minute' where user_id = $1`;
  await server.query(query, [owner.userId]);
  return owner;
}

async function resetPassword({ userId }: { readonly userId: string }): Promise<void> {
  const path = await makeResetPath(server.database, createLinkTokens(server.config.hashKeys), userId);
  expect((await new Browser(server).post(path, { password: CHOSEN })).status).toBe(200);
}

/** The password was right; the browser has not yet followed to where the provider takes note. */
async function halfSignIn({ email, password }: Account) {
  const { browser, path } = await openSignIn(server);
  return { browser, answer: await browser.post(path, { email, password }) };
}

describe('after a forgotten password was replaced', () => {
  test('400: a sign-in that the old password began cannot be finished', async () => {
    const owner = await newOwner();
    const { browser, answer } = await halfSignIn(owner);
    await resetPassword(owner);
    expect((await browser.follow(answer)).reply.status).toBe(400);
    expect(browser.cookie(ACCESS)).toBeUndefined();
    expect((await signIn(server, { ...owner, password: CHOSEN })).cookie(ACCESS)).toBeDefined();
  });

  test('400 invalid_grant: a code that the old password got is worth nothing', async () => {
    const owner = await newOwner();
    const code = await getCode(server, app, owner);
    await resetPassword(owner);
    expect((await exchange(server, code)).status).toBe(400);
  });

  test('of the sign-ins that were under way at that moment none is left', async () => {
    const owner = await newOwner();
    let isOver = false;
    const others = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        const { browser, answer } = await halfSignIn(owner);
        await browser.follow(answer);
      }
    });
    await eventually(async () =>
      expect(await server.query('select 1 from sign_ins where user_id = $1', [owner.userId])).not.toEqual([]),
    );
    await resetPassword(owner);
    isOver = true;
    await Promise.all(others);
    const running = 'select 1 from sign_ins where user_id = $1 and ended_at is null';
    expect(await server.query(running, [owner.userId])).toEqual([]);
  });
});

test('400 invalid_grant: a code whose password was changed before the exchange, however it got past the change', async () => {
  const owner = await newOwner();
  const code = await getCode(server, app, owner);
  // The change alone, without the end of what came before it.
  await server.database.asSystem((tx) => setPassword(tx, owner.userId, CHOSEN));
  expect((await exchange(server, code)).status).toBe(400);
});

describe('a session that ended while a request with it was under way does not come back with that request', () => {
  const LOCK = 4_711;
  /** The thief is at another node: while a statement waits, the look-ups of its node wait behind it. */
  let node: Awaited<ReturnType<TestServer['startNode']>>;
  const signInThief = (account: Account) =>
    signIn(Object.assign({}, server, { nextNode: () => node.baseUrl }), account);
  beforeAll(async () => {
    node = await server.startNode();
    // A request that gets a code writes its grant after it has read the session, and before it writes the session back.
    await server.query(
      `create function wait_for_test() returns trigger language plpgsql as
         $$ begin perform pg_advisory_xact_lock(${LOCK}); return new; end $$`,
    );
    await server.query(
      `create trigger wait_for_test before insert on oidc_payloads
         for each row when (new.model = 'Grant') execute function wait_for_test()`,
    );
  });
  afterAll(async () => {
    await server.query('drop function wait_for_test cascade');
    await node.close();
  });

  /** The thief's browser begins one more sign-in with the session, which ends meanwhile. */
  async function overtake(thief: Browser, end: () => Promise<unknown>): Promise<void> {
    await server.query(`select pg_advisory_lock(${LOCK})`);
    const underWay = thief.open('/v1/auth/login?returnTo=/livez');
    try {
      const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`;
      await eventually(async () => expect(await server.query(waiting)).toHaveLength(1));
      await end();
    } finally {
      await server.query(`select pg_advisory_unlock(${LOCK})`);
    }
    expect((await underWay).reply.status).toBe(400);
    expect((await thief.open('/v1/auth/login?returnTo=/livez')).path).toContain('/v1/auth/sign-in/');
  }

  test('400: the person ended that sign-in on the security page', async () => {
    const owner = await newOwner();
    const [own, thief] = [await signIn(server, owner), await signInThief(owner)];
    const id = thief.cookie(REFRESH)?.split('.')[0] ?? '';
    await overtake(thief, () => own.post('/v1/auth/security/sign-ins/end', { id }));
  });

  test('400: the person chose a new password, although the session has proved a second factor', async () => {
    const owner = await newOwner();
    const thief = await signInThief(owner);
    const { secret } = await enrolTotp(server, thief, owner);
    await forgetTotpStep(server, owner);
    const { path } = await thief.open('/v1/auth/login?stepUp=true');
    await thief.follow(await thief.post(`${path}/code`, { code: codeOf(secret) }));
    await overtake(thief, () => resetPassword(owner));
  });
});

test('the session in which a password was changed goes on, for applications too', async () => {
  const owner = await newOwner();
  const browser = await signIn(server, owner);
  const fields = { current: owner.password, chosen: CHOSEN };
  expect((await browser.post('/v1/auth/security/password', fields)).headers.location).toContain('done=password');
  const verifier = newVerifier();
  const answer = await authorize(browser, authorizePath(goodParams(app, verifier)), owner);
  const code = answer.searchParams.get('code') ?? '';
  expect((await exchange(server, { app, code, verifier })).status).toBe(200);
});

test('an application’s question that was open when the password was changed can still be answered in that session', async () => {
  const owner = await newOwner();
  const browser = await signIn(server, owner);
  const question = await browser.open(authorizePath(goodParams(app, newVerifier())));
  const fields = { current: owner.password, chosen: CHOSEN };
  await browser.post('/v1/auth/security/password', fields);
  const { reply } = await browser.follow(await browser.post(question.path, { decision: 'allow' }));
  expect(reply.headers.location).toContain('code=');
});

test('sign-ins that nobody finishes do not fill the browser with cookies', async () => {
  const browser = new Browser(server);
  for (let begun = 0; begun < 20; begun += 1) {
    expect((await browser.get(`/v1/auth/login?returnTo=/${'x'.repeat(1_000)}`)).status).toBe(303);
  }
  expect([...browser.cookies.keys()].filter((name) => name.startsWith('__Host-trefoil_login.'))).toHaveLength(6);
});

test('400 invalid_scope: the refresh token is as good as before', async () => {
  const { refresh_token } = await getTokens(server, app, await newOwner());
  const refresh = (scope?: string) =>
    requestToken(server, { grant_type: 'refresh_token', refresh_token, ...(scope && { scope }) }, app);
  expect((await refresh('wallet:write')).status).toBe(400);
  const id = refresh_token.split('.')[0];
  expect(await server.query('select refresh_count as count from sign_ins where id = $1', [id])).toEqual([{ count: 0 }]);
  expect((await refresh()).status).toBe(200);
});

describe('a text with the character that no database keeps is refused, never a fault of ours', () => {
  for (const name of ['state', 'nonce', 'login_hint', 'ui_locales', 'acr_values', 'display']) {
    test(`303 invalid_request: ${name} of an application`, async () => {
      const path = authorizePath({ ...goodParams(app, newVerifier()), [name]: 'a\0b' });
      expect((await new Browser(server).get(path)).headers.location).toContain('error=invalid_request');
    });
  }
  test('400: at the provider’s sign-out, and in a form', async () => {
    const { browser } = await halfSignIn(await newOwner());
    expect((await browser.get('/v1/oauth/logout?state=%00')).status).toBe(400);
    const { path } = await browser.open('/v1/auth/login?stepUp=true');
    expect((await browser.post(path, { email: 'a\0b@example.com', password: 'x' })).status).toBe(400);
  });
  test('303: the letters of its escape are only letters', async () => {
    const path = authorizePath({ ...goodParams(app, newVerifier()), state: '\\u0000' });
    expect((await new Browser(server).get(path)).headers.location).toContain('/v1/auth/sign-in/');
  });
});

test('no page of the library’s own can be framed', async () => {
  const browser = await signIn(server, await newOwner());
  const params = { ...goodParams(app, newVerifier()), response_mode: 'form_post' };
  const question = await browser.open(authorizePath(params));
  const { reply } = await browser.follow(await browser.post(question.path, { decision: 'allow' }));
  expect(reply.text).toContain('name="code"');
  expect(reply.headers['x-frame-options']).toBe('DENY');
  expect(reply.headers['content-security-policy']).toContain("frame-ancestors 'none'");
});

test('503 service-unavailable: every page says so while the database is away, and takes nobody’s cookies', async () => {
  const owner = await newOwner();
  const signedIn = await signIn(server, owner);
  const browser = new Browser(server);
  const { path } = await browser.open('/v1/auth/login');
  await server.query(`alter database "${server.databaseName}" with connection limit 0`);
  await server.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and usename in ('trefoil_app', 'trefoil_system')`,
  );
  const replies = [
    await browser.get(path),
    await browser.post(path, owner),
    (await new Browser(server).open('/v1/auth/login')).reply,
    await new Browser(server).get(authorizePath(goodParams(app, newVerifier()))),
    await signedIn.get('/v1/auth/account'),
    await signedIn.get('/v1/oauth/logout'),
    await signedIn.post('/v1/auth/logout', {}),
  ];
  await server.query(`alter database "${server.databaseName}" with connection limit -1`);
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 503));
  expect(replies.map(({ headers }) => headers['retry-after'])).toEqual(replies.map(() => '2'));
  expect(signedIn.cookie(ACCESS)).toBeDefined();
});
