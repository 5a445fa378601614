// The fields of the form: where the API has each, and what is said when the API refuses it. Pure.
import type { ErrorDetail, GenerateRequest } from '@trefoil/sdk';
import type { Mode } from '../api/queries.ts';
import type { Bureau } from '../api/report-queries.ts';

const ADDRESS = '/addresses/0/ukAddress';

type FieldText = { readonly path: string; readonly label: string; readonly fault: string };

/** In the order of the form, which is the order of the summary. */
export const FIELDS = {
  title: { path: '/title', label: 'Title', fault: 'Leave out characters that cannot be read.' },
  firstName: { path: '/firstName', label: 'First name', fault: 'Enter the first name.' },
  middleName: { path: '/middleName', label: 'Middle name', fault: 'Enter a name, or leave it empty.' },
  lastName: { path: '/lastName', label: 'Last name', fault: 'Enter the last name.' },
  dateOfBirth: {
    path: '/dateOfBirth',
    label: 'Date of birth',
    fault: 'Enter a real date, for a person aged 18 to 120.',
  },
  subBuildingName: {
    path: `${ADDRESS}/subBuildingName`,
    label: 'Flat or unit',
    fault: 'Enter a flat, or leave it empty.',
  },
  buildingName: {
    path: `${ADDRESS}/buildingName`,
    label: 'Building name',
    fault: 'Enter a building name, or leave it empty.',
  },
  buildingNumber: {
    path: `${ADDRESS}/buildingNumber`,
    label: 'House number',
    fault: 'Enter a house number, a building name or a flat.',
  },
  thoroughfare: { path: `${ADDRESS}/thoroughfare`, label: 'Street', fault: 'Enter a street, or leave it empty.' },
  townOrCity: { path: `${ADDRESS}/townOrCity`, label: 'Town or city', fault: 'Enter the town or city.' },
  postcode: {
    path: `${ADDRESS}/postcode`,
    label: 'Postcode',
    fault: 'Enter a whole postcode, such as SW1A 1AA.',
  },
  country: { path: `${ADDRESS}/country`, label: 'Country', fault: 'Choose a country.' },
  mobileNumber: {
    path: '/mobileNumber',
    label: 'Mobile number',
    fault: 'Enter a whole number, such as 07700 900123 or +353 85 012 3456.',
  },
  email: { path: '/email', label: 'E-mail address', fault: 'Enter a whole address, such as name@example.com.' },
  externalReference: {
    path: '/externalReference',
    label: 'Your reference',
    fault: 'Enter at most 255 characters.',
  },
  bureaus: { path: '/bureaus', label: 'Bureaus', fault: 'Choose at least one bureau.' },
} as const satisfies Record<string, FieldText>;

export type FieldName = keyof typeof FIELDS;
const NAMES = Object.keys(FIELDS) as FieldName[];

export type Faults = Partial<Record<FieldName, string>>;

/** Which fields the API has refused, and what it said that belongs to none. */
export function faultsOf(details: readonly ErrorDetail[]): { faults: Faults; others: string[] } {
  const faults: Faults = {};
  const others: string[] = [];
  for (const { path, message } of details) {
    const name = NAMES.find((each) => path === FIELDS[each].path || path.startsWith(`${FIELDS[each].path}/`));
    // The three premises fields share one fault, at the address itself.
    const field = name ?? (path === ADDRESS ? 'buildingNumber' : undefined);
    // A bureau that this installation lacks is named by the API alone.
    if (field === 'bureaus' && path !== '/bureaus') faults.bureaus = message;
    else if (field) faults[field] ??= FIELDS[field].fault;
    // What the page itself adds, such as the address of this computer: nothing that was typed is wrong.
    else others.push(`Not from a field of this form (${path.slice(1)}): ${message}`);
  }
  return { faults, others };
}

/** As people in the UK write a number, and as the API takes it: with the country's code. */
export function withCountryCode(number: string): string {
  const digits = number.trim();
  if (digits.startsWith('00')) return `+${digits.slice(2).trim()}`;
  return digits.startsWith('0') ? `+44${digits.slice(1)}` : digits;
}

const pad = (text: string, length: number) => text.trim().padStart(length, '0');

/** `9`, `3`, `1984` becomes `1984-03-09`. What is no date stays no date: the API says so. */
const dateOf = (fields: FormData) =>
  [pad(textOf(fields, 'birthYear'), 4), pad(textOf(fields, 'birthMonth'), 2), pad(textOf(fields, 'birthDay'), 2)].join(
    '-',
  );

const textOf = (fields: FormData, name: string) => {
  const value = fields.get(name);
  return typeof value === 'string' ? value.trim() : '';
};

export const bureausOf = (fields: FormData) => fields.getAll('bureaus') as Bureau[];

/** What was typed, as the API takes it. Where it was typed, session and address, is added when it is sent. */
export type Details = Omit<GenerateRequest, 'sessionId' | 'ipAddress'>;

export function detailsOf(fields: FormData, mode: Mode): Details {
  const text = (name: FieldName) => textOf(fields, name);
  const given = (name: FieldName) => (text(name) === '' ? {} : { [name]: text(name) });
  const premises = (['subBuildingName', 'buildingName', 'buildingNumber', 'thoroughfare', 'country'] as const).map(
    given,
  );
  const mobileNumber = withCountryCode(text('mobileNumber'));
  return {
    searchType: 'pcp',
    bureaus: bureausOf(fields),
    firstName: text('firstName'),
    lastName: text('lastName'),
    dateOfBirth: dateOf(fields),
    addresses: [
      {
        type: 'current',
        ukAddress: Object.assign({ townOrCity: text('townOrCity'), postcode: text('postcode') }, ...premises),
      },
    ],
    ...given('title'),
    ...given('middleName'),
    ...(mobileNumber !== '' && { mobileNumber }),
    ...given('email'),
    ...given('externalReference'),
    ...(mode === 'test' && { test: true, challengeOptions: { status: screeningOf(fields) } }),
  };
}

/** In test mode the person chooses what screening would say. */
function screeningOf(fields: FormData): 'allow' | 'challenge' | 'block' {
  const said = textOf(fields, 'screening');
  return said === 'challenge' || said === 'block' ? said : 'allow';
}
