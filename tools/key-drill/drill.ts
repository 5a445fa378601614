// One drill: every ring is rotated under load, node by node, everything is wrapped anew, the old vault key leaves, and a key service
// takes over. In the end every report is read, and the books agree.
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../bench/merge/random.ts';
import { loadConfig } from '../../server/src/config.ts';
import { createDeviceSessions } from '../../server/src/fingerprints/device-session.ts';
import { check } from '../chaos/checks.ts';
import { createFlow } from '../chaos/flows.ts';
import { startLoad } from '../chaos/load.ts';
import { meetPeople } from '../chaos/people.ts';
import { createPhones } from '../chaos/phones.ts';
import type { Records } from '../chaos/records.ts';
import { createTally, hasFound, type Tally } from '../chaos/tally.ts';
import { countOpen, startWatch } from '../chaos/watch.ts';
import { createSdkClient, openTrefoil } from '../upgrade-drill/client.ts';
import { createHandOver, type HandOverFigures } from './hand-over.ts';
import { type Nodes, startNodes } from './nodes.ts';
import type { Control, Step } from './settings.ts';
import { onStage, type Stage } from './stage.ts';

export type Phase = {
  readonly name: string;
  readonly seconds: number;
  readonly operations: number;
  /** Answers 503, which the client library repeats. */
  readonly unavailable: number;
};

type Rotated = { readonly dataKeys: { readonly count: number }; readonly free: readonly string[] };

export type Drill = {
  readonly tally: Tally;
  readonly phases: readonly Phase[];
  readonly rewrapped: readonly number[];
  readonly readable: number;
  readonly handedOver: HandOverFigures;
  readonly nodes: Nodes;
  readonly totalMs: number;
};

export type DrillOptions = {
  readonly seconds: number;
  readonly seed: number;
  readonly control: Control | undefined;
  readonly say: (line: string) => void;
};

const FLOWS_PER_SECOND = 6;
const SETTLE_MS_MAX = 60_000;
const LOOK_MS = 500;
const FACTS = {
  deviceDigest: 'a'.repeat(32),
  collectedAt: '2026-06-01T09:00:00.000Z',
  network: { ipAddress: '192.0.2.10', userAgentFamily: 'Chromium' },
};

/** Which keys wrap data keys, with how many each. */
async function countKeys(stage: Stage): Promise<Map<string, number>> {
  const rows = await stage.query<{ id: string; count: number }>(
    'select ring_key_id as id, count(*)::integer as count from data_keys group by 1',
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** Every complete report of both tenants, as its company reads it. */
async function readAll(stage: Stage, tally: Tally): Promise<number> {
  let readable = 0;
  for (const tenant of stage.tenants) {
    const trefoil = openTrefoil(stage.proxy.baseUrl, tenant, tally);
    const complete = await stage.query<{ id: string }>(
      `select id::text from credit_reports where tenant_id = $1 and status = 'complete'`,
      [tenant.tenantId],
    );
    for (const { id } of complete) {
      try {
        const { data } = await trefoil.getReport(id);
        if (data.status !== 'complete' || !('creditReport' in data)) throw new Error(data.status);
        readable += 1;
      } catch (error) {
        tally.find('every report is readable at the end', `${id}: ${String(error)}`);
      }
    }
  }
  return readable;
}

async function settle(stage: Stage): Promise<void> {
  const limit = AbortSignal.timeout(SETTLE_MS_MAX);
  while (!limit.aborted && Object.values(await countOpen(stage)).some((number) => number > 0)) await sleep(LOOK_MS);
}

async function play(stage: Stage, options: DrillOptions, tally: Tally): Promise<Omit<Drill, 'tally' | 'totalMs'>> {
  const { control, seconds, seed, say } = options;
  const records: Records = new Map();
  const nodes = await startNodes(stage, tally);
  const random = new Random(seed);
  const oldRing = createDeviceSessions(loadConfig(stage.environmentOf('old')).vaultKeys);
  const newRing = createDeviceSessions(stage.config.vaultKeys);
  let sessions = oldRing;
  const handOver = createHandOver(stage, tally);
  const newClient = () => createSdkClient(stage.proxy.baseUrl, stage.tenants, tally);
  let client = newClient();
  const flow = createFlow({
    ...{ records, tally, random, isEnding: () => load.isEnding(), tenants: stage.tenants },
    client: (operation) => client(operation),
    phones: createPhones(stage.providers.addresses.carrier, random),
    nextPerson: await meetPeople(stage.providers.addresses, random),
    mintSession: () => sessions.seal(FACTS, new Date()),
  });
  const load = startLoad(flow, FLOWS_PER_SECOND, (error) => tally.find('the load runs', String(error)));
  const watch = startWatch(stage, tally);
  const phases: Phase[] = [];
  const rewrapped: number[] = [];

  async function during<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = { ms: performance.now(), operations: tally.operations, unavailable: tally.statuses.get(503) ?? 0 };
    const result = await work();
    const phase = {
      name,
      seconds: Math.round((performance.now() - before.ms) / 100) / 10,
      operations: tally.operations - before.operations,
      unavailable: (tally.statuses.get(503) ?? 0) - before.unavailable,
    };
    phases.push(phase);
    if (phase.operations === 0) tally.find('every phase has load', name);
    say(`${name}: ${phase.seconds} s, ${phase.operations} operations, ${tally.findings.size} findings`);
    return result;
  }
  async function hold(): Promise<void> {
    // A client keeps its token for fifteen minutes: without new ones hardly a call would have a token of the new key.
    client = newClient();
    await Promise.all([sleep(seconds * 1_000), handOver.check()]);
  }

  async function rotate(step: Step): Promise<void> {
    const { dataKeys, free } = (await stage.command(step, 'keys', 'rotate')) as Rotated;
    rewrapped.push(dataKeys.count);
    if (dataKeys.count === 0) tally.find('a rotation has something to do', step);
    if (step === 'first' && !free.includes('old')) tally.find('the old key is free after a rotation', free.join(', '));
  }

  /** False when a node did not come back, or what was planted is found: the drill is over. */
  async function steps(): Promise<boolean> {
    const roll = async (name: string, step: Step) => {
      const isBack = await during(name, () => nodes.rollTo(step, hold));
      return isBack && !(control && hasFound(tally, control.finding));
    };
    await during('old keys', hold);
    if (control?.leavesOut !== 'known' && !(await roll('every node knows the new keys', 'known'))) return false;
    // Not before every node knows the new key.
    sessions = newRing;
    if (!(await roll('the new keys are first', 'first'))) return false;
    await during('new keys', hold);
    if (control?.leavesOut !== 'rotate') await during('keys rotate', () => rotate('first'));
    if (!(await roll('the old vault key is gone, months open', 'opens'))) return false;
    if (!(await roll('months wrap', 'wraps'))) return false;
    await during('keys rotate onto months', () => rotate('wraps'));
    await during('months', hold);
    return true;
  }

  let isWhole = false;
  try {
    isWhole = await steps();
  } finally {
    await load.stop();
    await watch.stop();
  }
  const handedOver = handOver.figures();
  // Here no key is taken away that signs tokens, so a client never has to ask for another.
  const refused = tally.statuses.get(401) ?? 0;
  if (refused > 0) tally.find('no call is refused for its token', `${refused} calls`);
  if (!isWhole) return { phases, rewrapped, readable: 0, handedOver, nodes };
  if (handedOver.tokenKeys !== 2 || handedOver.evidenceKeys !== 2) {
    tally.find('the old and the new key sign tokens and evidence', JSON.stringify(handedOver));
  }
  await settle(stage);
  const others = [...(await countKeys(stage)).keys()].filter((id) => !id.startsWith('month:'));
  if (others.length > 0) tally.find('months wrap every data key at the end', others.join(', '));
  const readable = await readAll(stage, tally);
  await check({ ...stage, front: { acknowledged: new Map() } }, records, tally).catch((error) =>
    tally.find('the books can be checked', String(error)),
  );
  return { phases, rewrapped, readable, handedOver, nodes };
}

export async function runDrill(options: DrillOptions): Promise<Drill> {
  const startedMs = performance.now();
  const tally = createTally();
  const played = await onStage((stage) => play(stage, options, tally), options.control);
  return { tally, ...played, totalMs: Math.round(performance.now() - startedMs) };
}
