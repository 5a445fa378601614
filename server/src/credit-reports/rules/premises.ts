// Whether two addresses are the same premises: postcode and what stands in front of the street, never the street's
// name alone. The key is what `addressId` is made of, so that it is the same whichever bureau named the place.
import type { ReportUkAddress } from '@trefoil/contract';

type Premises = Pick<
  ReportUkAddress,
  'subBuildingName' | 'buildingName' | 'buildingNumber' | 'thoroughfare' | 'townOrCity' | 'postcode'
>;

/** Words for a unit inside a building: bureaus write them as they please. */
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
 * number stands in every town, so street and town must tell.
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

/** FNV-1a over 64 bits: rules may import no hashing. It spreads, and keeps no secret. */
export function hash64(text: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash;
}
