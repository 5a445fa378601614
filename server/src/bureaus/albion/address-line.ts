// Albion writes an address as one line. This parses it from the end: postcode, town, then the rest.
import type { BureauAddress } from '../port.ts';
import { isHouseNumber, PREMISES_MAX, readPostcode } from '../premises.ts';
import { type Notes, readText, unreadable } from '../reply-values.ts';

const LINE_MAX = 400;

/** `FLAT 2`, `APT 4B`, `UNIT 7`: the rest of the part is the building's name. */
const UNIT = /^((?:FLAT|FLT|APARTMENT|APT|UNIT|ROOM|STUDIO|SUITE|MAISONETTE) [A-Z0-9][A-Z0-9/-]{0,5})(?: (.+))?$/i;

export type AddressParts = Omit<BureauAddress, 'monthsAtAddress' | 'isCurrent'>;

const NOWHERE: AddressParts = {
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

export function readAddressLine(notes: Notes, value: unknown): AddressParts {
  const line = readText(notes, 'address.line', value, LINE_MAX);
  const parts = (line ?? '')
    .split(',')
    .map((part) => part.trim().slice(0, PREMISES_MAX))
    .filter(Boolean);
  if (parts.length < 2) return { ...NOWHERE, townOrCity: parts[0] ?? unreadable(notes, 'address.line') };
  const postcode = readPostcode(notes, 'address.postcode', parts.at(-1));
  return { ...NOWHERE, ...readStreet(parts.slice(0, -2)), townOrCity: parts.at(-2) ?? null, postcode };
}

/** House, numbered street, locality: each may be missing, and only the number tells which part is which. */
function readStreet(parts: readonly string[]): Partial<AddressParts> {
  const numbered = parts.findLastIndex((part) => isHouseNumber(part.split(' ', 1)[0] ?? '') && part.includes(' '));
  if (numbered >= 0) {
    const [buildingNumber = '', ...street] = (parts[numbered] ?? '').split(' ');
    return {
      ...readHouse(parts.slice(0, numbered).join(' ')),
      buildingNumber,
      thoroughfare: street.join(' '),
      district: parts.slice(numbered + 1).join(', ') || null,
    };
  }
  // Premises without a number have a name, which comes first.
  const [house = '', thoroughfare, ...district] = parts;
  return { ...readHouse(house), thoroughfare: thoroughfare ?? null, district: district.join(', ') || null };
}

/** A named sub-building (`GARDEN COTTAGE ROWAN HOUSE`) cannot be separated from the building, and stays with it. */
function readHouse(text: string): Partial<AddressParts> {
  if (text === '') return {};
  if (isHouseNumber(text)) return { buildingNumber: text };
  const unit = UNIT.exec(text);
  return unit ? { subBuildingName: unit[1] ?? null, buildingName: unit[2] ?? null } : { buildingName: text };
}
