import { expect, test } from 'vitest';
import { shortUrl } from './short-url.ts';

test('addresses are short', () => {
  expect([shortUrl('https://a.example/b'), shortUrl('')]).toEqual(['a.example/b', 'Address lost']);
});
