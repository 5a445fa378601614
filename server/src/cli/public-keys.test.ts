import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { parsePublicKeys } from './public-keys.ts';

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const ed = generateKeyPairSync('ed25519');
const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const weak = generateKeyPairSync('rsa', { modulusLength: 1_024 });
const otherCurve = generateKeyPairSync('ec', { namedCurve: 'P-384' });
const publicEc = ec.publicKey.export({ format: 'jwk' });
const set = (...keys: unknown[]) => JSON.stringify({ keys });

test('EC P-256, Ed25519 and RSA keys are taken with the one algorithm each is good for', () => {
  const keys = [ec, ed, rsa].map(({ publicKey }, index) => ({
    ...publicKey.export({ format: 'jwk' }),
    kid: `k${index}`,
  }));
  expect(parsePublicKeys(set(...keys))).toMatchObject([
    { kty: 'EC', alg: 'ES256', use: 'sig', kid: 'k0' },
    { kty: 'OKP', alg: 'EdDSA', use: 'sig', kid: 'k1' },
    { kty: 'RSA', alg: 'PS256', use: 'sig', kid: 'k2' },
  ]);
});

test('members that are not part of the key are not stored', () => {
  const [key] = parsePublicKeys(set({ ...publicEc, comment: 'x', key_ops: ['verify'] }));
  expect(Object.keys(key ?? {}).toSorted()).toEqual(['alg', 'crv', 'kty', 'use', 'x', 'y']);
});

const PRIVATE = [
  ['an EC private key', set(ec.privateKey.export({ format: 'jwk' }))],
  ['an RSA private key', set(rsa.privateKey.export({ format: 'jwk' }))],
  ['a private key behind a public one', set(publicEc, ec.privateKey.export({ format: 'jwk' }))],
  ['a private key without a set around it', JSON.stringify(ec.privateKey.export({ format: 'jwk' }))],
  ['a symmetric key', set({ kty: 'oct', k: 'c2VjcmV0' })],
  ...['d', 'p', 'q', 'k'].map((member) => [`a lone member ${member}`, set({ ...publicEc, [member]: '' })] as const),
] as const;
for (const [what, content] of PRIVATE) {
  test(`${what} is refused as private, and not quoted`, () => {
    expect(() => parsePublicKeys(content)).toThrow(/holds a private key/);
    const { d } = ec.privateKey.export({ format: 'jwk' });
    expect(() => parsePublicKeys(content)).not.toThrow(String(d));
  });
}

const REFUSED = [
  ['text that is not JSON', '-----BEGIN PUBLIC KEY-----', /not JSON/],
  ['a key without a set', JSON.stringify(publicEc), /must hold \{"keys"/],
  ['an empty set', set(), /1 to 10 keys/],
  ['another curve', set(otherCurve.publicKey.export({ format: 'jwk' })), /must be EC P-256/],
  ['a short RSA key', set(weak.publicKey.export({ format: 'jwk' })), /2048 to 4096 bits/],
  ['a point off the curve', set({ ...publicEc, x: publicEc.y, y: publicEc.x }), /not a valid key/],
  [
    'an algorithm the endpoint does not take',
    set({ ...rsa.publicKey.export({ format: 'jwk' }), alg: 'RS256' }),
    /PS256/,
  ],
  ['a key for encryption', set({ ...publicEc, use: 'enc' }), /"use": "sig"/],
  ['two keys without names', set(publicEc, ed.publicKey.export({ format: 'jwk' })), /its own "kid"/],
  ['two keys of one name', set({ ...publicEc, kid: 'a' }, { ...publicEc, kid: 'a' }), /its own "kid"/],
  ['null', 'null', /must hold \{"keys"/],
  ['a key that is null', set(null), /must be EC P-256/],
] as const;
for (const [what, content, sentence] of REFUSED) {
  test(`${what} is refused`, () => {
    expect(() => parsePublicKeys(content)).toThrow(sentence);
  });
}
