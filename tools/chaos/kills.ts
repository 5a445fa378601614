// The two ways to die: a node kills itself at a failpoint, or the run kills it at a random moment.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../bench/merge/random.ts';
import { FAILPOINTS, type FailpointName } from '../../server/src/credit-reports/failpoints.ts';
import type { ArmedFailpoint } from '../../server/src/lib/failpoints.ts';
import type { Fleet, Node } from './fleet.ts';
import { count, type Tally } from './tally.ts';

export type Kills = {
  readonly atPoint: Map<FailpointName, number>;
  atRandom: number;
  frozen: number;
};

type Stage = { readonly fleet: Fleet; readonly random: Random; readonly tally: Tally; readonly signal: AbortSignal };

const VISIT_MAX = 5;
/** For an armed node under load. If no request reaches its failpoint, nothing was proved there. */
const REACH_MS_MAX = 45_000;
const KILLS_PER_FREEZE = 20;
const FROZEN_MS = 40_000;
const RANDOM_REST_MS = { least: 100, most: 1_500 };

async function dieAtPoint(
  stage: Stage,
  kills: Kills,
  slot: number,
  armed: ArmedFailpoint<FailpointName>,
): Promise<void> {
  const { fleet, tally, signal } = stage;
  const node = await fleet.start(slot, armed);
  const late = new AbortController();
  const outcome = await Promise.race([
    node.died,
    sleep(REACH_MS_MAX, 'late' as const, { signal: AbortSignal.any([late.signal, signal]) }).catch(() => undefined),
  ]);
  late.abort();
  if (outcome === 'SIGKILL') count(kills.atPoint, armed.name);
  else if (outcome === 'late') tally.find('every failpoint is reached', `${armed.name}:${armed.visit} was not`);
  if (node.isReady) node.kill();
  await node.died;
}

/** Uses the slots where nothing runs yet, which are then filled with unarmed nodes. */
export async function killAtPoints(stage: Stage, kills: Kills, times: number): Promise<void> {
  const { fleet, random, signal } = stage;
  const plan = random.shuffled(Array.from({ length: times }, () => FAILPOINTS).flat()).values();
  const running = new Set(fleet.listReady().map(({ slot }) => slot));
  const slots = Array.from({ length: fleet.size }, (_, slot) => slot).filter((slot) => !running.has(slot));
  const lane = async (slot: number) => {
    for (const name of plan) {
      if (signal.aborted) return;
      await dieAtPoint(stage, kills, slot, { name, visit: random.between(1, VISIT_MAX) });
    }
    await fleet.start(slot);
  };
  await Promise.all(slots.map(lane));
}

/** Long enough for its leases to expire and a sweep to take over its reports: then it wakes and goes on. */
async function freeze(node: Node, signal: AbortSignal): Promise<void> {
  node.freeze();
  await sleep(FROZEN_MS, undefined, { signal }).catch(() => undefined);
  node.thaw();
}

export async function killAtRandom(stage: Stage, kills: Kills, times: number): Promise<void> {
  const { fleet, random, signal } = stage;
  const returning = new Set<Promise<unknown>>();
  while (kills.atRandom < times && !signal.aborted) {
    await sleep(random.between(RANDOM_REST_MS.least, RANDOM_REST_MS.most));
    const ready = fleet.listReady();
    // At least one node must be left, or the run measures how long a start takes.
    if (ready.length < 2) continue;
    const node = random.pick(ready);
    if (kills.frozen < Math.floor(times / KILLS_PER_FREEZE) && kills.atRandom >= kills.frozen * KILLS_PER_FREEZE) {
      kills.frozen += 1;
      const thawed = freeze(node, signal).finally(() => returning.delete(thawed));
      returning.add(thawed);
      continue;
    }
    node.kill();
    kills.atRandom += 1;
    const back = node.died.then(() => fleet.start(node.slot)).finally(() => returning.delete(back));
    returning.add(back);
  }
  await Promise.all(returning);
}
