// Invented consumers of the simulators, some with bureaus that fail, are slow, hang or answer later. The simulators get
// them as rules about persons, so that every server sees the same.
import type { GenerateRequest } from '@trefoil/contract';
import type { Random } from '../../bench/merge/random.ts';
import type { SimulatorAddresses } from '../dev/ask-simulators.ts';

export type Person = Pick<GenerateRequest, 'firstName' | 'lastName' | 'dateOfBirth' | 'addresses'>;

type BureauName = 'albion' | 'beacon' | 'cygnet';

type Kind = {
  readonly weight: number;
  readonly people: number;
  readonly behaviours: Partial<Record<BureauName, string>>;
};

/** Long enough that a kill finds requests at the bureaus. */
const EVERYBODY = 'slow=60';
/** Failures stay rare enough that no breaker opens: five in a row at one bureau would stop calls to it for a while. */
const KINDS: readonly Kind[] = [
  { weight: 70, people: 200, behaviours: {} },
  { weight: 8, people: 20, behaviours: { albion: 'error' } },
  { weight: 4, people: 10, behaviours: { albion: 'error', beacon: 'error' } },
  { weight: 4, people: 10, behaviours: { albion: 'error', beacon: 'error', cygnet: 'error' } },
  { weight: 6, people: 20, behaviours: { cygnet: 'slow=1200' } },
  { weight: 3, people: 10, behaviours: { beacon: 'reset' } },
  { weight: 3, people: 10, behaviours: { cygnet: 'poll=1', albion: 'pick-list' } },
  { weight: 1, people: 5, behaviours: { beacon: 'hang' } },
];

const STRANGER: Person = {
  firstName: 'Ada',
  lastName: 'Example',
  dateOfBirth: '1984-03-09',
  addresses: [
    {
      type: 'current',
      ukAddress: { buildingNumber: '14', thoroughfare: 'Mill Lane', townOrCity: 'Ludforth', postcode: 'HR10 2AB' },
    },
  ],
};
const STRANGER_PERCENT = 2;

type Known = Pick<Person, 'firstName' | 'lastName' | 'dateOfBirth'> & {
  readonly id: string;
  readonly addresses: readonly Record<string, unknown>[];
};

function toPerson({ firstName, lastName, dateOfBirth, addresses }: Known): Person {
  const written = addresses.map(({ current, from: _, to: __, ...parts }) => ({
    type: current ? 'current' : 'previous',
    ukAddress: Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== null)),
  }));
  return { firstName, lastName, dateOfBirth, addresses: written as unknown as Person['addresses'] };
}

async function addRule(baseUrl: string, match: object, behaviour: string): Promise<void> {
  const body = JSON.stringify({ match, behaviour });
  const { status } = await fetch(`${baseUrl}/control`, { method: 'POST', body });
  if (status !== 201) throw new Error(`a simulator refused the rule ${body}`);
}

const TOTAL = KINDS.reduce((sum, { people }) => sum + people, 0);

async function listPeople(addresses: SimulatorAddresses, total: number): Promise<Known[]> {
  const response = await fetch(`${addresses.albion}/people?count=${total}`);
  return ((await response.json()) as { people: Known[] }).people;
}

/** Consumers besides the others, for whom one bureau takes this long. Meet the others first. */
export async function meetSlowPeople(addresses: SimulatorAddresses, number: number, slowMs: number): Promise<Person[]> {
  const people = (await listPeople(addresses, TOTAL + number)).slice(TOTAL);
  for (const { id } of people) await addRule(addresses.cygnet, { person: id }, `slow=${slowMs}`);
  return people.map(toPerson);
}

export async function meetPeople(addresses: SimulatorAddresses, random: Random): Promise<() => Person> {
  const all = await listPeople(addresses, TOTAL);
  for (const bureau of ['albion', 'beacon', 'cygnet'] as const)
    await addRule(addresses[bureau], { any: true }, EVERYBODY);
  await addRule(addresses.screening, { any: true }, 'slow=20');
  const groups: { readonly weight: number; readonly people: readonly Person[] }[] = [];
  for (const { weight, people, behaviours } of KINDS) {
    const members = all.splice(0, people);
    for (const { id } of members) {
      for (const [bureau, behaviour] of Object.entries(behaviours)) {
        await addRule(addresses[bureau as BureauName], { person: id }, behaviour);
      }
    }
    groups.push({ weight, people: members.map(toPerson) });
  }
  return () => {
    if (random.chance(STRANGER_PERCENT)) return STRANGER;
    return random.pick(random.pickWeighted(groups, ({ weight }) => weight).people);
  };
}
