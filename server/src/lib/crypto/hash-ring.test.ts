// The ring of hash keys: which key derives, under which a value is looked up, and what a row says of its key.
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { newId } from '../ids.ts';
import { createRingHash, type HashRing, isOneOf, parseHashKey, parseHashRing } from './hash-ring.ts';
import { createKeyedHash } from './keyed-hash.ts';
import { createCodes } from './one-time-code.ts';

const [old, next, third] = Array.from({ length: 3 }, () => randomBytes(32));
const text = (key: Buffer | undefined) => key?.toString('base64') ?? '';
const ringOf = (...keys: (Buffer | undefined)[]) =>
  parseHashRing(keys.map((key, place) => `k${place}:${text(key)}`).join(',')) as HashRing;

const states = {
  before: ringOf(old),
  added: ringOf(old, next),
  swapped: ringOf(next, old),
  after: ringOf(next),
};

test('one key, with an id or without, is a ring of one, with the fingerprint that it has in any ring', () => {
  const [alone] = parseHashKey(text(old)) ?? [];
  expect(parseHashKey(`2026-11-19:${text(old)}`)).toEqual([{ ...alone, id: '2026-11-19' }]);
  expect(parseHashKey(`a:${text(old)},b:${text(next)}`)).toBeUndefined();
  expect(parseHashKey(`:${text(old)}`)).toBeUndefined();
  expect(alone?.fingerprint).toMatch(/^[0-9a-f]{16}$/);
  expect(states.swapped[1]?.fingerprint).toBe(alone?.fingerprint);
  expect(states.after[0].fingerprint).not.toBe(alone?.fingerprint);
  expect(old?.toString('hex')).not.toContain(alone?.fingerprint ?? '');
});

const refused = [
  ['a key without an id', text(old)],
  ['one key twice', `a:${text(old)},b:${text(old)}`],
  ['one id twice', `a:${text(old)},a:${text(next)}`],
  ['zeros', `a:${Buffer.alloc(32).toString('base64')}`],
  ['nothing', ''],
] as const;
for (const [what, ring] of refused) {
  test(`${what} is no ring`, () => expect(parseHashRing(ring)).toBeUndefined());
}

test('a hash is under the first key; every one is under each key, in order', () => {
  const hash = createRingHash(states.swapped, 'a');
  const expected = [next, old].map((key) => createKeyedHash(key as Buffer, 'a')('x', 'y'));
  expect(hash('x', 'y')).toEqual(expected[0]);
  expect(hash.every('x', 'y')).toEqual(expected);
  expect(hash.keyId).toBe(states.swapped[0].fingerprint);
  expect(createRingHash(states.after, 'a').every('x')).toHaveLength(1);
});

const neighbours = [
  ['before', 'added'],
  ['added', 'swapped'],
  ['swapped', 'after'],
] as const;
for (const [one, other] of neighbours) {
  test(`${one} and ${other}: one common hash for whatever is compared, and each accepts what the other derives`, () => {
    const [a, b] = [createRingHash(states[one], 'p'), createRingHash(states[other], 'p')];
    const common = a.every('v').filter((hash) => b.every('v').some((each) => each.equals(hash)));
    expect(common.length).toBeGreaterThan(0);
    expect(isOneOf(a('v'), b.every('v'))).toBe(true);
    expect(isOneOf(b('v'), a.every('v'))).toBe(true);
  });

  test(`${one} and ${other}: a code that one derives is the other's for the same row, and a guess meets one code`, () => {
    const [a, b] = [createCodes(states[one]), createCodes(states[other])];
    for (const [sender, judge] of [
      [a, b],
      [b, a],
    ] as const) {
      const sendId = newId();
      expect(judge.codeOf(sendId, sender.keyId)).toBe(sender.codeOf(sendId, sender.keyId));
    }
  });
}

test('two steps apart, they do not: before knows no code of swapped', () => {
  const { keyId } = createCodes(states.swapped);
  expect(createCodes(states.before).codeOf(newId(), keyId)).toBeUndefined();
  expect(isOneOf(createRingHash(states.swapped, 'p')('v'), createRingHash(states.before, 'p').every('v'))).toBe(false);
});

test('a row of the previous release has no key: it is the first of the ring until a newer key is swapped in', () => {
  const sendId = newId();
  const right = createCodes(states.before).codeOf(sendId, null);
  expect(right).toMatch(/^\d{6}$/);
  expect(right).toBe(createCodes(states.before).codeOf(sendId, states.before[0].fingerprint));
  expect(createCodes(states.added).codeOf(sendId, null)).toBe(right);
});

test('hashes of other lengths and other keys are none of them', () => {
  const hashes = createRingHash(states.added, 'p').every('v');
  expect(isOneOf(hashes[0].subarray(1), hashes)).toBe(false);
  expect(isOneOf(Buffer.alloc(0), hashes)).toBe(false);
  expect(isOneOf(createRingHash(ringOf(third), 'p')('v'), hashes)).toBe(false);
});
