// Second factors through the pages: enrolment, guessing, codes that are right once, and what must be proved before a
// factor changes.
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { checkSecondFactor, type FactorCode } from '../../src/identity/factors/check-second-factor.ts';
import { createSecretSeal } from '../../src/identity/factors/seal-secret.ts';
import { createRingHash } from '../../src/lib/crypto/hash-ring.ts';
import { startServer, type TestServer } from '../harness.ts';
import { Browser, signIn } from '../support/browser.ts';
import { jsonHere, sayHere } from '../support/command-line.ts';
import { auditOf } from '../support/people.ts';
import { SHORT_LOOK_UPS } from '../support/rests.ts';
import {
  addDeveloper,
  codeOf,
  enrolTotp,
  followFactorLink,
  forgetTotpStep,
  type Member,
  noteOf,
  openSignIn,
  secretOf,
  visitFrom,
} from '../support/sign-in.ts';

const SECURITY = '/v1/auth/security';
const WRONG = 'This code is not right, or was used already.';
const LOCKED = 'There were too many wrong codes.';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({
    environment: { TREFOIL_TRUSTED_PROXIES: '127.0.0.1' },
    overrides: { rests: SHORT_LOOK_UPS },
  });
});
afterAll(() => server.close());

const addOne = () => addDeveloper(server);
const forgetStep = (member: Member) => forgetTotpStep(server, member);

/** A code that is right at no time near now. */
function wrongCode(secret: string): string {
  const generator = new TOTP({ secret: Secret.fromBase32(secret) });
  const near = [-2, -1, 0, 1, 2].map((step) => generator.generate({ timestamp: Date.now() + step * 30_000 }));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.includes(code)) ?? '';
}

async function addEnrolled() {
  const member = await addOne();
  const browser = await signIn(server, member);
  return { member, browser, ...(await enrolTotp(server, browser, member)) };
}

/** As far as the second step of a sign-in. */
async function openSecondStep(member: Member): Promise<{ browser: Browser; path: string }> {
  const { browser, path } = await openSignIn(server);
  const { reply } = await browser.follow(
    await browser.post(path, { email: member.email, password: member.password }, visitFrom()),
  );
  expect(reply.text).toContain('Second step');
  return { browser, path };
}

const actionsOf = async ({ userId }: Member) =>
  (await auditOf(server, server.demo.tenantId)).filter(({ subject }) => subject === userId).map(({ action }) => action);

test('an app is enrolled by a right code; its secret is sealed and its recovery codes are hashes', async () => {
  const member = await addOne();
  const browser = await signIn(server, member);
  await followFactorLink(server, browser, member.userId);
  const begun = await browser.post(`${SECURITY}/totp`, {});
  const secret = secretOf(begun);
  const refused = await browser.post(`${SECURITY}/totp/confirm`, { note: noteOf(begun), code: wrongCode(secret) });
  expect(refused.status).toBe(400);
  // The same secret again, since it is in the person's app by now.
  expect(secretOf(refused)).toBe(secret);
  expect(await server.query('select 1 from user_totps where user_id = $1', [member.userId])).toEqual([]);
  const done = await browser.post(`${SECURITY}/totp/confirm`, { note: noteOf(refused), code: codeOf(secret) });
  const codes = [...done.text.matchAll(/<li>([0-9a-z-]{14})<\/li>/g)];
  expect(new Set(codes.map(([, code]) => code)).size).toBe(10);
  const [row] = await server.query<{ sealed: string; enabled: boolean }>(
    `select encode(sealed_secret, 'escape') as sealed, totp_enabled as enabled
       from user_totps join users on users.id = user_id where user_id = $1`,
    [member.userId],
  );
  expect(row?.enabled).toBe(true);
  expect(row?.sealed).not.toContain(secret);
  const mails = await server.query('select kind from mails where subject_id = $1', [member.userId]);
  // And one to each owner of the company (first-factor.test.ts).
  expect(mails).toContainEqual({ kind: 'factor-changed' });
  expect(await actionsOf(member)).toContain('factor.added');
});

test('the sealed secret of one person is no good in the form of another', async () => {
  const [me, them] = [await addOne(), await addOne()];
  const [mine, theirs] = [await signIn(server, me), await signIn(server, them)];
  await followFactorLink(server, mine, me.userId);
  await followFactorLink(server, theirs, them.userId);
  const begun = await mine.post(`${SECURITY}/totp`, {});
  const stolen = await theirs.post(`${SECURITY}/totp/confirm`, { note: noteOf(begun), code: codeOf(secretOf(begun)) });
  expect(stolen.text).toContain('Setting up took too long.');
});

test('fifty wrong codes at once: five are judged, the right one is refused, and after a quarter of an hour all is open', async () => {
  const { member, secret } = await addEnrolled();
  await forgetStep(member);
  const { browser, path } = await openSecondStep(member);
  const code = wrongCode(secret);
  const replies = await Promise.all(Array.from({ length: 50 }, () => browser.post(`${path}/code`, { code })));
  expect(replies.filter(({ text }) => text.includes(WRONG))).toHaveLength(5);
  expect(replies.filter(({ text }) => text.includes(LOCKED))).toHaveLength(45);
  const right = await browser.post(`${path}/code`, { code: codeOf(secret) });
  expect([right.status, right.text.includes(LOCKED)]).toEqual([429, true]);
  expect(Number(right.headers['retry-after'])).toBeGreaterThan(800);
  // Counted per person: a new sign-in, or a recovery code, does not begin anew.
  const again = await openSecondStep(member);
  expect((await again.browser.post(`${again.path}/recovery-code`, { recoveryCode: 'x' })).text).toContain(LOCKED);
  await server.query(`update user_guesses set since = since - interval '15 minutes' where user_id = $1`, [
    member.userId,
  ]);
  expect((await browser.post(`${path}/code`, { code: codeOf(secret) })).status).toBe(303);
  // Five lines for five codes that were judged, and none for the rest.
  expect((await actionsOf(member)).filter((action) => action === 'person.sign-in-failed')).toHaveLength(5);
});

/** Judged by the use-case itself, all at the same moment. */
async function race(member: Member, code: FactorCode, times: number): Promise<string[]> {
  const options = {
    database: server.database,
    seal: createSecretSeal(server.config.vaultKeys),
    hashRecoveryCode: createRingHash(server.config.hashKeys, 'recovery-code'),
  };
  const verdicts = await Promise.all(
    Array.from({ length: times }, () => checkSecondFactor(options, member.userId, code)),
  );
  return verdicts.map(({ kind }) => kind);
}

test('one code of the app is right once, of twenty at the same moment, and not again', async () => {
  const { member, secret } = await addEnrolled();
  await forgetStep(member);
  const kinds = await race(member, { kind: 'totp', text: codeOf(secret) }, 20);
  expect(kinds.filter((kind) => kind === 'right')).toHaveLength(1);
  expect(await race(member, { kind: 'totp', text: codeOf(secret) }, 1)).not.toContain('right');
});

test('one recovery code is right once, of twenty at the same moment; nobody else can use it', async () => {
  const [{ member, recoveryCodes }, other] = [await addEnrolled(), await addEnrolled()];
  const text = recoveryCodes[0] ?? '';
  expect(await race(other.member, { kind: 'recovery', text }, 1)).toEqual(['wrong']);
  const kinds = await race(member, { kind: 'recovery', text: text.toUpperCase() }, 20);
  expect(kinds.filter((kind) => kind === 'right')).toHaveLength(1);
  const [left] = await server.query('select count(*)::int from user_recovery_codes where user_id = $1', [
    member.userId,
  ]);
  expect(left).toEqual({ count: 9 });
});

test('a code of any other shape is wrong and counts', async () => {
  const { member } = await addEnrolled();
  for (const text of ['', 'abcdef', '１２３４５６', '٢٨٧٠٨٢', `${'9'.repeat(500)}`]) {
    expect(await race(member, { kind: 'totp', text }, 1)).toEqual(['wrong']);
  }
  expect(await race(member, { kind: 'totp', text: '' }, 1)).toEqual(['locked']);
});

test('303 to step-up: whoever has a factor changes nothing without proving it anew', async () => {
  const { member, browser, secret } = await addEnrolled();
  const forms: [string, Record<string, string>][] = [
    ['password', { current: member.password, chosen: 'a new long password' }],
    ['totp', {}],
    ['totp/remove', {}],
    ['recovery-codes', {}],
    ['passkeys', { name: 'x', answer: '{}', note: '' }],
    ['passkeys/remove', { id: 'AAAA' }],
  ];
  for (const [path, fields] of forms) {
    const reply = await browser.post(`${SECURITY}/${path}`, fields);
    expect([path, reply.status, reply.headers.location]).toEqual([
      path,
      303,
      `/v1/auth/login?stepUp=true&returnTo=${SECURITY}`,
    ]);
  }
  const stepUp = await browser.open(`/v1/auth/login?stepUp=true&returnTo=${SECURITY}`);
  expect(stepUp.reply.text).toContain('Confirm that it is you');
  expect(stepUp.reply.text).not.toContain('name="password"');
  await forgetStep(member);
  await browser.follow(await browser.post(`${stepUp.path}/code`, { code: codeOf(secret) }));
  const renewed = await browser.post(`${SECURITY}/recovery-codes`, {});
  expect([...renewed.text.matchAll(/<li>[0-9a-z-]{14}<\/li>/g)]).toHaveLength(10);
  expect((await browser.post(`${SECURITY}/totp/remove`, {})).headers.location).toBe(`${SECURITY}?done=totp`);
  // With the last factor its recovery codes are gone.
  expect(await server.query('select 1 from user_recovery_codes where user_id = $1', [member.userId])).toEqual([]);
  const [user] = await server.query('select totp_enabled from users where id = $1', [member.userId]);
  expect(user).toEqual({ totp_enabled: false });
  expect(await actionsOf(member)).toContain('factor.removed');
});

test('a first factor on an old sign-in needs the password once more', async () => {
  const member = await addOne();
  const browser = await signIn(server, member);
  await followFactorLink(server, browser, member.userId);
  await server.query(`update sign_ins set authenticated_at = now() - interval '11 minutes' where user_id = $1`, [
    member.userId,
  ]);
  // Sign-ins are looked up anew every few seconds.
  await eventually(async () => expect((await browser.get(SECURITY)).text.includes('name="totpPassword"')).toBe(true));
  expect((await browser.post(`${SECURITY}/totp`, {})).text).toContain('Enter your password.');
  const wrong = await browser.post(`${SECURITY}/totp`, { totpPassword: 'some other password' }, visitFrom());
  expect(wrong.text).toContain('This password is not right.');
  const begun = await browser.post(`${SECURITY}/totp`, { totpPassword: member.password }, visitFrom());
  expect(secretOf(begun)).not.toBe('');
});

test('a new factor ends the other sign-ins; one of them can be ended by hand, and nobody ends a stranger’s', async () => {
  const member = await addOne();
  const [here, elsewhere] = [await signIn(server, member), await signIn(server, member)];
  const idsOf = async ({ userId }: Member) =>
    server.query<{ id: string }>('select id from sign_ins where user_id = $1 and ended_at is null', [userId]);
  const page = await here.get(SECURITY);
  const [, id = ''] = /sign-ins\/end"><input type="hidden" name="id" value="([^"]+)"/.exec(page.text) ?? [];
  const stranger = await signIn(server, await addOne());
  await stranger.post(`${SECURITY}/sign-ins/end`, { id });
  expect((await idsOf(member)).map((row) => row.id)).toContain(id);
  expect((await here.post(`${SECURITY}/sign-ins/end`, { id })).status).toBe(303);
  await eventually(async () =>
    expect((await elsewhere.open('/v1/auth/account')).path).toMatch(/^\/v1\/auth\/sign-in\//),
  );
  const third = await signIn(server, member);
  await enrolTotp(server, here, member);
  await eventually(async () => expect((await third.open('/v1/auth/account')).path).toMatch(/^\/v1\/auth\/sign-in\//));
  expect((await here.get('/v1/auth/account')).status).toBe(200);
});

test('a new password by a link opens nothing: the sign-in asks for the second factor as before', async () => {
  const { member, secret } = await addEnrolled();
  await forgetStep(member);
  const { link } = await jsonHere<{ link: string }>(server, 'user', 'reset-link', '--user', member.userId);
  const password = 'a new long password';
  const changing = new Browser(server);
  expect((await changing.post(new URL(link).pathname, { password })).status).toBe(200);
  const { browser, path } = await openSecondStep({ ...member, password });
  for (const page of ['/v1/auth/account', SECURITY])
    for (const each of [changing, browser]) expect((await each.open(page)).path).toMatch(/^\/v1\/auth\/sign-in\//);
  expect((await browser.post(`${path}/code`, { code: codeOf(secret) })).status).toBe(303);
});

test('the operator takes lost factors away: sign-ins end, the password is enough again, and the log says who did it', async () => {
  const { member, browser } = await addEnrolled();
  const said = await sayHere(server, 'user', 'remove-factors', '--user', member.userId, '--yes');
  expect(said).toBe(`Removed 1 factor of user ${member.userId}. Their sign-ins have ended.`);
  await eventually(async () => expect((await browser.open('/v1/auth/account')).path).toMatch(/^\/v1\/auth\/sign-in\//));
  await signIn(server, member);
  expect(await server.query('select 1 from user_recovery_codes where user_id = $1', [member.userId])).toEqual([]);
  const audit = await auditOf(server, server.demo.tenantId);
  expect(audit).toContainEqual({
    actor: 'operator',
    action: 'factor.removed',
    subject: member.userId,
    details: { factor: 'all', count: 1 },
  });
  const again = await sayHere(server, 'user', 'remove-factors', '--user', member.userId, '--yes');
  expect(again).toBe(`User ${member.userId} has no second factor.`);
});
