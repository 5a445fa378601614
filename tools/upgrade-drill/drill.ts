// One drill under load: the previous version, the migration beneath it, the roll to the new version, and the roll back.
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../bench/merge/random.ts';
import { createDeviceSessions } from '../../server/src/fingerprints/device-session.ts';
import { createFlow } from '../chaos/flows.ts';
import { startLoad } from '../chaos/load.ts';
import { meetPeople } from '../chaos/people.ts';
import { createPhones } from '../chaos/phones.ts';
import type { Records } from '../chaos/records.ts';
import { createTally, type Tally } from '../chaos/tally.ts';
import { startWatch, type Watch } from '../chaos/watch.ts';
import { type Machine, watchMachine } from '../machine/machine.ts';
import { type Checked, checkBooks } from './books.ts';
import { createSdkClient } from './client.ts';
import type { Control } from './controls.ts';
import { readNewFields } from './new-fields.ts';
import { judgeFigures, type ProxyFigures } from './proxy.ts';
import { type Nodes, startNodes } from './roll.ts';
import { onStage, type Stage } from './stage.ts';

export type Phase = {
  readonly name: string;
  readonly seconds: number;
  readonly operations: number;
  readonly requests: number;
  /** Answers 503, which the client library repeats. */
  readonly unavailable: number;
};

export type Drill = {
  readonly tally: Tally;
  readonly phases: readonly Phase[];
  readonly nodes: Nodes;
  readonly proxy: ProxyFigures;
  readonly checked: Checked | undefined;
  readonly migrateTries: number;
  readonly machine: Machine;
  readonly totalMs: number;
};

export type DrillOptions = {
  readonly seconds: number;
  readonly seed: number;
  readonly control: Control | undefined;
  readonly say: (line: string) => void;
};

const FLOWS_PER_SECOND = 6;
/** A migration that finds a table busy gives up after seconds and changes nothing; an operator runs it again. */
const MIGRATE_TRIES = 5;
const FACTS = {
  deviceDigest: 'a'.repeat(32),
  collectedAt: '2026-06-01T09:00:00.000Z',
  network: { ipAddress: '192.0.2.10', userAgentFamily: 'Chromium' },
};

async function migrate(stage: Stage, tally: Tally): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    try {
      await stage.migrate('new');
      return tries;
    } catch (error) {
      if (tries < MIGRATE_TRIES) continue;
      tally.find('the migration succeeds under load', String(error));
      return tries;
    }
  }
}

async function prepareFlow(stage: Stage, records: Records, tally: Tally, seed: number, isEnding: () => boolean) {
  const random = new Random(seed);
  const sessions = createDeviceSessions(stage.config.vaultKeys);
  return createFlow({
    ...{ records, tally, random, isEnding, tenants: stage.tenants },
    client: createSdkClient(stage.proxy.baseUrl, stage.tenants, tally, await readNewFields(stage.directories)),
    phones: createPhones(stage.providers.addresses.carrier, random),
    nextPerson: await meetPeople(stage.providers.addresses, random),
    mintSession: () => sessions.seal(FACTS, new Date()),
  });
}

async function play(
  stage: Stage,
  options: DrillOptions,
  tally: Tally,
): Promise<Omit<Drill, 'tally' | 'machine' | 'totalMs'>> {
  const { control, seconds, seed, say } = options;
  const records: Records = new Map();
  const nodes = await startNodes(stage, tally, control);
  const flow = await prepareFlow(stage, records, tally, seed, () => load.isEnding());
  const load = startLoad(flow, FLOWS_PER_SECOND, (error) => tally.find('the load runs', String(error)));
  const phases: Phase[] = [];
  let migrateTries = 0;
  let watch: Watch | undefined;

  async function during(name: string, work: () => Promise<unknown>): Promise<void> {
    const before = { ms: performance.now(), ...figuresOf(tally) };
    await work();
    const now = figuresOf(tally);
    const phase = {
      name,
      seconds: Math.round((performance.now() - before.ms) / 100) / 10,
      operations: now.operations - before.operations,
      requests: now.requests - before.requests,
      unavailable: now.unavailable - before.unavailable,
    };
    phases.push(phase);
    if (phase.operations === 0) tally.find('every phase has load', name);
    say(`${name}: ${phase.seconds} s, ${phase.operations} operations, ${tally.findings.size} findings`);
  }
  const hold = () => sleep(seconds * 1_000);

  try {
    await during('previous version', hold);
    await during('migration beneath it', async () => {
      migrateTries = await migrate(stage, tally);
    });
    // Only now: it asks with the statements of the new version.
    watch = startWatch(stage, tally);
    await during('previous version on the new schema', hold);
    await during('roll to the new version', () => nodes.rollTo('new'));
    await during('new version', hold);
    await during('roll back', () => nodes.rollTo('previous'));
    await during('previous version again', hold);
  } finally {
    await load.stop();
    await watch?.stop();
  }
  const proxy = await stage.proxy.read();
  judgeFigures(proxy, tally);
  return { phases, nodes, proxy, migrateTries, checked: await checkBooks(stage, records, tally) };
}

const figuresOf = ({ operations, requests, statuses }: Tally) => ({
  ...{ operations, requests },
  unavailable: statuses.get(503) ?? 0,
});

export async function runDrill(options: DrillOptions): Promise<Drill> {
  const startedMs = performance.now();
  const tally = createTally();
  const machine = watchMachine();
  const played = await onStage(options.control, (stage) => play(stage, options, tally));
  return { tally, ...played, machine: machine.stop(), totalMs: Math.round(performance.now() - startedMs) };
}
