import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

test('the order of keys does not matter, the order of lists does', () => {
  expect(canonicalJson({ b: [1, { d: null, c: 'x' }], a: true })).toBe('{"a":true,"b":[1,{"c":"x","d":null}]}');
  expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]));
});

test('it says the same as the value it was made from', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      expect(JSON.parse(canonicalJson(value) ?? '')).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('a body nested past any honest depth is refused, not followed', () => {
  expect(canonicalJson(JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)))).toBeUndefined();
  expect(canonicalJson(JSON.parse('['.repeat(60) + ']'.repeat(60)))).toBeDefined();
});

test('more names than any honest object has are taken in the order sent', () => {
  const named = (count: number) => Array.from({ length: count }, (_, place) => [`k${place}`, 0] as const);
  const both = (count: number) => [named(count), named(count).toReversed()].map((each) => Object.fromEntries(each));
  const [one, other] = both(1_000).map(canonicalJson);
  expect(one).toBe(other);
  const [many, reversed] = both(1_001).map(canonicalJson);
  expect(many).not.toBe(reversed);
  expect(many).toBe(canonicalJson(Object.fromEntries(named(1_001))));
});
