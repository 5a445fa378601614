import { expect, test } from 'vitest';
import { describeMissing } from './describe-missing.ts';

test.each([
  [undefined, 'undefined'],
  [null, 'null'],
  ['', 'empty'],
  ['  ', 'blank'],
  [7, 'not a text but a number'],
])('%j is described as %s', (value, words) => expect(describeMissing(value)).toBe(words));

test('bytes of a secret are never in the words', () => {
  expect(describeMissing(new TextEncoder().encode('whsec_secret'))).toBe('not a text but an object');
});
