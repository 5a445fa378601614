// What the consumer typed, as a request to Trefoil; and the faults that Trefoil finds in it, in the page's words.
import type { GenerateRequest, TrefoilError } from '@trefoil/sdk';

export type Typed = Readonly<Record<string, unknown>>;

export const text = (value: unknown) => (typeof value === 'string' ? value.trim() : '');

export function requestOf(typed: Typed, ipAddress: string, isTest: boolean): GenerateRequest {
  const building = text(typed['building']);
  const email = text(typed['email']);
  const mobileNumber = text(typed['mobileNumber'])
    .replace(/[\s()-]/g, '')
    .replace(/^00/, '+')
    .replace(/^0/, '+44');
  return {
    ...(isTest && { test: true, challengeOptions: { status: 'challenge' as const } }),
    sessionId: text(typed['sessionId']),
    bureaus: ['equifax', 'experian', 'transunion'],
    ipAddress,
    searchType: 'pcp',
    firstName: text(typed['firstName']),
    lastName: text(typed['lastName']),
    dateOfBirth: text(typed['dateOfBirth']),
    ...(email && { email }),
    mobileNumber,
    addresses: [
      {
        type: 'current',
        ukAddress: {
          // The field holds a number, or the name of a house or a flat.
          ...(/^\d/.test(building) ? { buildingNumber: building } : { buildingName: building }),
          ...(text(typed['street']) && { thoroughfare: text(typed['street']) }),
          townOrCity: text(typed['townOrCity']),
          postcode: text(typed['postcode']),
        },
      },
    ],
  };
}

/** By the page's field. Trefoil's own sentences are for programmers: they name the fields of the API. */
const FAULTS: Readonly<Record<string, string>> = {
  firstName: 'Enter your first name as it is on your bank statements',
  lastName: 'Enter your last name as it is on your bank statements',
  dateOfBirth: 'Date of birth must be a real date, and you must be 18 or over',
  mobileNumber: 'Enter a UK mobile number, like 07700 900123',
  email: 'Enter an e-mail address like name@example.com',
  building: 'Enter a house number or name',
  street: 'Enter a street name with at most 100 characters',
  townOrCity: 'Enter your town or city',
  postcode: 'Enter a UK postcode, like HS10 6QA',
};

function fieldOf(path: string): string | undefined {
  if (path.endsWith('/postcode')) return 'postcode';
  if (path.endsWith('/townOrCity')) return 'townOrCity';
  if (path.endsWith('/thoroughfare')) return 'street';
  if (path.includes('/ukAddress')) return 'building';
  return /^\/(firstName|lastName|dateOfBirth|email|mobileNumber)$/.exec(path)?.[1];
}

/** Empty if the consumer can correct none of the faults. */
export function faultsOf({ details }: TrefoilError): Readonly<Record<string, string>> {
  const fields = details.flatMap(({ path }) => fieldOf(path) ?? []);
  return Object.fromEntries(fields.map((field) => [field, FAULTS[field] ?? '']));
}
