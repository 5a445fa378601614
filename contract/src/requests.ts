// The request bodies of the three credit-report operations. Interface, "Resources and their fields"; field rules in
// docs/decisions/0013-field-rules.md and 0164-input-as-people-send-it.md. The server ignores unknown fields
// (docs/decisions/0011-unknown-fields.md), except for a misspelt `test` (0270-a-misspelt-test.md).
import { type Static, Type } from 'typebox';
import { oneOf, orBlank, text } from './schema.ts';
import { TestOptions } from './test-options.ts';
import { BUREAUS, CHALLENGE_STATUSES, SEARCH_TYPES } from './vocabulary.ts';

/** Text that people read and bureaus search by: no invisible characters. */
const plain = (description: string) => Type.String({ ...text(description), format: 'plain-text' });
/** The same with at least one letter. */
const personName = (description: string) => Type.String({ ...text(description), format: 'person-name' });

export const UkAddress = Type.Object(
  {
    subBuildingName: orBlank(plain('Flat or unit. One of the three premises fields is needed.')),
    buildingName: orBlank(plain('Building name. One of the three premises fields is needed.')),
    buildingNumber: orBlank(plain('House or building number. One of the three premises fields is needed.')),
    thoroughfare: orBlank(plain('Street name.')),
    district: orBlank(plain('District or locality.')),
    townOrCity: plain('Town or city.'),
    county: orBlank(plain('County.')),
    country: orBlank(plain('Country code.')),
    postcode: Type.String({
      'x-trim': true,
      format: 'uk-postcode',
      description: 'UK, Crown Dependency or BFPO postcode, in any case and spacing.',
    }),
  },
  {
    // Interface, "Address entry", rule: at least one premises field.
    anyOf: [{ required: ['subBuildingName'] }, { required: ['buildingName'] }, { required: ['buildingNumber'] }],
    'x-message': 'Give at least one of subBuildingName, buildingName and buildingNumber.',
  },
);

export const AddressEntry = Type.Object({
  type: plain('Kind of address, for example `current`.'),
  ukAddress: UkAddress,
});

export const GenerateRequest = Type.Object(
  {
    sessionId: Type.String({
      minLength: 1,
      maxLength: 1024,
      description: 'The `sessionId` that the fingerprint script gave the page. In test mode, any string.',
    }),
    bureaus: Type.Array(oneOf(BUREAUS), {
      minItems: 1,
      maxItems: BUREAUS.length,
      uniqueItems: true,
      description:
        'Bureaus to ask, each at most once. An installation may have one or two of them: asking for another is 400 at its ' +
        'place in the list, which names those it has. Test mode takes all.',
    }),
    ipAddress: Type.String({
      'x-trim': true,
      format: 'ip',
      description: "The IP address of the consumer's browser, IPv4 or IPv6.",
    }),
    searchType: oneOf(SEARCH_TYPES, { description: 'Kind of search.' }),
    firstName: personName('First name.'),
    lastName: personName('Last name.'),
    dateOfBirth: Type.String({
      'x-trim': true,
      format: 'adult-date',
      description: 'YYYY-MM-DD, a real date, aged 18 to 120.',
    }),
    addresses: Type.Array(AddressEntry, { minItems: 1, maxItems: 10, description: 'One to ten addresses.' }),
    title: orBlank(plain('For example Mr, Mrs, Ms.')),
    middleName: orBlank(personName('Middle name.')),
    gender: orBlank(oneOf(['M', 'F'], { description: '`M` or `F`.' })),
    mobileNumber: orBlank(
      Type.String({
        'x-trim': true,
        'x-phone': true,
        format: 'e164',
        description:
          'With country code, such as +447700900123. Spaces, hyphens, dots, brackets and a national `(0)` are removed. ' +
          'A live challenge needs it.',
      }),
    ),
    email: orBlank(
      Type.String({
        'x-trim': true,
        maxLength: 254,
        format: 'email',
        description: 'The e-mail address of the consumer. In test mode, the part before the @ chooses the report.',
      }),
    ),
    externalReference: orBlank(
      Type.String({ maxLength: 255, description: 'Your own reference, to find the report and its charges by.' }),
    ),
    // None of the three may be blank: a request meant as a test must never become a live charge
    // (docs/decisions/0164-input-as-people-send-it.md).
    test: Type.Optional(
      Type.Boolean({
        description:
          'True: test mode, in which no bureau is asked, nothing is sent, and the live wallet is not charged. Otherwise the request is live. ' +
          'Without this field, a field with a name like it (`Test`, `isTest`, `testMode`, `sandbox`, `tset`) is 400.',
      }),
    ),
    challengeOptions: Type.Optional(
      Type.Object(
        { status: oneOf(CHALLENGE_STATUSES, { description: 'Outcome of the simulated screening.' }) },
        { description: 'For test mode only. Without it a test report completes at once, as with `allow`.' },
      ),
    ),
    testOptions: Type.Optional(TestOptions),
  },
  {
    description:
      'An optional field that is `null` or an empty string counts as left out. This does not apply to `test`, ' +
      '`challengeOptions` and `testOptions`, where such a value is refused.',
    // Names without case, spaces and signs.
    'x-misspelt': {
      field: 'test',
      names: ['test', 'istest', 'testmode', 'sandbox', 'tset', 'tets', 'tes', 'tests'],
      'x-message':
        'This name is not known, and a live search cannot be taken back. For test mode send "test": true; for a live ' +
        'search send "test": false, or leave this field out.',
    },
    // docs/decisions/0031-challenge-options-outside-test-mode.md: outside test mode the server refuses the options instead
    // of ignoring them.
    dependentSchemas: {
      challengeOptions: {
        properties: { test: { const: true } },
        required: ['test'],
        'x-message': 'challengeOptions is for test mode only: set test to true or leave it out.',
        'x-path': '/challengeOptions',
      },
      testOptions: {
        properties: { test: { const: true } },
        required: ['test'],
        'x-message': 'testOptions is for test mode only: set test to true or leave it out.',
        'x-path': '/testOptions',
      },
    },
  },
);

export const SubmitOtpRequest = Type.Object({
  challengeId: Type.String({
    'x-trim': true,
    'x-id': true,
    minLength: 1,
    description: 'challengeId of the generate response.',
  }),
  code: Type.String({
    'x-strip': '[\\s-]',
    minLength: 1,
    maxLength: 32,
    description: 'The code from the message. Spaces and hyphens are removed before it is checked.',
  }),
});

export const ResendSmsRequest = Type.Object({
  challengeId: Type.String({
    'x-trim': true,
    'x-id': true,
    minLength: 1,
    description: 'challengeId of the generate response.',
  }),
});

export const SelectTenantRequest = Type.Object({
  // Not validated as a UUID here: an unknown tenant and a malformed id get the same 403
  // (docs/decisions/0006-foreign-tenant.md).
  tenantId: Type.String({
    'x-trim': true,
    'x-id': true,
    minLength: 1,
    maxLength: 100,
    description: 'The tenant to work in.',
  }),
});

export type GenerateRequest = Static<typeof GenerateRequest>;
export type UkAddress = Static<typeof UkAddress>;
export type SubmitOtpRequest = Static<typeof SubmitOtpRequest>;
export type ResendSmsRequest = Static<typeof ResendSmsRequest>;
export type SelectTenantRequest = Static<typeof SelectTenantRequest>;
