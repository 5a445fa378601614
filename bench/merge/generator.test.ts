// The generator is a pure function with the rates it claims and labels that do not leak. A pinned digest detects any
// change to a seed's people: figures are comparable only while it stays the same.
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { generateReport } from './generate.ts';
import { LENDERS, REGISTRY } from './lenders.ts';
import { measureNoise } from './measure.ts';
import { PROFILES } from './noise.ts';
import { Random } from './random.ts';
import { reportOfRows } from './scale.ts';

const PEOPLE = 1_500;

const DIGESTS = {
  standard: '607b51c96b7c574a',
  harsh: 'a42005449bc67e91',
  adversarial: '066fb7f200128432',
} as const;

describe.each(PROFILES)('%s', (profile) => {
  const reports = Array.from({ length: 300 }, (_, index) => generateReport(7, profile, index));

  test('a seed means the same people for ever, on every machine', () => {
    const digest = createHash('sha256');
    for (const { files, rows } of reports.slice(0, 100)) {
      digest.update(JSON.stringify([files, rows.map(({ account: { ref }, label }) => [ref, label.agreement])]));
    }
    expect(digest.digest('hex').slice(0, 16)).toBe(DIGESTS[profile]);
  });

  test('a person does not depend on who was made before', () => {
    expect(generateReport(7, profile, 123)).toEqual(reports[123]);
    expect(generateReport(8, profile, 123).files).not.toEqual(reports[123]?.files);
    expect(generateReport(7, profile, 124).files).not.toEqual(reports[123]?.files);
  });

  test('files and labelled rows are the same rows, and references are unique in each file', () => {
    for (const { files, rows } of reports) {
      const inFiles = files.flatMap(({ bureau, file }) => file.accounts.map(({ ref }) => `${bureau} ${ref}`));
      expect(new Set(inFiles).size).toBe(inFiles.length);
      expect(rows.map(({ bureau, account: { ref } }) => `${bureau} ${ref}`).sort()).toEqual(inFiles.sort());
    }
  });

  test('every label is an agreement, and a bureau has a second row of one only as a marked duplicate', () => {
    for (const { agreements, rows } of reports) {
      const first = new Set<string>();
      for (const { bureau, label } of rows) {
        expect(agreements[label.agreement]).toBeDefined();
        if (label.isDuplicate) continue;
        const place = `${bureau} ${label.agreement}`;
        expect(first.has(place)).toBe(false);
        first.add(place);
      }
    }
  });

  test('neither the order of rows nor the references tell the label', () => {
    let [byPlace, byRef, pairs] = [0, 0, 0];
    for (const { files, rows } of reports) {
      const labelOf = new Map(rows.map(({ bureau, account, label }) => [`${bureau} ${account.ref}`, label.agreement]));
      for (const { bureau, file } of files) {
        for (const [place, account] of file.accounts.entries()) {
          const next = file.accounts[place + 1];
          if (next === undefined) continue;
          const [left = 0, right = 0] = [labelOf.get(`${bureau} ${account.ref}`), labelOf.get(`${bureau} ${next.ref}`)];
          if (left === right) continue;
          pairs += 1;
          if (left < right) byPlace += 1;
          if (left < right === account.ref < next.ref) byRef += 1;
        }
      }
    }
    expect(pairs).toBeGreaterThan(1_000);
    expect(Math.abs(byPlace / pairs - 0.5)).toBeLessThan(0.04);
    expect(Math.abs(byRef / pairs - 0.5)).toBeLessThan(0.04);
  });

  test('rows bear the marks of their wire', () => {
    for (const { files } of reports) {
      for (const { bureau, file } of files) {
        for (const account of file.accounts) {
          expect(account.companyName.length).toBeLessThanOrEqual(account.companyNameLimit);
          expect(account.accountNumberTail ?? '0000').toMatch(bureau === 'experian' ? /^\d{3,4}$/ : /^\d{4}$/);
          expect((account.balancePence ?? 0) % account.moneyStepPence).toBe(0);
          expect(account.startDate).toMatch(bureau === 'equifax' ? /^\d{4}-\d\d-\d\d$/ : /^\d{4}-\d\d(-\d\d)?$/);
        }
      }
    }
  });

  test('the noise found in the rows is the noise of the table', () => {
    const { rates, totals } = measureNoise(profile, 11, PEOPLE);
    for (const [name, { wanted, measured, cases }] of Object.entries(rates)) {
      expect(cases, name).toBeGreaterThan(100);
      // Four standard errors, and half a point for errors that the truth hides (an error that lands on the true day).
      const tolerance = 400 * Math.sqrt(((wanted / 100) * (1 - wanted / 100)) / cases) + 0.5;
      expect(Math.abs(measured - wanted), `${name}: ${measured} for ${wanted}`).toBeLessThan(tolerance);
    }
    expect(totals.agreements / totals.people).toBeGreaterThan(6);
    expect(totals.agreements / totals.people).toBeLessThan(12);
  });
});

test('the lenders: about sixty, 57 % of hire purchase in three, ids and names of their own', () => {
  const shares = LENDERS.map(({ sells }) => sells['hire-purchase'] ?? 0).sort((left, right) => right - left);
  const total = shares.reduce((sum, share) => sum + share, 0);
  expect(shares.slice(0, 3).reduce((sum, share) => sum + share, 0) / total).toBe(0.57);
  expect(new Set(LENDERS.map(({ id }) => id)).size).toBe(LENDERS.length);
  const names = LENDERS.flatMap(({ trading, aliases, formerNames }) => [trading, ...aliases, ...formerNames]);
  expect(new Set(names).size).toBe(names.length);
});

test('the registry the matcher gets does not hold the unregistered styles', () => {
  const styles = LENDERS.flatMap(({ unregisteredStyle }) => unregisteredStyle ?? []);
  expect(styles).toHaveLength(2);
  const text = JSON.stringify(REGISTRY);
  for (const style of styles) expect(text).not.toContain(style);
});

test('a scale report has exactly the rows asked for, each reference once', () => {
  const refs = reportOfRows(3, 3_000).flatMap(({ bureau, file }) => file.accounts.map(({ ref }) => `${bureau} ${ref}`));
  expect(refs).toHaveLength(3_000);
  expect(new Set(refs).size).toBe(3_000);
});

test('the random numbers are even and their streams apart', () => {
  const random = new Random(1, 2, 3);
  const counts = Array.from({ length: 10 }, () => 0);
  for (let draw = 0; draw < 100_000; draw += 1) {
    const digit = random.below(10);
    counts[digit] = (counts[digit] ?? 0) + 1;
  }
  for (const seen of counts) expect(Math.abs(seen - 10_000)).toBeLessThan(500);
  const firsts = new Set(Array.from({ length: 5_000 }, (_, index) => new Random(1, 0, index).next()));
  expect(firsts.size).toBeGreaterThan(4_995);
  expect(new Random(2 ** 40).next()).not.toBe(new Random(2 ** 41).next());
  const hits = Array.from({ length: 100_000 }, () => random.chance(3)).filter(Boolean).length;
  expect(Math.abs(hits / 1_000 - 3)).toBeLessThan(0.25);
});
