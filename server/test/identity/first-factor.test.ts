// The first factor of a person: a link sent to their address comes first, it works once and in the sign-in that follows it alone, and
// the owners of their companies are told (docs/decisions/0275-a-password-alone.md).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { setPassword } from '../../src/identity/factors/change-password.ts';
import { takeRecoveryCode } from '../../src/identity/factors/recovery-codes.ts';
import { createRingHash } from '../../src/lib/crypto/hash-ring.ts';
import { execute, sql } from '../../src/lib/postgres/sql.ts';
import { startServer, type TestServer } from '../harness.ts';
import { SoftAuthenticator } from '../support/authenticator.ts';
import { addAccount, Browser, signIn } from '../support/browser.ts';
import { runHere, sayHere } from '../support/command-line.ts';
import { linkOf, type Mailbox, startMailbox } from '../support/mailbox.ts';
import { addTenantWithOwner, auditOf } from '../support/people.ts';
import { SHORT_LOOK_UPS, SHORT_RESTS } from '../support/rests.ts';
import {
  addDeveloper,
  codeOf,
  enrolTotp,
  factorLinkOf,
  followFactorLink,
  forgetTotpStep,
  type Member,
  noteOf,
  secretOf,
} from '../support/sign-in.ts';
import type { Reply } from '../support/wire.ts';

const SECURITY = '/v1/auth/security';

let mailbox: Mailbox;
let server: TestServer;
beforeAll(async () => {
  mailbox = await startMailbox();
  server = await startServer({
    hostName: 'localhost',
    // Two requests about one person must be able to meet.
    environment: { ...mailbox.environment, TREFOIL_SYSTEM_DATABASE_CONNECTIONS: '6' },
    overrides: { rests: { ...SHORT_RESTS, ...SHORT_LOOK_UPS } },
  });
});
afterAll(async () => {
  await server?.close();
  await mailbox?.stop();
});

const addOne = () => addDeveloper(server);
const askForLink = (browser: Browser) => browser.post(`${SECURITY}/link`, {});
const countFactors = async ({ userId }: Member) => {
  const query = `select (select count(*) from user_totps where user_id = $1)
                      + (select count(*) from user_passkeys where user_id = $1) as count`;
  return Number((await server.query<{ count: string }>(query, [userId]))[0]?.count);
};

/** A passkey as the security page offers to add one; undefined where it does not. */
async function preparePasskey(browser: Browser): Promise<Record<string, string>> {
  const page = await browser.get(SECURITY);
  const [, options = ''] = /data-options="([^"]*)"/.exec(page.text) ?? [];
  const { challenge } = JSON.parse(options.replaceAll('&quot;', '"')) as { challenge: string };
  return { name: 'Key', note: noteOf(page), answer: new SoftAuthenticator(server.baseUrl).register(challenge) };
}

async function prepareTotp(browser: Browser): Promise<Record<string, string>> {
  const begun = await browser.post(`${SECURITY}/totp`, {});
  return { note: noteOf(begun), code: codeOf(secretOf(begun)) };
}

/** Two requests that meet at the person's row: both have begun when it is let go. */
async function together(userId: string, requests: () => Promise<Reply>[]): Promise<Reply[]> {
  const { sent: replies } = await server.database.asSystem(async (tx) => {
    await execute(tx, sql`select 1 from users where id = ${userId} for update`);
    const sent = requests();
    await eventually(async () => {
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      expect(await server.query(waiting)).toHaveLength(2);
    });
    return { sent };
  });
  return Promise.all(replies);
}

test('in a company that requires it: the mailed link, the app, the next sign-in, and then the company is open', async () => {
  const { tenantId } = await addTenantWithOwner(server);
  const [member, boss] = [await addAccount(server, tenantId, 'developer'), await addAccount(server, tenantId, 'owner')];
  const browser = new Browser(server);
  const { path } = await browser.open('/v1/auth/login');
  const { email, password } = member;
  const landed = await browser.follow(await browser.post(path, { email, password }));
  expect([landed.path, landed.reply.text.includes('requires a second factor')]).toEqual([SECURITY, true]);
  const wallet = () => browser.callApi('GET', `/${tenantId}/v1/wallet`);
  expect((await wallet()).text).toContain('"second-factor-required"');

  await askForLink(browser);
  const link = linkOf(await mailbox.wait(email));
  // Opening the link follows nothing yet.
  expect((await browser.get(new URL(link).pathname)).text).toContain('Continue');
  expect(secretOf(await browser.post(`${SECURITY}/totp`, {}))).toBe('');
  expect((await browser.post(new URL(link).pathname, {})).headers.location).toBe(`${SECURITY}?done=link`);
  const begun = await browser.post(`${SECURITY}/totp`, {});
  const secret = secretOf(begun);
  const done = await browser.post(`${SECURITY}/totp/confirm`, { note: noteOf(begun), code: codeOf(secret) });
  expect(done.text).toContain('Your recovery codes');
  // Set up is not proved: the company stays closed until the next sign-in.
  expect((await wallet()).status).toBe(403);
  expect((await browser.get(SECURITY)).text).toContain('Go on with your second factor');
  await forgetTotpStep(server, member);
  const stepUp = await browser.open('/v1/auth/login?stepUp=true');
  const home = await browser.follow(await browser.post(`${stepUp.path}/code`, { code: codeOf(secret) }));
  expect(home.path).toBe('/v1/auth/account');
  expect((await wallet()).status).toBe(200);

  const told = await mailbox.wait(boss.email);
  expect([told.subject, told.text.includes(email)]).toEqual(['A member of Test Claims set up a second factor', true]);
  expect((await auditOf(server, tenantId)).map(({ action }) => action)).toContain('factor.added');
  const queued = await server.query<{ kind: string; recipient: string; is_notice: boolean }>(
    'select kind, recipient, is_notice from mails where subject_id = $1 order by kind, recipient',
    [member.userId],
  );
  expect(queued.filter(({ recipient }) => recipient === email)).toEqual([
    { kind: 'factor-changed', recipient: email, is_notice: false },
  ]);
  // Both owners, and nobody else; no budget of notices can keep these back.
  const warnings = queued.filter(({ kind }) => kind === 'first-factor');
  expect(warnings.map(({ is_notice }) => is_notice)).toEqual([false, false]);
});

test('404: of twenty who follow one link at once exactly one does, and nobody afterwards', async () => {
  const member = await addOne();
  const browser = await signIn(server, member);
  await askForLink(browser);
  const path = await factorLinkOf(server, member.userId);
  const replies = await Promise.all(Array.from({ length: 20 }, () => browser.post(path, {})));
  expect(replies.filter(({ status }) => status === 303)).toHaveLength(1);
  expect(replies.filter(({ status }) => status === 404)).toHaveLength(19);
  expect((await browser.get(path)).status).toBe(404);
});

test('404: another person’s link, an old one, and one that was changed', async () => {
  const [member, stranger] = [await addOne(), await addOne()];
  const [browser, other] = [await signIn(server, member), await signIn(server, stranger)];
  await askForLink(browser);
  const path = await factorLinkOf(server, member.userId);
  const statuses = async (by: Browser, at: string) => [(await by.get(at)).status, (await by.post(at, {})).status];
  expect(await statuses(other, path)).toEqual([404, 404]);
  expect(
    await statuses(
      browser,
      path.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
    ),
  ).toEqual([404, 404]);
  await server.query(`update factor_links set created_at = now() - interval '31 minutes' where user_id = $1`, [
    member.userId,
  ]);
  expect(await statuses(browser, path)).toEqual([404, 404]);
  // Followed in time, and left lying too long.
  await followFactorLink(server, browser, member.userId);
  const begun = await prepareTotp(browser);
  await server.query(
    `update factor_links set followed_at = now() - interval '31 minutes' where sign_in_id is not null`,
  );
  expect(secretOf(await browser.post(`${SECURITY}/totp`, {}))).toBe('');
  await browser.post(`${SECURITY}/totp/confirm`, begun);
  expect(await countFactors(member)).toBe(0);
});

test('a visitor who is not signed in signs in first and comes back to the link', async () => {
  const member = await addOne();
  await askForLink(await signIn(server, member));
  const path = await factorLinkOf(server, member.userId);
  const elsewhere = new Browser(server);
  const page = await elsewhere.open(path);
  const { email, password } = member;
  expect((await elsewhere.follow(await elsewhere.post(page.path, { email, password }))).path).toBe(path);
});

test('two first factors at once: one is added, the other would be a second one and needs the first', async () => {
  const member = await addOne();
  const browser = await signIn(server, member);
  await followFactorLink(server, browser, member.userId);
  const [app, passkey] = [await prepareTotp(browser), await preparePasskey(browser)];
  const replies = await together(member.userId, () => [
    browser.post(`${SECURITY}/totp/confirm`, app),
    browser.post(`${SECURITY}/passkeys`, passkey),
  ]);
  expect(await countFactors(member)).toBe(1);
  expect(replies.filter(({ text }) => text.includes('Your recovery codes'))).toHaveLength(1);
});

test('one link, one factor: after the last factor is removed the next one needs a new link', async () => {
  const member = await addOne();
  const browser = await signIn(server, member);
  await enrolTotp(server, browser, member);
  expect(await sayHere(server, 'user', 'remove-factors', '--user', member.userId, '--yes')).toContain('Removed 1');
  const again = await signIn(server, member);
  expect(secretOf(await again.post(`${SECURITY}/totp`, {}))).toBe('');
  await enrolTotp(server, again, member);
  expect(await countFactors(member)).toBe(1);
  // The same for the sign-in that followed it, which goes on after a removal of its own.
  await server.query('delete from user_totps where user_id = $1', [member.userId]);
  expect(secretOf(await again.post(`${SECURITY}/totp`, {}))).toBe('');
});

test('400: a fourth link within an hour is not sent, also of two at once', async () => {
  const member = await addOne();
  const browser = await signIn(server, member);
  for (let link = 0; link < 2; link += 1) expect((await askForLink(browser)).status).toBe(303);
  const replies = await together(member.userId, () => [askForLink(browser), askForLink(browser)]);
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 400]);
  expect(await server.query('select 1 from factor_links where user_id = $1', [member.userId])).toHaveLength(3);
});

test('links from before a new password do not count: a thief who asked for three keeps nobody from a link', async () => {
  const member = await addOne();
  const thief = await signIn(server, member);
  for (let link = 0; link < 3; link += 1) await askForLink(thief);
  expect((await askForLink(thief)).status).toBe(400);
  const password = 'another long pass phrase';
  await server.database.asSystem((tx) => setPassword(tx, member.userId, password));
  const browser = await signIn(server, { ...member, password });
  for (let link = 0; link < 3; link += 1) expect((await askForLink(browser)).status).toBe(303);
  expect((await askForLink(browser)).status).toBe(400);
});

test('a link that was sent is in the audit log, and one that was refused is not', async () => {
  const member = await addOne();
  const browser = await signIn(server, member);
  for (let link = 0; link < 4; link += 1) await askForLink(browser);
  const asked = (await auditOf(server, server.demo.tenantId)).filter(({ subject }) => subject === member.userId);
  expect(asked.filter(({ action }) => action === 'factor.link-asked-for')).toEqual(
    Array(3).fill({ actor: member.userId, action: 'factor.link-asked-for', subject: member.userId, details: {} }),
  );
});

test('400: a person who has a factor gets no link, from the page or from the operator', async () => {
  const member = await addOne();
  const browser = await signIn(server, member);
  await enrolTotp(server, browser, member);
  const links = () => server.query('select 1 from factor_links where user_id = $1', [member.userId]);
  const before = await links();
  const refused = await askForLink(browser);
  expect([refused.status, refused.text.includes('You have a second factor already')]).toEqual([400, true]);
  const { code, stderr } = await runHere(server, 'user', 'factor-link', '--user', member.userId);
  expect([code, stderr.includes('The person has a second factor.')]).toEqual([1, true]);
  expect(await links()).toEqual(before);
});

test('a person whose only company is disabled is not led to the security page', async () => {
  const { tenantId } = await addTenantWithOwner(server);
  const member = await addAccount(server, tenantId, 'developer');
  const land = async () => {
    const browser = new Browser(server);
    const { path } = await browser.open('/v1/auth/login');
    const { email, password } = member;
    return (await browser.follow(await browser.post(path, { email, password }))).path;
  };
  expect(await land()).toBe(SECURITY);
  await server.query('update tenants set is_enabled = false where id = $1', [tenantId]);
  await eventually(async () => expect(await land()).toBe('/v1/auth/account'));
});

test('new recovery codes asked for twice at once: one answer shows the ten that work, the other says so', async () => {
  const member = await addOne();
  const browser = await signIn(server, member);
  const { secret } = await enrolTotp(server, browser, member);
  await forgetTotpStep(server, member);
  const stepUp = await browser.open(`/v1/auth/login?stepUp=true&returnTo=${SECURITY}`);
  await browser.follow(await browser.post(`${stepUp.path}/code`, { code: codeOf(secret) }));
  const renew = () => browser.post(`${SECURITY}/recovery-codes`, {});
  const replies = await together(member.userId, () => [renew(), renew()]);
  const codes = replies.flatMap(({ text }) => [...text.matchAll(/<li>([0-9a-z-]{14})<\/li>/g)].map(([, code]) => code));
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
  expect(replies.filter(({ text }) => text.includes('Another request changed your codes'))).toHaveLength(1);
  const hash = createRingHash(server.config.hashKeys, 'recovery-code');
  const right = await server.database.asSystem(async (tx) => {
    const taken: boolean[] = [];
    for (const code of codes) taken.push(await takeRecoveryCode(tx, hash, member.userId, code ?? ''));
    return taken;
  });
  expect(right).toEqual(Array(10).fill(true));
  expect(await server.query('select 1 from user_recovery_codes where user_id = $1', [member.userId])).toEqual([]);
});

test('the operator prints a link for a person whom mail does not reach, and the log says so', async () => {
  const member = await addOne();
  const said = await sayHere(server, 'user', 'factor-link', '--user', member.userId);
  const path = new URL(/http\S+/.exec(said)?.[0] ?? '').pathname;
  const browser = await signIn(server, member);
  expect((await browser.post(path, {})).status).toBe(303);
  expect(secretOf(await browser.post(`${SECURITY}/totp`, {}))).not.toBe('');
  expect(await auditOf(server, server.demo.tenantId)).toContainEqual({
    actor: 'operator',
    action: 'factor.link-made',
    subject: member.userId,
    details: {},
  });
});
