import { expect, test } from 'vitest';
import { splitJson } from './json-tokens.ts';

const VALUE = { 'a "quoted" key': 'text: 12, true', list: [1, -2.5, 1e21, true, null], empty: {}, 'slash\\': '' };

test('the pieces together are the text', () => {
  const text = JSON.stringify(VALUE, null, 2);
  expect(
    splitJson(text)
      .map((piece) => piece.text)
      .join(''),
  ).toBe(text);
});

test('names, texts, numbers and words are told apart, also inside a text', () => {
  const kinds = splitJson(JSON.stringify(VALUE)).flatMap(({ kind, text }) => (kind ? [`${kind} ${text}`] : []));
  expect(kinds).toEqual([
    'key "a \\"quoted\\" key"',
    'string "text: 12, true"',
    'key "list"',
    'number 1',
    'number -2.5',
    'number 1e+21',
    'word true',
    'word null',
    'key "empty"',
    'key "slash\\\\"',
    'string ""',
  ]);
});
