import { BUREAUS, CreditReport } from '@trefoil/contract';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Scenario } from './scenario.ts';
import { type SyntheticRequest, synthesiseReport } from './synthetic-report.ts';

const ada: SyntheticRequest = {
  title: 'Ms',
  firstName: 'Ada',
  lastName: 'Example',
  dateOfBirth: '1984-03-09',
  addresses: [
    {
      type: 'current',
      ukAddress: { buildingNumber: '14', thoroughfare: 'Mill Lane', townOrCity: 'Ludforth', postcode: 'HR10 2AB' },
    },
  ],
  bureaus: ['equifax', 'experian', 'transunion'],
};

const scenarios = [
  // scenario, account types in order, status, searches made by
  ['no-records', [], 'open', []],
  ['single-pcp', ['hire-purchase'], 'open', ['Kestrel Bank', 'Thistledown Vehicle Credit']],
  ['mixed', ['hire-purchase', 'credit-card', 'mortgage'], 'open', ['Kestrel Bank', 'Thistledown Vehicle Credit']],
  ['all-settled', ['hire-purchase', 'credit-card'], 'settled', ['Kestrel Bank', 'Thistledown Vehicle Credit']],
  [
    'default',
    ['hire-purchase', 'hire-purchase', 'credit-card', 'mortgage'],
    'open',
    ['Kestrel Bank', 'Thistledown Vehicle Credit'],
  ],
] as const satisfies readonly (readonly [Scenario, readonly string[], string, readonly string[]])[];
for (const [scenario, types, status, providers] of scenarios) {
  test(`${scenario}: ${types.length} ${status} records and ${providers.length} search providers`, () => {
    const { consumerData, previousSearches } = synthesiseReport(scenario, ada);
    expect(consumerData.records.map((record) => record.accountType)).toEqual(types);
    for (const { accountStatus, balance } of consumerData.records) {
      expect(accountStatus).toBe(status);
      if (status === 'settled') expect(balance?.amount).toBe(0);
      else expect(balance?.amount).toBeGreaterThan(0);
    }
    expect(previousSearches.providers.map((provider) => provider.companyName)).toEqual(providers);
  });
}

test('single-pcp: the agreement has the 49 payments of a PCP', () => {
  expect(recordsOf('single-pcp', ada)[0]).toMatchObject({ numberOfPayments: 49, repaymentPeriod: 49 });
});

test('default: the two hire-purchase agreements are with different lenders', () => {
  const [first, second] = recordsOf('default', ada);
  expect(first?.companyName).not.toBe(second?.companyName);
});

test('a known person has a known report: a change here is a change every tenant sees', () => {
  const { residencies, consumerData, previousSearches } = synthesiseReport('single-pcp', ada);
  expect(residencies[0]).toMatchObject({
    addressId: 'adr_1ff7aa891403d8dc',
    yearsAtAddress: 4,
    monthsAtAddress: 8,
  });
  expect(consumerData.records).toEqual([
    {
      title: 'Ms',
      firstName: 'Ada',
      lastName: 'Example',
      accountNumber: '******4727',
      accountType: 'hire-purchase',
      accountStatus: 'open',
      companyType: 'motor-finance',
      companyName: 'Brackenfell Motor Finance',
      numberOfPayments: 49,
      repaymentPeriod: 49,
      payment: { amount: 36465, currency: 'GBP' },
      startBalance: { amount: 1540300, currency: 'GBP' },
      balance: { amount: 1324658, currency: 'GBP' },
      startDate: '2023-09-18',
      bureaus: [
        { id: 'equifax', ref: 'A-88788-001' },
        { id: 'experian', ref: 'B1477.01' },
        { id: 'transunion', ref: 'c-4725-aa' },
      ],
    },
  ]);
  expect(previousSearches.providers).toEqual([
    {
      companyName: 'Kestrel Bank',
      records: [{ date: '2025-03-16T17:05:00.000Z' }, { date: '2024-08-20T16:32:00.000Z' }],
    },
    { companyName: 'Thistledown Vehicle Credit', records: [{ date: '2024-01-02T15:43:00.000Z' }] },
  ]);
});

test('a request without a title has null for it, on the person and on every record', () => {
  const { title: _, ...untitled } = ada;
  const report = synthesiseReport('default', untitled);
  expect(report.person.title).toBeNull();
  expect(report.consumerData.records.map((record) => record.title)).toEqual([null, null, null, null]);
});

const currents = [
  // types in the request, which are current in the report
  [['current'], [true]],
  [
    ['previous', 'CURRENT'],
    [false, true],
  ],
  [
    ['previous', ' Current '],
    [false, true],
  ],
  [
    ['previous', 'other'],
    [true, false],
  ],
  [
    ['current', 'previous', 'current'],
    [true, false, true],
  ],
  [
    ['currently let', 'previous'],
    [true, false],
  ],
] as const;
for (const [types, expected] of currents) {
  test(`addresses of type ${JSON.stringify(types)} are current: ${expected.join(', ')}`, () => {
    const addresses = types.map((type, index) => ({
      type,
      ukAddress: { buildingNumber: `${index + 1}`, townOrCity: 'Ludforth', postcode: 'HR10 2AB' },
    }));
    const { residencies } = synthesiseReport('default', { ...ada, addresses });
    expect(residencies.map((residency) => residency.isCurrent)).toEqual(expected);
    expect(residencies.map((residency) => residency.address.ukAddress.buildingNumber)).toEqual(
      types.map((_, index) => `${index + 1}`),
    );
  });
}

const flat = { subBuildingName: 'Flat 2', buildingName: 'Rowan House', townOrCity: 'Ludforth', postcode: 'HR10 2AB' };
const premises = [
  // the differing fields, whether it is still the same premises
  [{}, true],
  [{ subBuildingName: 'FLAT 2', buildingName: ' rowan  house ' }, true],
  [{ thoroughfare: 'Mill Lane', district: 'Holt', townOrCity: 'LUDFORTH', county: 'Marlshire', country: 'GB' }, true],
  [{ postcode: 'HR10 2AD' }, false],
  [{ subBuildingName: 'Flat 3' }, false],
  [{ buildingName: 'Rowan Court' }, false],
  [{ buildingNumber: '14' }, false],
  [{ subBuildingName: 'Rowan House', buildingName: 'Flat 2' }, false],
] as const;
for (const [change, isSame] of premises) {
  test(`${JSON.stringify(change)} keeps the addressId: ${isSame}`, () => {
    expect(addressIdOf(flat)).toMatch(/^adr_[0-9a-f]{16}$/);
    expect(addressIdOf({ ...flat, ...change }) === addressIdOf(flat)).toBe(isSame);
  });
}

test('residencies carry the display lines of their address', () => {
  const address = synthesiseReport('default', ada).residencies[0]?.address;
  expect(address?.lines).toEqual(['14 Mill Lane', 'LUDFORTH', 'HR10 2AB']);
  expect(address?.addressLine1).toBe('14 Mill Lane, LUDFORTH, HR10 2AB');
  expect(address?.ukAddress.townOrCity).toBe('Ludforth');
});

test('most records come from every bureau asked, the card not from transunion', () => {
  expect(recordsOf('default', ada).map((record) => record.bureaus.map(({ id }) => id))).toEqual([
    ['equifax', 'experian', 'transunion'],
    ['equifax', 'experian', 'transunion'],
    ['equifax', 'experian'],
    ['equifax', 'experian', 'transunion'],
  ]);
});

test('one bureau asked alone reports every record, transunion included', () => {
  for (const bureau of BUREAUS) {
    for (const record of recordsOf('default', { ...ada, bureaus: [bureau] })) {
      expect(record.bureaus.map(({ id }) => id)).toEqual([bureau]);
    }
  }
});

test('different people have different figures, account numbers and refs', () => {
  const people = Array.from({ length: 200 }, (_, index) => ({ ...ada, lastName: `Example${index}` }));
  const first = people.map((person) => recordsOf('single-pcp', person)[0]);
  const distinct = (values: readonly unknown[]) => new Set(values).size;
  expect(distinct(first.map((record) => record?.startBalance?.amount))).toBeGreaterThan(150);
  expect(distinct(first.map((record) => record?.accountNumber))).toBeGreaterThan(150);
  for (const bureau of [0, 1, 2])
    expect(distinct(first.map((record) => record?.bureaus[bureau]?.ref))).toBeGreaterThan(150);
});

const text = fc.string({ minLength: 1, maxLength: 30, unit: 'grapheme' });
const anyRequest: fc.Arbitrary<SyntheticRequest> = fc.record(
  {
    title: text,
    firstName: text,
    lastName: text,
    dateOfBirth: fc.constantFrom('1984-03-09', '1960-02-29', '2001-12-31'),
    addresses: fc.array(
      fc.record({
        type: fc.oneof(fc.constantFrom('current', 'Current', 'previous'), text),
        ukAddress: fc.record(
          {
            subBuildingName: text,
            buildingName: text,
            buildingNumber: text,
            thoroughfare: text,
            district: text,
            townOrCity: text,
            county: text,
            country: text,
            postcode: fc.constantFrom('HR10 2AB', 'LD9 1XY', 'BFPO 12'),
          },
          { requiredKeys: ['townOrCity', 'postcode'] },
        ),
      }),
      { minLength: 1, maxLength: 10 },
    ),
    bureaus: fc.shuffledSubarray([...BUREAUS], { minLength: 1 }),
  },
  { requiredKeys: ['firstName', 'lastName', 'dateOfBirth', 'addresses', 'bureaus'] },
);
const anyScenario = fc.constantFrom<Scenario>('no-records', 'single-pcp', 'mixed', 'all-settled', 'default');

function everyReport(check: (report: CreditReport, request: SyntheticRequest, scenario: Scenario) => void): void {
  fc.assert(
    fc.property(anyScenario, anyRequest, (scenario, request) => {
      check(synthesiseReport(scenario, request), request, scenario);
    }),
  );
}

test('every report fits the contract: each field present, none besides', () => {
  // The contract allows additional fields in answers; here an unknown field is a mistake.
  const closed: object = JSON.parse(JSON.stringify(CreditReport), (_, value) =>
    value?.type === 'object' && value.properties ? { ...value, additionalProperties: false } : value,
  );
  const fits = new Ajv2020({ formats: { date: true, 'date-time': true } }).compile(closed);
  everyReport((report) => {
    expect(fits(report), JSON.stringify(fits.errors)).toBe(true);
  });
});

test('the same request always has the same report', () => {
  everyReport((report, request, scenario) => {
    expect(synthesiseReport(scenario, structuredClone(request))).toEqual(report);
  });
});

test('the order of the bureaus in the request does not show in the report', () => {
  everyReport((report, request, scenario) => {
    expect(synthesiseReport(scenario, { ...request, bureaus: request.bureaus.toReversed() })).toEqual(report);
  });
});

test('asking fewer bureaus only takes their refs away', () => {
  everyReport((report, request, scenario) => {
    const all = recordsOf(scenario, { ...request, bureaus: [...BUREAUS] });
    const without = (records: typeof all) => records.map((record) => ({ ...record, bureaus: [] }));
    expect(without(report.consumerData.records)).toEqual(without(all));
  });
});

test('every record is reported by at least one bureau asked and by no other, in the fixed order', () => {
  everyReport((report, request) => {
    for (const { bureaus } of report.consumerData.records) {
      const ids = bureaus.map(({ id }) => id);
      expect(ids.length).toBeGreaterThan(0);
      expect(ids).toEqual(BUREAUS.filter((id) => ids.includes(id)));
      expect(request.bureaus).toEqual(expect.arrayContaining(ids));
    }
  });
});

test("refs are in each bureau's own style and never occur twice", () => {
  const styles = { equifax: /^A-\d{5}-\d{3}$/, experian: /^B\d{4}\.\d{2}$/, transunion: /^c-\d{4}-[a-z]{2}$/ };
  everyReport((report) => {
    const reported = report.consumerData.records.flatMap((record) => record.bureaus);
    for (const { id, ref } of reported) expect(ref).toMatch(styles[id]);
    expect(new Set(reported.map(({ ref }) => ref)).size).toBe(reported.length);
  });
});

test('figures agree with one another', () => {
  everyReport((report) => {
    for (const record of report.consumerData.records) {
      const { accountNumber, balance, startBalance, payment, numberOfPayments, startDate } = record;
      expect(accountNumber).toMatch(/^\*{6}\d{4}$/);
      expect(startDate).toMatch(/^20(1\d|2[0-4])-\d{2}-\d{2}$/);
      expect(startBalance?.amount).toBeGreaterThan(0);
      expect(balance?.amount).toBeLessThanOrEqual(startBalance?.amount ?? 0);
      if (record.accountType === 'credit-card') {
        expect([numberOfPayments, record.repaymentPeriod, payment]).toEqual([null, null, null]);
      } else {
        expect((payment?.amount ?? 0) * (numberOfPayments ?? 0)).toBeGreaterThanOrEqual(startBalance?.amount ?? 0);
      }
    }
  });
});

test('person, records and residencies are those of the request', () => {
  everyReport((report, request) => {
    const { firstName, lastName, dateOfBirth, title = null } = request;
    expect(report.person).toEqual({ title, firstName, lastName, dateOfBirth });
    for (const record of report.consumerData.records) expect(record).toMatchObject({ title, firstName, lastName });
    expect(report.residencies.length).toBe(request.addresses.length);
    for (const [index, { address, yearsAtAddress, monthsAtAddress }] of report.residencies.entries()) {
      expect(address.ukAddress).toMatchObject(request.addresses[index]?.ukAddress ?? {});
      expect(yearsAtAddress).toBeGreaterThanOrEqual(0);
      expect(yearsAtAddress).toBeLessThanOrEqual(10);
      expect(monthsAtAddress).toBeGreaterThanOrEqual(0);
      expect(monthsAtAddress).toBeLessThanOrEqual(11);
    }
    expect(report.residencies.some((residency) => residency.isCurrent)).toBe(true);
  });
});

test('searches have real UTC instants to the millisecond', () => {
  everyReport((report) => {
    for (const { records } of report.previousSearches.providers) {
      expect(records.length).toBeGreaterThan(0);
      for (const { date } of records) expect(new Date(date).toISOString()).toBe(date);
    }
  });
});

function recordsOf(scenario: Scenario, request: SyntheticRequest) {
  return synthesiseReport(scenario, request).consumerData.records;
}

function addressIdOf(ukAddress: SyntheticRequest['addresses'][number]['ukAddress']) {
  return synthesiseReport('no-records', { ...ada, addresses: [{ type: 'current', ukAddress }] }).residencies[0]
    ?.addressId;
}
