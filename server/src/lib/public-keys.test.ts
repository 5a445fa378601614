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
