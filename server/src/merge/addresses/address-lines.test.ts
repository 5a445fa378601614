import type { ReportUkAddress } from '@trefoil/contract';
import { expect, test } from 'vitest';
import { displayLines, joinLines } from './address-lines.ts';

const nothing: ReportUkAddress = {
  subBuildingName: null,
  buildingName: null,
  buildingNumber: null,
  thoroughfare: null,
  district: null,
  townOrCity: null,
  county: null,
  country: null,
  postcode: null,
};

/** Premises, street and locality; every one of these addresses is in Ludforth, HR10 2AB. */
const premises = [
  // unit, name, number, street, district, lines before the town
  // Number only
  ['', '', '14', 'Mill Lane', '', '14 Mill Lane'],
  ['', '', '14A', 'Mill Lane', '', '14A Mill Lane'],
  ['', '', '14', 'Mill Lane', 'Little Ludforth', '14 Mill Lane | Little Ludforth'],
  // Name only
  ['', 'Rowan House', '', 'Mill Lane', '', 'Rowan House | Mill Lane'],
  ['', '1-3', '', 'Mill Lane', '', '1-3 Mill Lane'],
  ['', '100:1', '', 'Mill Lane', '', '100:1 Mill Lane'],
  ['', '1to1', '', 'Mill Lane', '', '1to1 Mill Lane'],
  ['', '12A', '', 'Mill Lane', '', '12A Mill Lane'],
  ['', '2-4B', '', 'Mill Lane', '', '2-4B Mill Lane'],
  ['', '7', '', 'Mill Lane', '', '7 Mill Lane'],
  ['', 'K', '', 'Mill Lane', '', 'K Mill Lane'],
  ['', 'K2', '', 'Mill Lane', '', 'K2 | Mill Lane'], // starts with a letter: a name
  ['', '12AB', '', 'Mill Lane', '', '12AB | Mill Lane'], // two letters at the end: a name
  ['', 'The Maltings 1-3', '', 'Mill Lane', '', 'The Maltings | 1-3 Mill Lane'],
  ['', 'The Old Tower 12A', '', 'Mill Lane', '', 'The Old Tower | 12A Mill Lane'],
  ['', 'Cottage 2', '', 'Mill Lane', '', 'Cottage 2 | Mill Lane'],
  ['', 'Cottage 12', '', 'Mill Lane', '', 'Cottage 12 | Mill Lane'],
  ['', 'House K', '', 'Mill Lane', '', 'House K | Mill Lane'],
  ['', 'Unit 1-3', '', 'Mill Lane', '', 'Unit 1-3 | Mill Lane'],
  ['', 'UNIT 4B', '', 'Mill Lane', '', 'UNIT 4B | Mill Lane'],
  ['', 'Flat 12A', '', 'Mill Lane', '', 'Flat 12A | Mill Lane'],
  // Name and number
  ['', 'Rowan House', '14', 'Mill Lane', '', 'Rowan House | 14 Mill Lane'],
  ['', 'The Maltings 1-3', '14', 'Mill Lane', '', 'The Maltings 1-3 | 14 Mill Lane'],
  // Unit and number
  ['Flat 2', '', '14', 'Mill Lane', '', 'Flat 2 | 14 Mill Lane'],
  ['A', '', '14', 'Mill Lane', '', '14A Mill Lane'],
  ['A', '', '14B', 'Mill Lane', '', 'A | 14B Mill Lane'], // 14BA would be another house
  ['2', '', '14', 'Mill Lane', '', '2 | 14 Mill Lane'], // 142 would be another house
  ['2B', '', '14', 'Mill Lane', '', '2B | 14 Mill Lane'],
  // Unit and name
  ['A', 'Rowan House', '', 'Mill Lane', '', 'A Rowan House | Mill Lane'],
  ['2B', 'Rowan House', '', 'Mill Lane', '', '2B Rowan House | Mill Lane'],
  ['Flat 2', '110-114', '', 'Mill Lane', '', 'Flat 2 | 110-114 Mill Lane'],
  ['Flat 2', 'Rowan House', '', 'Mill Lane', '', 'Flat 2 | Rowan House | Mill Lane'],
  ['A', '110-114', '', 'Mill Lane', '', 'A 110-114 Mill Lane'],
  // All three
  ['A', 'Rowan House', '14', 'Mill Lane', '', 'A Rowan House | 14 Mill Lane'],
  ['1-2', 'Rowan House', '14', 'Mill Lane', '', '1-2 Rowan House | 14 Mill Lane'],
  ['Flat 2', 'Rowan House', '14', 'Mill Lane', '', 'Flat 2 | Rowan House | 14 Mill Lane'],
  ['Flat 2', 'Rowan House', '14', 'Mill Lane', 'Holt', 'Flat 2 | Rowan House | 14 Mill Lane | Holt'],
  // Unit only
  ['Flat 2', '', '', 'Mill Lane', '', 'Flat 2 Mill Lane'],
  ['A', '', '', 'Mill Lane', '', 'A Mill Lane'],
  // No street
  ['', '', '14', '', 'Little Ludforth', '14 Little Ludforth'],
  ['', 'Rowan House', '14', '', 'Little Ludforth', 'Rowan House | 14 Little Ludforth'],
  ['Flat 2', '', '14', '', 'Little Ludforth', 'Flat 2 | 14 Little Ludforth'],
  ['A', '', '14', '', 'Little Ludforth', '14A Little Ludforth'],
  ['', '1-3', '', '', 'Little Ludforth', '1-3 Little Ludforth'],
  ['', 'The Maltings 1-3', '', '', 'Holt', 'The Maltings | 1-3 Holt'],
  ['', 'Rowan House', '', '', 'Little Ludforth', 'Rowan House | Little Ludforth'],
  ['3', '', '', '', 'Little Ludforth', '3 Little Ludforth'],
  ['Garden Flat', '', '', '', 'Little Ludforth', 'Garden Flat | Little Ludforth'],
  ['', 'Rowan House', '', '', '', 'Rowan House'],
  ['', '', '14', '', '', '14'], // the town's line is the town alone
  // Nothing twice
  ['', '', '14', 'Mill Lane', 'Ludforth', '14 Mill Lane'],
  ['', '', '14', 'Mill Lane', 'LUDFORTH', '14 Mill Lane'],
  ['', '', '14', 'The Green', 'the green', '14 The Green'],
  ['', '', '14', '', 'Ludforth', '14'],
  // Nothing empty
  ['  ', ' , ', ' 14 ', 'Mill   Lane', ',', '14 Mill Lane'],
  ['Flat 2,', ', Rowan House', '14,', 'Mill Lane,', ',,Holt', 'Flat 2 | Rowan House | 14 Mill Lane | Holt'],
  ['Flat 2,, Rear', '', '14', 'Mill Lane', '', 'Flat 2, Rear | 14 Mill Lane'],
] as const;
for (const [subBuildingName, buildingName, buildingNumber, thoroughfare, district, expected] of premises) {
  const given = [subBuildingName, buildingName, buildingNumber, thoroughfare, district];
  const address = {
    ...nothing,
    subBuildingName: subBuildingName || null,
    buildingName: buildingName || null,
    buildingNumber: buildingNumber || null,
    thoroughfare: thoroughfare || null,
    district: district || null,
    townOrCity: 'Ludforth',
    postcode: 'HR10 2AB',
  };
  test(`[${given.join(' / ')}] is written ${expected}`, () => {
    expect(displayLines(address)).toEqual([...expected.split(' | '), 'LUDFORTH', 'HR10 2AB']);
  });
}

const towns = [
  // the town's fields, lines after the street
  [{ townOrCity: 'Ludforth', postcode: 'HR10 2AB', county: 'Marlshire' }, ['LUDFORTH', 'HR10 2AB']],
  [{ townOrCity: 'Ludforth', county: 'Marlshire' }, ['LUDFORTH', 'Marlshire']],
  [{ townOrCity: 'Ludforth', county: 'ludforth' }, ['LUDFORTH']],
  [{ townOrCity: 'Ludforth', district: 'Marlshire', county: 'Marlshire' }, ['Marlshire', 'LUDFORTH']],
  [{ townOrCity: 'Ludforth', postcode: '  ', county: 'Marlshire' }, ['LUDFORTH', 'Marlshire']],
  [{ townOrCity: 'Ludforth', postcode: 'HR10 2AB', country: 'GB' }, ['LUDFORTH', 'HR10 2AB']],
  [{ postcode: 'HR10 2AB' }, ['HR10 2AB']],
  [{ district: 'Holt', postcode: 'HR10 2AB' }, ['Holt', 'HR10 2AB']],
  [{ townOrCity: 'Llanfair-ym-Muallt' }, ['LLANFAIR-YM-MUALLT']],
  [{ townOrCity: 'Bâle-on-Sea' }, ['BÂLE-ON-SEA']],
] as const;
for (const [said, expected] of towns) {
  test(`${JSON.stringify(said)} ends as ${expected.join(' | ')}`, () => {
    const address = { ...nothing, buildingNumber: '14', thoroughfare: 'Mill Lane', ...said };
    expect(displayLines(address)).toEqual(['14 Mill Lane', ...expected]);
  });
}

test('an address of which nothing is known has no lines', () => {
  expect(displayLines(nothing)).toEqual([]);
  expect(joinLines([])).toBe('');
});

test('the address itself is left as it was given', () => {
  const address = Object.freeze({ ...nothing, buildingNumber: '14', townOrCity: 'Ludforth' });
  displayLines(address);
  expect(address.townOrCity).toBe('Ludforth');
});

test('the joined text is the lines with a comma and a space between them', () => {
  expect(joinLines(['Flat 2', '14 Mill Lane', 'LUDFORTH', 'HR10 2AB'])).toBe(
    'Flat 2, 14 Mill Lane, LUDFORTH, HR10 2AB',
  );
});
