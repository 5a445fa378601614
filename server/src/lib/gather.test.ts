import { expect, test } from 'vitest';
import { createGather } from './gather.ts';

test('questions of one moment are asked together, each once, and each gets its own answer', async () => {
  const asked: string[][] = [];
  const ask = createGather(5, async (keys) => {
    asked.push([...keys]);
    return new Map(keys.filter((key) => key !== 'unknown').map((key) => [key, key.toUpperCase()]));
  });
  expect(await Promise.all(['a', 'b', 'a', 'unknown'].map(ask))).toEqual(['A', 'B', 'A', undefined]);
  expect(await ask('c')).toBe('C');
  expect(asked).toEqual([['a', 'b', 'unknown'], ['c']]);
});

test('a failure reaches all who asked, and the next question is asked anew', async () => {
  let isAway = true;
  const ask = createGather(1, async (keys) => {
    if (isAway) throw new Error('away');
    return new Map(keys.map((key) => [key, 1]));
  });
  const both = await Promise.allSettled([ask('a'), ask('b')]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isAway = false;
  expect(await ask('a')).toBe(1);
});
