// Single cases that once went wrong, or whose failure would be the worst.
import { expect, test } from 'vitest';
import type { BureauAccount, BureauAddress } from '../bureaus/port.ts';
import type { LenderRegistry } from './matching/lender-registry.ts';
import { mergeAccounts } from './merge.ts';
import { mergeResidencies } from './merge-residencies.ts';
import { mergeSearches } from './merge-searches.ts';

const lender = (id: string, trading: string, companyType: 'motor-finance' | 'bank' = 'motor-finance') => ({
  ...{ id, trading, legal: `${trading} Limited`, aliases: [], formerNames: [], group: null, companyType },
});
const registry: LenderRegistry = [
  lender('brackenfell', 'Brackenfell Motor Finance'),
  lender('scotland', 'Northmere Vehicle Finance Scotland'),
  lender('solutions', 'Northmere Vehicle Finance Solutions'),
];

const NOTHING: Omit<BureauAccount, 'ref'> = {
  ...{ accountType: 'hire-purchase', accountStatus: 'open', companyType: 'other' },
  ...{ companyName: '', companyNameLimit: 40, otherCompanyNames: [], title: null, firstName: null, lastName: null },
  ...{ accountNumberTail: null, startDate: null, endDate: null, updatedDate: null, numberOfPayments: null },
  ...{ repaymentPeriodMonths: null, paymentPence: null, startBalancePence: null, balancePence: null },
  ...{ balloonPence: null, moneyStepPence: 100, isJoint: null },
};
const DEAL: Omit<BureauAccount, 'ref'> = {
  ...NOTHING,
  ...{ companyName: 'BRACKENFELL MOTOR FINANCE', startDate: '2019-02-18', numberOfPayments: 49 },
  ...{ paymentPence: 28_900, startBalancePence: 1_425_000 },
};

type Rows = Record<string, Omit<BureauAccount, 'ref'>>;

/** Which rows were merged, as their references. */
function merged(equifax: Rows, experian: Rows = {}, transunion: Rows = {}) {
  const accounts = (rows: Rows) => Object.entries(rows).map(([ref, row]) => ({ ...row, ref }));
  const files = Object.entries({ equifax, experian, transunion }).map(([bureau, rows]) => ({
    bureau: bureau as 'equifax',
    file: { accounts: accounts(rows), addresses: [], searches: [] },
  }));
  const { records } = mergeAccounts(files, registry);
  return { records, groups: records.map(({ members }) => members.map(({ ref }) => ref).join(' ')).toSorted() };
}
const tail = (accountNumberTail: string) => ({ ...DEAL, accountNumberTail });

const apart: [string, Rows, Rows][] = [
  ['rows that say nothing at all', { a: NOTHING }, { b: NOTHING }],
  [
    'two names and nothing else',
    { a: { ...NOTHING, companyName: 'ALPHA MOTORS' } },
    { b: { ...NOTHING, companyName: 'ZETA CREDIT' } },
  ],
  [
    'one lender, two numbers, no start',
    { a: { ...NOTHING, companyName: 'BRACKENFELL MOTOR FINANCE', accountNumberTail: '1111' } },
    { b: { ...NOTHING, companyName: 'BRACKENFELL MOTOR FINANCE', accountNumberTail: '2222' } },
  ],
  [
    'names in other letters',
    { a: { ...NOTHING, companyName: '東京', startDate: '2019-02-18' } },
    { b: { ...NOTHING, companyName: 'Банк', startDate: '2019-02-18' } },
  ],
  [
    'a bad debt and its unregistered purchaser',
    { a: { ...tail('1111'), accountStatus: 'default' } },
    { b: { ...tail('1111'), companyName: 'QUILLON COLLECT', companyType: 'finance-house' } },
  ],
];
for (const [name, equifax, experian] of apart) {
  test(`kept apart: ${name}`, () => expect(merged(equifax, experian).groups).toEqual(['a', 'b']));
}

test('two cars on one day with one payment: two agreements, each known to both bureaus', () => {
  const { groups } = merged({ a1: tail('1111'), a2: tail('2222') }, { b1: tail('1111'), b2: tail('2222') });
  expect(groups).toEqual(['a1 b1', 'a2 b2']);
});

test('two cars on one day, known to one bureau: two agreements', () => {
  expect(merged({ a1: tail('1111'), a2: tail('2222') }).groups).toEqual(['a1', 'a2']);
});

test('a row kept twice under two numbers is one agreement when another bureau knows of one only', () => {
  expect(merged({ a1: tail('1111'), a2: tail('2222') }, { b1: tail('1111') }).groups).toEqual(['a1 a2 b1']);
});

test('two rows under two numbers stay two when one is open and one settled', () => {
  const settled = { ...tail('2222'), accountStatus: 'settled' as const };
  expect(merged({ a1: tail('1111'), a2: settled }, { b1: tail('1111') }).groups).toEqual(['a1 b1', 'a2']);
});

test('a cut name that fits two lenders names neither', () => {
  const cut = { ...DEAL, companyName: 'NORTHMERE VEHICLE FINANCE S', companyNameLimit: 27 };
  const { records } = merged({ a: cut });
  expect(records[0]?.record).toMatchObject({ companyName: 'NORTHMERE VEHICLE FINANCE S', companyType: 'other' });
});

test('an amount told in pence is shown over its roundings', () => {
  const { records } = merged(
    { a: { ...tail('1111'), paymentPence: 29_000 } },
    { b: { ...tail('1111'), paymentPence: 29_000 } },
    { c: { ...tail('1111'), paymentPence: 28_960, moneyStepPence: 1 } },
  );
  expect(records[0]?.record.payment?.amount).toBe(28_960);
});

const place = (changes: Partial<BureauAddress>): BureauAddress => ({
  ...{ subBuildingName: null, buildingName: null, buildingNumber: '14', thoroughfare: 'Mill Lane', district: null },
  ...{
    townOrCity: 'Ludforth',
    county: null,
    country: null,
    postcode: 'HR10 2AB',
    monthsAtAddress: 12,
    isCurrent: null,
  },
  ...changes,
});
const residencies = (type: string, ...lists: BureauAddress[][]) =>
  mergeResidencies(
    { addresses: [{ type, ukAddress: { buildingNumber: '14', townOrCity: 'Ludforth', postcode: 'HR10 2AB' } }] },
    lists.map((addresses, index) => ({
      bureau: (['equifax', 'experian', 'transunion'] as const)[index] ?? 'equifax',
      file: { accounts: [], addresses, searches: [] },
    })),
  );

test('without postcodes the street and the town tell places apart', () => {
  const places = [
    place({ postcode: null }),
    place({ postcode: null, thoroughfare: 'High Street', townOrCity: 'Elsewhere' }),
  ];
  expect(residencies('previous', places)).toHaveLength(3);
});

const elsewhere = place({ buildingNumber: '9', isCurrent: true });
const currents: [string, string, BureauAddress[][], string][] = [
  ['what all bureaus agree on, whatever the request says', 'current', [[elsewhere], [elsewhere]], '9'],
  ['the request, where they disagree', 'home', [[elsewhere], [place({ isCurrent: true })]], '14'],
  ['the request, where they say nothing', 'current', [[place({ buildingNumber: '9' })]], '14'],
];
for (const [name, type, lists, number] of currents) {
  test(`the current address is ${name}`, () => {
    const current = residencies(type, ...lists).filter(({ isCurrent }) => isCurrent);
    expect(current.map(({ address }) => address.ukAddress.buildingNumber)).toEqual([number]);
  });
}

test('a search seen under a cut and a whole name is one company', () => {
  const search = (companyName: string, companyNameLimit: number) => ({
    companyName,
    companyNameLimit,
    date: '2025-05-27',
  });
  const file = (...searches: ReturnType<typeof search>[]) => ({ accounts: [], addresses: [], searches });
  const providers = mergeSearches(
    [
      { bureau: 'equifax', file: file(search('BRACKENFELL MOTOR FINANCE', 26)) },
      { bureau: 'transunion', file: file(search('Brackenfell Motor Fi', 20), search('東京', 20), search('Банк', 20)) },
    ],
    registry,
  );
  expect(providers.map(({ companyName }) => companyName)).toEqual(['Brackenfell Motor Finance', 'Банк', '東京']);
});
