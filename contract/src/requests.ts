// The request bodies of the three credit-report operations. Interface, "Resources and their fields";
// field rules in docs/decisions/0013. Unknown fields are ignored (docs/decisions/0011).
import { type Static, Type } from 'typebox';
import { oneOf, text } from './schema.ts';
import { BUREAUS, CHALLENGE_STATUSES, SEARCH_TYPES } from './vocabulary.ts';

export const UkAddress = Type.Object(
  {
    subBuildingName: Type.Optional(text('Flat or unit. One of the three premises fields is needed.')),
    buildingName: Type.Optional(text('Building name. One of the three premises fields is needed.')),
    buildingNumber: Type.Optional(text('House or building number. One of the three premises fields is needed.')),
    thoroughfare: Type.Optional(text('Street name.')),
    district: Type.Optional(text('District or locality.')),
    townOrCity: text('Town or city.'),
    county: Type.Optional(text('County.')),
    country: Type.Optional(text('Country code.')),
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
  type: text('Kind of address, for example `current`.'),
  ukAddress: UkAddress,
});

export const GenerateRequest = Type.Object(
  {
    sessionId: Type.String({
      minLength: 1,
      maxLength: 1024,
      description: 'What the fingerprint script gave the page.',
    }),
    bureaus: Type.Array(oneOf(BUREAUS), {
      minItems: 1,
      maxItems: BUREAUS.length,
      uniqueItems: true,
      description: 'Bureaus to ask, each at most once.',
    }),
    ipAddress: Type.String({
      'x-trim': true,
      format: 'ip',
      description: "Where the consumer's browser calls from, IPv4 or IPv6.",
    }),
    searchType: oneOf(SEARCH_TYPES, { description: 'Kind of search.' }),
    firstName: text('First name.'),
    lastName: text('Last name.'),
    dateOfBirth: Type.String({
      'x-trim': true,
      format: 'adult-date',
      description: 'YYYY-MM-DD, a real date, aged 18 to 120.',
    }),
    addresses: Type.Array(AddressEntry, { minItems: 1, maxItems: 10, description: 'One to ten addresses.' }),
    title: Type.Optional(text('For example Mr, Mrs, Ms.')),
    middleName: Type.Optional(text('Middle name.')),
    gender: Type.Optional(oneOf(['M', 'F'])),
    mobileNumber: Type.Optional(
      Type.String({
        'x-trim': true,
        format: 'e164',
        description: 'With country code, such as +447700900123. A live challenge needs it.',
      }),
    ),
    email: Type.Optional(
      Type.String({
        'x-trim': true,
        maxLength: 254,
        format: 'email',
        description: 'Where the consumer reads mail. In a test, the part before the @ chooses the report.',
      }),
    ),
    externalReference: Type.Optional(
      Type.String({ maxLength: 255, description: 'Your own name for the request, to find it by.' }),
    ),
    test: Type.Optional(Type.Boolean({ description: 'Whether this is a test: nothing is asked, sent or charged.' })),
    challengeOptions: Type.Optional(
      Type.Object(
        { status: oneOf(CHALLENGE_STATUSES, { description: 'Outcome of the simulated screening.' }) },
        { description: 'Test mode only.' },
      ),
    ),
  },
  {
    // docs/decisions/0031: outside test mode the options are refused, not ignored.
    dependentSchemas: {
      challengeOptions: {
        properties: { test: { const: true } },
        required: ['test'],
        'x-message': 'challengeOptions is for test mode only: set test to true or leave it out.',
        'x-path': '/challengeOptions',
      },
    },
  },
);

export const SubmitOtpRequest = Type.Object({
  challengeId: Type.String({ 'x-trim': true, minLength: 1, description: 'challengeId of the generate response.' }),
  code: Type.String({
    'x-strip': '[\\s-]',
    minLength: 1,
    maxLength: 32,
    description: 'The code from the message. Spaces and hyphens are removed before it is judged.',
  }),
});

export const ResendSmsRequest = Type.Object({
  challengeId: Type.String({ 'x-trim': true, minLength: 1, description: 'challengeId of the generate response.' }),
});

export const SelectTenantRequest = Type.Object({
  // Not checked as a UUID here: an unknown tenant and a malformed one get the same 403 (docs/decisions/0006).
  tenantId: Type.String({ 'x-trim': true, minLength: 1, maxLength: 100, description: 'The tenant to work in.' }),
});

export type GenerateRequest = Static<typeof GenerateRequest>;
export type UkAddress = Static<typeof UkAddress>;
export type SubmitOtpRequest = Static<typeof SubmitOtpRequest>;
export type ResendSmsRequest = Static<typeof ResendSmsRequest>;
export type SelectTenantRequest = Static<typeof SelectTenantRequest>;
