import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { newId } from '../lib/ids.ts';
import { createLinkTokens } from './link-tokens.ts';

const tokens = createLinkTokens([{ key: randomBytes(32) }]);
const id = newId();
const token = tokens.make('invitation', id);

test('a token gives its id back', () => {
  expect(tokens.read('invitation', token)).toBe(id);
});

test('a token of a key that is no longer the first is accepted as long as the key is in the ring', () => {
  const [old, next] = [{ key: randomBytes(32) }, { key: randomBytes(32) }];
  const made = createLinkTokens([old]).make('invitation', id);
  expect(createLinkTokens([next, old]).read('invitation', made)).toBe(id);
  expect(createLinkTokens([next, old]).make('invitation', id)).toBe(createLinkTokens([next]).make('invitation', id));
  expect(createLinkTokens([next]).read('invitation', made)).toBeUndefined();
});

const last = token.at(-1) === 'A' ? 'B' : 'A';
const forgeries: [string, string][] = [
  ['of another kind', tokens.make('password-reset', id)],
  ['for another id', `${newId()}.${token.split('.')[1]}`],
  ['of another key', createLinkTokens([{ key: randomBytes(32) }]).make('invitation', id)],
  ['with a changed end', token.slice(0, -1) + last],
  // The last character of 32 bytes has two unused bits; a lenient decoder would accept four spellings.
  ['spelled differently', `${token}=`],
  ['cut short', token.slice(0, -1)],
  ['with more behind it', `${token}.x`],
  ['without its proof', id],
  ['of nothing', ''],
  ['in capitals', token.toUpperCase()],
];
for (const [name, forged] of forgeries) {
  test(`a token ${name} gives nothing`, () => {
    expect(tokens.read('invitation', forged)).toBeUndefined();
  });
}
