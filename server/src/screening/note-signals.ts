// Records the person, network, device and phone of a live request, and returns how often each was seen before: signals for
// screening, not limits. Earlier requests in the same transaction's list count as seen before.
import type { Tx } from '../lib/postgres/sql.ts';
import type { SignalCounts, Velocity } from './port.ts';
import { insertSignals, type NewSighting, type SeenSubject } from './signals-store.ts';

export { SIGHTINGS } from './signals-store.ts';

/** Keyed hashes of a request's attributes. */
export type RequestSignals = {
  readonly person: Buffer;
  readonly network: Buffer;
  /**
   * Phones of one model look alike. So a device is counted together with its network, where it is rarely a different phone,
   * and is recognised as a person's by a hash of both.
   */
  readonly device: { readonly atNetwork: Buffer; readonly withPerson: Buffer } | undefined;
  readonly mobile: Buffer | undefined;
};

/** The same request under each key of the ring. */
export type SignalsOfRequest = readonly [RequestSignals, ...RequestSignals[]];

type Seen = { hour: number; day: number; readonly people: Set<string> };

const nameOf = (hash: Buffer) => hash.toString('base64');
const NOTHING: Omit<SeenSubject, 'subjectHash'> = { hour: 0, day: 0, people: [], isKnown: false };

function hashesOf({ person, network, device, mobile }: RequestSignals): Buffer[] {
  return [person, network, ...(device ? [device.atNetwork, device.withPerson] : []), ...(mobile ? [mobile] : [])];
}

const greaterOf = (a: SignalCounts, b: SignalCounts): SignalCounts => ({
  hour: Math.max(a.hour, b.hour),
  day: Math.max(a.day, b.day),
  otherPeople: Math.max(a.otherPeople, b.otherPeople),
});

/**
 * Nodes whose rings are smaller wrote some of the sightings under one key only: under the key that all of them share the
 * counts are whole, under the others they are smaller.
 */
function greater(a: Velocity, b: Velocity): Velocity {
  return {
    person: greaterOf(a.person, b.person),
    network: greaterOf(a.network, b.network),
    ...(a.device &&
      b.device && {
        device: {
          ...greaterOf(a.device, b.device),
          isKnownWithPerson: a.device.isKnownWithPerson || b.device.isKnownWithPerson,
        },
      }),
    ...(a.mobile && b.mobile && { mobile: greaterOf(a.mobile, b.mobile) }),
  };
}

export async function noteSignals(tx: Tx, requests: readonly SignalsOfRequest[]): Promise<Velocity[]> {
  if (requests.length === 0) return [];
  const counted = (await countSignals(tx, requests.flat())).values();
  // As many as the request has keys, in the same order.
  return requests.map((signals) => signals.map(() => counted.next().value as Velocity).reduce(greater));
}

async function countSignals(tx: Tx, requests: readonly RequestSignals[]): Promise<Velocity[]> {
  const added = requests.flatMap((subjects) =>
    hashesOf(subjects).map((subjectHash): NewSighting => ({ subjectHash, identityHash: subjects.person })),
  );
  const distinct = new Map(added.map(({ subjectHash }) => [nameOf(subjectHash), subjectHash]));
  const found = await insertSignals(tx, added, [...distinct.values()]);
  const before = new Map(found.map((each) => [nameOf(each.subjectHash), each]));
  const seen = new Map<string, Seen>();

  function look(subjectHash: Buffer, person: string): SignalCounts & { readonly isKnown: boolean } {
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

  function count(subjectHash: Buffer, person: string): SignalCounts {
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
