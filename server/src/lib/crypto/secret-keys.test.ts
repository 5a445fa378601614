import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { isWeakKey, parseKey, parseRing, parseSigningKeys } from './secret-keys.ts';

const weak: Record<string, Buffer> = {
  'all zeros': Buffer.alloc(32),
  'all ones': Buffer.alloc(32, 255),
  'a repeated word': Buffer.from('secret'.repeat(6).slice(0, 32)),
  'a sentence': Buffer.from('This is the secret key we use 1!'),
  'a count': Buffer.from(Array.from({ length: 32 }, (_, place) => place)),
  'a count in steps': Buffer.from(Array.from({ length: 32 }, (_, place) => (place * 7 + 3) & 255)),
  'a half twice': Buffer.concat(Array(2).fill(randomBytes(16))),
  'zeros with an end': Buffer.concat([Buffer.alloc(28), randomBytes(4)]),
};

test.each(Object.entries(weak))('a key of %s is refused', (_name, key) => {
  expect(isWeakKey(key)).toBe(true);
  expect(parseKey(key.toString('base64'))).toBeUndefined();
  expect(parseRing(`one:${key.toString('base64')}`)).toBeUndefined();
});

test('10,000 random keys are not weak', () => {
  expect(Array.from({ length: 10_000 }, () => isWeakKey(randomBytes(32))).some(Boolean)).toBe(false);
});

test('a key is 32 bytes in base64 of either kind, and nothing around it', () => {
  const key = randomBytes(32);
  expect(parseKey(key.toString('base64'))).toEqual(key);
  expect(parseKey(key.toString('base64url'))).toEqual(key);
  for (const text of [
    `"${key.toString('base64')}"`,
    `${key.toString('base64')} #`,
    randomBytes(31).toString('base64'),
  ]) {
    expect(parseKey(text)).toBeUndefined();
  }
});

test('a ring has each key once, under one name', () => {
  const [one, two] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
  expect(parseRing(`a:${one},b:${two}`)?.map(({ id }) => id)).toEqual(['a', 'b']);
  for (const text of [`a:${one},b:${one}`, `a:${one},a:${two}`, `${one}`, `a:${one},`, '']) {
    expect(parseRing(text)).toBeUndefined();
  }
});

const signingKey = (kid = 'key') => ({
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
  kid,
});

test('signing keys: each whole, each once', () => {
  const [one, two] = [signingKey('one'), signingKey('two')];
  expect(parseSigningKeys(JSON.stringify([one, two]))).toHaveLength(2);
  const wrong: unknown[] = [
    [],
    {},
    [one, one],
    [one, { ...two, kid: 'one' }],
    [one, { ...one, kid: 'two' }],
    [{ ...one, x: two.x, y: two.y }],
    [{ ...one, d: Buffer.alloc(32).toString('base64url') }],
    [{ ...one, d: undefined }],
    [{ ...one, kid: 7 }],
    [null],
  ];
  for (const keys of wrong) expect(parseSigningKeys(JSON.stringify(keys))).toBeUndefined();
});
