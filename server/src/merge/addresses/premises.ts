// Whether two addresses are the same premises: by postcode and the text in front of the street, never by the street's
// name alone. `addressId` is made from this key, so it is the same whichever bureau gave the address.
import type { ReportUkAddress } from '@trefoil/contract';

type Premises = Pick<
  ReportUkAddress,
  'subBuildingName' | 'buildingName' | 'buildingNumber' | 'thoroughfare' | 'townOrCity' | 'postcode'
>;

/** Words for a unit inside a building: each bureau writes them in its own way. */
const UNIT_WORDS = /\b(FLAT|FLT|APARTMENT|APT|APPT|UNIT|SUITE|ROOM|NO|NUMBER)\b/g;
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/\bSAINT\b/g, 'ST'],
  [/\bHSE\b/g, 'HOUSE'],
  [/\bCT\b/g, 'COURT'],
  [/\bLDG\b/g, 'LODGE'],
];

function fold(text: string | null): string {
  const plain = (text ?? '')
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toUpperCase()
    .replace(/(\d)\s*[-–/]\s*(\d)/g, '$1-$2')
    .replace(/['’.]/g, '')
    .replace(/[^A-Z0-9-]+/g, ' ')
    .trim();
  return SPELLINGS.reduce((spelt, [pattern, word]) => spelt.replace(pattern, word), plain);
}

/**
 * The parts without their kind: `Flat 2, Rowan House` and `2 ROWAN HOUSE` are one place. Without a postcode the same
 * number exists in every town, so street and town are part of the key.
 */
export function premisesKey(address: Premises): string {
  const parts = [address.subBuildingName, address.buildingName, address.buildingNumber]
    .map((part) => fold(part).replace(UNIT_WORDS, ' ').replace(/\s+/g, ' ').trim())
    .filter(Boolean)
    .join(' ');
  const postcode = fold(address.postcode).replace(/\s/g, '');
  return postcode ? `${postcode}|${parts}` : `|${parts}|${fold(address.thoroughfare)}|${fold(address.townOrCity)}`;
}

export function addressId(address: Premises): string {
  return `adr_${hash64(premisesKey(address)).toString(16).padStart(16, '0')}`;
}

/** 64-bit FNV-1a: rules may not import a hashing package. It spreads values and protects no secret. */
export function hash64(text: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash;
}
