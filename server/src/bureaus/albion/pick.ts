// Which premises of a pick list are the consumer's. Only a sure choice is made: picking for somebody else's door could
// open somebody else's file, so without one the answer is a no-trace.

import { normalisePostcode } from '../../lib/postcode.ts';
import type { Enquiry } from '../port.ts';
import { premisesWords } from '../premises.ts';
import { createNotes } from '../reply-values.ts';
import { readAddressLine } from './address-line.ts';

export type Pick = { readonly premKey: string; readonly line: string };

type Door = { readonly postcode: string | null; readonly words: readonly string[] };

/** Undefined when no address of the consumer fits exactly one of the offered premises. */
export function choosePick(picks: readonly Pick[], addresses: Enquiry['consumer']['addresses']): Pick | undefined {
  const offered = picks.map((pick) => ({ pick, door: offeredDoor(pick) }));
  for (const { ukAddress } of addresses) {
    const door = { postcode: normalisePostcode(ukAddress.postcode) ?? null, words: premisesWords(ukAddress) };
    // Word for word first; then a consumer who left out the building's name, as long as only one door fits.
    for (const fits of [isSameDoor, isPartOfDoor]) {
      const [first, second] = offered.filter((each) => fits(door, each.door));
      if (first && !second) return first.pick;
      if (second) break;
    }
  }
  return undefined;
}

function offeredDoor({ line }: Pick): Door {
  const address = readAddressLine(createNotes(), line);
  return { postcode: address.postcode, words: premisesWords(address) };
}

const isSamePostcode = (asked: Door, offered: Door) => asked.postcode !== null && asked.postcode === offered.postcode;

function isSameDoor(asked: Door, offered: Door): boolean {
  return isSamePostcode(asked, offered) && asked.words.toSorted().join(' ') === offered.words.toSorted().join(' ');
}

function isPartOfDoor(asked: Door, offered: Door): boolean {
  const words = new Set(offered.words);
  return isSamePostcode(asked, offered) && asked.words.length > 0 && asked.words.every((word) => words.has(word));
}
