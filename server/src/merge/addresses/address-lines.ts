// A UK address as the lines on an envelope, by the Royal Mail's premises rules. It changes no field of the address:
// only the lines show the town in capitals. It must not judge whether the address exists.
import type { ReportUkAddress } from '@trefoil/contract';

/** Separate lines, and the text in front of the street (empty if there is none). */
type Premises = { readonly ownLines: readonly string[]; readonly beforeStreet: string };

// A building name that starts with one of these words names a unit: "Unit 1-3" must not be split.
const UNIT_WORDS = new Set([
  'UNIT',
  'UNITS',
  'FLAT',
  'FLATS',
  'APARTMENT',
  'APARTMENTS',
  'BLOCK',
  'SUITE',
  'STUDIO',
  'PLOT',
]);

export function displayLines(address: ReportUkAddress): string[] {
  const street = tidy(address.thoroughfare);
  const town = tidy(address.townOrCity).toUpperCase();
  const postcode = tidy(address.postcode);
  const district = tidy(address.district);
  const locality = isSameText(district, town) || isSameText(district, street) ? '' : district;
  // Post needs no county; it gets a line only when there is no postcode to find the town by.
  const county = postcode === '' ? tidy(address.county) : '';
  const { ownLines, beforeStreet } = placePremises(address, street !== '');

  const lines = [...ownLines];
  if (street !== '') lines.push(joinWords(beforeStreet, street), locality);
  else if (locality !== '') lines.push(joinWords(beforeStreet, locality));
  else lines.push(beforeStreet);
  lines.push(town, isSameText(county, town) || isSameText(county, locality) ? '' : county, postcode);
  return lines.filter((line) => line !== '');
}

export function joinLines(lines: readonly string[]): string {
  return lines.join(', ');
}

function placePremises(address: ReportUkAddress, hasStreet: boolean): Premises {
  const unit = tidy(address.subBuildingName);
  const name = tidy(address.buildingName);
  const number = tidy(address.buildingNumber);

  if (unit !== '' && name !== '') return placeUnitInNamedBuilding(unit, name, number);
  if (unit !== '' && number !== '') {
    // A lone letter belongs to the number, 12A; after a number that already ends in a letter it would be misread.
    if (/^\p{L}$/u.test(unit) && /[0-9]$/.test(number)) return { ownLines: [], beforeStreet: `${number}${unit}` };
    return { ownLines: [unit], beforeStreet: number };
  }
  if (name !== '') return number === '' ? placeNamedBuilding(name) : { ownLines: [name], beforeStreet: number };
  // A unit without a building leads the street. Without a street, only a unit that reads like a number leads the
  // locality: "3 Little Ludforth", but "Garden Flat" on its own line.
  if (unit !== '' && !hasStreet && !readsLikeNumber(unit)) return { ownLines: [unit], beforeStreet: '' };
  return { ownLines: [], beforeStreet: unit !== '' ? unit : number };
}

function placeNamedBuilding(name: string): Premises {
  if (readsLikeNumber(name)) return { ownLines: [], beforeStreet: name };
  const words = name.split(' ');
  const last = words.at(-1) ?? '';
  if (isStreetRange(last) && !UNIT_WORDS.has((words[0] ?? '').toUpperCase())) {
    return { ownLines: [words.slice(0, -1).join(' ')], beforeStreet: last };
  }
  return { ownLines: [name], beforeStreet: '' };
}

function placeUnitInNamedBuilding(unit: string, name: string, number: string): Premises {
  const together = readsLikeNumber(unit) ? [`${unit} ${name}`] : [unit, name];
  if (number !== '') return { ownLines: together, beforeStreet: number };
  // A name that reads like a number takes the number's position, with the unit's letter still in front of it.
  if (readsLikeNumber(name)) return { ownLines: together.slice(0, -1), beforeStreet: together.at(-1) ?? '' };
  return { ownLines: together, beforeStreet: '' };
}

/** The Royal Mail's exception form: one character, from digit to digit (1-3), or from digit to digit and letter (12A). */
function readsLikeNumber(text: string): boolean {
  return [...text].length === 1 || (/^[0-9]/.test(text) && /[0-9]\p{L}?$/u.test(text));
}

/** A range or a number with a letter. A bare number stays with its name: "Cottage 2" is not number 2 of the street. */
function isStreetRange(word: string): boolean {
  return word.length > 1 && readsLikeNumber(word) && !/^[0-9]+$/.test(word);
}

/** One space between words, and no empty piece between commas. */
function tidy(text: string | null): string {
  const pieces = (text ?? '').split(',').map((piece) => piece.replace(/\s+/g, ' ').trim());
  return pieces.filter((piece) => piece !== '').join(', ');
}

function isSameText(one: string, other: string): boolean {
  return one.toUpperCase() === other.toUpperCase();
}

function joinWords(first: string, second: string): string {
  return first === '' ? second : `${first} ${second}`;
}
