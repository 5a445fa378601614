import { expect, test } from 'vitest';
import type { Outcome } from './run-check.ts';
import { NOT_YET_RUN, readProofs, rowOf, showTable, writeProofs } from './table.ts';

const outcome: Outcome = {
  ...{ check: 'chaos', verdict: 'held', figures: '250 deaths', seconds: 812, tries: 1, seed: 7 },
  machine: { stolenShare: 0.004, pausedShare: 0, longestStopMs: 120, foreignShare: 0.021 },
};
const proved = { commit: '549f8e1abc', date: '2026-11-18' };
const checks = ['chaos', 'faults', 'ha'].map((name) => ({ name }));

test('what is written is read again, whatever characters the figures have', () => {
  const figures = 'a | b \\ c \\| d `|` ÷ 1.02\n  second line';
  const rows = [rowOf(outcome, proved), rowOf({ ...outcome, check: 'faults', figures, seed: undefined }, proved)];
  const read = readProofs(writeProofs(checks, rows));
  expect(read[0]).toEqual(rows[0]);
  expect(read[1]).toEqual({ ...rows[1], figures: 'a | b \\ c \\| d `|` ÷ 1.02 second line', seed: '' });
  expect(writeProofs(checks, read)).toBe(writeProofs(checks, rows));
});

test('every check has a row, also before its first run, and that row is none to read', () => {
  const text = writeProofs(checks, []);
  for (const { name } of checks) expect(text).toMatch(new RegExp(`^\\| ${name} \\| ${NOT_YET_RUN} \\|`, 'm'));
  expect(readProofs(text)).toEqual([]);
});

test('a run replaces the rows of its own checks alone', () => {
  const before = ['chaos', 'faults'].map((check) => rowOf({ ...outcome, check }, proved));
  const again = rowOf({ ...outcome, verdict: 'not held' }, { commit: 'aaaaaaaaaa+', date: '2026-11-19' });
  const read = readProofs(writeProofs(checks, [...readProofs(writeProofs(checks, before)), again]));
  expect(read).toEqual([again, before[1]]);
});

test('the row of a check that is gone is left out', () => {
  expect(readProofs(writeProofs([{ name: 'ha' }], [rowOf(outcome, proved)]))).toEqual([]);
});

test('the table of a run has every figure, and the long ones last', () => {
  const [head, line] = showTable([outcome]).split('\n');
  expect(head).toMatch(/^check +verdict +seconds +tries +longest stop +stolen +foreign +seed +figures$/);
  expect(line).toMatch(/^chaos +held +812 +1 +120 ms +0\.4 % +2\.1 % +7 +250 deaths$/);
});
