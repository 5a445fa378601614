import { expect, test } from 'vitest';
import { detailsOf, FIELDS, faultsOf, withCountryCode } from './fields.ts';

test.each([
  ['07700 900123', '+447700 900123'],
  ['00353 85 012 3456', '+353 85 012 3456'],
  [' +44 7700 900123 ', '+44 7700 900123'],
  ['', ''],
])('the number %o is sent as %o', (typed, sent) => {
  expect(withCountryCode(typed)).toBe(sent);
});

function typed(changes: Record<string, string> = {}): FormData {
  const fields = new FormData();
  const given = {
    birthDay: '9',
    birthMonth: '3',
    birthYear: '1984',
    firstName: ' Ada ',
    lastName: 'Example',
    ...changes,
  };
  for (const [name, value] of Object.entries(given)) fields.set(name, value);
  fields.append('bureaus', 'equifax');
  fields.append('bureaus', 'experian');
  return fields;
}

test('what is typed is sent trimmed, what is empty is left out, and live has nothing of test mode', () => {
  const fields = typed({
    townOrCity: 'Ludforth',
    postcode: 'hr10 2ab',
    buildingNumber: '14',
    thoroughfare: '  ',
    email: '',
  });
  expect(detailsOf(fields, 'live')).toEqual({
    searchType: 'pcp',
    bureaus: ['equifax', 'experian'],
    firstName: 'Ada',
    lastName: 'Example',
    dateOfBirth: '1984-03-09',
    addresses: [{ type: 'current', ukAddress: { townOrCity: 'Ludforth', postcode: 'hr10 2ab', buildingNumber: '14' } }],
  });
});

test('in test mode the person chooses what screening says', () => {
  expect(detailsOf(typed({ screening: 'challenge' }), 'test')).toMatchObject({
    test: true,
    challengeOptions: { status: 'challenge' },
  });
  expect(detailsOf(typed(), 'test')).toMatchObject({ challengeOptions: { status: 'allow' } });
});

test('faults of the API belong to their fields, each in our words; what belongs to none is not lost', () => {
  const message = 'for developers';
  const details = [
    { path: '/firstName', message },
    { path: '/addresses/0/ukAddress/postcode', message },
    { path: '/addresses/0/ukAddress', message },
    { path: '/bureaus/1', message: 'This service has equifax.' },
    { path: '/ipAddress', message: 'Not an address.' },
  ];
  expect(faultsOf(details)).toEqual({
    faults: {
      firstName: FIELDS.firstName.fault,
      postcode: FIELDS.postcode.fault,
      buildingNumber: FIELDS.buildingNumber.fault,
      bureaus: 'This service has equifax.',
    },
    others: ['Not from a field of this form (ipAddress): Not an address.'],
  });
});
