// Who a person is. Number and (forename, family name, birth date) map to each other both ways, so that an enquiry
// finds its person without an index, however many people there are.
import { dateOf, dayNumber, isDate } from '../dates.ts';
import { at, hash32, randomFor } from '../random.ts';
import { FAMILY_NAMES, FORENAMES, foldName } from './names.ts';

export const PEOPLE_MAX = 1_000_000;

const FIRST_BIRTH = dayNumber('1946-01-01');
const BIRTH_DAYS = dayNumber('2004-12-31') - FIRST_BIRTH + 1;
const COMBINATIONS = BigInt(FORENAMES.length) * BigInt(FAMILY_NAMES.length) * BigInt(BIRTH_DAYS);

/** Near the golden section of the combinations and coprime to them, so that neighbours differ in everything. */
const STEP = firstCoprime((COMBINATIONS * 618n) / 1000n);
const STEP_INVERSE = inverse(STEP, COMBINATIONS);

export type PersonName = { readonly title: string; readonly given: readonly string[]; readonly family: string };

export type Identity = {
  readonly id: string;
  readonly number: number;
  readonly gender: 'F' | 'M';
  readonly name: PersonName;
  readonly born: string;
  /** Family name before marriage, when the person changed it. */
  readonly formerFamily: string | null;
  /** The joint holder of joint accounts. */
  readonly partner: PersonName;
  readonly mobileNumber: string;
  readonly email: string;
};

const idOf = (number: number) => `person-${String(number).padStart(4, '0')}`;

/** Undefined for an id that no person has. */
export function numberOfId(id: string): number | undefined {
  const number = Number(/^person-(\d{4,7})$/.exec(id)?.[1] ?? 0);
  return number >= 1 && number <= PEOPLE_MAX && idOf(number) === id ? number : undefined;
}

export function identityOf(seed: string, number: number): Identity {
  const place = (BigInt(number) * STEP + offset(seed)) % COMBINATIONS;
  const day = Number(place % BigInt(BIRTH_DAYS));
  const rest = place / BigInt(BIRTH_DAYS);
  const family = at(FAMILY_NAMES, Number(rest % BigInt(FAMILY_NAMES.length)));
  const forename = at(FORENAMES, Number(rest / BigInt(FAMILY_NAMES.length)));
  const random = randomFor(seed, 'identity', number);
  const sameGender = FORENAMES.filter(({ gender }) => gender === forename.gender);
  const middle = random.chance(0.4) ? [random.pick(sameGender).name] : [];
  const isMarried = random.chance(0.6);
  const title = random.chance(0.02)
    ? 'Dr'
    : forename.gender === 'M'
      ? 'Mr'
      : isMarried
        ? 'Mrs'
        : random.pick(['Ms', 'Miss']);
  const formerFamily = forename.gender === 'F' && isMarried && random.chance(0.3) ? random.pick(FAMILY_NAMES) : null;
  const partner = random.pick(FORENAMES);
  return {
    id: idOf(number),
    number,
    gender: forename.gender,
    name: { title, given: [forename.name, ...middle], family },
    born: dateOf(FIRST_BIRTH + day),
    formerFamily: formerFamily === family ? null : formerFamily,
    partner: { title: partner.gender === 'M' ? 'Mr' : 'Mrs', given: [partner.name], family },
    mobileNumber: `+447700900${random.digits(3)}`, // reserved for fiction
    email: `${idOf(number)}@example.com`,
  };
}

const FORENAME_PLACES = new Map(FORENAMES.map(({ name }, place) => [foldName(name), place]));
const FAMILY_PLACES = new Map(FAMILY_NAMES.map((name, place) => [foldName(name), place]));

/** The number of the one person with that name and birth date; undefined when there is none. */
export function findNumber(seed: string, given: string, family: string, born: string): number | undefined {
  const forenamePlace = FORENAME_PLACES.get(foldName(given));
  const familyPlace = FAMILY_PLACES.get(foldName(family));
  if (forenamePlace === undefined || familyPlace === undefined || !isDate(born)) return undefined;
  const day = dayNumber(born) - FIRST_BIRTH;
  if (day < 0 || day >= BIRTH_DAYS) return undefined;
  const place = BigInt((forenamePlace * FAMILY_NAMES.length + familyPlace) * BIRTH_DAYS + day);
  const number = Number(modulo((place - offset(seed)) * STEP_INVERSE, COMBINATIONS));
  return number >= 1 && number <= PEOPLE_MAX ? number : undefined;
}

function offset(seed: string): bigint {
  return BigInt(hash32(`people of ${seed}`)) % COMBINATIONS;
}

function modulo(value: bigint, by: bigint): bigint {
  return ((value % by) + by) % by;
}

function divisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : divisor(b, a % b);
}

function firstCoprime(from: bigint): bigint {
  let candidate = from;
  while (divisor(candidate, COMBINATIONS) !== 1n) candidate++;
  return candidate;
}

/** Extended Euclid. */
function inverse(value: bigint, by: bigint): bigint {
  let [r0, r1, s0, s1] = [value, by, 1n, 0n];
  while (r1 !== 0n) {
    const quotient = r0 / r1;
    [r0, r1, s0, s1] = [r1, r0 - quotient * r1, s1, s0 - quotient * s1];
  }
  return modulo(s0, by);
}
