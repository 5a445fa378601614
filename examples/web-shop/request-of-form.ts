// A generate request from what the consumer typed, and the form's field that a fault of the request is about.
import type { ErrorDetail, GenerateRequest } from '@trefoil/sdk';

export const FIELDS = [
  'firstName',
  'lastName',
  'birthDay',
  'birthMonth',
  'birthYear',
  'building',
  'street',
  'townOrCity',
  'postcode',
  'mobileNumber',
  'email',
  'trial',
] as const;

export type Field = (typeof FIELDS)[number];
export type Form = Readonly<Record<Field, string>>;
export type Faults = Partial<Record<Field, string>>;

const BUREAUS = ['equifax', 'experian', 'transunion'] as const;
const noTrace = (bureau: (typeof BUREAUS)[number]) => ({ bureau, outcome: 'no-trace' as const });

/** In test mode the page has a list of these: what shall happen? In live mode nothing of this is sent. */
export const TRIALS: Readonly<
  Record<
    string,
    { readonly words: string; readonly options: Pick<GenerateRequest, 'challengeOptions' | 'testOptions'> }
  >
> = {
  complete: { words: 'A report at once', options: {} },
  code: { words: 'A code by SMS (it is 123456)', options: { challengeOptions: { status: 'challenge' } } },
  partly: {
    words: 'One bureau finds nobody',
    options: { testOptions: { bureauResults: [noTrace('experian')] } },
  },
  'not-traced': {
    words: 'No bureau finds the person',
    options: { testOptions: { bureauResults: BUREAUS.map(noTrace) } },
  },
  blocked: { words: 'Screening refuses', options: { challengeOptions: { status: 'block' } } },
  failed: {
    words: 'No bureau answers',
    options: { testOptions: { outcome: 'failed', reason: 'no-bureau-answered' } },
  },
  'no-funds': { words: 'Our wallet is empty', options: { testOptions: { outcome: 'insufficient-funds' } } },
  'no-credits': {
    words: 'Our wallet is empty (the other code)',
    options: { testOptions: { outcome: 'insufficient-credits' } },
  },
  busy: { words: 'Too many requests', options: { testOptions: { outcome: 'rate-limited' } } },
};

export function readForm(values: URLSearchParams): Form {
  return Object.fromEntries(FIELDS.map((field) => [field, (values.get(field) ?? '').trim()])) as Form;
}

/** The service needs YYYY-MM-DD. It says itself whether there is such a day and whether the person is of age. */
function dateOf({ birthDay, birthMonth, birthYear }: Form): string {
  return `${birthYear.padStart(4, '0')}-${birthMonth.padStart(2, '0')}-${birthDay.padStart(2, '0')}`;
}

/** People type 07700 900123; the service needs the country code. It removes spaces and hyphens itself. */
const mobileOf = (typed: string) => typed.replace(/^00/, '+').replace(/^0/, '+44');

export type Sender = { readonly sessionId: string; readonly ipAddress: string; readonly isTest: boolean };

export function requestOf(form: Form, orderId: string, { sessionId, ipAddress, isTest }: Sender): GenerateRequest {
  return {
    ...(isTest && { test: true, ...TRIALS[form.trial]?.options }),
    // Without the script (a blocked network, a browser without scripts) any text. A live challenge then fails.
    sessionId: sessionId || 'no-device-session',
    ipAddress,
    bureaus: [...BUREAUS],
    searchType: 'pcp',
    // Makes the lines of the statement findable by our own number.
    externalReference: orderId,
    firstName: form.firstName,
    lastName: form.lastName,
    dateOfBirth: dateOf(form),
    mobileNumber: mobileOf(form.mobileNumber),
    email: form.email,
    addresses: [
      {
        type: 'current',
        ukAddress: {
          // The field holds a number, or the name of a house or a flat.
          ...(/^\d/.test(form.building) ? { buildingNumber: form.building } : { buildingName: form.building }),
          thoroughfare: form.street,
          townOrCity: form.townOrCity,
          postcode: form.postcode,
        },
      },
    ],
  };
}

const FIELD_OF_PATH: readonly (readonly [RegExp, Field])[] = [
  [/^\/dateOfBirth$/, 'birthDay'],
  [/^\/firstName$/, 'firstName'],
  [/^\/lastName$/, 'lastName'],
  [/^\/mobileNumber$/, 'mobileNumber'],
  [/^\/email$/, 'email'],
  [/\/ukAddress\/postcode$/, 'postcode'],
  [/\/ukAddress\/townOrCity$/, 'townOrCity'],
  [/\/ukAddress\/thoroughfare$/, 'street'],
  [/\/ukAddress/, 'building'],
];

/** The service's own sentences are for developers: they speak of its fields and formats, and not of those on the page. */
const WORDS: Readonly<Partial<Record<Field, string>>> = {
  firstName: 'Type your first name, in letters.',
  lastName: 'Type your last name, in letters.',
  birthDay: 'Type a real date. You must be 18 or older.',
  mobileNumber: 'Type a mobile number, such as 07700 900123.',
  email: 'Type an e-mail address, such as name@example.com.',
  postcode: 'Type a UK postcode, such as HR10 2AB.',
  townOrCity: 'Type your town or city.',
  street: 'Type your street, or leave it empty.',
  building: 'Type the number or the name of your house.',
};

/** Undefined where the fault is not in what the consumer typed: then it is ours. */
export function faultsOf(details: readonly ErrorDetail[]): Faults | undefined {
  const faults: Faults = {};
  for (const { path } of details) {
    const field = FIELD_OF_PATH.find(([pattern]) => pattern.test(path))?.[1];
    if (!field) return undefined;
    faults[field] = WORDS[field] ?? 'Please correct this.';
  }
  return Object.keys(faults).length > 0 ? faults : undefined;
}
