// Vectors of RFC 8785 and properties: one value, one text, and nothing that two readers could understand differently.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readRestricted, writeCanonical } from './canonical-json.ts';

describe('writing', () => {
  test('the strings and literals of RFC 8785, 3.2.2', () => {
    const value = JSON.parse(
      String.raw`{"string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/", "literals": [null, true, false]}`,
    );
    expect(writeCanonical(value)).toBe(String.raw`{"literals":[null,true,false],"string":"€$\u000f\nA'B\"\\\\\"/"}`);
  });

  test('the order of keys of RFC 8785, 3.2.3: by UTF-16 units, so the emoji comes before the Hebrew letter', () => {
    const value = JSON.parse(
      String.raw`{"\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One",
        "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control", "\u00f6": "Latin Small Letter O With Diaeresis"}`,
    );
    const written = writeCanonical(value);
    expect(Object.values(JSON.parse(written.replace('"1":', '"one":')) as object)).toEqual([
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ]);
    expect(written.startsWith(String.raw`{"\r":"Carriage Return","1":"One",`)).toBe(true);
  });

  test.each([
    [0, '0'],
    [-0, '0'],
    [-1, '-1'],
    [Number.MAX_SAFE_INTEGER, '9007199254740991'],
    [Number.MIN_SAFE_INTEGER, '-9007199254740991'],
  ])('integers as in RFC 8785, Appendix B: %d', (value, text) => expect(writeCanonical(value)).toBe(text));

  test.each([
    ['a float', 0.5],
    ['an integer that is not exact', 2 ** 53],
    ['not a number', Number.NaN],
    ['infinity', Number.POSITIVE_INFINITY],
    ['a lone high surrogate', '\ud83d'],
    ['a lone low surrogate', ['x\ude00']],
    ['a lone surrogate in a key', { '\ud83d': 1 }],
    ['undefined', { a: undefined }],
    ['a big integer', 1n],
    ['a function', () => 1],
    ['a nest too deep', JSON.parse('['.repeat(40) + ']'.repeat(40))],
  ])('refused: %s', (_what, value) => expect(() => writeCanonical(value)).toThrow());
});

describe('reading', () => {
  test.each([
    ['a key twice', '{"a":1,"a":1}'],
    ['a key twice, once escaped', String.raw`{"a":1,"\u0061":2}`],
    ['a key twice, deep inside', '{"b":[{"a":1,"c":2,"a":3}]}'],
    ['a float', '{"a":1.0}'],
    ['an exponent', '[1e2]'],
    ['an integer that is not exact', '9007199254740993'],
    ['a leading zero', '[01]'],
    ['a plus', '[+1]'],
    ['a lone surrogate', String.raw`"\ud83d"`],
    ['surrogates in the wrong order', String.raw`"\ude00\ud83d"`],
    ['a control character', '"\u0001"'],
    ['an unknown escape', String.raw`"\x41"`],
    ['a comma at the end', '[1,]'],
    ['a comma alone', '[,]'],
    ['no comma', '[1 2]'],
    ['no colon', '{"a" 1}'],
    ['a comment', '[1 /* one */]'],
    ['two values', '1 2'],
    ['a byte order mark', '\ufeff1'],
    ['nothing', ''],
    ['an open list', '[1'],
    ['an open object', '{"a":1'],
    ['an open text', '"a'],
    ['a nest too deep', '['.repeat(100_000)],
    ['not a word', 'True'],
  ])('refused: %s', (_what, text) => expect(() => readRestricted(text)).toThrow(SyntaxError));

  test('any order and white space are read, and __proto__ is a key as any other', () => {
    const value = readRestricted(' {"b" : [ 1 , -2, true,false , null ] ,\r\n\t"__proto__":{"a":"\\u20ac"}} ');
    expect(writeCanonical(value)).toBe('{"__proto__":{"a":"€"},"b":[1,-2,true,false,null]}');
  });
});

const { value: anyValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constant(null),
    fc.boolean(),
    fc.maxSafeInteger(),
    fc.string({ unit: 'binary' }),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(fc.string({ unit: 'binary' }), tie('value'), { maxKeys: 5 }),
  ),
}));

/** The same value with the keys of all objects in another order. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, inner]) => [key, turned(inner)]),
  );
}

test('whatever the order of keys, a value has one text, which reads back as the same value', () => {
  fc.assert(
    fc.property(anyValue, (value) => {
      const text = writeCanonical(value);
      expect(writeCanonical(turned(value))).toBe(text);
      expect(writeCanonical(readRestricted(text))).toBe(text);
      expect(readRestricted(JSON.stringify(value, null, 2))).toEqual(JSON.parse(text));
    }),
    { numRuns: 500 },
  );
});

test('what is read and written again is what JSON.parse reads, and whatever JSON.parse refuses is refused', () => {
  const parts = ['{', '}', '[', ']', ',', ':', '"a"', '"b"', '1', '-0', '1.5', 'null', ' ', '"\\u0061"', '"\\ud800"'];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 9 }), (words) => {
      const text = words.join('');
      let read: unknown;
      try {
        read = readRestricted(text);
      } catch {
        return;
      }
      expect(writeCanonical(read)).toBe(writeCanonical(JSON.parse(text)));
    }),
    { numRuns: 5_000 },
  );
});
