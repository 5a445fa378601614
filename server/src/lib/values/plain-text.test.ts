import { expect, test } from 'vitest';
import { isPersonName, isPlainText } from './plain-text.ts';

const rows = [
  // text, is plain, is a name
  ['Ada', true, true],
  ["O'Neill-Óg 3rd", true, true],
  ['李', true, true],
  ['محمد', true, true],
  ['e\u0301', true, true], // a combining accent is seen with its letter
  ['14', true, false],
  ['-', true, false],
  ['👍', true, false],
  ['', true, false],
  ['a\u0000', false, false],
  ['a\tb', false, false],
  ['a\u007f', false, false],
  ['a\u009f', false, false],
  ['a\u00adb', false, false], // soft hyphen
  ['a\u200bb', false, false], // zero-width space
  ['a\u200db', false, false], // zero-width joiner
  ['a\u202eb', false, false], // text that runs backwards
  ['a\u2028b', false, false],
  ['a\ufeffb', false, false],
  ['a\u{e0041}', false, false], // a tag
  ['\u3164', false, false], // counts as a letter, and is blank
  ['a\ud800', false, false], // half a character
] as const;
for (const [text, plain, name] of rows) {
  test(`${JSON.stringify(text)}: plain ${plain}, a name ${name}`, () => {
    expect([isPlainText(text), isPersonName(text)]).toEqual([plain, name]);
  });
}
