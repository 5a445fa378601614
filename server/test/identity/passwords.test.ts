// Passwords through the pages: nobody learns who has an account, guessing is slow however it is spread, and a new
// password ends what the old one began.
import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { newId } from '../../src/lib/ids.ts';
import { createLinkTokens } from '../../src/mail/link-tokens.ts';
import { startServer, type TestServer } from '../harness.ts';
import { type Account, Browser } from '../support/browser.ts';
import { jsonHere } from '../support/command-line.ts';
import { auditOf } from '../support/people.ts';
import { SHORT_LOOK_UPS } from '../support/rests.ts';
import { addDeveloper, visitFrom as from, newAddress, openSignIn as openSignInPage } from '../support/sign-in.ts';
import type { Reply } from '../support/wire.ts';

const BREACHED = 'a breached password';
const WRONG = 'The e-mail address or the password is not right.';
const LOCKED = 'There were too many attempts.';

let server: TestServer;
beforeAll(async () => {
  const list = join(mkdtempSync(join(tmpdir(), 'trefoil-')), 'breached.txt');
  writeFileSync(list, `${createHash('sha1').update(BREACHED).digest('hex').toUpperCase()}:12\n`);
  // Behind a proxy, so that each test has addresses of its own.
  server = await startServer({
    overrides: { rests: SHORT_LOOK_UPS },
    environment: {
      TREFOIL_TRUSTED_PROXIES: '127.0.0.1',
      TREFOIL_BREACHED_PASSWORDS_FILE: list,
      // On a busy machine a node must not begin to count alone in the middle of a test.
      TREFOIL_REDIS_TIMEOUT_MS: '5000',
    },
  });
});
afterAll(() => server.close());

const addOne = () => addDeveloper(server);
const openSignIn = () => openSignInPage(server);

async function guess(account: Account, ip = newAddress()): Promise<Reply> {
  const { browser, path } = await openSignIn();
  return browser.post(path, { ...account }, from(ip));
}

async function signIn(account: Account): Promise<Browser> {
  const { browser, path } = await openSignIn();
  const reply = await browser.post(path, { ...account }, from(newAddress()));
  expect(reply.status).toBe(303);
  const { reply: arrived } = await browser.follow(reply);
  expect(arrived.text).toContain(account.email);
  return browser;
}

/** What differs between any two pages: the sign-in's id and its challenge, and what the person typed. */
const withoutIds = (text: string) =>
  text
    .replace(/sign-in\/[\w-]+/g, '')
    .replace(/data-options="[^"]*"/g, '')
    .replace(/value="[^"]*"/g, '');

test('400: an unknown address, a wrong password, a disabled person and one without a password get the same answer', async () => {
  const [known, disabled, without] = [await addOne(), await addOne(), await addOne()];
  await server.query('update users set is_enabled = false where id = $1', [disabled.userId]);
  await server.query('delete from user_passwords where user_id = $1', [without.userId]);
  const unknown = { email: `nobody-${newId()}@example.com`, password: 'some other password' };
  const answers = await Promise.all([
    guess(unknown),
    guess({ ...known, password: 'some other password' }),
    guess(disabled),
    guess(without),
  ]);
  for (const { status, text } of answers) {
    expect(status).toBe(400);
    expect(text).toContain(WRONG);
    expect(withoutIds(text)).toBe(withoutIds(answers[0]?.text ?? ''));
  }
});

test('an unknown address costs as much work as a wrong password', async () => {
  const known = await addOne();
  /** In processor time of this process, the server's threads included: a busy machine does not change it. */
  async function workOf(email: string): Promise<number> {
    const { browser, path } = await openSignIn();
    const before = process.cpuUsage();
    await browser.post(path, { email, password: 'some other password' }, from(newAddress()));
    const { user, system } = process.cpuUsage(before);
    return user + system;
  }
  const work: { known: number[]; unknown: number[] } = { known: [], unknown: [] };
  for (let round = 0; round < 7; round += 1) {
    work.known.push(await workOf(known.email));
    work.unknown.push(await workOf(`nobody-${newId()}@example.com`));
  }
  const median = (list: number[]) => list.toSorted((a, b) => a - b)[3] ?? 0;
  // Without the hash it would be a small part of it.
  expect(median(work.unknown)).toBeGreaterThan(median(work.known) * 0.5);
});

test('fifty guesses at once on one account: ten are judged, and then the right password is refused too', async () => {
  const account = await addOne();
  const { browser, path } = await openSignIn();
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      browser.post(path, { email: account.email, password: `guess number ${index}` }, from(newAddress())),
    ),
  );
  expect(replies.filter(({ text }) => text.includes(WRONG))).toHaveLength(10);
  expect(replies.filter(({ text }) => text.includes(LOCKED))).toHaveLength(40);
  const late = await guess(account);
  expect([late.status, late.text.includes(LOCKED)]).toEqual([429, true]);
  expect(Number(late.headers['retry-after'])).toBeGreaterThan(0);
});

const networks: Record<string, { readonly failing: (index: number) => string; readonly same: string }> = {
  'an IPv4 address': { failing: () => '198.51.100.7', same: '198.51.100.7' },
  'an IPv6 network': { failing: (index) => `2001:db8:1:2::${index + 1}`, same: '2001:db8:1:2:ffff::1' },
};
for (const [name, { failing, same }] of Object.entries(networks)) {
  test(`ten failures a minute from ${name}, whosever accounts, and then none of its guesses is judged`, async () => {
    for (let index = 0; index < 10; index += 1) {
      const nobody = { email: `nobody-${newId()}@example.com`, password: 'some other password' };
      expect((await guess(nobody, failing(index))).text).toContain(WRONG);
    }
    const account = await addOne();
    expect((await guess(account, same)).text).toContain(LOCKED);
    expect((await guess(account)).status).toBe(303);
  });
}

test('a right password is not held against anybody: a dozen sign-ins in a row', async () => {
  const account = await addOne();
  const ip = newAddress();
  for (let round = 0; round < 12; round += 1) expect((await guess(account, ip)).status).toBe(303);
});

test('an address in another case, or with blanks around it, is the same account and shares its count', async () => {
  const account = await addOne();
  expect((await guess({ ...account, email: ` ${account.email.toUpperCase()} ` })).status).toBe(303);
});

test('a wrong password is in the audit log of the person’s tenants, and names nobody as its author', async () => {
  const account = await addOne();
  await guess({ ...account, password: 'some other password' });
  await eventually(async () =>
    expect((await auditOf(server, server.demo.tenantId)).filter(({ subject }) => subject === account.userId)).toEqual([
      { actor: 'system', action: 'person.sign-in-failed', subject: account.userId, details: { proof: 'password' } },
    ]),
  );
});

test('403 forbidden: a form from another site, or from nowhere, is not read', async () => {
  const account = await addOne();
  const { browser, path } = await openSignIn();
  for (const origin of [undefined, 'null', 'https://evil.example.com', `${server.baseUrl}.evil.example.com`]) {
    expect((await browser.post(path, { ...account }, { origin })).status).toBe(403);
  }
});

test('only an argon2id hash is kept, of the kind the record names', async () => {
  const { userId } = await addOne();
  const [row] = await server.query<{ hash: string }>('select hash from user_passwords where user_id = $1', [userId]);
  expect(row?.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

test('a changed password: the old one is over, other sign-ins end, a mail and an audit row tell', async () => {
  const account = await addOne();
  const [here, elsewhere] = [await signIn(account), await signIn(account)];
  const change = (current: string, chosen: string) =>
    here.post('/v1/auth/security/password', { current, chosen }, from(newAddress()));
  expect((await change('not the password', 'a new long password')).text).toContain('This password is not right.');
  expect((await change(account.password, 'short')).text).toContain('at least 12 characters');
  expect((await change(account.password, BREACHED)).text).toContain('in a list of stolen passwords');
  expect((await change(account.password, account.email)).text).toContain('too close to your e-mail address');
  expect((await change(account.password, 'a new long password')).status).toBe(303);
  expect((await guess(account)).text).toContain(WRONG);
  expect((await guess({ ...account, password: 'a new long password' })).status).toBe(303);
  expect((await here.get('/v1/auth/account')).status).toBe(200);
  // The other browser must prove itself again: neither its cookies nor its session at the provider will do.
  await eventually(async () =>
    expect((await elsewhere.open('/v1/auth/account')).path).toMatch(/^\/v1\/auth\/sign-in\//),
  );
  const mails = await server.query('select kind, recipient from mails where subject_id = $1', [account.userId]);
  expect(mails).toEqual([{ kind: 'password-changed', recipient: account.email }]);
  const audit = (await auditOf(server, server.demo.tenantId)).filter(({ subject }) => subject === account.userId);
  expect(audit.map(({ action }) => action)).toContain('password.changed');
  expect(JSON.stringify(audit)).not.toContain('@');
});

const linkTokens = () => createLinkTokens(server.config.hashKeys);

async function askForReset(email: string, ip = newAddress()): Promise<Reply> {
  return new Browser(server).post('/v1/auth/forgotten-password', { email }, from(ip));
}

async function resetPathOf({ userId }: { readonly userId: string }): Promise<string> {
  const list = () =>
    server.query<{ id: string }>('select id from password_resets where user_id = $1 order by id desc', [userId]);
  await eventually(async () => expect((await list()).length).toBeGreaterThan(0));
  const [newest] = await list();
  return `/v1/auth/reset-password/${linkTokens().make('password-reset', newest?.id ?? '')}`;
}

test('a forgotten password: the same page for every address, a mail only for a known one, three an hour', async () => {
  const account = await addOne();
  const unknown = `nobody-${newId()}@example.com`;
  const [known, nobody] = [await askForReset(account.email), await askForReset(unknown)];
  expect(known.status).toBe(200);
  expect(nobody.text).toBe(known.text);
  await resetPathOf(account);
  await Promise.all(Array.from({ length: 20 }, () => askForReset(account.email)));
  const count = async (email: string) =>
    (await server.query(`select 1 from mails where recipient = $1 and kind = 'password-reset'`, [email])).length;
  await eventually(async () => expect(await count(account.email)).toBe(3));
  // Once the last of them is through, there are still three.
  const later = await addOne();
  await askForReset(later.email);
  await resetPathOf(later);
  expect(await count(account.email)).toBe(3);
  expect(await count(unknown)).toBe(0);
});

test('429: an address that asks for more than ten resets an hour', async () => {
  const ip = newAddress();
  for (let round = 0; round < 10; round += 1) expect((await askForReset('nobody@example.com', ip)).status).toBe(200);
  expect((await askForReset('nobody@example.com', ip)).status).toBe(429);
});

test('a reset link sets one password, once, of twenty who follow it at once; every sign-in ends', async () => {
  const account = await addOne();
  const browser = await signIn(account);
  await askForReset(account.email);
  const path = await resetPathOf(account);
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, index) => new Browser(server).post(path, { password: `a new password ${index}` })),
  );
  expect(replies.filter(({ text }) => text.includes('Your password is changed'))).toHaveLength(1);
  expect(replies.filter(({ status }) => status === 404)).toHaveLength(19);
  expect((await guess(account)).text).toContain(WRONG);
  const chosen = replies.findIndex(({ status }) => status === 200);
  expect((await guess({ ...account, password: `a new password ${chosen}` })).status).toBe(303);
  await eventually(async () => expect((await browser.open('/v1/auth/account')).path).toMatch(/^\/v1\/auth\/sign-in\//));
});

test('404: a reset link that is too old, used, of another kind or not ours', async () => {
  const account = await addOne();
  await askForReset(account.email);
  const path = await resetPathOf(account);
  const browser = new Browser(server);
  expect((await browser.get(path)).status).toBe(200);
  const id = path.split('/').at(-1)?.split('.')[0] ?? '';
  const forged = `/v1/auth/reset-password/${linkTokens().make('invitation', id)}`;
  for (const bad of [forged, path.slice(0, -1), '/v1/auth/reset-password/x']) {
    expect((await browser.get(bad)).status).toBe(404);
    expect((await browser.post(bad, { password: 'a new long password' })).status).toBe(404);
  }
  await server.query(`update password_resets set created_at = now() - interval '30 minutes' where id = $1`, [id]);
  expect((await browser.get(path)).status).toBe(404);
  expect((await browser.post(path, { password: 'a new long password' })).status).toBe(404);
  expect((await guess(account)).status).toBe(303);
});

test('the operator’s reset link sets a password once', async () => {
  const account = await addOne();
  const { link } = await jsonHere<{ link: string }>(server, 'user', 'reset-link', '--user', account.userId);
  const path = link.slice(server.baseUrl.length);
  const browser = new Browser(server);
  expect((await browser.post(path, { password: 'a new long password' })).status).toBe(200);
  expect((await browser.post(path, { password: 'another long password' })).status).toBe(404);
  expect((await guess({ ...account, password: 'a new long password' })).status).toBe(303);
});

test('pages: nothing is loaded, framed, kept or told to others', async () => {
  const { browser, path } = await openSignIn();
  const { headers } = await browser.get(path);
  expect(headers['content-security-policy']).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; img-src data:; base-uri 'none'; form-action 'self' http:\/\/127\.0\.0\.1:\d+; frame-ancestors 'none'$/,
  );
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
  });
});

test('no address and no password reaches the logs', async () => {
  const logged = server.logText();
  for (const word of ['@example.com', 'some other password', 'a new long password', 'pass-', BREACHED]) {
    expect(logged.includes(word), word).toBe(false);
  }
});
