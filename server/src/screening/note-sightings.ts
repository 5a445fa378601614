// Notes who and what a live request came with, and says how often each was seen before: signals for the screening, not
// limits. Whoever comes in the same transaction counts as before, in the order of the list.
import type { Tx } from '../lib/sql.ts';
import type { Sightings, Velocity } from './port.ts';
import { insertSightings, type NewSighting, type SeenSubject } from './sightings-store.ts';

export { deleteOldSightings } from './sightings-store.ts';

/** Keyed hashes of what a request came with. */
export type Subjects = {
  readonly person: Buffer;
  readonly network: Buffer;
  readonly device: Buffer | undefined;
  readonly mobile: Buffer | undefined;
};

type Seen = { hour: number; day: number; readonly people: Set<string>; readonly earlierPeople: ReadonlySet<string> };

const nameOf = (hash: Buffer) => hash.toString('base64');
const namesOf = (hashes: readonly Buffer[]) => new Set(hashes.map(nameOf));
const NOTHING: Omit<SeenSubject, 'subjectHash'> = { hour: 0, day: 0, people: [], earlierPeople: [] };

function subjectsOf({ person, network, device, mobile }: Subjects): Buffer[] {
  return [person, network, ...(device ? [device] : []), ...(mobile ? [mobile] : [])];
}

export async function noteSightings(tx: Tx, requests: readonly Subjects[]): Promise<Velocity[]> {
  if (requests.length === 0) return [];
  const added = requests.flatMap((subjects) =>
    subjectsOf(subjects).map((subjectHash): NewSighting => ({ subjectHash, identityHash: subjects.person })),
  );
  const distinct = new Map(added.map(({ subjectHash }) => [nameOf(subjectHash), subjectHash]));
  const found = await insertSightings(tx, added, [...distinct.values()]);
  const before = new Map(found.map((each) => [nameOf(each.subjectHash), each]));
  const seen = new Map<string, Seen>();

  function look(subjectHash: Buffer, person: string): Sightings & { isKnownWithPerson: boolean } {
    const name = nameOf(subjectHash);
    const { hour, day, people, earlierPeople } = before.get(name) ?? NOTHING;
    const own = seen.get(name) ?? { hour, day, people: namesOf(people), earlierPeople: namesOf(earlierPeople) };
    const isKnownWithPerson = own.earlierPeople.has(person);
    const otherPeople = own.people.size - (own.people.has(person) ? 1 : 0);
    const sightings = { hour: own.hour, day: own.day, otherPeople, isKnownWithPerson };
    own.hour += 1;
    own.day += 1;
    own.people.add(person);
    seen.set(name, own);
    return sightings;
  }

  function withoutKnown({ hour, day, otherPeople }: Sightings): Sightings {
    return { hour, day, otherPeople };
  }

  return requests.map(({ person, network, device, mobile }) => {
    const name = nameOf(person);
    return {
      person: withoutKnown(look(person, name)),
      network: withoutKnown(look(network, name)),
      ...(device && { device: look(device, name) }),
      ...(mobile && { mobile: withoutKnown(look(mobile, name)) }),
    };
  });
}
