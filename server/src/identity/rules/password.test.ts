import { expect, test } from 'vitest';
import { findPasswordFault, normalizePassword, PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from './password.ts';

const EMAIL = 'Olive.Owner@example.com';
const long = (length: number) =>
  'quiet words '
    .repeat(20)
    .slice(0, length - 1)
    .concat('!');

const rows = [
  ['eleven characters', long(PASSWORD_LENGTH_MIN - 1), 'too-short'],
  ['twelve characters', long(PASSWORD_LENGTH_MIN), undefined],
  ['the longest', long(PASSWORD_LENGTH_MAX), undefined],
  ['one more', long(PASSWORD_LENGTH_MAX + 1), 'too-long'],
  // Counted in characters as people see them, not in UTF-16 units.
  ['eleven faces', '😀😁😂😃😄😅😆😇😈😉😊', 'too-short'],
  ['twelve faces', '😀😂😁😃😄😆😅😇😈😊😉😋', undefined],
  ['one character again and again', 'aaaaaaaaaaaaaa', 'too-simple'],
  ['a word again and again', 'trefoiltrefoil', 'too-simple'],
  ['in another case', 'TrefoilTREFOIL', 'too-simple'],
  ['the alphabet', 'abcdefghijklmn', 'too-simple'],
  ['counting', '123456789012', 'too-simple'],
  ['counting down', '210987654321', 'too-simple'],
  ['three characters', 'abcabcabcabca', 'too-simple'],
  ['the address', 'olive.owner@example.com', 'like-email'],
  ['the name of the mailbox and a year', 'Olive.Owner2026', 'like-email'],
  ['the address inside a longer text', 'olive.owner has a long secret', undefined],
  ['plain words', 'correct horse battery', undefined],
] as const;
for (const [name, password, fault] of rows) {
  test(`${name}: ${fault ?? 'will do'}`, () => {
    expect(findPasswordFault(password, EMAIL)).toBe(fault);
  });
}

test('one password typed in two ways is one password', () => {
  expect(normalizePassword('café au lait ①')).toBe(normalizePassword('cafe\u0301 au lait 1'));
});
