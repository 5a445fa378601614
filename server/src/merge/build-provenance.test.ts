// The provenance is complete and exact: one source for each reference of each record, in their order, with what the
// bureau's file says, for people of every profile of the merge benchmark.
import { describe, expect, test } from 'vitest';
import { generateReport } from '../../../bench/merge/generate.ts';
import { REGISTRY } from '../../../bench/merge/lenders.ts';
import { PROFILES } from '../../../bench/merge/noise.ts';
import type { BureauAccount, SourcedFile } from '../bureaus/port.ts';
import { buildProvenance } from './build-provenance.ts';
import { mergeReport } from './merge-report.ts';
import type { ProvenanceReply } from './provenance.ts';

const SEED = 1_729;
const PEOPLE = 60;
const SALT = '0123456789abcdef0123456789abcdef';
const request = { firstName: 'Jon', lastName: 'Alden', dateOfBirth: '1984-03-09', addresses: [] };

const build = (files: readonly SourcedFile[], replies: readonly ProvenanceReply[] = []) => {
  const { report, merged } = mergeReport(request, files, REGISTRY);
  return {
    records: report.consumerData.records,
    provenance: buildProvenance(merged, { request, replies, salt: SALT }),
  };
};

function accountsOf(files: readonly SourcedFile[]): Map<string, BureauAccount> {
  return new Map(
    files.flatMap(({ bureau, file }) => file.accounts.map((account) => [`${bureau} ${account.ref}`, account] as const)),
  );
}

describe.each(PROFILES)('files of profile %s', (profile) => {
  const people = Array.from({ length: PEOPLE }, (_, index) => generateReport(SEED, profile, index));

  test('each record has one source for each of its references, in their order', () => {
    for (const { files } of people) {
      const { records, provenance } = build(files);
      expect(provenance.records.map(({ sources }) => sources.map(({ bureau, ref }) => ({ id: bureau, ref })))).toEqual(
        records.map(({ bureaus }) => bureaus),
      );
    }
  });

  test('each source says what the bureau’s file says, and nothing else', () => {
    let sourceCount = 0;
    for (const { files } of people) {
      const accounts = accountsOf(files);
      for (const { bureau, ...told } of build(files).provenance.records.flatMap(({ sources }) => sources)) {
        const { companyNameLimit: _, ...given } = accounts.get(`${bureau} ${told.ref}`) ?? { companyNameLimit: 0 };
        expect(told).toEqual(given);
        sourceCount += 1;
      }
    }
    expect(sourceCount).toBeGreaterThan(PEOPLE);
  });

  test('a lender is the registry’s, and the record shows its trading name', () => {
    let lenderCount = 0;
    for (const { files } of people) {
      const { records, provenance } = build(files);
      provenance.records.forEach(({ lender }, place) => {
        if (!lender) return;
        lenderCount += 1;
        expect(records[place]?.companyName).toBe(lender.trading);
        expect(REGISTRY).toContainEqual(expect.objectContaining(lender));
        expect(Object.keys(lender)).toEqual(['trading', 'legal', 'formerNames']);
      });
    }
    expect(lenderCount).toBeGreaterThan(PEOPLE);
  });

  test('the text does not depend on the order of files, rows or fields', () => {
    const turn = (account: BureauAccount) => Object.fromEntries(Object.entries(account).reverse()) as BureauAccount;
    for (const { files } of people) {
      const turned = files.toReversed().map(({ bureau, file }) => ({
        bureau,
        file: { ...file, accounts: file.accounts.toReversed().map(turn) },
      }));
      expect(JSON.stringify(build(turned).provenance)).toBe(JSON.stringify(build(files).provenance));
    }
  });
});

test('rows of one bureau with the same data are sources of their own', () => {
  const source = generateReport(SEED, 'standard', 1).files.find(({ file }) => file.accounts.length > 0);
  const [account] = source?.file.accounts ?? [];
  if (!source || !account) throw new Error('nobody has an account');
  const accounts = ['r-2', 'r-1', 'r-3'].map((ref) => ({ ...account, ref }));
  const { records, provenance } = build([{ bureau: source.bureau, file: { ...source.file, accounts } }]);
  expect(records).toHaveLength(1);
  expect(provenance.records[0]?.sources.map(({ ref }) => ref)).toEqual(['r-1', 'r-2', 'r-3']);
  expect(records[0]?.bureaus.map(({ ref }) => ref)).toEqual(['r-1', 'r-2', 'r-3']);
});

test('without a file there are no records, and the replies and the salt stay', () => {
  const replies: ProvenanceReply[] = [
    {
      bureau: 'equifax',
      outcome: 'no-trace',
      accounts: null,
      answeredAt: '2026-03-01T10:00:00.000Z',
      replySha256: 'ab',
    },
    { bureau: 'experian', outcome: 'unavailable', accounts: null, answeredAt: null, replySha256: null },
  ];
  expect(build([], replies).provenance).toEqual({
    type: 'trefoil/provenance/1',
    searched: request,
    salt: SALT,
    bureaus: replies,
    records: [],
  });
});
