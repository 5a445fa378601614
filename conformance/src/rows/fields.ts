// One row per field rule of the generate request, addresses apart. Interface, "Generate request body"; decisions
// 11 to 13 and 31.
import { dig, equal } from '../expect.ts';
import { generate, reportsPath, startChallenge, submitBody } from '../journey.ts';
import { dataOf, invalid, refused } from '../replies.ts';
import type { Row } from '../row.ts';
import { addressEntry, branch, consumer, type Fields, RIGHT_CODE } from '../sample.ts';

const required = [
  'sessionId',
  'bureaus',
  'ipAddress',
  'searchType',
  'firstName',
  'lastName',
  'dateOfBirth',
  'addresses',
];

/** A birth date the given number of years and days ago, days away from any time zone's edge. */
function born(yearsAgo: number, daysAgo: number): string {
  const date = new Date();
  date.setUTCFullYear(date.getUTCFullYear() - yearsAgo);
  date.setUTCDate(date.getUTCDate() - daysAgo);
  return date.toISOString().slice(0, 10);
}

const longEmail = `${'a'.repeat(60)}@${`${'b'.repeat(60)}.`.repeat(4)}example`;
const bureaus = ['equifax', 'experian', 'transunion'];

// Name of the row, what is sent, the field that must be named.
const refusals: readonly (readonly [string, Fields, string])[] = [
  ['session-id-empty', { sessionId: '' }, '/sessionId'],
  ['session-id-over-1024', { sessionId: 's'.repeat(1025) }, '/sessionId'],
  ['session-id-number', { sessionId: 7 }, '/sessionId'],
  ['bureaus-empty', { bureaus: [] }, '/bureaus'],
  ['bureaus-unknown', { bureaus: ['nobody'] }, '/bureaus'],
  ['bureaus-repeated', { bureaus: ['equifax', 'equifax'] }, '/bureaus'],
  ['bureaus-four', { bureaus: [...bureaus, 'equifax'] }, '/bureaus'],
  ['bureaus-text', { bureaus: 'equifax' }, '/bureaus'],
  ['ip-text', { ipAddress: 'not-an-address' }, '/ipAddress'],
  ['ip-out-of-range', { ipAddress: '192.0.2.256' }, '/ipAddress'],
  ['ip-short', { ipAddress: '192.0.2' }, '/ipAddress'],
  ['ip-range', { ipAddress: '192.0.2.0/24' }, '/ipAddress'],
  ['ip-bad-v6', { ipAddress: '2001:db8::1::2' }, '/ipAddress'],
  ['search-type-unknown', { searchType: 'mortgage' }, '/searchType'],
  ['first-name-empty', { firstName: '' }, '/firstName'],
  ['first-name-blank', { firstName: '   ' }, '/firstName'],
  ['first-name-over-100', { firstName: 'a'.repeat(101) }, '/firstName'],
  ['first-name-number', { firstName: 5 }, '/firstName'],
  ['first-name-null', { firstName: null }, '/firstName'],
  ['last-name-blank', { lastName: ' \t' }, '/lastName'],
  ['last-name-over-100', { lastName: 'a'.repeat(101) }, '/lastName'],
  ['title-blank', { title: ' ' }, '/title'],
  ['title-over-100', { title: 'a'.repeat(101) }, '/title'],
  ['middle-name-blank', { middleName: ' ' }, '/middleName'],
  ['middle-name-over-100', { middleName: 'a'.repeat(101) }, '/middleName'],
  ['birth-date-30-february', { dateOfBirth: '1984-02-30' }, '/dateOfBirth'],
  ['birth-date-29-february', { dateOfBirth: '1983-02-29' }, '/dateOfBirth'],
  ['birth-date-other-format', { dateOfBirth: '09/03/1984' }, '/dateOfBirth'],
  ['birth-date-with-time', { dateOfBirth: '1984-03-09T00:00:00Z' }, '/dateOfBirth'],
  ['birth-date-aged-17', { dateOfBirth: born(18, -2) }, '/dateOfBirth'],
  ['birth-date-aged-121', { dateOfBirth: born(121, 2) }, '/dateOfBirth'],
  ['birth-date-future', { dateOfBirth: born(-1, 0) }, '/dateOfBirth'],
  ['gender-unknown', { gender: 'X' }, '/gender'],
  ['gender-lower-case', { gender: 'm' }, '/gender'],
  ['mobile-without-plus', { mobileNumber: '07700900123' }, '/mobileNumber'],
  ['mobile-too-short', { mobileNumber: '+44770' }, '/mobileNumber'],
  ['mobile-text', { mobileNumber: '+44abcdefghij' }, '/mobileNumber'],
  ['mobile-unknown-country', { mobileNumber: '+9991234567890' }, '/mobileNumber'],
  ['email-without-at', { email: 'test002.example.com' }, '/email'],
  ['email-without-domain', { email: 'test002@' }, '/email'],
  ['email-without-prefix', { email: '@example.com' }, '/email'],
  ['email-over-254', { email: longEmail }, '/email'],
  ['reference-over-255', { externalReference: 'r'.repeat(256) }, '/externalReference'],
  ['first-name-no-letter', { firstName: '-' }, '/firstName'],
  ['middle-name-no-letter', { middleName: '1.' }, '/middleName'],
  ['last-name-no-letter', { lastName: '42' }, '/lastName'],
  ['first-name-control', { firstName: 'A\u0007da' }, '/firstName'],
  ['last-name-zero-width', { lastName: 'Exam\u200bple' }, '/lastName'],
  ['last-name-invisible', { lastName: '\u3164' }, '/lastName'],
  ['mobile-punctuated-without-plus', { mobileNumber: '(0)7700 900-123' }, '/mobileNumber'],
  ['mobile-plus-in-brackets', { mobileNumber: '(+44) 7700 900123' }, '/mobileNumber'],
  ['test-null', { test: null }, '/test'],
  ['test-blank', { test: '' }, '/test'],
  ['options-null', { challengeOptions: null }, '/challengeOptions'],
  ['options-blank', { challengeOptions: '' }, '/challengeOptions'],
  ['options-status-blank', { challengeOptions: { status: '' } }, '/challengeOptions/status'],
  ...required.flatMap((field): (readonly [string, Fields, string])[] => [
    [`blank-${field}`, { [field]: '' }, `/${field}`],
    [`null-${field}`, { [field]: null }, `/${field}`],
  ]),
  ['test-text', { test: 'true', ...branch('allow') }, '/test'],
  ['addresses-empty', { addresses: [] }, '/addresses'],
  ['addresses-eleven', { addresses: Array.from({ length: 11 }, () => addressEntry()) }, '/addresses'],
  ['addresses-object', { addresses: addressEntry() }, '/addresses'],
  ['options-outside-test', { test: false, ...branch('allow') }, '/challengeOptions'],
  ['options-test-absent', { test: undefined, ...branch('allow') }, '/challengeOptions'],
  ['options-block-outside-test', { test: false, ...branch('block') }, '/challengeOptions'],
  ['options-without-status', { challengeOptions: {} }, '/challengeOptions'],
  ['options-unknown-status', { challengeOptions: { status: 'maybe' } }, '/challengeOptions'],
  ['options-text', { challengeOptions: 'allow' }, '/challengeOptions'],
];

const optionals = ['title', 'middleName', 'gender', 'mobileNumber', 'email', 'externalReference'];
const all = (names: readonly string[], value: unknown): Fields =>
  Object.fromEntries(names.map((name) => [name, value]));

const acceptances: readonly (readonly [string, string, Fields])[] = [
  ['ip-v6', 'an IPv6 address', { ipAddress: '2001:db8::42' }],
  ['session-id-1024', 'a sessionId of 1,024 characters', { sessionId: 's'.repeat(1024) }],
  ['reference-255', 'an externalReference of 255 characters', { externalReference: 'r'.repeat(255) }],
  ['name-100', 'a name of 100 characters', { firstName: 'a'.repeat(100) }],
  ['aged-18', 'a consumer who has just turned 18', { dateOfBirth: born(18, 2) }],
  ['aged-120', 'a consumer of 120 years', { dateOfBirth: born(120, 10) }],
  ['leap-day', 'a birth date on a real 29 February', { dateOfBirth: '1984-02-29' }],
  ['gender-m', 'gender M', { gender: 'M' }],
  ['gender-f', 'gender F', { gender: 'F' }],
  ['addresses-ten', 'ten addresses', { addresses: Array.from({ length: 10 }, () => addressEntry()) }],
  ['address-kind', 'any text as the kind of address', { addresses: [{ ...addressEntry(), type: 'holiday home' }] }],
  [
    'optionals-absent',
    'a request with its required fields only',
    { title: undefined, mobileNumber: undefined, email: undefined, externalReference: undefined },
  ],
  ['optionals-null', 'null in every optional field', all(optionals, null)],
  ['optionals-blank', 'an empty text in every optional field', all(optionals, '')],
  ['mobile-spaced', 'a telephone number with spaces', { mobileNumber: '+44 7700 900 123' }],
  ['mobile-punctuated', 'a telephone number with hyphens and dots', { mobileNumber: '+44-7700.900-123' }],
  ['mobile-brackets', 'a telephone number with brackets', { mobileNumber: '+44 (7700) 900123' }],
  ['mobile-national-zero', 'a telephone number with its national zero', { mobileNumber: '+44 (0)7700 900123' }],
  ['name-with-marks', 'a name with accents and an apostrophe', { lastName: "O'Súilleabháin-Łuk" }],
  ['all-optionals', 'a request with every optional field', { middleName: 'Byron', gender: 'F', ...branch('allow') }],
];

const pins = 'Interface, "Generate request body"; decision 13';

export const fieldRows: readonly Row[] = [
  ...required.map(
    (field): Row => ({
      id: `field/missing/${field}`,
      title: `${field} missing: 400 that names it`,
      pins,
      run: async ({ api }) => invalid(await generate(api, { [field]: undefined }), `/${field}`),
    }),
  ),
  ...refusals.map(
    ([name, changes, pointer]): Row => ({
      id: `field/refused/${name}`,
      title: `${name.replaceAll('-', ' ')}: 400 that names ${pointer.slice(1)}`,
      pins: name.startsWith('bureaus') ? 'Decision 12' : name.startsWith('options') ? 'Decision 31' : pins,
      run: async ({ api }) => invalid(await generate(api, changes), pointer),
    }),
  ),
  ...acceptances.map(
    ([name, what, changes]): Row => ({
      id: `field/accepted/${name}`,
      title: `${what} is accepted`,
      pins,
      run: async ({ api }) => {
        dataOf(await generate(api, changes), 'complete');
      },
    }),
  ),
  {
    id: 'field/all-faults',
    title: 'one answer names every fault of the request, by JSON pointer',
    pins: 'Decision 4',
    run: async ({ api }) => {
      const addresses = [addressEntry(), { type: 'previous', ukAddress: { buildingNumber: '1', postcode: 'nowhere' } }];
      const changes = {
        sessionId: undefined,
        bureaus: ['nobody'],
        ipAddress: 'x',
        dateOfBirth: '1984-02-30',
        addresses,
      };
      const reply = await generate(api, { ...changes, gender: 'X', email: 'x' });
      const fields = ['/sessionId', '/bureaus', '/ipAddress', '/dateOfBirth', '/gender', '/email'];
      invalid(reply, ...fields, '/addresses/1/ukAddress/townOrCity', '/addresses/1/ukAddress/postcode');
    },
  },
  {
    id: 'field/unknown-ignored',
    title: 'fields the service does not know are ignored at every level',
    pins: 'Decision 11',
    run: async ({ api }) => {
      const entry = addressEntry({ what3words: 'index.home.raft' });
      const changes = { favouriteColour: 'green', addresses: [{ ...entry, since: 2001 }] };
      const challenge = await startChallenge(api, { ...changes, challengeOptions: { status: 'challenge', why: 1 } });
      const body = { challengeId: challenge.challengeId, code: RIGHT_CODE, more: [] };
      dataOf(await submitBody(api, challenge.creditReportId, body), 'complete');
    },
  },
  {
    id: 'field/own-words-safe',
    title: 'field names that mean something to JavaScript are ordinary unknown fields',
    pins: 'Decision 11',
    run: async ({ api }) => {
      const raw = `{"__proto__":{"test":false},"constructor":{"a":1},${JSON.stringify(consumer()).slice(1)}`;
      const headers = { 'content-type': 'application/json' };
      const reply = await api.send({ method: 'POST', path: reportsPath(api.tenantId), raw, headers });
      // Refusing such a body is as safe as ignoring the field; a server error is neither.
      if (reply.status === 400) refused(reply, 400, 'validation-error');
      else equal('person.firstName', dig(dataOf(reply, 'complete'), 'creditReport.person.firstName'), 'Ada');
    },
  },
];
