// What fails, and how it is mended. A round fails once under load and ends with a whole cluster.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../bench/merge/random.ts';
import type { Cluster } from './cluster.ts';
import { cutReplication, heal, isolate } from './network.ts';
import { MACHINES, type MachineNumber, type Timing } from './settings.ts';

export type Scene = {
  readonly cluster: Cluster;
  readonly timing: Timing;
  readonly random: Random;
  readonly primary: MachineNumber;
  /** The standby that commits wait for, or the first one. */
  readonly standby: MachineNumber;
  /** Drawn for this round. */
  readonly anyone: MachineNumber;
  /** Resolves when clients are acknowledged again. */
  waitForWrites(): Promise<void>;
};

export type Scenario = {
  readonly name: string;
  readonly sentence: string;
  /** Of a full run. */
  readonly rounds: number;
  /** Who must be primary when the cluster is whole again. */
  readonly primaryAfter: 'another' | 'same' | 'any';
  /** Whether a client also writes on the primary's own machine, where a partition leaves it alone with that primary. */
  readonly hasInsider?: true;
  fail(scene: Scene): Promise<void> | void;
  mend(scene: Scene): Promise<void> | void;
};

const MANY = 20;
const FEW = 5;
/** Replication is cut this long before the kill: what is acknowledged meanwhile is on one machine alone. */
const CUT_MS = 1_200;
const REST_MS = 1_000;

async function waitAndStart({ cluster, waitForWrites }: Scene, machine: MachineNumber): Promise<void> {
  await waitForWrites();
  await sleep(REST_MS);
  cluster.startMachine(machine);
}

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'machine',
    sentence: 'every process of the primary’s machine is killed, etcd included',
    rounds: MANY,
    primaryAfter: 'another',
    fail: ({ cluster, primary }) => cluster.killMachine(primary),
    mend: (scene) => waitAndStart(scene, scene.primary),
  },
  {
    name: 'partition',
    sentence: 'the primary’s machine is cut off, with a client on its side, and comes back',
    rounds: MANY,
    primaryAfter: 'another',
    hasInsider: true,
    fail: ({ primary }) => isolate(primary),
    async mend({ primary, timing, random }) {
      // Healed at a random phase of the old primary's attempts to keep its lock.
      await sleep((timing.ttl + 4) * 1_000 + random.between(0, 4_000));
      heal(primary);
    },
  },
  {
    name: 'patroni',
    sentence: 'Patroni is killed on the primary’s machine; PostgreSQL runs on',
    rounds: FEW,
    primaryAfter: 'another',
    fail: ({ cluster, primary }) => cluster.killPatroni(primary),
    async mend({ cluster, primary, waitForWrites }) {
      await waitForWrites();
      await sleep(REST_MS);
      cluster.startPatroni(primary);
    },
  },
  {
    name: 'postmaster',
    sentence: 'the primary’s postmaster is killed; Patroni runs on',
    rounds: FEW,
    primaryAfter: 'any',
    fail: ({ cluster, primary }) => cluster.killPostmaster(primary),
    mend: ({ waitForWrites }) => waitForWrites(),
  },
  {
    name: 'etcd-one',
    sentence: 'one etcd of three is killed',
    rounds: FEW,
    primaryAfter: 'same',
    fail: ({ cluster, anyone }) => cluster.killEtcd(anyone),
    async mend({ cluster, anyone, timing }) {
      await sleep(timing.ttl * 2_000);
      cluster.startEtcd(anyone);
    },
  },
  {
    name: 'etcd-all',
    sentence: 'every etcd is killed for three times the ttl',
    rounds: FEW,
    primaryAfter: 'same',
    fail: ({ cluster }) => MACHINES.forEach(cluster.killEtcd),
    async mend({ cluster, timing }) {
      await sleep(timing.ttl * 3_000);
      MACHINES.forEach(cluster.startEtcd);
    },
  },
  {
    name: 'switchover',
    sentence: 'an operator moves the primary to its synchronous standby',
    rounds: FEW,
    primaryAfter: 'another',
    fail: ({ cluster, primary, standby }) => cluster.switchOver(primary, standby),
    mend: ({ waitForWrites }) => waitForWrites(),
  },
  {
    name: 'standby',
    sentence: 'every process of the synchronous standby’s machine is killed',
    rounds: FEW,
    primaryAfter: 'same',
    fail: ({ cluster, standby }) => cluster.killMachine(standby),
    mend: (scene) => waitAndStart(scene, scene.standby),
  },
  {
    name: 'cut',
    sentence: 'replication is cut 1.2 s before the primary’s machine is killed',
    rounds: FEW,
    primaryAfter: 'another',
    async fail({ cluster, primary }) {
      cutReplication(primary);
      await sleep(CUT_MS);
      await cluster.killMachine(primary);
    },
    async mend(scene) {
      await scene.waitForWrites();
      // Not before: the kernel of this machine lives on, and would send what the dead primary had written to its standbys.
      heal(scene.primary);
      scene.cluster.startMachine(scene.primary);
    },
  },
];

/** What the control does, with asynchronous replication: it must lose what was acknowledged. */
export const CONTROL = 'control';
export const CONTROL_SCENARIO = 'cut';

export function findScenario(name: string): Scenario {
  const found = SCENARIOS.find((scenario) => scenario.name === name);
  if (!found) throw new Error(`There is no scenario ${name}.`);
  return found;
}
