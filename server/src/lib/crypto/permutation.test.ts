import { expect, test } from 'vitest';
import { createBlockPermutation, createNumberPermutation } from './permutation.ts';

const KEY = Buffer.alloc(32, 7);

test('no two numbers become the same, and neighbours become no neighbours', () => {
  const { permute, undo } = createNumberPermutation(KEY, 'test');
  const permuted = permute(Array.from({ length: 50_000 }, (_, number) => BigInt(number)));
  expect(new Set(permuted).size).toBe(permuted.length);
  const near = permuted.filter((number, place) => {
    const step = number - (permuted[place - 1] ?? 0n);
    return step > -(2n ** 32n) && step < 2n ** 32n;
  });
  expect(near).toEqual([]);
  const [last = -1n] = permute([2n ** 64n - 1n]);
  expect([last >= 0n, last < 2n ** 64n]).toEqual([true, true]);
  // Together or each alone.
  expect(permute([7n])).toEqual([permuted[7]]);
  expect(permute([])).toEqual([]);
  expect(undo(permuted)).toEqual(permuted.map((_, number) => BigInt(number)));
  expect(undo([last])).toEqual([2n ** 64n - 1n]);
});

test('a block is undone to what it was', () => {
  const { permute, undo } = createBlockPermutation(KEY, 'test');
  for (const block of [Buffer.alloc(16), Buffer.alloc(16, 255), Buffer.from('0123456789abcdef')]) {
    expect(permute(block)).not.toEqual(block);
    expect(undo(permute(block))).toEqual(block);
  }
});

test('under one key they stay for ever what they are; another key and another purpose give others', () => {
  expect(createNumberPermutation(KEY, 'test').permute([1n])).toEqual([0xbc81dac32d7907ban]);
  expect(createBlockPermutation(KEY, 'test').permute(Buffer.alloc(16)).toString('hex')).toBe(
    '428b8a38dcac4b7550332c03c42dde05',
  );
  const others = [createNumberPermutation(Buffer.alloc(32, 8), 'test'), createNumberPermutation(KEY, 'other')];
  for (const { permute } of others) expect(permute([1n])).not.toEqual([0xbc81dac32d7907ban]);
});
