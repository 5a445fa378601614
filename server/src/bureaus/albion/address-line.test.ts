import { describe, expect, test } from 'vitest';
import { createNotes } from '../reply-values.ts';
import { readAddressLine } from './address-line.ts';
import { choosePick } from './pick.ts';

const END = 'LUDFORTH, HR10 2AB';
const lines = [
  ['14 MILL LANE', { buildingNumber: '14', thoroughfare: 'MILL LANE' }],
  ['14A MILL LANE', { buildingNumber: '14A', thoroughfare: 'MILL LANE' }],
  ['1-3 MILL LANE', { buildingNumber: '1-3', thoroughfare: 'MILL LANE' }],
  ['FLAT 2, 14 MILL LANE', { subBuildingName: 'FLAT 2', buildingNumber: '14', thoroughfare: 'MILL LANE' }],
  [
    'FLAT 2 ROWAN HOUSE, 14 MILL LANE, UPPER LUDD',
    {
      subBuildingName: 'FLAT 2',
      buildingName: 'ROWAN HOUSE',
      buildingNumber: '14',
      thoroughfare: 'MILL LANE',
      district: 'UPPER LUDD',
    },
  ],
  ['THE OLD FORGE, MILL LANE', { buildingName: 'THE OLD FORGE', thoroughfare: 'MILL LANE' }],
  [
    'THE OLD FORGE, MILL LANE, UPPER LUDD',
    { buildingName: 'THE OLD FORGE', thoroughfare: 'MILL LANE', district: 'UPPER LUDD' },
  ],
  ['TOP FLOOR ROWAN HOUSE, MILL LANE', { buildingName: 'TOP FLOOR ROWAN HOUSE', thoroughfare: 'MILL LANE' }],
  ['2 ROWAN HOUSE, 14 MILL LANE', { buildingName: '2 ROWAN HOUSE', buildingNumber: '14', thoroughfare: 'MILL LANE' }],
  ['ROWAN HOUSE', { buildingName: 'ROWAN HOUSE' }],
] as const;

describe('an address on one line', () => {
  for (const [line, parts] of lines) {
    test(line, () => {
      const notes = createNotes();
      expect(readAddressLine(notes, `${line}, ${END}`)).toMatchObject({
        ...parts,
        townOrCity: 'LUDFORTH',
        postcode: 'HR10 2AB',
      });
      expect(notes.warnings).toEqual([]);
    });
  }

  test('a postcode that is none is counted, and the rest is kept', () => {
    const notes = createNotes();
    expect(readAddressLine(notes, '14 MILL LANE, LUDFORTH, NONE')).toMatchObject({
      buildingNumber: '14',
      postcode: null,
    });
    expect(notes.warnings).toEqual([{ field: 'address.postcode', kind: 'unreadable-value', count: 1 }]);
  });
});

describe('the choice from a pick list', () => {
  const picks = [
    'FLAT 2 ROWAN HOUSE, 14 MILL LANE, LUDFORTH, HR10 2AB',
    'FLAT 12 ROWAN HOUSE, 14 MILL LANE, LUDFORTH, HR10 2AB',
    '16 MILL LANE, LUDFORTH, HR10 2AB',
    'TŶ NEWYDD, MILL LANE, LUDFORTH, HR10 2AB',
  ].map((line, index) => ({ premKey: `4000000${index}`, line }));
  const choose = (...addresses: object[]) =>
    choosePick(
      picks,
      addresses.map((address) => ({
        type: 'current',
        ukAddress: { townOrCity: 'Ludforth', postcode: 'hr102ab', ...address },
      })),
    )?.premKey;

  const rows: readonly (readonly [string, object, string | undefined])[] = [
    ['word for word', { subBuildingName: 'Flat 2', buildingName: 'Rowan House', buildingNumber: '14' }, '40000000'],
    [
      'another word for flat',
      { subBuildingName: 'Apartment 12', buildingName: 'Rowan House', buildingNumber: '14' },
      '40000001',
    ],
    ['the building’s name left out', { subBuildingName: 'Flat 2', buildingNumber: '14' }, '40000000'],
    ['a number alone', { buildingNumber: '16' }, '40000002'],
    ['accents', { buildingName: 'Ty Newydd' }, '40000003'],
    ['two doors fit', { buildingNumber: '14' }, undefined],
    ['no door fits', { buildingNumber: '1' }, undefined],
    ['another postcode', { buildingNumber: '16', postcode: 'HR10 4CD' }, undefined],
  ];
  for (const [name, address, key] of rows) test(`${name}: ${key ?? 'none'}`, () => expect(choose(address)).toBe(key));

  const doors: readonly (readonly [name: string, line: string, address: object, fits: boolean])[] = [
    ['number 2 is not flat 2', 'FLAT 2, 14 MILL LANE', { buildingNumber: '2' }, false],
    ['nor is it when it stands in the name', 'FLAT 2, 14 MILL LANE', { buildingName: '2' }, false],
    ['flat 2 is not number 2', '2 MILL LANE', { subBuildingName: 'Flat 2' }, false],
    ['nor is it when it stands in the name', '2 MILL LANE', { buildingName: 'Flat 2' }, false],
    ['nor is it when it stands in the number', '2 MILL LANE', { buildingNumber: 'Flat 2' }, false],
    ['flat 14 at number 2', 'FLAT 2, 14 MILL LANE', { subBuildingName: 'Flat 14', buildingNumber: '2' }, false],
    ['flat 14 without a number', 'FLAT 2, 14 MILL LANE', { subBuildingName: 'Flat 14' }, false],
    ['flat 14 as a name', 'FLAT 2, 14 MILL LANE', { buildingName: 'Flat 14' }, false],
    ['the number of a flat in a building', '2 ROWAN HOUSE, 14 MILL LANE', { buildingNumber: '2' }, false],
    ['another letter', '14A MILL LANE', { buildingNumber: '14' }, false],
    ['the flat and the number', 'FLAT 2, 14 MILL LANE', { subBuildingName: '2', buildingNumber: '14' }, true],
    ['a word before the number', '14 MILL LANE', { buildingNumber: 'No. 14' }, true],
    ['a letter in lower case', '14A MILL LANE', { buildingNumber: '14a' }, true],
    ['a number with a letter as a name', '14A MILL LANE', { buildingName: '14a' }, true],
    ['flat and building in one name', 'FLAT 2 ROWAN HOUSE, 14 MILL LANE', { buildingName: '2 Rowan House' }, true],
    [
      'a named sub-building',
      'TOP FLOOR ROWAN HOUSE, MILL LANE',
      { subBuildingName: 'Top Floor', buildingName: 'Rowan House' },
      true,
    ],
    [
      'another named sub-building',
      'TOP FLOOR ROWAN HOUSE, MILL LANE',
      { subBuildingName: 'Rowan', buildingName: 'House' },
      false,
    ],
  ];
  for (const [name, line, address, fits] of doors) {
    test(`${line}, ${JSON.stringify(address)}: ${fits ? 'chosen' : 'not chosen'} (${name})`, () => {
      const ukAddress = { townOrCity: 'Ludforth', postcode: 'HR10 2AB', ...address };
      const offered = [{ premKey: '40000000', line: `${line}, ${END}` }];
      expect(choosePick(offered, [{ type: 'current', ukAddress }])?.premKey).toBe(fits ? '40000000' : undefined);
    });
  }

  test('a former address may be the one that fits', () => {
    expect(choose({ buildingNumber: '99' }, { buildingNumber: '16' })).toBe('40000002');
  });
});
