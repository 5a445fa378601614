// Where people live and have lived: invented towns in districts that Royal Mail has not allocated.
import { addDays, addMonths } from '../dates.ts';
import { at, hash32, randomFor } from '../random.ts';

export type Premises = {
  readonly subBuilding: string | null;
  readonly buildingName: string | null;
  readonly number: string | null;
  readonly thoroughfare: string;
  readonly locality: string | null;
  readonly town: string;
  readonly postcode: string;
};

export type Residence = Premises & { readonly from: string; readonly to: string | null };

const TOWNS = [
  { district: 'HR10', town: 'Ludforth', localities: ['Upper Ludd', 'Marlpit Green'] },
  { district: 'LD9', town: 'Llanwydden', localities: ['Pont Wydden', 'Cefn Bach'] },
  { district: 'ZE4', town: 'Sandvoe', localities: ['North Taing', 'Hamarness'] },
  { district: 'HS10', town: 'Tarrageo', localities: ['Baile Ùr', 'Ardmhor'] },
  { district: 'TD16', town: 'Eskmuirbrigg', localities: ['Whitelaw', 'Sheepcleugh'] },
] as const;

const STREETS =
  `Mill Lane,Tarn Row,Quarry Bank,St Oswin's Terrace,Harbour Street,Rope Walk,Kiln Road,Old Wharf Road,Chapel Brae,
Lantern Close,Tannery Court,Sorrel Way,Gorse Drive,Ferry Road,Weavers Walk,Orchard Rise,Beacon Hill,Causeway Gardens,
Station Road,Priory Avenue,Hazel Grove,Long Acre,Pound Street,Bridge End,Cooper's Yard`
    .split(',')
    .map((name) => name.trim());
const BUILDINGS =
  `Rowan House,Larch Court,Slate Mill,Heron Point,Copper Wharf,The Granary,Alder House,Kestrel Court,Linen Mill,Osier Lodge`.split(
    ',',
  );
const HOUSES = 'The Old Forge,Orchard View,Gorse Cottage,Mill House,Tŷ Newydd,Westerlea,Burnside,The Maltings'.split(
  ',',
);
const INWARD_LETTERS = 'ABDEFGHJLNPQRSTUWXYZ';

/** One to four, the current one first. */
export function residencesOf(seed: string, number: number, asOf: string): readonly Residence[] {
  const random = randomFor(seed, 'residences', number);
  const count = random.weighted([
    [1, 35],
    [2, 35],
    [3, 20],
    [4, 10],
  ]);
  const residences: Residence[] = [];
  let to: string | null = null;
  let end = asOf;
  for (let index = 0; index < count; index++) {
    const from = addDays(addMonths(end, -random.int(index === 0 ? 4 : 7, index === 0 ? 150 : 70)), -random.int(0, 27));
    residences.push({ ...premisesAt(`${seed}/${number}/${index}`), from, to });
    to = from;
    end = from;
  }
  return residences;
}

function premisesAt(stream: string): Premises {
  const random = randomFor('premises', stream);
  const { district, town, localities } = random.pick(TOWNS);
  const inward = `${random.int(1, 9)}${random.pick([...INWARD_LETTERS])}${random.pick([...INWARD_LETTERS])}`;
  const postcode = `${district} ${inward}`;
  // A postcode belongs to one street, so that neighbours share both.
  const thoroughfare = at(STREETS, hash32(postcode) % STREETS.length);
  const locality = random.chance(0.15) ? random.pick(localities) : null;
  const place = { subBuilding: null, buildingName: null, number: null, thoroughfare, locality, town, postcode };
  const houseNumber = String(random.int(1, 148));
  switch (
    random.weighted([
      ['number', 58],
      ['flat', 13],
      ['tower', 10],
      ['letter', 6],
      ['house', 9],
      ['lodge', 4],
    ] as const)
  ) {
    case 'number':
      return { ...place, number: houseNumber };
    case 'flat':
      return { ...place, subBuilding: `Flat ${random.int(1, 12)}`, number: houseNumber };
    case 'tower':
      return {
        ...place,
        subBuilding: `Flat ${random.int(1, 40)}`,
        buildingName: random.pick(BUILDINGS),
        number: houseNumber,
      };
    case 'letter':
      return { ...place, buildingName: `${houseNumber}${random.pick(['A', 'B', 'C'])}` };
    case 'house':
      return { ...place, buildingName: random.pick(HOUSES) };
    case 'lodge':
      return {
        ...place,
        subBuilding: random.pick(['Garden Cottage', 'Annexe', 'Top Floor']),
        buildingName: random.pick(BUILDINGS),
      };
  }
}

/** Other premises under the same postcode, for a pick list. */
export function neighboursOf(premises: Premises, count: number): readonly Premises[] {
  const first = (hash32(premisesKey(premises)) % 60) + 150; // above every number at which a person lives
  return Array.from({ length: count }, (_, index) => ({
    ...premises,
    subBuilding: null,
    buildingName: null,
    number: String(first + index * 2),
  }));
}

export function premisesKey({ postcode, subBuilding, buildingName, number }: Premises): string {
  return [postcode, subBuilding, buildingName, number].map((part) => part ?? '').join('|');
}

export const foldPostcode = (postcode: string) => postcode.toUpperCase().replace(/[^A-Z0-9]/g, '');
