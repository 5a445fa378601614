// Decides who judges a limit: Redis for all nodes, or this node alone for a second after Redis has failed.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createJudge } from './limit-fallback.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const failing = async () => {
  throw new Error('away');
};

test('shared → alone: the failure is reported, and this node answers without asking for a second', async () => {
  const onFallback = vi.fn();
  const judge = createJudge(onFallback);
  const ask = vi.fn(failing);
  for (let count = 0; count < 3; count += 1) expect(await judge(ask, async () => 'alone')).toBe('alone');
  expect(ask).toHaveBeenCalledTimes(1);
  expect(onFallback.mock.calls).toEqual([[new Error('away')]]);
});

test('alone → shared: after a second Redis is asked again, and its answer holds', async () => {
  const judge = createJudge(() => undefined);
  const ask = async () => 'shared';
  const alone = async () => 'alone';
  expect(await judge<string>(failing, alone)).toBe('alone');
  vi.advanceTimersByTime(999);
  expect(await judge(ask, alone)).toBe('alone');
  vi.advanceTimersByTime(1);
  expect(await judge(ask, alone)).toBe('shared');
  expect(await judge(ask, alone)).toBe('shared');
});

test('alone → alone: another failure, another second without Redis', async () => {
  const onFallback = vi.fn();
  const judge = createJudge(onFallback);
  const alone = async () => 'alone';
  await judge<string>(failing, alone);
  vi.advanceTimersByTime(1_000);
  await judge<string>(failing, alone);
  vi.advanceTimersByTime(999);
  expect(await judge(async () => 'shared', alone)).toBe('alone');
  expect(onFallback).toHaveBeenCalledTimes(2);
});
