// The guarantees of the merge: nothing lost, nothing doubled, the same for every order of the input, and every field by
// its rule. bench/merge measures how well it matches.

import { CreditReport } from '@trefoil/contract';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { BureauAccount, BureauFile, SourcedFile } from '../bureaus/port.ts';
import type { LenderRegistry } from './matching/lender-registry.ts';
import { mergeAccounts } from './merge.ts';
import { mergeReport } from './merge-report.ts';

const registry: LenderRegistry = [
  {
    id: 'brackenfell',
    trading: 'Brackenfell Motor Finance',
    legal: 'Brackenfell Motor Finance Limited',
    aliases: [],
    formerNames: ['Thornwick Auto Credit'],
    group: null,
    companyType: 'motor-finance',
  },
  {
    id: 'kestrel',
    trading: 'Kestrel Bank',
    legal: 'Kestrel Bank plc',
    aliases: ['Kestrel Cards'],
    formerNames: [],
    group: null,
    companyType: 'bank',
  },
];

const account = (ref: string, changes: Partial<BureauAccount> = {}): BureauAccount => ({
  ref,
  accountType: 'hire-purchase',
  accountStatus: 'open',
  companyType: 'other',
  companyName: 'BRACKENFELL MOTOR FINANCE',
  companyNameLimit: 40,
  otherCompanyNames: [],
  title: 'Mr',
  firstName: 'Jon',
  lastName: 'Alden',
  accountNumberTail: '4821',
  startDate: '2019-02-18',
  endDate: null,
  updatedDate: '2024-01-31',
  numberOfPayments: 49,
  repaymentPeriodMonths: 49,
  paymentPence: 28_900,
  startBalancePence: 1_425_000,
  balancePence: 900_000,
  balloonPence: null,
  moneyStepPence: 100,
  isJoint: false,
  ...changes,
});

const file = (accounts: readonly BureauAccount[]): BureauFile => ({ accounts, addresses: [], searches: [] });
const request = {
  firstName: 'Jon',
  lastName: 'Alden',
  dateOfBirth: '1984-03-09',
  addresses: [{ type: 'current', ukAddress: { buildingNumber: '14', townOrCity: 'Ludforth', postcode: 'HR10 2AB' } }],
};

test('three tellings of one agreement become one record that names all three', () => {
  const { records } = mergeAccounts(
    [
      { bureau: 'equifax', file: file([account('A1')]) },
      {
        bureau: 'experian',
        file: file([
          account('B1', { companyName: 'THORNWICK AUTO CREDIT', accountNumberTail: '821', startDate: '2019-02' }),
        ]),
      },
      {
        bureau: 'transunion',
        file: file([
          account('c1', {
            companyName: 'Brackenfell Motor Fi',
            companyNameLimit: 20,
            paymentPence: 28_914,
            moneyStepPence: 1,
          }),
        ]),
      },
    ],
    registry,
  );
  expect(records).toHaveLength(1);
  expect(records[0]?.record).toEqual({
    title: 'Mr',
    firstName: 'Jon',
    lastName: 'Alden',
    accountNumber: '******4821',
    accountType: 'hire-purchase',
    accountStatus: 'open',
    companyType: 'motor-finance',
    companyName: 'Brackenfell Motor Finance',
    numberOfPayments: 49,
    repaymentPeriod: 49,
    payment: { amount: 28_914, currency: 'GBP' },
    startBalance: { amount: 1_425_000, currency: 'GBP' },
    balance: { amount: 900_000, currency: 'GBP' },
    startDate: '2019-02-18',
    bureaus: [
      { id: 'equifax', ref: 'A1' },
      { id: 'experian', ref: 'B1' },
      { id: 'transunion', ref: 'c1' },
    ],
  });
});

const fields: [string, Partial<BureauAccount>[], object][] = [
  [
    'a bureau’s mixed-case spelling of a name over capitals',
    [
      { title: 'MR', firstName: 'JON', lastName: "O'DOWD" },
      { title: 'Mr', firstName: 'Jon', lastName: "O'Dowd" },
    ],
    { title: 'Mr', firstName: 'Jon', lastName: "O'Dowd" },
  ],
  [
    'capitals where no bureau writes the same name otherwise: nothing is invented, and another name is no spelling',
    [
      { title: 'MR', firstName: 'JON', lastName: 'ALDEN' },
      { title: 'Mrs', firstName: 'Joan', lastName: 'Aldén' },
    ],
    { title: 'MR', firstName: 'JON', lastName: 'ALDEN' },
  ],
  [
    'an unknown lender in mixed case over capitals',
    [
      { companyName: 'ZELLANDER CREDIT', companyNameLimit: 40 },
      { companyName: 'Zellander Credit', companyNameLimit: 40 },
    ],
    { companyName: 'Zellander Credit' },
  ],
  [
    'the balance to the penny, among those of one date',
    [
      { balancePence: 900_000, moneyStepPence: 100 },
      { balancePence: 900_041, moneyStepPence: 1 },
    ],
    { balance: { amount: 900_041, currency: 'GBP' } },
  ],
  [
    'the later balance, though the earlier one is to the penny',
    [
      { balancePence: 880_000, moneyStepPence: 100, updatedDate: '2024-02-29' },
      { balancePence: 900_041, moneyStepPence: 1 },
    ],
    { balance: { amount: 880_000, currency: 'GBP' } },
  ],
  [
    'the balance that goes with the status shown, on one date',
    [
      { accountStatus: 'settled', balancePence: 0, moneyStepPence: 100 },
      { accountStatus: 'open', balancePence: 900_041, moneyStepPence: 1 },
    ],
    { accountStatus: 'settled', balance: { amount: 0, currency: 'GBP' } },
  ],
  [
    'the status of the row its bureau heard of last',
    [
      { accountStatus: 'open', updatedDate: '2024-01-01' },
      { accountStatus: 'settled', updatedDate: '2024-03-01', balancePence: 0 },
    ],
    { accountStatus: 'settled', balance: { amount: 0, currency: 'GBP' } },
  ],
  [
    'a telling status over an unknown one',
    [
      { accountStatus: 'unknown', updatedDate: '2024-03-01' },
      { accountStatus: 'open', updatedDate: '2024-01-01' },
    ],
    { accountStatus: 'open' },
  ],
  ['a known type over other', [{ accountType: 'other' }, {}], { accountType: 'hire-purchase' }],
  [
    'the value that is there',
    [{ numberOfPayments: null, startBalancePence: null }, {}],
    { numberOfPayments: 49, startBalance: { amount: 1_425_000, currency: 'GBP' } },
  ],
  ['null where nobody says', [{ paymentPence: null }, { paymentPence: null }], { payment: null }],
  [
    'the first of the month where only the month is known',
    [{ startDate: '2019-02' }, { startDate: '2019-02' }],
    { startDate: '2019-02-01' },
  ],
  [
    'the longest tail, four digits at most',
    [{ accountNumberTail: '821' }, { accountNumberTail: '4821' }],
    { accountNumber: '******4821' },
  ],
];
for (const [name, changes, expected] of fields) {
  test(`a merged record shows ${name}`, () => {
    const bureaus = ['equifax', 'experian', 'transunion'] as const;
    const files = changes.map((change, index) => ({
      bureau: bureaus[index] ?? 'equifax',
      file: file([account(`r${index}`, change)]),
    }));
    const { records } = mergeAccounts(files, registry);
    expect(records).toHaveLength(1);
    expect(records[0]?.record).toMatchObject(expected);
  });
}

test('each merged record says why, and a near miss why not', () => {
  const { records } = mergeAccounts(
    [
      {
        bureau: 'equifax',
        file: file([
          account('A1', {
            accountType: 'credit-card',
            numberOfPayments: null,
            repaymentPeriodMonths: null,
            paymentPence: null,
          }),
        ]),
      },
      {
        bureau: 'experian',
        file: file([
          account('B1', {
            accountType: 'credit-card',
            numberOfPayments: null,
            repaymentPeriodMonths: null,
            paymentPence: null,
            accountNumberTail: '9999',
            startBalancePence: 50_000,
            balancePence: 10_000,
          }),
        ]),
      },
    ],
    registry,
  );
  expect(records).toHaveLength(2);
  expect(records[0]?.match.nearMisses()).toHaveLength(1);
});

const someAccount = fc.record({
  lender: fc.constantFrom('BRACKENFELL MOTOR FINANCE', 'KESTREL BANK', 'Somebody New'),
  type: fc.constantFrom('hire-purchase' as const, 'credit-card' as const, 'other' as const),
  tail: fc.constantFrom('4821', '1111', '821', null),
  start: fc.constantFrom('2019-02-18', '2019-02-20', '2019-02', '2020-01-01', null),
  amount: fc.constantFrom(1_425_000, 50_000, null),
});
const someFiles = fc
  .tuple(
    fc.array(someAccount, { maxLength: 6 }),
    fc.array(someAccount, { maxLength: 6 }),
    fc.array(someAccount, { maxLength: 6 }),
  )
  .map((lists): SourcedFile[] =>
    lists.map((list, bureau) => ({
      bureau: (['equifax', 'experian', 'transunion'] as const)[bureau] ?? 'equifax',
      file: {
        ...file(
          list.map((each, index) =>
            account(`${bureau}-${index}`, {
              companyName: each.lender,
              accountType: each.type,
              accountNumberTail: each.tail,
              startDate: each.start,
              startBalancePence: each.amount,
            }),
          ),
        ),
        searches: list.map((each) => ({ companyName: each.lender, companyNameLimit: 26, date: '2025-11-03' })),
        addresses: list.map((each) => ({
          subBuildingName: null,
          buildingName: null,
          buildingNumber: each.tail,
          thoroughfare: each.type === 'other' ? 'Mill Lane' : 'MILL LN',
          district: null,
          townOrCity: 'Ludforth',
          county: null,
          country: null,
          postcode: 'HR10 2AB',
          monthsAtAddress: 12,
          isCurrent: each.type === 'other',
        })),
      },
    })),
  );

const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(CreditReport);

test('every reference appears exactly once, whatever the files say, and the report fits the contract', () => {
  fc.assert(
    fc.property(someFiles, (files) => {
      const { report } = mergeReport(request, files, registry);
      const told = report.consumerData.records.flatMap(({ bureaus }) => bureaus.map(({ id, ref }) => `${id} ${ref}`));
      const given = files.flatMap(({ bureau, file: { accounts } }) => accounts.map(({ ref }) => `${bureau} ${ref}`));
      expect(told.toSorted()).toEqual(given.toSorted());
      expect(validate(report)).toBe(true);
    }),
  );
});

test('any order of files and rows gives the byte-same report', () => {
  fc.assert(
    fc.property(someFiles, fc.infiniteStream(fc.nat()), (files, numbers) => {
      const shuffle = <T>(values: readonly T[]): T[] =>
        values
          .map((value) => ({ value, rank: numbers.next().value as number }))
          .toSorted((a, b) => a.rank - b.rank)
          .map(({ value }) => value);
      const shuffled = shuffle(files).map(({ bureau, file: { accounts, addresses, searches } }) => ({
        bureau,
        file: { accounts: shuffle(accounts), addresses: shuffle(addresses), searches: shuffle(searches) },
      }));
      const text = (each: SourcedFile[]) => JSON.stringify(mergeReport(request, each, registry).report);
      expect(text(shuffled)).toBe(text(files));
    }),
  );
});

test('merging no file gives an empty list, and the request’s own address', () => {
  const { report } = mergeReport(request, [], registry);
  expect(report.consumerData.records).toEqual([]);
  expect(report.residencies).toMatchObject([{ isCurrent: true, address: { lines: ['14', 'LUDFORTH', 'HR10 2AB'] } }]);
});
