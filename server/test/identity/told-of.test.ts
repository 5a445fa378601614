// What the audit log and a mail tell of changes and guesses (docs/decisions/0171-what-is-told-of-guesses-and-changes.md):
// prices, settings, resends, right codes, wrong passwords on the security page, guessed second factors; and that a person
// who comes back comes back signed out.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { checkSecondFactor } from '../../src/identity/factors/check-second-factor.ts';
import { createSecretSeal } from '../../src/identity/factors/seal-secret.ts';
import { PERSON_AGE_MS } from '../../src/identity/sessions/find-person.ts';
import { createRingHash } from '../../src/lib/crypto/hash-ring.ts';
import { ACCESS, addAccount, signIn } from '../support/browser.ts';
import { sayHere } from '../support/command-line.ts';
import { type LiveServer, liveBody, startLiveServer } from '../support/live.ts';
import { type Mailbox, startMailbox } from '../support/mailbox.ts';
import { addPerson, auditOf, callAs, personToken } from '../support/people.ts';
import { SHORT_LOOK_UPS, SHORT_RESTS } from '../support/rests.ts';
import { followFactorLink, visitFrom } from '../support/sign-in.ts';
import { addTenant, type OwnTenant } from '../support/tenant.ts';
import { P, S } from '../support/words.ts';

let server: LiveServer;
let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await startMailbox();
  server = await startLiveServer({
    environment: { ...mailbox.environment, TREFOIL_TRUSTED_PROXIES: '127.0.0.1' },
    overrides: { rests: { ...SHORT_RESTS, ...SHORT_LOOK_UPS } },
  });
});
afterAll(async () => {
  await server.close();
  await mailbox.stop();
});

const rowsOf = async (tenantId: string, action: string) =>
  (await auditOf(server, tenantId)).filter((row) => row.action === action);

describe('the operator changes what a company pays or may do', () => {
  test('a price of its own, and the list price again, are in its audit log', async () => {
    const { tenantId } = await addTenant(server, 0);
    await sayHere(server, 'price', 'set', '--item', 'sms', '--credits', '35', '--tenant', tenantId);
    await sayHere(server, 'price', 'unset', '--item', 'sms', '--tenant', tenantId, '--from', '2099-01-01');
    const effectiveFrom = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(await rowsOf(tenantId, 'price.changed')).toEqual([
      {
        actor: 'operator',
        action: 'price.changed',
        subject: tenantId,
        details: { item: 'sms', credits: 35, source: 'tenant', effectiveFrom },
      },
      {
        actor: 'operator',
        action: 'price.changed',
        subject: tenantId,
        details: { item: 'sms', credits: null, source: 'tenant', effectiveFrom: '2099-01-01T00:00:00.000Z' },
      },
    ]);
  });

  test('a price of the list is in the audit log of every company', async () => {
    const [one, two] = [await addTenant(server, 0), await addTenant(server, 0)];
    await sayHere(server, 'price', 'set', '--item', 'bureau', '--credits', '650', '--from', '2098-01-01');
    for (const { tenantId } of [one, two, server.demo, server.other]) {
      expect(await rowsOf(tenantId, 'price.changed')).toMatchObject([
        { actor: 'operator', details: { item: 'bureau', credits: 650, source: 'list' } },
      ]);
    }
  });

  test('settings are in its audit log, with what is new and nothing that stayed', async () => {
    const { tenantId } = await addTenant(server, 0);
    await sayHere(server, 'tenant', 'sms', '--tenant', tenantId, '--countries', 'GB,IE', '--daily-credits', '500');
    await sayHere(server, 'tenant', 'screening', '--tenant', tenantId, '--policy', 'stricter');
    // The same again changes nothing and leaves no row.
    await sayHere(server, 'tenant', 'screening', '--tenant', tenantId, '--policy', 'stricter');
    await sayHere(server, 'tenant', 'rate', '--tenant', tenantId, '--per-second', '20');
    expect((await rowsOf(tenantId, 'settings.changed')).map(({ actor, details }) => [actor, details])).toEqual([
      ['operator', { smsCountries: ['GB', 'IE'], smsDailyCredits: 500 }],
      ['operator', { screeningPolicy: 'stricter' }],
      ['operator', { ratePerSecond: 20, rateBurst: null }],
    ]);
  });
});

describe('a live challenge', () => {
  async function challenge(tenant: OwnTenant, mobileNumber: string) {
    const body = liveBody(server.mintSession(), { email: 'challenge@example.com', mobileNumber });
    const { data } = await tenant.trefoil.generate(body);
    if (data.status !== 'authentication-required') throw new Error(data.status);
    return { creditReportId: data.creditReportId, challengeId: data.challenge.challengeId };
  }

  test('a message that was asked for again and a right code are in the audit log, with who did it', async () => {
    const tenant = await addTenant(server, 100_000);
    const to = '+447700900031';
    const { creditReportId, challengeId } = await challenge(tenant, to);
    await eventually(async () => expect(await server.inbox(to)).toHaveLength(1));
    await tenant.trefoil.resendSms(creditReportId, { challengeId });
    await eventually(async () => expect(await server.inbox(to)).toHaveLength(2));
    const sends = await server.query<{ id: string }>(
      'select id from sms_sends where credit_report_id = $1 order by id',
      [creditReportId],
    );
    await tenant.trefoil.submitOtp(creditReportId, { challengeId, code: await server.code(to) });
    const told = (await auditOf(server, tenant.tenantId)).filter(({ action }) => action.startsWith('challenge.'));
    expect(told).toEqual([
      {
        actor: tenant.clientId,
        action: 'challenge.resent',
        subject: creditReportId,
        details: { sendId: sends[1]?.id, smsSentCount: 2 },
      },
      {
        actor: tenant.clientId,
        action: 'challenge.verified',
        subject: creditReportId,
        details: { sendId: sends[1]?.id },
      },
    ]);
  });

  test('a resend that is refused leaves no row', async () => {
    const tenant = await addTenant(server, P + S);
    const { creditReportId, challengeId } = await challenge(tenant, '+447700900032');
    await expect(tenant.trefoil.resendSms(creditReportId, { challengeId })).rejects.toMatchObject({ status: 402 });
    expect(await rowsOf(tenant.tenantId, 'challenge.resent')).toEqual([]);
  });
});

describe('guesses', () => {
  test('a wrong password on the security page is in the audit log of the person’s companies', async () => {
    const { tenantId } = await addTenant(server, 0);
    const person = await addAccount(server, tenantId, 'developer');
    const browser = await signIn(server, person);
    const change = { current: 'not the password', chosen: 'violet harbour seventeen' };
    const reply = await browser.post('/v1/auth/security/password', change, visitFrom());
    expect(reply.text).toContain('This password is not right.');
    await followFactorLink(server, browser, person.userId);
    await server.query(`update sign_ins set authenticated_at = now() - interval '11 minutes' where user_id = $1`, [
      person.userId,
    ]);
    await eventually(async () =>
      expect((await browser.get('/v1/auth/security')).text.includes('name="totpPassword"')).toBe(true),
    );
    await browser.post('/v1/auth/security/totp', { totpPassword: 'not this either' }, visitFrom());
    const row = {
      actor: 'system',
      action: 'person.proof-failed',
      subject: person.userId,
      details: { proof: 'password', at: 'security-page' },
    };
    expect(await rowsOf(tenantId, 'person.proof-failed')).toEqual([row, row]);
    expect(await rowsOf(tenantId, 'person.sign-in-failed')).toEqual([]);
  });

  const guess = (userId: string, times: number) => {
    const options = {
      database: server.database,
      seal: createSecretSeal(server.config.vaultKeys),
      hashRecoveryCode: createRingHash(server.config.hashKeys, 'recovery-code'),
    };
    return Promise.all(
      Array.from({ length: times }, () => checkSecondFactor(options, userId, { kind: 'recovery', text: 'wrong' })),
    );
  };
  const mailsTo = (userId: string) =>
    server.query<{ kind: string }>('select kind from mails where subject_id = $1', [userId]);
  const letPass = (userId: string, interval: string) =>
    server.query(
      `update user_guesses set since = since - $2::interval, day_since = day_since - $2::interval,
              warned_at = warned_at - $2::interval where user_id = $1`,
      [userId, interval],
    );

  test('five wrong second factors in a quarter of an hour: one mail to the person, however many follow in a day', async () => {
    const person = await addPerson(server, server.demo.tenantId, 'developer');
    await guess(person.userId, 4);
    expect(await mailsTo(person.userId)).toEqual([]);
    await guess(person.userId, 30);
    const mail = await mailbox.wait(person.email);
    expect(mail.subject).toBe('Wrong codes were entered for your Trefoil account');
    expect(mail.text).toContain('reset your password');
    for (let window = 0; window < 20; window += 1) {
      await letPass(person.userId, '16 minutes');
      await guess(person.userId, 10);
    }
    expect(await mailsTo(person.userId)).toHaveLength(1);
    await letPass(person.userId, '25 hours');
    await guess(person.userId, 10);
    expect(await mailsTo(person.userId)).toHaveLength(2);
  });

  test('four in each quarter of an hour: the tenth of a day brings the mail too', async () => {
    const person = await addPerson(server, server.demo.tenantId, 'developer');
    for (let window = 0; window < 2; window += 1) {
      await guess(person.userId, 4);
      await letPass(person.userId, '16 minutes');
    }
    expect(await mailsTo(person.userId)).toEqual([]);
    await guess(person.userId, 2);
    expect(await mailsTo(person.userId)).toEqual([{ kind: 'factors-guessed' }]);
  });
});

describe('a person who was stopped and let in again', () => {
  test('401: none of the sign-ins from before works, with a token or in a browser', async () => {
    const { tenantId } = await addTenant(server, 0);
    const account = await addAccount(server, tenantId, 'owner');
    const browser = await signIn(server, account);
    const path = '/v1/my/profile';
    expect((await browser.callApi('GET', path)).status).toBe(200);
    const token = await personToken(server, account.userId);
    expect((await callAs(server, { token }, 'GET', path)).status).toBe(200);
    await sayHere(server, 'user', 'disable', '--user', account.userId);
    await sayHere(server, 'user', 'enable', '--user', account.userId);
    expect(
      await server.query('select from sign_ins where user_id = $1 and ended_at is null', [account.userId]),
    ).toEqual([]);
    // In production sign-ins are looked up anew every five seconds.
    expect(PERSON_AGE_MS).toBeLessThanOrEqual(5_000);
    await eventually(async () => expect((await browser.callApi('GET', path)).status).toBe(401));
    await eventually(async () => expect((await callAs(server, { token }, 'GET', path)).status).toBe(401));
    expect((await browser.open('/v1/auth/account')).path).toMatch(/^\/v1\/auth\/sign-in\//);
    expect((await signIn(server, account)).cookie(ACCESS)).toBeDefined();
  }, 60_000);
});
