// A p99 is judged with enough samples, against three times its quiet value or fifty milliseconds more.
import { expect, test } from 'vitest';
import { createTally } from '../chaos/tally.ts';
import type { Told } from './records.ts';
import { compare, FEW_SAMPLES, LATE_IN_FAULT, mayTake, quantile, SAMPLES_MIN } from './windows.ts';

const samples = (window: Told['window'], ms: number, count: number): Told[] =>
  Array.from({ length: count }, () => ({ status: 200, ms, atMs: 0, window, hasRetryAfter: false }));

function findingsOf(quietMs: number, faultMs: number, count: number, isShort = false): string[] {
  const tally = createTally();
  const answers = [...samples('quiet', quietMs, count), ...samples('fault', faultMs, count)];
  compare(tally, { what: 'generates', times: 3, answers, isShort });
  return [...tally.findings.keys()];
}

test('the p99 of a hundred is their hundredth, of a thousand the tenth from above', () => {
  const numbers = (count: number) => Array.from({ length: count }, (_, place) => place + 1);
  expect(quantile(numbers(100), 0.99)).toBe(100);
  expect(quantile(numbers(1_000), 0.99)).toBe(991);
});

test('three times as long, or fifty milliseconds more where that is more', () => {
  expect(mayTake(100, 3)).toBe(300);
  expect(mayTake(10, 3)).toBe(60);
  expect([mayTake(10, 3, 200), mayTake(500, 3, 200)]).toEqual([210, 1_500]);
});

test('slower than the bar is a finding, at the bar is none', () => {
  expect(findingsOf(100, 300, SAMPLES_MIN)).toEqual([]);
  expect(findingsOf(100, 301, SAMPLES_MIN)).toEqual([LATE_IN_FAULT]);
});

test('too few samples are a finding in a full run and are not judged in a short one', () => {
  expect(findingsOf(100, 5_000, SAMPLES_MIN - 1)).toEqual([FEW_SAMPLES]);
  expect(findingsOf(100, 5_000, SAMPLES_MIN - 1, true)).toEqual([]);
});
