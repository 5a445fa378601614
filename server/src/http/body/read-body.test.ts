import { expect, test } from 'vitest';
import { createBodyReader } from './read-body.ts';

const text = { type: 'string' };
const blank = { ...text, 'x-blank': 'absent' } as const;
const entry = { type: 'object', properties: { kind: text, note: blank } };
const read = createBodyReader({
  type: 'object',
  properties: {
    name: text,
    note: blank,
    entries: { type: 'array', maxItems: 2, items: entry },
    either: { anyOf: [entry, { type: 'null' }] },
    key: { type: 'object', properties: {} },
  },
});

const rows: [name: string, given: unknown, read: unknown][] = [
  [
    'blanks of optional fields are left out, at every depth',
    { note: '', entries: [{ note: null }] },
    { entries: [{}] },
  ],
  ['blanks of other fields stay, to be refused', { name: '', entries: null }, { name: '', entries: null }],
  ['only null and the empty text are blank', { note: ' ' }, { note: ' ' }],
  ['false, 0 and lists are not blank', { note: [] }, { note: [] }],
  ['unknown fields are left out', { name: 'a', other: 1 }, { name: 'a' }],
  ['names that every object has are not fields', {}, {}],
  ['a list that is too long is not entered', { entries: [{ note: '' }, {}, {}] }, { entries: [{ note: '' }, {}, {}] }],
  ['an object or null', { either: { note: '', kind: 'a' } }, { either: { kind: 'a' } }],
  ['an object or null, and null', { either: null }, { either: null }],
  ['an object without listed names stays whole', { key: { kty: 'RSA', x: '' } }, { key: { kty: 'RSA', x: '' } }],
  ['what is no object stays what it is', [1], [1]],
  ['null', null, null],
];
for (const [name, given, expected] of rows) {
  test(name, () => {
    const before = structuredClone(given);
    expect(read(given)).toEqual(expected);
    expect(given).toEqual(before);
  });
}

test('what validation rewrites is a copy', () => {
  const given = { name: ' a ', entries: [{ kind: ' b ' }] };
  const copy = read(given) as typeof given;
  copy.name = 'a';
  for (const each of copy.entries) each.kind = 'b';
  expect(given).toEqual({ name: ' a ', entries: [{ kind: ' b ' }] });
});

test('names that are counted are counted as they came', () => {
  const counted = createBodyReader({ type: 'object', minProperties: 1, properties: { note: blank } });
  expect(counted({ other: 1 })).toEqual({ other: 1 });
});
