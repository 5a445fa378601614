import type { CreditReport, GenerateRequest } from '@trefoil/contract';
import { expect, test } from 'vitest';
import { foldName, keyOfPerson, keysOfReport } from './person.ts';

const rows = [
  // one spelling, another spelling of the same name
  ['Zoë', 'ZOE'],
  ['Anne-Marie', 'anne marie'],
  ['Anne-Marie', 'Annemarie'],
  ["O'Neil", 'O’NEIL'],
  ["O'Neil", 'o neil'],
  ['Łukasz', 'lukasz'],
  ['Strauß', 'STRAUSS'],
  ['Bjørn', 'Bjorn'],
  ['Ｊａｎｅ', 'jane'],
  ['Jose\u0301', 'José'],
  ['St. John', 'St John'],
] as const;
for (const [one, other] of rows) {
  test(`${one} and ${other} are one name`, () => {
    expect(foldName(one)).toBe(foldName(other));
  });
}

test('names that differ in a letter differ', () => {
  expect(foldName('Jon')).not.toBe(foldName('John'));
  expect(foldName('李')).not.toBe(foldName('王'));
  expect(foldName('李')).not.toBe('');
});

const address = (postcode: string) => ({
  type: 'current',
  ukAddress: { buildingNumber: '1', townOrCity: 'Ludforth', postcode },
});
const request = {
  ...{ firstName: 'Mary Ann', middleName: 'Rose', lastName: 'Example', dateOfBirth: '1984-03-09' },
  addresses: [address('HR10 2AB'), address('HR10 2AD')],
} as unknown as GenerateRequest;
const report = {
  person: { title: null, firstName: 'MARY', lastName: 'EXEMPLAR', dateOfBirth: '1984-03-09' },
  residencies: [{ address: { ukAddress: { postcode: 'ZE1 0AA' } } }, { address: { ukAddress: { postcode: null } } }],
  consumerData: { records: [{ firstName: 'Roland', lastName: 'Relative' }] },
} as unknown as CreditReport;

const asked = (firstName: string, lastName: string, postcode: string) =>
  JSON.stringify(keyOfPerson({ firstName, lastName, dateOfBirth: '1984-03-09', postcode }));

test('a report is found by every name and every postcode of its person, requested or reported', () => {
  const keys = new Set(keysOfReport(request, report).map((key) => JSON.stringify(key)));
  for (const first of ['mary-ann', 'Mary Ann Rose']) {
    for (const postcode of ['hr102ab', 'HR10 2AD', 'ze1 0aa'])
      expect(keys).toContain(asked(first, 'Example', postcode));
  }
  expect(keys).toContain(asked('Mary', 'Exemplar', 'HR10 2AB'));
  // The first word may be a twin's too.
  expect(keys).not.toContain(asked('Mary', 'Example', 'HR10 2AB'));
});

test('a report is not found by the name on an account, which may be a relative’s', () => {
  const keys = keysOfReport(request, report).map((key) => JSON.stringify(key));
  expect(keys).not.toContain(asked('Roland', 'Relative', 'HR10 2AB'));
});

test('a file with many addresses makes a bounded number of keys', () => {
  const many = Array.from({ length: 500 }, (_, at) => ({ address: { ukAddress: { postcode: `ZE1 ${at}AA` } } }));
  expect(keysOfReport(request, { ...report, residencies: many } as unknown as CreditReport).length).toBeLessThan(130);
});
