import { expect, test } from 'vitest';
import { judgeKeySet } from './public-keys.ts';

const words = { whole: 'The set', one: 'the set' };

test.each([
  ['in objects', '{"a":', '}'],
  ['in lists', '[', ']'],
])('a set nested 20,000 deep %s is judged: a private key at its bottom is found', (_name, opening, closing) => {
  const nested = (bottom: string) =>
    JSON.parse(`{"keys":[${opening.repeat(20_000)}${bottom}${closing.repeat(20_000)}]}`) as object;
  expect(judgeKeySet(nested('{}'), words)).toEqual({
    fault: 'Key 1 of the set must be EC P-256, Ed25519 or RSA.',
  });
  expect(judgeKeySet(nested('{"d":"x"}'), words)).toEqual({ fault: expect.stringContaining('private key') });
});

test.each([
  ['exponent', 'AQAB'.repeat(3), 'x'.repeat(342)],
  ['modulus', 'AQAB', 'x'.repeat(684)],
])('an RSA key with a long %s is refused before it is read', (_name, e, n) => {
  const keys = [{ kty: 'RSA', e, n }];
  expect(judgeKeySet({ keys }, words)).toEqual({
    fault: 'Key 1 of the set is not a valid key of 2048 to 4096 bits.',
  });
});

test('RSA keys of 2,048 and of 4,096 bits are taken', () => {
  for (const length of [342, 683]) {
    // Odd, and its first bit is set.
    const n = `${'x'.repeat(length - 1)}8`;
    expect(judgeKeySet({ keys: [{ kty: 'RSA', e: 'AQAB', n }] }, words)).toHaveProperty('keys');
  }
});
