// What is read from pgbench's transaction log, and which transactions count.
import { expect, test } from 'vitest';
import { parseLogLine, readLatenciesMs } from './pgbench-log.ts';

test('a line gives the time from when the transaction was due, and that instant', () => {
  const { latencyMs, dueMs } = parseLogLine('5 17 2500 0 1794756368 395695 1900');
  expect(latencyMs).toBe(2.5);
  // The line ends with the transaction's end time; subtracting its duration gives when it was due.
  expect(dueMs).toBeCloseTo(1_794_756_368_393.195, 2);
});

test('a line with columns of a later pgbench after ours is read all the same', () => {
  expect(parseLogLine('0 1 740 0 1794756368 395695 95 0').latencyMs).toBe(0.74);
});

test.each([
  ['0 1 failed 0 1794756368 395695 95'],
  ['0 1 skipped 0 1794756368 395695 95'],
  ['0 1 740 0 1794756368'],
  ['pgbench: error'],
])('a transaction without a time is an error: %s', (line) => {
  expect(() => parseLogLine(line)).toThrow(line);
});

test('times come sorted, from all files, without those due in the warm-up', () => {
  const files = [
    '0 1 90000 0 1000 100000 0\n0 2 3000 0 1002 500000 0\n', // the first is due at 1000.010
    '4 1 80000 0 1001 0 0\n4 2 1000 0 1002 12000 0\n4 3 20000 0 1002 600000 0\n', // the second is due at 1002.011
  ];
  expect([...readLatenciesMs(files.join(''), 2)]).toEqual([1, 3, 20]);
});

test('what counts is when a transaction was due: one due in the warm-up that ends after it is left out', () => {
  const text = '0 1 1000 0 1000 1000 0\n0 2 700000 0 1002 500000 690000\n0 3 5000 0 1002 600000 0\n';
  expect([...readLatenciesMs(text, 2)]).toEqual([5]);
});

test('a log without lines has no times', () => {
  expect(readLatenciesMs('', 2)).toHaveLength(0);
});
