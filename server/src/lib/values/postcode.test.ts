import { expect, test } from 'vitest';
import { costGrowth, GROWTH_MAX } from '../../../../tools/testing/cost-growth.ts';
import { normalisePostcode } from './postcode.ts';

const accepted = [
  // given, stored
  ['M1 1AA', 'M1 1AA'], // AN
  ['B33 8TH', 'B33 8TH'], // ANN
  ['W1A 0AX', 'W1A 0AX'], // ANA
  ['N1C 4AG', 'N1C 4AG'],
  ['N1P 2AB', 'N1P 2AB'], // P in the third place is in use
  ['E1W 1AA', 'E1W 1AA'],
  ['CR2 6XH', 'CR2 6XH'], // AAN
  ['DN55 1PT', 'DN55 1PT'], // AANN
  ['EC1A 1BB', 'EC1A 1BB'], // AANA
  ['SW1Y 6HP', 'SW1Y 6HP'],
  ['SW1V 1AA', 'SW1V 1AA'],
  ['CR0 2YR', 'CR0 2YR'], // district zero
  ['BT1 5GS', 'BT1 5GS'], // Northern Ireland
  ['JE2 3AB', 'JE2 3AB'], // Crown Dependencies
  ['GY1 1WR', 'GY1 1WR'],
  ['IM1 1AD', 'IM1 1AD'],
  ['IM99 1AB', 'IM99 1AB'],
  ['BF1 3AD', 'BF1 3AD'], // forces
  ['HR10 2AB', 'HR10 2AB'], // well formed, never allocated
  ['ZE4 9ZZ', 'ZE4 9ZZ'],
  ['L1 8JQ', 'L1 8JQ'],
  ['GIR 0AA', 'GIR 0AA'],
  ['gir0aa', 'GIR 0AA'],
  ['m11aa', 'M1 1AA'], // case and spacing
  ['ec1a1bb', 'EC1A 1BB'],
  ['Ec1A 1bB', 'EC1A 1BB'],
  ['  CR2   6XH  ', 'CR2 6XH'],
  ['C R 2 6 X H', 'CR2 6XH'],
  ['CR26 XH', 'CR2 6XH'],
  ['CR2\t6XH\n', 'CR2 6XH'],
  ['CR2\u00a06XH', 'CR2 6XH'], // a no-break space pasted from a page
  ['BFPO 1', 'BFPO 1'], // the older forces form
  ['BFPO 12', 'BFPO 12'],
  ['bfpo801', 'BFPO 801'],
  ['BFPO 5411', 'BFPO 5411'],
  ['BFPO1 2', 'BFPO 12'],
] as const;
for (const [given, stored] of accepted) {
  test(`${JSON.stringify(given)} is stored as ${stored}`, () => {
    expect(normalisePostcode(given)).toBe(stored);
    expect(normalisePostcode(stored), 'a stored postcode stays as it is').toBe(stored);
  });
}

const refused = [
  '',
  '   ',
  'M1', // outward half only
  '1AA',
  'M1 1A',
  'M1 1AAA',
  'M 1AA',
  'M123 1AA',
  'ABC1 1AA',
  '1M1 1AA',
  'Q1 1AA', // first letter Q, V, X
  'V1 1AA',
  'X1 1AA',
  'X9 9AA',
  'AI1 1AA', // second letter I, J, Z
  'AJ1 1AA',
  'AZ1 1AA',
  'ZZ99 3WZ',
  'W1I 1AA', // third-place letter
  'W1L 1AA',
  'W1M 1AA',
  'W1Q 1AA',
  'W1V 1AA',
  'W1Z 1AA',
  'EC1C 1BB', // fourth-place letter
  'EC1D 1BB',
  'EC1Z 1BB',
  'EC1I 1BB',
  'M1 1CA', // inward letters C I K M O V, in either place
  'M1 1IA',
  'M1 1KA',
  'M1 1MA',
  'M1 1OA',
  'M1 1VA',
  'M1 1AC',
  'M1 1AI',
  'M1 1AK',
  'M1 1AM',
  'M1 1AO',
  'M1 1AV',
  'M1 AAA', // a letter in the inward digit's place
  'CRO 2YR', // O for 0 is not repaired
  'EC1A IBB', // I for 1 neither
  'GIR 0AB',
  'GIR 1AA',
  'BFPO', // no number, or too long a one
  'BFPO 12345',
  'BFPO AB',
  'ASCN 1ZZ', // overseas territories
  'STHL 1ZZ',
  'TDCU 1ZZ',
  'BBND 1ZZ',
  'BIQQ 1ZZ',
  'FIQQ 1ZZ',
  'SIQQ 1ZZ',
  'PCRN 1ZZ',
  'TKCA 1ZZ',
  'GX11 1AA',
  'gx111aa',
  'CR2-6XH', // punctuation
  'CR2.6XH',
  'M1 1AA;',
  '\u017fW1A 1AA', // a long s, whose upper case is S
  '\u0131M1 1AD', // a dotless i, whose upper case is I
  'M\uff11 1AA', // a full-width digit
  '90210',
  'D02 AF30', // Ireland
];
for (const given of refused) {
  test(`${JSON.stringify(given)} is not a UK postcode`, () => {
    expect(normalisePostcode(given)).toBeUndefined();
  });
}

const hostile = [
  'A'.repeat(1e5),
  '1'.repeat(1e5),
  ' '.repeat(1e5),
  'A1'.repeat(5e4),
  `BFPO${'1'.repeat(1e5)}`,
  '\u00a0A'.repeat(5e4),
];
for (const text of hostile) {
  test(`100 kB of ${JSON.stringify(text.slice(0, 6))} is refused, at a cost that grows with its length`, async () => {
    expect(normalisePostcode(text)).toBeUndefined();
    expect(await costGrowth(text, normalisePostcode)).toBeLessThanOrEqual(GROWTH_MAX);
  });
}
