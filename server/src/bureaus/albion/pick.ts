// Chooses the consumer's premises from a pick list. Only a certain choice counts: picking another person's address could
// open that person's file, so without a certain choice the answer is a no-trace.

import { normalisePostcode } from '../../lib/values/postcode.ts';
import type { Enquiry } from '../port.ts';
import { isHouseNumber, type PremisesNames, premisesWords } from '../premises.ts';
import { createNotes } from '../reply-values.ts';
import { readAddressLine } from './address-line.ts';

export type Pick = { readonly premKey: string; readonly line: string };

type Words = readonly string[];
type Door = {
  readonly postcode: string | null;
  readonly subBuilding: Words;
  readonly building: Words;
  readonly number: string;
};

/** Undefined when no address of the consumer matches exactly one of the offered premises. */
export function choosePick(picks: readonly Pick[], addresses: Enquiry['consumer']['addresses']): Pick | undefined {
  const offered = picks.map((pick) => ({ pick, door: offeredDoor(pick) }));
  for (const { ukAddress } of addresses) {
    const asked = toDoor(normalisePostcode(ukAddress.postcode) ?? null, ukAddress);
    const fitting = offered.filter(({ door }) => isPartOfDoor(asked, door));
    // First a full match; then a consumer who left out the building's name, as long as only one address fits.
    for (const doors of [fitting.filter(({ door }) => isWholeDoor(asked, door)), fitting]) {
      const [first, second] = doors;
      if (first && !second) return first.pick;
      if (second) break;
    }
  }
  return undefined;
}

function offeredDoor({ line }: Pick): Door {
  const address = readAddressLine(createNotes(), line);
  return toDoor(address.postcode, address);
}

function toDoor(postcode: string | null, names: PremisesNames): Door {
  const { subBuildingName, buildingName, buildingNumber } = names;
  const [name, number] = [toNumber(buildingName), toNumber(buildingNumber)];
  // Some bureaus and people write `14A` as a name; on the door it is a number.
  const isNumber = number === '' && isHouseNumber(name);
  return {
    postcode,
    subBuilding: premisesWords({ subBuildingName }),
    building: isNumber ? [] : premisesWords({ buildingName }),
    number: isNumber ? name : number,
  };
}

/** Without the word for a number, but with the word for a flat: `Flat 2` is not house number 2. */
function toNumber(text: string | null | undefined): string {
  const folded = (text ?? '').normalize('NFKD').toUpperCase().replace(/\s+/g, ' ').trim();
  return folded.replace(/^(?:NO\b\.?|NUMBER\b) ?/, '');
}

const isSame = (some: Words, others: Words) => some.join(' ') === others.join(' ');
const allWords = ({ subBuilding, building, number }: Door) =>
  [...subBuilding, ...building, number].filter((word) => word !== '');

/** Whether the offered address has everything the consumer gave, each in its place: flat 2 at number 14 is not number 2. */
function isPartOfDoor(asked: Door, offered: Door): boolean {
  const named = new Set([...offered.subBuilding, ...offered.building]);
  return (
    asked.postcode !== null &&
    asked.postcode === offered.postcode &&
    allWords(asked).length > 0 &&
    (asked.number === '' || asked.number === offered.number) &&
    (asked.subBuilding.length === 0 || isSameSubBuilding(asked, offered)) &&
    asked.building.every((word) => named.has(word))
  );
}

/** In an address line, a named sub-building (`TOP FLOOR ROWAN HOUSE`) begins the building's name. */
function isSameSubBuilding({ subBuilding }: Door, offered: Door): boolean {
  if (offered.subBuilding.length > 0) return isSame(subBuilding, offered.subBuilding);
  return isSame(subBuilding, offered.building.slice(0, subBuilding.length));
}

function isWholeDoor(asked: Door, offered: Door): boolean {
  return isSame(allWords(asked).toSorted(), allWords(offered).toSorted());
}
