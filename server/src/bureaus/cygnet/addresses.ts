// Reads the premises of a Cygnet file and how long the consumer was there.
import { isObject, type Json, type JsonObject, own } from '../../lib/outside/strict-json.ts';
import { unintelligible } from '../bureau-fault.ts';
import type { BureauAddress, BureauDate } from '../port.ts';
import { isHouseNumber, PREMISES_MAX, readPostcode } from '../premises.ts';
import { type Notes, readDate, readText, unreadable } from '../reply-values.ts';
import { fromCygnetDate, wholeMonths } from './dates.ts';

/** The maximum number of stays at one address. */
const STAYS_MAX = 50;

export function readAddress(notes: Notes, place: Json | undefined, today: BureauDate | null): BureauAddress {
  const paf = isObject(place) ? own(place, 'paf') : undefined;
  if (!isObject(place) || !isObject(paf)) return unintelligible('premises that are no record');
  const part = (field: string, key: string) => readText(notes, `address.${field}`, own(paf, key), PREMISES_MAX);
  const [name, number] = [part('buildingName', 'buildingName'), part('buildingNumber', 'number')];
  // Cygnet writes `14A` as a name; for the other bureaus, and on the door, it is a number.
  const isNumber = number === null && name !== null && isHouseNumber(name);
  return {
    subBuildingName: part('subBuildingName', 'subBuilding'),
    buildingName: isNumber ? null : name,
    buildingNumber: isNumber ? name : number,
    thoroughfare: part('thoroughfare', 'thoroughfare'),
    district: part('district', 'locality'),
    townOrCity: part('townOrCity', 'town'),
    county: null,
    country: null,
    postcode: readPostcode(notes, 'address.postcode', own(paf, 'postcode')),
    ...readStays(notes, own(place, 'occupancy'), today),
  };
}

type Stay = { readonly from: BureauDate | null; readonly to: BureauDate | null; readonly isCurrent: boolean };
type Occupancy = Pick<BureauAddress, 'monthsAtAddress' | 'isCurrent'>;

/** Of several stays the last one counts; a current stay is the last. */
function readStays(notes: Notes, value: unknown, today: BureauDate | null): Occupancy {
  const rows = Array.isArray(value) && value.length <= STAYS_MAX ? (value as readonly unknown[]) : [];
  const stays = rows.flatMap((row) => (isObject(row) ? [readStay(notes, row)] : []));
  if (stays.length === 0 || stays.length < rows.length) {
    return { monthsAtAddress: unreadable(notes, 'address.occupancy'), isCurrent: null };
  }
  const end = (stay: Stay) => (stay.isCurrent ? '9' : (stay.to ?? ''));
  const last = stays.reduce((latest, stay) => (end(stay) > end(latest) ? stay : latest));
  const until = last.isCurrent ? today : last.to;
  return {
    monthsAtAddress: last.from === null || until === null ? null : wholeMonths(last.from, until),
    // An unreadable end is an end, but we cannot be sure of it.
    isCurrent: last.isCurrent || (last.to === null ? null : false),
  };
}

function readStay(notes: Notes, row: JsonObject): Stay {
  const end = own(row, 'to');
  return {
    from: readDate(notes, 'address.from', own(row, 'from'), fromCygnetDate),
    to: readDate(notes, 'address.to', end, fromCygnetDate),
    isCurrent: end === null,
  };
}
