// The consumer that the rows ask about: reserved phone numbers and addresses, an invented person.
export const RIGHT_CODE = '123456';
export const WRONG_CODE = '000000';

export type Fields = Readonly<Record<string, unknown>>;

/** A field set to undefined is left out of the request. */
export function ukAddress(changes: Fields = {}): Fields {
  return { buildingNumber: '14', thoroughfare: 'Mill Lane', townOrCity: 'Leeds', postcode: 'LS1 4AB', ...changes };
}

export function addressEntry(changes: Fields = {}): Fields {
  return { type: 'current', ukAddress: ukAddress(changes) };
}

/** A complete test-mode request without challengeOptions. */
export function consumer(changes: Fields = {}): Fields {
  return {
    sessionId: 'conformance-session',
    bureaus: ['equifax', 'experian', 'transunion'],
    ipAddress: '192.0.2.10',
    searchType: 'pcp',
    title: 'Ms',
    firstName: 'Ada',
    lastName: 'Example',
    dateOfBirth: '1984-03-09',
    addresses: [addressEntry()],
    mobileNumber: '+447700900123',
    email: 'someone@example.com',
    externalReference: 'conformance',
    test: true,
    ...changes,
  };
}

export const branch = (status: 'allow' | 'challenge' | 'block'): Fields => ({ challengeOptions: { status } });
