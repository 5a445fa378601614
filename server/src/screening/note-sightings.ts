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
  /**
   * Telephones of one model look alike: the device counts at its network, where it is hardly another one, and is known to
   * a person by a hash of both.
   */
  readonly device: { readonly atNetwork: Buffer; readonly withPerson: Buffer } | undefined;
  readonly mobile: Buffer | undefined;
};

type Seen = { hour: number; day: number; readonly people: Set<string> };

const nameOf = (hash: Buffer) => hash.toString('base64');
const NOTHING: Omit<SeenSubject, 'subjectHash'> = { hour: 0, day: 0, people: [], isKnown: false };

function subjectsOf({ person, network, device, mobile }: Subjects): Buffer[] {
  return [person, network, ...(device ? [device.atNetwork, device.withPerson] : []), ...(mobile ? [mobile] : [])];
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

  function look(subjectHash: Buffer, person: string): Sightings & { readonly isKnown: boolean } {
    const name = nameOf(subjectHash);
    const { hour, day, people, isKnown } = before.get(name) ?? NOTHING;
    const own = seen.get(name) ?? { hour, day, people: new Set(people.map(nameOf)) };
    const otherPeople = own.people.size - (own.people.has(person) ? 1 : 0);
    const sightings = { hour: own.hour, day: own.day, otherPeople, isKnown };
    own.hour += 1;
    own.day += 1;
    own.people.add(person);
    seen.set(name, own);
    return sightings;
  }

  function count(subjectHash: Buffer, person: string): Sightings {
    const { hour, day, otherPeople } = look(subjectHash, person);
    return { hour, day, otherPeople };
  }

  return requests.map(({ person, network, device, mobile }) => {
    const name = nameOf(person);
    return {
      person: count(person, name),
      network: count(network, name),
      ...(device && {
        device: { ...count(device.atNetwork, name), isKnownWithPerson: look(device.withPerson, name).isKnown },
      }),
      ...(mobile && { mobile: count(mobile, name) }),
    };
  });
}
