import { createHash, createSecretKey, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRandom, type Random } from '../bureaus/testing/random.ts';
import { encrypt, type RingKey } from '../lib/crypto/vault.ts';
import {
  CLOCK_SKEW_MAX_MS,
  type CollectedFacts,
  createDeviceSessions,
  LIFETIME_MS,
  TOKEN_CHARS_MAX,
} from './device-session.ts';

const key = (id: string): RingKey => ({ id, key: randomBytes(32) });
const [first, second] = [key('k1'), key('k2')];
const sessions = createDeviceSessions([first]);
const NOW = new Date('2026-06-01T09:00:00.000Z');
const FACTS: CollectedFacts = {
  deviceDigest: 'a3f1c2'.repeat(10),
  collectedAt: '2026-06-01T08:59:58.120Z',
  network: { ipAddress: '192.0.2.10', userAgentFamily: 'Firefox' },
};
/** In the format's first version, which had no browser facts; under a key of 32 bytes with the value seven. */
const OLD_TOKEN =
  'ds1.AmsxAXGgfRGepY2dbezBOaVQlIjQt_7-W1T5-4_-CKrj2IGk07i2pQrL-lmFjljrJRv9HbbuzDiRE3_g6nEWqcJMZVJ_pPxu' +
  'yF0IBZcwAYPzkVImzx-KqQMFspbWJH-1wPFBpzsAz4QXTZHAmFYDFCnrN6AnfwAZ1LMy4NxC6Cf366d6LJ7HhV6Ko5KyHAH8gGQc' +
  'TwLXfanjn_XNiKrVL_JEZRjYUwQb';
/** From the time when the language was sealed too; under the same key. */
const TOKEN_WITH_LANGUAGE =
  'ds1.AmsxAXjG_FAPysXcKD1KrLpVtp6_S6XAumxeb8z35CNjGDMj8RPWZQfYpy3ZrOlsjtlZyeYcJRV0GI5VIKOe_Y-7I8gs-TNs' +
  'hPw5_tvuqCVb7IRIWBOkAOMLRlzcVxq4pGa1u-ulld9-3kCzIbYb4dkemkn82mO49Kij0-CxZrsY_mprdJL7F8ZqnmK0mNFnnwHFPQ';
const UNKNOWN = { kind: 'unknown' };
const later = (ms: number) => new Date(NOW.getTime() + ms);

function knownOf(token: string, now = NOW, opener = sessions) {
  const opened = opener.open(token, now);
  if (opened.kind !== 'known') throw new Error('the token did not open');
  return opened;
}

describe('seal and open', () => {
  test('what is sealed opens again, and none of it can be read in the token', () => {
    const token = sessions.seal(FACTS, NOW);
    expect(token).toMatch(/^ds1\.[\w-]+$/);
    expect(knownOf(token).facts).toEqual(FACTS);
    const bytes = Buffer.from(token.slice(4), 'base64url').toString('latin1');
    for (const value of [FACTS.deviceDigest, '192.0.2.10', 'Firefox']) expect(bytes).not.toContain(value);
  });

  test('facts that nobody knows stay null', () => {
    const facts = { ...FACTS, network: { ipAddress: null, userAgentFamily: null } };
    expect(knownOf(sessions.seal(facts, NOW)).facts).toEqual(facts);
  });

  test('what the browser said opens again, and a session without it stays without', () => {
    for (const [automation, isAutomated] of [
      [[], false],
      [['webdriver', 'headless'], true],
      [['phantom'], true],
      // Not enough proof.
      [['no-window', 'no-languages'], false],
    ] as const) {
      for (const isDegraded of [true, false]) {
        const browser = { timeZone: 'Europe/London', automation, isDegraded };
        const { facts } = knownOf(sessions.seal({ ...FACTS, browser }, NOW));
        expect(facts).toEqual({ ...FACTS, ...browser, isAutomated });
      }
    }
    expect(Object.keys(knownOf(sessions.seal(FACTS, NOW)).facts)).toEqual(Object.keys(FACTS));
  });

  test('a token from before the browser was asked still opens', () => {
    const old = createDeviceSessions([{ id: 'k1', key: Buffer.alloc(32, 7) }]);
    const facts = knownOf(OLD_TOKEN, NOW, old).facts;
    expect(facts).toEqual(FACTS);
  });

  test('a token from when the language was sealed still opens, without it', () => {
    const old = createDeviceSessions([{ id: 'k1', key: Buffer.alloc(32, 7) }]);
    expect(knownOf(TOKEN_WITH_LANGUAGE, NOW, old).facts).toEqual({
      deviceDigest: 'a3f1c2',
      collectedAt: '2026-06-01T08:59:00Z',
      network: FACTS.network,
      timeZone: 'Europe/London',
      automation: ['no-window'],
      isDegraded: false,
      isAutomated: false,
    });
  });

  test('the hash is 32 bytes, the same at each opening, and different for each session of the same device', () => {
    const [one, other] = [sessions.seal(FACTS, NOW), sessions.seal(FACTS, NOW)];
    expect(knownOf(one).sessionHash).toHaveLength(32);
    expect(knownOf(one).sessionHash.equals(knownOf(one, later(60_000)).sessionHash)).toBe(true);
    expect(knownOf(one).sessionHash.equals(knownOf(other).sessionHash)).toBe(false);
    // The hash is of the id inside, not of the token.
    expect(knownOf(one).sessionHash.equals(createHash('sha256').update(one).digest())).toBe(false);
  });

  const ages = [
    // age in ms, expected
    [0, 'known'],
    [LIFETIME_MS, 'known'], // the last valid instant
    [LIFETIME_MS + 1, 'unknown'],
    [LIFETIME_MS * 1_000, 'unknown'],
    [-CLOCK_SKEW_MAX_MS, 'known'],
    [-CLOCK_SKEW_MAX_MS - 1, 'unknown'],
    [Number.NaN, 'unknown'],
  ] as const;
  for (const [ageMs, kind] of ages) {
    test(`${ageMs} ms old: ${kind}`, () => {
      expect(sessions.open(sessions.seal(FACTS, NOW), later(ageMs)).kind).toBe(kind);
    });
  }
});

describe('the key ring', () => {
  test('after a rotation old tokens open, and new ones are sealed by the new key', () => {
    const rotated = createDeviceSessions([second, first]);
    expect(knownOf(sessions.seal(FACTS, NOW), NOW, rotated).facts).toEqual(FACTS);
    expect(sessions.open(rotated.seal(FACTS, NOW), NOW)).toEqual(UNKNOWN);
    expect(knownOf(rotated.seal(FACTS, NOW), NOW, createDeviceSessions([second])).facts).toEqual(FACTS);
  });

  test('a token of a key that left the ring is unknown, also when another key took its id', () => {
    const token = sessions.seal(FACTS, NOW);
    expect(createDeviceSessions([second]).open(token, NOW)).toEqual(UNKNOWN);
    expect(createDeviceSessions([key('k1')]).open(token, NOW)).toEqual(UNKNOWN);
  });

  test('the same key under another id opens only what names that id', () => {
    const renamed = createDeviceSessions([{ id: 'k9', key: first.key }, first]);
    const bytes = Buffer.from(sessions.seal(FACTS, NOW).slice(4), 'base64url');
    bytes.write('k9', 1);
    expect(renamed.open(`ds1.${bytes.toString('base64url')}`, NOW)).toEqual(UNKNOWN);
  });

  test('what the ring key itself has sealed for another purpose is no session', () => {
    const plaintext = Buffer.concat([randomBytes(22), Buffer.from('["a","b",null,null]')]);
    plaintext.writeUIntBE(NOW.getTime(), 16, 6);
    const sealed = encrypt(createSecretKey(first.key), 'ds1.k1', plaintext);
    const token = `ds1.${Buffer.concat([Buffer.of(2), Buffer.from('k1'), sealed]).toString('base64url')}`;
    expect(sessions.open(token, NOW)).toEqual(UNKNOWN);
  });

  test('a key id that would not fit a token is refused at the start', () => {
    expect(() => createDeviceSessions([key('k'.repeat(65))])).toThrow(RangeError);
  });
});

describe('the limit of the interface', () => {
  const widest = createDeviceSessions([key('k'.repeat(64))]);
  const LONG = 2_000;
  for (const [name, character] of [
    ['letters', 'a'],
    ['quotes', '"'],
    ['control characters', '\u0001'],
    ['lone surrogates', '\ud800'],
    ['emoji', '🌿'],
  ] as const) {
    test(`facts of ${LONG} ${name} are cut, and the token keeps to ${TOKEN_CHARS_MAX} characters`, () => {
      const text = character.repeat(LONG);
      const network = { ipAddress: text, userAgentFamily: text };
      const browser = { timeZone: text, automation: [text, text], isDegraded: true };
      const facts = { deviceDigest: text, collectedAt: text, network, browser };
      const token = widest.seal(facts, NOW);
      expect(token.length).toBeLessThanOrEqual(TOKEN_CHARS_MAX);
      const opened = knownOf(token, NOW, widest).facts;
      const { timeZone, automation = [] } = opened;
      const texts = [opened.deviceDigest, opened.network.userAgentFamily, timeZone, automation[0]];
      for (const value of texts.map((each) => each ?? '')) {
        expect(value).not.toBe('');
        expect(text.startsWith(value)).toBe(true);
      }
    });
  }

  test('any facts at all: a token within the limit, which opens to what was sealed or to its beginning', () => {
    const text = fc.string({ unit: 'binary', maxLength: 400 });
    const facts = fc.record({
      deviceDigest: text,
      collectedAt: text,
      network: fc.record({ ipAddress: fc.option(text), userAgentFamily: fc.option(text) }),
      browser: fc.record({
        timeZone: fc.option(text),
        automation: fc.array(text),
        isDegraded: fc.boolean(),
      }),
    });
    fc.assert(
      fc.property(facts, (sealed) => {
        const token = widest.seal(sealed, NOW);
        const opened = knownOf(token, NOW, widest).facts;
        expect(token.length).toBeLessThanOrEqual(TOKEN_CHARS_MAX);
        expect(sealed.deviceDigest.startsWith(opened.deviceDigest)).toBe(true);
        expect(opened.isDegraded).toBe(sealed.browser.isDegraded);
        expect(sealed.browser.timeZone ?? '').toContain(opened.timeZone ?? '');
        expect(opened.network.ipAddress === null).toBe(sealed.network.ipAddress === null);
        expect(sealed.network.userAgentFamily ?? '').toContain(opened.network.userAgentFamily ?? '');
      }),
      { numRuns: 500 },
    );
  });
});

describe('what is no token of ours', () => {
  const token = sessions.seal(FACTS, NOW);
  const encoded = token.slice(4);
  const rows: readonly (readonly [string, string])[] = [
    ['nothing', ''],
    ['the prefix alone', 'ds1.'],
    ['no prefix', encoded],
    ['another version', `ds2.${encoded}`],
    ['the prefix in capitals', `DS1.${encoded}`],
    ['one byte, which names a length that is not there', 'ds1._w'],
    ['padding', `${token}=`],
    ['double padding', `${token}==`],
    ['a trailing space', `${token} `],
    ['a trailing line break', `${token}\n`],
    ['a line break within', `${token.slice(0, 40)}\n${token.slice(40)}`],
    ['plain base64', `ds1.${Buffer.from(encoded, 'base64url').toString('base64')}=`],
    ['hexadecimal', `ds1.${Buffer.from(encoded, 'base64url').toString('hex')}`],
    ['percent signs', encodeURIComponent(`${token}=`)],
    ['an accent', `${token.slice(0, -1)}é`],
    ['twice the token', token + token],
    ['too long', `ds1.${'A'.repeat(TOKEN_CHARS_MAX)}`],
    ['the demo session', 'demo-session'],
  ];
  for (const [name, text] of rows) {
    test(`${name}: unknown`, () => expect(sessions.open(text, NOW)).toEqual(UNKNOWN));
  }

  test('every truncation and every flipped bit: unknown', () => {
    for (let length = 0; length < token.length; length++) {
      expect(sessions.open(token.slice(0, length), NOW)).toEqual(UNKNOWN);
    }
    const bytes = Buffer.from(encoded, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(sessions.open(`ds1.${flipped.toString('base64url')}`, NOW)).toEqual(UNKNOWN);
    }
  });

  test('another spelling of the same bytes: unknown', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    let spellings = 0;
    // Of three successive key id lengths, two leave unused bits in the last character.
    for (const id of ['k', 'kk', 'kkk']) {
      const opener = createDeviceSessions([key(id)]);
      const good = opener.seal(FACTS, NOW);
      for (const last of alphabet) {
        const other = good.slice(0, -1) + last;
        const isSame = Buffer.from(other.slice(4), 'base64url').equals(Buffer.from(good.slice(4), 'base64url'));
        if (other === good || !isSame) continue;
        spellings += 1;
        expect(opener.open(other, NOW)).toEqual(UNKNOWN);
      }
    }
    expect(spellings).toBe(3 + 15);
  });

  test('what is no text at all: unknown', () => {
    for (const value of [undefined, null, 7, {}, []]) expect(sessions.open(value as never, NOW)).toEqual(UNKNOWN);
  });
});

const TAMPERINGS = 10_000;
/** `npm run prove` chooses others. */
const SEED = Number(process.env['TREFOIL_TEST_SEED'] ?? 20_260_601);

/** One way to damage a token, given another valid one to take parts from. */
const SPOILERS: readonly ((random: Random, token: string, other: string) => string)[] = [
  (random, token) => replaceAt(token, random.below(token.length), random.pick([...'ABCxyz019-_.+/= %\u0000é'])),
  (random, token) => token.slice(0, random.below(token.length)),
  (random, token) => token.slice(random.below(token.length) + 1),
  (random, token) => insertAt(token, random.below(token.length + 1), random.pick([...'ABCxyz019-_.= \n'])),
  (random, token) => replaceAt(token, random.below(token.length), ''),
  (random, token, other) => splice(token, other, 4 + random.below(token.length - 4)),
  (random, token) => spoilBytes(token, (bytes) => bytes.writeUInt8(random.below(256), random.below(bytes.length))),
  (random, token) => spoilBytes(token, (bytes) => bytes.subarray(random.below(bytes.length)).reverse()),
  (random, token) => spoilBytes(token, (bytes) => randomBytes(16).copy(bytes, random.below(bytes.length))),
  (_, token) => token.toUpperCase(),
  (random) => `ds1.${randomBytes(random.below(700)).toString('base64url')}`,
];

const replaceAt = (text: string, at: number, part: string) => text.slice(0, at) + part + text.slice(at + 1);
const insertAt = (text: string, at: number, part: string) => text.slice(0, at) + part + text.slice(at);
const splice = (text: string, other: string, at: number) => text.slice(0, at) + other.slice(at);

function spoilBytes(token: string, spoil: (bytes: Buffer) => void): string {
  const bytes = Buffer.from(token.slice(4), 'base64url');
  spoil(bytes);
  return `ds1.${bytes.toString('base64url')}`;
}

test(`of ${TAMPERINGS} tampered tokens none opens (seed ${SEED})`, () => {
  const random = createRandom(SEED);
  const ring = createDeviceSessions([first, second]);
  const good = Array.from({ length: 50 }, (_, number) =>
    ring.seal({ ...FACTS, deviceDigest: `device-${number}` }, NOW),
  );
  let tampered = 0;
  while (tampered < TAMPERINGS) {
    const spoilt = random.pick(SPOILERS)(random, random.pick(good), random.pick(good));
    // A damaged token can happen to equal a valid one.
    if (good.includes(spoilt)) continue;
    tampered += 1;
    expect(ring.open(spoilt, NOW), `seed ${SEED}, number ${tampered}: ${JSON.stringify(spoilt)}`).toEqual(UNKNOWN);
  }
  for (const token of good) expect(ring.open(token, NOW).kind).toBe('known');
});
