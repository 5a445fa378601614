// Proves that a crash loses nothing and doubles nothing: kills API nodes under load, then compares all records.
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../bench/merge/random.ts';
import { FAILPOINTS } from '../../server/src/credit-reports/failpoints.ts';
import { watchMachine } from '../machine/machine.ts';
import { check } from './checks.ts';
import { createClient } from './client.ts';
import { createFlow } from './flows.ts';
import { type Kills, killAtPoints, killAtRandom } from './kills.ts';
import { startLoad } from './load.ts';
import { HELP, type Options, readOptions, UsageError } from './options.ts';
import { meetPeople } from './people.ts';
import { createPhones } from './phones.ts';
import { PLANTS } from './plants.ts';
import { exitCodeOf, LIGHT, type Outcome, outcomeJson, outcomeTable } from './print.ts';
import type { Records } from './records.ts';
import { onStage, type Stage } from './stage.ts';
import { createTally, type Tally } from './tally.ts';
import { BrokenOff, breakOff } from './verdict.ts';
import { countOpen, SETTLE_MS, SETTLED_LATE, startWatch } from './watch.ts';

const PROGRESS_MS = 5_000;
const SETTLE_MS_MAX = 180_000;
const SETTLE_LOOK_MS = 500;
const PLANT_WIDTH = 24;

const say = (line: string) => process.stderr.write(`${line}\n`);

type Progress = { readonly kills: Kills; readonly tally: Tally; phase: string; underWay(): number };

/** A line every few seconds: what happens, how fast, and the estimated time left. */
function startProgress(progress: Progress, { killsPerPoint, randomKills }: Options): { stop(): void } {
  const startedMs = performance.now();
  const wanted = killsPerPoint * FAILPOINTS.length + randomKills;
  let before = { requests: 0, atMs: startedMs };
  const told = new Set<string>();
  const timer = setInterval(() => {
    const { kills, tally, phase } = progress;
    const nowMs = performance.now();
    const done = [...kills.atPoint.values()].reduce((sum, number) => sum + number, 0) + kills.atRandom;
    const perSecond = ((tally.requests - before.requests) * 1_000) / (nowMs - before.atMs);
    before = { requests: tally.requests, atMs: nowMs };
    const leftSeconds = (((nowMs - startedMs) / done) * (wanted - done)) / 1_000;
    const eta =
      done >= wanted
        ? 'the rest takes a minute, and up to eight if something hangs'
        : `about ${Math.round(leftSeconds)} s of killing left`;
    const found = [...tally.findings.values()].reduce((sum, { count }) => sum + count, 0);
    say(
      `${Math.round((nowMs - startedMs) / 1_000)} s  ${phase}: ${done}/${wanted} deaths, ${perSecond.toFixed(0)} requests/s, ` +
        `${progress.underWay()} under way, ${found} findings${done === 0 ? '' : `; ${eta}`}`,
    );
    // At once, and not after twenty minutes: the operator may want to stop.
    for (const [about, { examples }] of tally.findings) {
      if (!told.has(about)) say(`BROKEN: ${about}\n  ${examples[0]}`);
      told.add(about);
    }
  }, PROGRESS_MS);
  return { stop: () => clearInterval(timer) };
}

/** How long it took until nothing was open; the checks report what still is. */
async function settle(stage: Stage, restMs: number, signal: AbortSignal): Promise<number> {
  const startedMs = performance.now();
  const elapsed = () => performance.now() - startedMs;
  let settledMs = Number.NaN;
  while (elapsed() < SETTLE_MS_MAX && !signal.aborted) {
    const open = await countOpen(stage);
    const isSettled = Object.values(open).every((number) => number === 0) && stage.front.waiting() === 0;
    if (!isSettled) settledMs = Number.NaN;
    else if (Number.isNaN(settledMs)) settledMs = elapsed();
    if (isSettled && elapsed() >= restMs) break;
    await sleep(SETTLE_LOOK_MS);
  }
  return Number.isNaN(settledMs) ? elapsed() : settledMs;
}

async function play(stage: Stage, options: Options, random: Random, tally: Tally, interrupted: AbortSignal) {
  const over = new AbortController();
  const signal = AbortSignal.any([interrupted, over.signal]);
  const records: Records = new Map();
  const kills: Kills = { atPoint: new Map(), atRandom: 0, frozen: 0 };
  const flow = createFlow({
    ...{ records, tally, random },
    client: createClient(stage.fleet, tally, signal),
    phones: createPhones(stage.providers.addresses.carrier, random),
    nextPerson: await meetPeople(stage.providers.addresses, random),
    mintSession: stage.mintSession,
    isEnding: () => load.isEnding(),
    tenants: stage.tenants,
  });
  const startedMs = performance.now();
  const watch = startWatch(stage, tally);
  const load = startLoad(flow, options.flowsPerSecond, (error) => tally.find('the load runs', String(error)));
  const progress: Progress = { kills, tally, phase: 'failpoints', underWay: load.underWay };
  const { stop } = startProgress(progress, options);
  const scene = { fleet: stage.fleet, random, tally, signal };
  try {
    await killAtPoints(scene, kills, options.killsPerPoint);
    progress.phase = 'random moments';
    await killAtRandom(scene, kills, options.randomKills);
    progress.phase = 'last answers';
    await load.stop();
    const loadMs = performance.now() - startedMs;
    progress.phase = 'rest';
    const settledMs = await settle(stage, options.restMs, signal);
    await watch.stop();
    interrupted.throwIfAborted();
    if (settledMs > SETTLE_MS) tally.find(SETTLED_LATE, `after ${Math.round(settledMs)} ms`);
    const checked = await check(stage, records, tally);
    return { kills, watch, checked, loadMs, settledMs, receipts: stage.front.told() };
  } finally {
    stop();
    // After a fault of the run itself, the load would keep calling servers that are gone.
    over.abort();
    await load.stop();
  }
}

async function run(options: Options): Promise<Outcome> {
  const stopped = new AbortController();
  const interrupt = () => {
    if (!stopped.signal.aborted) say('Stopping: the servers are ended and the database is dropped.');
    stopped.abort(new Error('interrupted'));
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, interrupt);
  const startedMs = performance.now();
  const machine = watchMachine();
  const random = new Random(options.seed);
  const tally = createTally();
  say(`seed ${options.seed}`);
  const plant = options.plant === undefined ? undefined : findPlant(options.plant);
  const played = await onStage({ random, tally, plant }, (stage) =>
    play(stage, options, random, tally, stopped.signal),
  ).catch((error: unknown) => breakOff(tally, LIGHT, { error, say }));
  for (const name of FAILPOINTS) {
    const times = played.kills.atPoint.get(name) ?? 0;
    if (times < options.killsPerPoint)
      tally.find('every failpoint is reached', `${name}: ${times} of ${options.killsPerPoint}`);
  }
  return { options, tally, ...played, machine: machine.stop(), totalMs: performance.now() - startedMs };
}

function findPlant(id: string) {
  const plant = PLANTS.find((each) => each.id === id);
  if (!plant) throw new UsageError(`There is no plant called ${id}; --plant list lists them.`);
  return plant;
}

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (!options) {
    console.log(HELP);
    return 0;
  }
  if (options.plant === 'list') {
    for (const { id, sentence } of PLANTS) console.log(`${id.padEnd(PLANT_WIDTH)}${sentence}`);
    return 0;
  }
  const outcome = await run(options);
  console.log(options.isJson ? outcomeJson(outcome) : outcomeTable(outcome));
  return exitCodeOf(outcome);
}

try {
  process.exitCode = await main();
} catch (error) {
  say(
    error instanceof UsageError
      ? `${error.message}\nnpm run chaos -- --help explains the options.`
      : String(error instanceof Error ? error.stack : error),
  );
  process.exitCode = error instanceof BrokenOff ? 1 : 2;
}
