// Passkeys against a device in software that can lie: one challenge, one answer, for this site, by a verified person,
// with a count that grows. The honest way is in browser/step-up.test.ts.
import { createPublicKey, generateKeyPair, sign, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../harness.ts';
import { type Behaviour, type Cbor, type Made, SoftAuthenticator } from '../support/authenticator.ts';
import { type Browser, signIn } from '../support/browser.ts';
import { issue, makeAuthority } from '../support/certificates.ts';
import {
  addDeveloper,
  followFactorLink,
  type Member,
  noteOf,
  openSignIn as openSignInPage,
} from '../support/sign-in.ts';
import type { Reply } from '../support/wire.ts';

const SECURITY = '/v1/auth/security';
const REFUSED = 'The passkey was not accepted.';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ hostName: 'localhost' });
});
afterAll(() => server.close());

const addOne = () => addDeveloper(server);

const toPlain = (text: string) => text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');

type Options = { readonly challenge: string; readonly allowCredentials?: readonly { readonly id: string }[] };

function optionsOf({ text }: Reply): Options {
  const [, options = '{}'] = /data-options="([^"]*)"/.exec(text) ?? [];
  return JSON.parse(toPlain(options)) as Options;
}

/** Signed in, and allowed to add a first factor. */
async function signInToAdd(member: Member): Promise<Browser> {
  const browser = await signIn(server, member);
  await followFactorLink(server, browser, member.userId);
  return browser;
}

async function add(browser: Browser, behaviour: Behaviour = {}, device = new SoftAuthenticator(server.baseUrl)) {
  const page = await browser.get(SECURITY);
  const answer = device.register(optionsOf(page).challenge, behaviour);
  const fields = { name: 'Test key', note: noteOf(page), answer };
  return { device, fields, reply: await browser.post(`${SECURITY}/passkeys`, fields) };
}

async function addWithPasskey() {
  const member = await addOne();
  const browser = await signInToAdd(member);
  const { device, reply } = await add(browser);
  expect(reply.text).toContain('Your recovery codes');
  return { member, device, browser };
}

async function openSignIn(): Promise<{ browser: Browser; path: string; challenge: string }> {
  const { browser, path, reply } = await openSignInPage(server);
  return { browser, path, challenge: optionsOf(reply).challenge };
}

const countOf = async ({ userId }: Member) =>
  (await server.query('select 1 from user_passkeys where user_id = $1', [userId])).length;

test('a passkey alone signs its person in, as two factors', async () => {
  const { member, device } = await addWithPasskey();
  const { browser, path, challenge } = await openSignIn();
  const { reply } = await browser.follow(await browser.post(`${path}/passkey`, { answer: device.answer(challenge) }));
  expect(reply.text).toContain(member.email);
  const [newest] = await server.query<{ proved: boolean }>(
    `select second_factor_at is not null as proved from sign_ins
      where user_id = $1 and ended_at is null order by created_at desc limit 1`,
    [member.userId],
  );
  expect(newest).toEqual({ proved: true });
});

const lies: Record<string, Behaviour> = {
  'made for another site': { origin: 'https://evil.example.com' },
  'of another relying party': { rpId: 'evil.example.com' },
  'without verifying the person': { isVerified: false },
};
for (const [name, behaviour] of Object.entries(lies)) {
  test(`400: a new passkey ${name} is not added`, async () => {
    const member = await addOne();
    const { reply } = await add(await signInToAdd(member), behaviour);
    expect(reply.text).toContain(REFUSED);
    expect(await countOf(member)).toBe(0);
  });
}

const badAnswers: Record<string, Behaviour> = { ...lies, 'with a count that stands still': { signCount: 1 } };
for (const [name, behaviour] of Object.entries(badAnswers)) {
  test(`400: an answer ${name} signs nobody in`, async () => {
    const { device } = await addWithPasskey();
    const { browser, path, challenge } = await openSignIn();
    const reply = await browser.post(`${path}/passkey`, { answer: device.answer(challenge, behaviour) });
    expect([reply.status, reply.text.includes(REFUSED)]).toEqual([400, true]);
  });
}

test('400: a challenge is answered once, and in its own sign-in alone', async () => {
  const { device } = await addWithPasskey();
  const [mine, other] = [await openSignIn(), await openSignIn()];
  const stray = await mine.browser.post(`${mine.path}/passkey`, { answer: device.answer(other.challenge) });
  expect(stray.text).toContain(REFUSED);
  // The page that told so has a new challenge; the first one is over.
  const late = await mine.browser.post(`${mine.path}/passkey`, { answer: device.answer(mine.challenge) });
  expect(late.text).toContain(REFUSED);
  const fresh = optionsOf(late).challenge;
  expect((await mine.browser.post(`${mine.path}/passkey`, { answer: device.answer(fresh) })).status).toBe(303);
});

test('400: the answer of a device that does not count is good once too', async () => {
  const browser = await signInToAdd(await addOne());
  const { device } = await add(browser, { signCount: 0 });
  const { browser: other, path, challenge } = await openSignIn();
  const answer = device.answer(challenge, { signCount: 0 });
  expect((await other.post(`${path}/passkey`, { answer })).status).toBe(303);
  expect((await other.post(`${path}/passkey`, { answer })).text).toContain(REFUSED);
  // The page that told so put a new challenge in its place.
  expect((await other.post(`${path}/passkey`, { answer })).text).toContain(REFUSED);
});

test('400: what is not an answer at all', async () => {
  const { browser, path } = await openSignIn();
  for (const answer of ['', '{}', 'null', '[]', '{"id":5}', '{"id":"AAAA"}', `{"id":"${'A'.repeat(5_000)}"}`]) {
    expect((await browser.post(`${path}/passkey`, { answer })).status).toBe(400);
  }
});

test('400: the right password of one person with the passkey of another', async () => {
  const [mine, theirs] = [await addWithPasskey(), await addWithPasskey()];
  const { browser, path } = await openSignIn();
  const { email, password } = mine.member;
  const { reply } = await browser.follow(await browser.post(path, { email, password }));
  const options = optionsOf(reply);
  expect(options.allowCredentials?.map(({ id }) => id)).toEqual([mine.device.id.toString('base64url')]);
  const foreign = await browser.post(`${path}/passkey`, { answer: theirs.device.answer(options.challenge) });
  expect(foreign.text).toContain(REFUSED);
  const next = optionsOf(foreign).challenge;
  expect((await browser.post(`${path}/passkey`, { answer: mine.device.answer(next) })).status).toBe(303);
});

test('400: a disabled person’s passkey opens nothing', async () => {
  const { member, device } = await addWithPasskey();
  await server.query('update users set is_enabled = false where id = $1', [member.userId]);
  const { browser, path, challenge } = await openSignIn();
  expect((await browser.post(`${path}/passkey`, { answer: device.answer(challenge) })).text).toContain(REFUSED);
});

test('400: a registration is taken once, for its own person, and only with its note', async () => {
  const member = await addOne();
  const browser = await signInToAdd(member);
  const page = await browser.get(SECURITY);
  const device = new SoftAuthenticator(server.baseUrl);
  const fields = { name: 'Test key', note: noteOf(page), answer: device.register(optionsOf(page).challenge) };
  const stranger = await signInToAdd(await addOne());
  expect((await stranger.post(`${SECURITY}/passkeys`, fields)).text).toContain('took too long');
  expect((await browser.post(`${SECURITY}/passkeys`, { ...fields, note: '' })).text).toContain('took too long');
  expect((await browser.post(`${SECURITY}/passkeys`, { ...fields, name: ' ' })).text).toContain(
    'Give the passkey a name',
  );
  expect((await browser.post(`${SECURITY}/passkeys`, fields)).status).toBe(200);
  await browser.post(`${SECURITY}/passkeys`, fields);
  expect(await countOf(member)).toBe(1);
});

test('twenty answers to one challenge at once: whoever copied it gains nothing but the same person', async () => {
  const { member, device } = await addWithPasskey();
  const { browser, path, challenge } = await openSignIn();
  const answer = device.answer(challenge);
  const replies = await Promise.all(Array.from({ length: 20 }, () => browser.post(`${path}/passkey`, { answer })));
  // The count of the device is kept under a lock: the second use of one answer is behind it.
  expect(replies.filter(({ status }) => status === 303)).toHaveLength(1);
  expect(await countOf(member)).toBe(1);
});

/** The server of an attacker's choice, and an attestation in the format of Android whose certificate names it. */
async function startNamed() {
  const called: string[] = [];
  const named = createServer(({ url = '' }, response) => {
    called.push(url);
    response.end();
  });
  await once(named.listen(0, '127.0.0.1'), 'listening');
  const { port } = named.address() as AddressInfo;
  const state = ({ clientDataHash, privateKey }: Made) => {
    const authority = makeAuthority();
    // Android's description of a key: four numbers, the challenge, and three empty fields.
    const description = `30340201030a01000201040a01000420${clientDataHash.toString('hex')}040030003000`;
    const extensions = [
      `crlDistributionPoints=URI:http://127.0.0.1:${port}/inside`,
      `1.3.6.1.4.1.11129.2.1.17=DER:${description}`,
    ];
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' });
    const chain = [issue(authority, { name: 'device', extensions, key }), authority];
    return new Map<string, Cbor>([
      ['alg', -7],
      ['sig', Buffer.alloc(64)],
      ['x5c', chain.map(({ cert }) => new X509Certificate(cert).raw)],
    ]);
  };
  return { called, attestation: { format: 'android-key', state }, close: () => named.close() };
}

test('400: a passkey with certificates is not added, and no address in them is called', async () => {
  const named = await startNamed();
  try {
    const member = await addOne();
    const { reply } = await add(await signInToAdd(member), { attestation: named.attestation });
    expect(named.called).toEqual([]);
    expect(reply.text).toContain(REFUSED);
    expect(await countOf(member)).toBe(0);
  } finally {
    named.close();
  }
});

test('200: a passkey that its device vouches for with the passkey itself is added', async () => {
  const state = ({ authData, clientDataHash, privateKey }: Made) =>
    new Map<string, Cbor>([
      ['alg', -7],
      ['sig', sign('sha256', Buffer.concat([authData, clientDataHash]), privateKey)],
    ]);
  const { reply } = await add(await signInToAdd(await addOne()), { attestation: { format: 'packed', state } });
  expect(reply.text).toContain('Your recovery codes');
});

test('400: an RSA key that is weak or dear to verify with is not added, and one from before there was a bound opens nothing', async () => {
  const newPair = (modulusLength: number) => promisify(generateKeyPair)('rsa', { modulusLength });
  const [weak, usual] = [await newPair(1_024), await newPair(2_048)];
  const made = (bytes: number, e: string) =>
    createPublicKey({ key: { kty: 'RSA', n: Buffer.alloc(bytes, 0xff).toString('base64url'), e }, format: 'jwk' });
  const [large, long] = [made(513, 'AQAB'), made(256, '_____w8')].map((publicKey) => ({ ...usual, publicKey }));
  const deviceWith = (pair = usual) => new SoftAuthenticator(server.baseUrl, pair);
  const browser = await signInToAdd(await addOne());
  for (const pair of [weak, large, long]) {
    expect((await add(browser, {}, deviceWith(pair))).reply.text).toContain(REFUSED);
  }
  const { device, reply } = await add(browser, {}, deviceWith());
  expect(reply.text).toContain('Your recovery codes');
  const enter = async (passkey: SoftAuthenticator) => {
    const { browser: other, path, challenge } = await openSignIn();
    return (await other.post(`${path}/passkey`, { answer: passkey.answer(challenge) })).status;
  };
  expect(await enter(device)).toBe(303);
  const old = deviceWith(weak);
  await server.query(
    'update user_passkeys set credential_id = $1, public_key = $2, sign_count = 0 where credential_id = $3',
    [old.id, old.publicKey, device.id],
  );
  expect(await enter(old)).toBe(400);
});
