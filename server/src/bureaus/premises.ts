// Maps the bureaus' different ways of writing parts of an address to the fields of the interface.
import { normalisePostcode } from '../lib/values/postcode.ts';
import { type Notes, unreadable } from './reply-values.ts';

export const PREMISES_MAX = 100;

/** `14`, `14A`, `1-3`, `100/2`: what precedes a street, whether or not it is a plain number. */
const HOUSE_NUMBER = /^\d{1,5}[A-Za-z]?(?:[-/:]\d{1,5}[A-Za-z]?)?$/;

export const isHouseNumber = (text: string) => HOUSE_NUMBER.test(text);

/** Upper case with one space. The spelling is not repaired: an invalid postcode is counted and left out. */
export function readPostcode(notes: Notes, field: string, value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  const postcode = typeof value === 'string' && value.length <= 16 ? normalisePostcode(value) : undefined;
  return postcode ?? unreadable(notes, field);
}

export type PremisesNames = {
  readonly subBuildingName?: string | null | undefined;
  readonly buildingName?: string | null | undefined;
  readonly buildingNumber?: string | null | undefined;
};

/** Words for a unit: bureaus and people use them interchangeably, or leave them out. */
const UNIT_WORDS = new Set(['FLAT', 'FLT', 'APARTMENT', 'APT', 'UNIT', 'NO', 'NUMBER', 'THE']);

/** The words that tell one address from the next under a postcode, ignoring case, accents and punctuation. */
export function premisesWords({ subBuildingName, buildingName, buildingNumber }: PremisesNames): string[] {
  return [subBuildingName, buildingName, buildingNumber]
    .map((part) =>
      (part ?? '')
        .normalize('NFKD')
        .replace(/\p{M}+/gu, '')
        .toUpperCase(),
    )
    .flatMap((part) => part.replace(/['’.]/g, '').split(/[^A-Z0-9-]+/))
    .filter((word) => word !== '' && !UNIT_WORDS.has(word));
}
