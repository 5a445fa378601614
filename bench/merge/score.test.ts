// The scorer on partitions small enough to calculate by hand, and the whole run with a stand-in matcher.
import { describe, expect, test } from 'vitest';
import type { SourcedFile } from '../../server/src/bureaus/port.ts';
import { gatesOf } from './gates.ts';
import { generateReport } from './generate.ts';
import type { Matcher } from './matcher.ts';
import { readOptions, UsageError } from './options.ts';
import { runProfile, truthOf } from './run.ts';
import {
  addScores,
  type Member,
  type MergeOutput,
  NO_SCORE,
  scoreReport,
  sharesOf,
  type TruthRow,
  wilson,
} from './score.ts';

// Two hire-purchase agreements of three and two rows, and a card of one: 3 + 1 + 0 = 4 true pairs among six rows.
const row = (bureau: TruthRow['bureau'], ref: string, agreement: number): TruthRow => ({
  ...{ bureau, ref, agreement, isHirePurchase: agreement < 2 },
});
const ROWS = [
  ...[row('equifax', 'a', 0), row('experian', 'a', 0), row('transunion', 'a', 0)],
  ...[row('equifax', 'b', 1), row('experian', 'b', 1), row('equifax', 'c', 2)],
];

/** Records by the indexes of their rows in ROWS. */
function output(...records: readonly (readonly number[])[]): MergeOutput {
  return { records: records.map((places) => ({ members: places.flatMap((place) => ROWS[place] ?? []) })) };
}

describe('the scorer on six rows', () => {
  test('the truth itself scores full marks', () => {
    const score = scoreReport(ROWS, output([0, 1, 2], [3, 4], [5]));
    expect(score).toMatchObject({ truePairs: 4, foundPairs: 4, rightPairs: 4, clusters: 3, clustersExact: 3 });
    expect(score).toMatchObject({
      hirePurchaseAgreements: 2,
      hirePurchaseLost: 0,
      reportsExact: 1,
      reportsNotPreserved: 0,
    });
    const { precision, recall, wholeReportExact, clustersExact } = sharesOf(score);
    expect([precision.value, recall.value, wholeReportExact.value, clustersExact.value]).toEqual([1, 1, 1, 1]);
  });

  test('the order of records and members does not matter', () => {
    expect(scoreReport(ROWS, output([5], [4, 3], [2, 0, 1]))).toEqual(
      scoreReport(ROWS, output([0, 1, 2], [3, 4], [5])),
    );
  });

  test('all in one: 4 of 15 pairs are right, and no agreement is the majority', () => {
    const score = scoreReport(ROWS, output([0, 1, 2, 3, 4, 5]));
    expect(score).toMatchObject({
      foundPairs: 15,
      rightPairs: 4,
      clustersExact: 0,
      hirePurchaseLost: 2,
      reportsExact: 0,
    });
    expect(sharesOf(score)).toMatchObject({ precision: { value: 4 / 15 }, recall: { value: 1 } });
  });

  test('none merged: nothing wrong, nothing found, only the single row is exact, nothing swallowed', () => {
    const score = scoreReport(ROWS, output([0], [1], [2], [3], [4], [5]));
    expect(score).toMatchObject({
      foundPairs: 0,
      rightPairs: 0,
      clustersExact: 1,
      hirePurchaseLost: 0,
      reportsExact: 0,
    });
    expect(sharesOf(score)).toMatchObject({ precision: { value: 1 }, recall: { value: 0 } });
  });

  test('a false merge of 3 and 2 swallows the smaller: 4 of 10 pairs right', () => {
    const score = scoreReport(ROWS, output([0, 1, 2, 3, 4], [5]));
    expect(score).toMatchObject({ foundPairs: 10, rightPairs: 4, clustersExact: 1, hirePurchaseLost: 1 });
  });

  test('an agreement with one row in a false merge and one of its own is not swallowed', () => {
    const score = scoreReport(ROWS, output([0, 1, 2, 3], [4], [5]));
    expect(score).toMatchObject({ foundPairs: 6, rightPairs: 3, clustersExact: 1, hirePurchaseLost: 0 });
  });

  test('a tie is no majority: one row each of two agreements in one record', () => {
    const rows = [row('equifax', 'a', 0), row('experian', 'b', 1)];
    const members: Member[] = [
      { bureau: 'equifax', ref: 'a' },
      { bureau: 'experian', ref: 'b' },
    ];
    expect(scoreReport(rows, { records: [{ members }] }).hirePurchaseLost).toBe(2);
  });

  test('a card that is swallowed is not counted as hire purchase', () => {
    expect(scoreReport(ROWS, output([0, 1, 2, 5], [3, 4])).hirePurchaseLost).toBe(0);
  });

  test('a lost, a doubled, an invented row and an empty record are seen', () => {
    const stranger: Member = { bureau: 'equifax', ref: 'zz' };
    const invented = { records: [...output([0, 1, 2], [3, 4], [5]).records, { members: [stranger] }] };
    const broken = [
      output([0, 1, 2], [3, 4]),
      output([0, 1, 2], [3, 4], [5], [5]),
      invented,
      output([0, 1, 2], [3, 4], [5], []),
    ];
    for (const one of broken) expect(scoreReport(ROWS, one)).toMatchObject({ reportsNotPreserved: 1, reportsExact: 0 });
  });

  test('scores add up', () => {
    const one = scoreReport(ROWS, output([0, 1, 2], [3, 4], [5]));
    const two = addScores(addScores(NO_SCORE, one), scoreReport(ROWS, output([0, 1, 2, 3, 4, 5])));
    expect(two).toMatchObject({ reports: 2, reportsExact: 1, truePairs: 8, foundPairs: 19, rightPairs: 8, rows: 12 });
  });
});

test('Wilson’s interval agrees with published values', () => {
  const rounded = (pair: readonly [number, number]) => pair.map((share) => Number(share.toFixed(4)));
  expect(rounded(wilson(8, 10))).toEqual([0.4902, 0.9433]);
  expect(rounded(wilson(0, 10))).toEqual([0, 0.2775]);
  expect(rounded(wilson(10, 10))).toEqual([0.7225, 1]);
  expect(wilson(0, 0)).toEqual([0, 1]);
});

/** Groups rows by a key; not a matcher, only something to score. */
const grouping =
  (key: (account: SourcedFile['file']['accounts'][number], bureau: string) => string): Matcher =>
  (files) => {
    const groups = new Map<string, Member[]>();
    for (const { bureau, file } of files) {
      for (const account of file.accounts) {
        const at = key(account, bureau);
        groups.set(at, [...(groups.get(at) ?? []), { bureau, ref: account.ref }]);
      }
    }
    return { records: [...groups.values()].map((members) => ({ members })) };
  };

describe('a run with stand-ins', () => {
  test('tail and day: precise, and far from complete', () => {
    const tailAndDay = grouping((one, bureau) =>
      one.accountNumberTail === null ? `${bureau} ${one.ref}` : `${one.accountNumberTail} ${one.startDate}`,
    );
    const { shares, score, p99Ms } = runProfile(tailAndDay, { profile: 'standard', seed: 5, people: 200 });
    expect(shares.precision.value).toBeGreaterThan(0.995);
    expect(shares.recall.value).toBeGreaterThan(0.3);
    expect(shares.recall.value).toBeLessThan(0.8);
    expect(score).toMatchObject({ reports: 200, reportsNotPreserved: 0 });
    expect(p99Ms).toBeGreaterThan(0);
  });

  test('lender and month: merges twins and chains, so hire purchase is swallowed and gates fail', () => {
    const loose = grouping(
      ({ companyName, startDate }) => `${companyName.slice(0, 8).toLowerCase()} ${startDate?.slice(0, 7)}`,
    );
    const result = runProfile(loose, { profile: 'adversarial', seed: 5, people: 200 });
    expect(result.shares.precision.value).toBeLessThan(0.99);
    expect(gatesOf(result).find(({ name }) => name === 'precision')?.isMet).toBe(false);
  });

  test('the truth as output meets every gate but may not be slow', () => {
    const report = generateReport(5, 'harsh', 0);
    const byAgreement = new Map<number, Member[]>();
    for (const { bureau, ref, agreement } of truthOf(report)) {
      byAgreement.set(agreement, [...(byAgreement.get(agreement) ?? []), { bureau, ref }]);
    }
    const records = [...byAgreement.values()].map((members) => ({ members }));
    const score = scoreReport(truthOf(report), { records });
    const gates = gatesOf({ profile: 'harsh', seed: 5, score, shares: sharesOf(score), p50Ms: 1, p99Ms: 1.9 });
    expect(gates.filter(({ isMet }) => !isMet)).toEqual([]);
  });
});

describe('the options', () => {
  test('errors of held-out people are refused unless the user insists', () => {
    expect(() => readOptions(['--errors', '3', '--seed', '1000001'])).toThrow(UsageError);
    expect(readOptions(['--errors', '3', '--seed', '1000001', '--i-know']).errors).toBe(3);
    expect(readOptions(['--errors', '3']).seed).toBe(1);
  });

  test('held-out people by default, 5,000 of them, 50,000 in full', () => {
    expect(readOptions([])).toMatchObject({ seed: 1_000_001, people: 5_000, mode: 'table' });
    expect(readOptions(['--full']).people).toBe(50_000);
    expect(readOptions(['--full', '--people', '20']).people).toBe(20);
  });

  test('one JSON object means one profile', () => {
    expect(readOptions(['--json']).profiles).toEqual(['standard']);
    expect(readOptions(['--json', '--profile', 'harsh']).profiles).toEqual(['harsh']);
  });

  test.each([
    ['--people', 'many'],
    ['--people', '0'],
    ['--profile', 'kind'],
    ['--seed', '-1'],
    ['--what', '1'],
  ])('%s %s is refused', (...words) => {
    expect(() => readOptions(words)).toThrow(UsageError);
  });
});
