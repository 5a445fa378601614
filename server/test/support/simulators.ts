// The three bureau simulators as the processes they are, over real HTTP, for tests that ask a bureau.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Enquiry } from '../../src/bureaus/port.ts';
import type { BureauWire } from '../../src/bureaus/registry.ts';

export type Wire = BureauWire['adapter'];
export const WIRES: readonly Wire[] = ['albion', 'beacon', 'cygnet'];

export type SimulatedPerson = {
  readonly id: string;
  readonly title: string;
  readonly firstName: string;
  readonly middleName: string | null;
  readonly lastName: string;
  readonly dateOfBirth: string;
  readonly addresses: readonly ({
    readonly current: boolean;
    readonly postcode: string;
    readonly townOrCity: string;
  } & Readonly<
    Record<'subBuildingName' | 'buildingName' | 'buildingNumber' | 'thoroughfare' | 'district', string | null>
  >)[];
};

export type LoggedEnquiry = {
  readonly enquiryId: string;
  readonly enquiries: number;
  readonly calls: readonly { readonly call: string; readonly behaviour: string }[];
};

export type ControlRule = {
  readonly match: { any: true } | { lastName: string } | { person: string } | { enquiryId: string };
  readonly behaviour: string;
  readonly times?: number;
  readonly call?: 'enquiry' | 'pick' | 'poll' | 'token';
};

export type Simulators = {
  readonly addresses: Readonly<Record<Wire, string>>;
  /** Adapter name and credentials, as the registry takes them. */
  wire(name: Wire): BureauWire;
  control(name: Wire, rule: ControlRule): Promise<void>;
  /** Removes rules and log of all three. */
  clear(): Promise<void>;
  enquiries(name: Wire): Promise<readonly LoggedEnquiry[]>;
  people(count: number, from?: number): Promise<readonly SimulatedPerson[]>;
  /** References of a person's rows as the bureau itself counts them. */
  refs(personId: string, name: Wire): Promise<readonly string[]>;
  stop(): Promise<void>;
};

const MAIN = fileURLToPath(new URL('../../../simulators/src/main.ts', import.meta.url));

type Printed = Record<Wire, string> & { readonly credentials: Record<Wire, never> };

export async function startSimulators(...flags: string[]): Promise<Simulators> {
  const child = spawn(process.execPath, [MAIN, '--bureau', 'all', '--port', '0', '--json', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const printed = await firstLine(child);
  const addresses = { albion: printed.albion, beacon: printed.beacon, cygnet: printed.cygnet };

  async function send(name: Wire, path: string, init?: RequestInit): Promise<Response> {
    const response = await fetch(`${addresses[name]}${path}`, init);
    if (!response.ok) throw new Error(`${name} answered ${response.status} to ${init?.method ?? 'GET'} ${path}`);
    return response;
  }
  async function read<T>(name: Wire, path: string): Promise<T> {
    return (await (await send(name, path)).json()) as T;
  }

  return {
    addresses,
    wire: (name) => ({ adapter: name, credentials: printed.credentials[name] }) as BureauWire,
    async control(name, rule) {
      await send(name, '/control', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(rule),
      });
    },
    async clear() {
      await Promise.all(WIRES.map((name) => send(name, '/control', { method: 'DELETE' })));
    },
    enquiries: async (name) => (await read<{ enquiries: LoggedEnquiry[] }>(name, '/control/enquiries')).enquiries,
    people: async (count, from = 1) =>
      (await read<{ people: SimulatedPerson[] }>('albion', `/people?count=${count}&from=${from}`)).people,
    async refs(personId, name) {
      const path = `/people/${personId}/truth`;
      const truth = await read<{ agreements: { refs: Partial<Record<Wire, string>> }[] }>(name, path);
      return truth.agreements.flatMap(({ refs }) => refs[name] ?? []);
    },
    stop: () => stop(child),
  };
}

async function firstLine(child: ChildProcess): Promise<Printed> {
  if (!child.stdout) throw new Error('the simulators have no standard output');
  const lines = createInterface({ input: child.stdout });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the simulators ended with ${String(code)} before they were ready`);
  });
  const [line] = (await Promise.race([once(lines, 'line'), ended])) as [string];
  ended.catch(() => {});
  return JSON.parse(line) as Printed;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

/** The enquiry a caller makes for this person, with what the person knows of themselves. */
export function enquiryFor(person: SimulatedPerson, enquiryId: string): Enquiry {
  return {
    enquiryId,
    consumer: {
      title: person.title,
      firstName: person.firstName,
      ...(person.middleName !== null && { middleName: person.middleName }),
      lastName: person.lastName,
      dateOfBirth: person.dateOfBirth,
      searchType: 'pcp',
      addresses: person.addresses.map(({ current, postcode, townOrCity, ...parts }) => ({
        type: current ? 'current' : 'previous',
        ukAddress: {
          townOrCity,
          postcode,
          ...withoutNulls({
            subBuildingName: parts.subBuildingName,
            buildingName: parts.buildingName,
            buildingNumber: parts.buildingNumber,
            thoroughfare: parts.thoroughfare,
            district: parts.district,
          }),
        },
      })),
    },
  };
}

function withoutNulls<Key extends string>(values: Record<Key, string | null>): Partial<Record<Key, string>> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)) as Partial<
    Record<Key, string>
  >;
}
