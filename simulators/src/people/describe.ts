// What the test endpoints return: the details for an enquiry, the truth to check a merge against, the lenders.
import { agreementsOf } from './agreements.ts';
import { type Identity, identityOf } from './identity.ts';
import { type BureauName, LENDERS } from './lenders.ts';
import { referenceOf } from './reference.ts';
import { type Residence, residencesOf } from './residences.ts';
import { viewOf, type World } from './view.ts';

const BUREAUS: readonly BureauName[] = ['albion', 'beacon', 'cygnet'];

export function describePerson({ seed, asOf }: World, number: number) {
  const { id, name, gender, born, mobileNumber, email }: Identity = identityOf(seed, number);
  return {
    id,
    title: name.title,
    firstName: name.given[0],
    middleName: name.given[1] ?? null,
    lastName: name.family,
    gender,
    dateOfBirth: born,
    mobileNumber,
    email,
    addresses: residencesOf(seed, number, asOf).map(describeResidence),
  };
}

function describeResidence(residence: Residence) {
  return {
    current: residence.to === null,
    from: residence.from,
    to: residence.to,
    subBuildingName: residence.subBuilding,
    buildingName: residence.buildingName,
    buildingNumber: residence.number,
    thoroughfare: residence.thoroughfare,
    district: residence.locality,
    townOrCity: residence.town,
    postcode: residence.postcode,
  };
}

export function describeTruth(world: World, number: number) {
  const { id, born } = identityOf(world.seed, number);
  const shown = BUREAUS.map((bureau) => ({
    bureau,
    indexes: new Set(viewOf(world, bureau, number).rows.map(({ index }) => index)),
  }));
  const agreements = agreementsOf(world.seed, number, world.asOf, born).map((agreement, place) => ({
    lender: agreement.lender.id,
    type: agreement.product,
    opened: agreement.opened,
    ended: agreement.ended,
    refs: Object.fromEntries(
      shown
        .filter(({ indexes }) => indexes.has(place + 1))
        .map(({ bureau }) => [bureau, referenceOf(bureau, world.seed, number, place + 1)]),
    ),
  }));
  return { id, agreements };
}

export function describeLenders() {
  return LENDERS.map(({ id, trading, legal, former, group, sector, reportsTo }) => ({
    id,
    trading,
    legal,
    former,
    group,
    sector,
    reportsTo,
  }));
}
