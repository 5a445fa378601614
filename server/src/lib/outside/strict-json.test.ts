import { describe, expect, test } from 'vitest';
import { own, parseStrictJson } from './strict-json.ts';

const parse = (text: string) => parseStrictJson(Buffer.from(text));

describe('strict JSON', () => {
  test('reads what is JSON', () => {
    expect(parse('{"a":[1,"b",null,{"c":"a \\"key\\": here"}],"d":{"a":1}}')).toEqual({
      a: [1, 'b', null, { c: 'a "key": here' }],
      d: { a: 1 },
    });
  });

  const refused = [
    ['a key twice', '{"acc":[1],"b":2,"acc":[]}'],
    ['a key twice, once in disguise', '{"acc":[1],"\\u0061cc":[]}'],
    ['a key twice, further down', '{"x":[{"a":1,"a":2}]}'],
    ['a key twice, with space before the colon', '{"a":1,"a" \n :2}'],
    ['too deep', '['.repeat(65) + ']'.repeat(65)],
    ['much too deep', '['.repeat(4_000_000)],
    ['too many parts', `[${'{},'.repeat(200_000)}{}]`],
    ['not JSON', '{"a":1,}'],
    ['half', '{"a":"b'],
    ['nothing', ''],
    ['HTML', '<html></html>'],
  ] as const;
  for (const [name, text] of refused) {
    test(`refuses ${name}`, () => expect(() => parse(text)).toThrow(/^unintelligible: /));
  }

  test('refuses what is not UTF-8', () => {
    expect(() => parseStrictJson(Buffer.from([0x22, 0xc3, 0x28, 0x22]))).toThrow('not UTF-8');
  });

  test('never quotes the text it could not read', () => {
    expect(() => parse('{"sn":"ALDEN"x')).toThrow(/^unintelligible: not JSON$/);
  });

  test('an object has only the keys that were sent', () => {
    expect(own({}, 'constructor')).toBeUndefined();
    expect(own(parse('{"__proto__":{"a":1}}') as never, 'a')).toBeUndefined();
  });
});
