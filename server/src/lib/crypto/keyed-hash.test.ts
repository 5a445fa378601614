import { expect, test } from 'vitest';
import { createKeyedHash } from './keyed-hash.ts';

const root = Buffer.alloc(32, 7);
const hash = createKeyedHash(root, 'a');

test('the same parts hash alike; another purpose, key or split of the parts does not', () => {
  const [value] = [hash('ab', 'c')];
  expect(hash('ab', 'c')).toEqual(value);
  expect(createKeyedHash(root, 'b')('ab', 'c')).not.toEqual(value);
  expect(createKeyedHash(Buffer.alloc(32, 8), 'a')('ab', 'c')).not.toEqual(value);
  expect(hash('a', 'bc')).not.toEqual(value);
  expect(hash('abc')).not.toEqual(value);
});
