// Shows high availability: lets machines, programs and networks of a database cluster fail under load, and compares what was
// acknowledged with what is there. Decision: docs/decisions/0256-high-availability-shown.md.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../../bench/merge/random.ts';
import { onStage, type Stage } from '../chaos/stage.ts';
import { createTally, type Tally } from '../chaos/tally.ts';
import { BrokenOff, breakOff } from '../chaos/verdict.ts';
import { watchMachine } from '../machine/machine.ts';
import { type Cluster, type ClusterOptions, startCluster } from './cluster.ts';
import { type Crowd, gatherCrowd, makePatient } from './crowd.ts';
import { findObstacle, sweep } from './network.ts';
import { HELP, type Options, readOptions, UsageError } from './options.ts';
import { checkAll, playRound, type Round, type Show } from './play.ts';
import {
  exitCodeOf,
  LIGHT,
  type Outcome,
  outcomeJson,
  outcomeTable,
  roundLine,
  type ScenarioOutcome,
  UNENDED,
} from './print.ts';
import { CONTROL_SCENARIO, findScenario } from './scenarios.ts';
import { FOLDER, type Limits, limitsFor, MARK, timingFor } from './settings.ts';

const NODES = 2;
const PID_FILE = join(FOLDER, 'run.pid');
const KEPT_LOGS = `${FOLDER}-logs`;
/** Of the limit: a gap above it is within what is promised, and worth a look at its cause. */
const NEAR_LIMIT = 0.85;

const startedMs = performance.now();
const elapsed = () => `${Math.round((performance.now() - startedMs) / 1_000)} s`.padStart(7);
const say = (line: string) => process.stderr.write(`${elapsed()}  ${line}\n`);

/** The id of a run that is in progress on this machine. */
function findOtherRun(): string | undefined {
  try {
    const pid = readFileSync(PID_FILE, 'utf8');
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('tools/ha/main.ts') ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** Everything that the run and its parts keep in files is in its folder, so that nothing is left when that is removed. */
function clear(): void {
  sweep();
  const files = join(FOLDER, 'tmp');
  mkdirSync(files, { recursive: true });
  writeFileSync(PID_FILE, String(process.pid));
  process.env['TMPDIR'] = files;
  process.env[MARK.name] = MARK.value;
}

function keepLogs(): void {
  rmSync(KEPT_LOGS, { recursive: true, force: true });
  cpSync(join(FOLDER, 'log'), KEPT_LOGS, { recursive: true });
  say(`the logs of the cluster are kept in ${KEPT_LOGS}`);
}

type Played = { readonly crowd: Crowd };

async function onCluster<T>(
  options: ClusterOptions,
  { random, tally, limits }: { readonly random: Random; readonly tally: Tally; readonly limits: Limits },
  work: (show: Show) => Promise<T>,
): Promise<T & Played> {
  clear();
  const bornMs = performance.now();
  const cluster: Cluster = await startCluster(options).catch((error) => {
    keepLogs();
    throw error;
  });
  say(`the cluster is whole after ${((performance.now() - bornMs) / 1_000).toFixed(1)} s`);
  const place = { adminUrl: cluster.adminUrl, nodes: NODES, environment: { [MARK.name]: MARK.value } };
  const over = new AbortController();
  return onStage({ random, tally, plant: undefined, place }, async (impatient: Stage) => {
    try {
      await impatient.fleet.start(0);
      const stage = makePatient(impatient);
      const crowd = await gatherCrowd({ stage, random, tally, signal: over.signal });
      say('two API nodes and a worker run');
      return { ...(await work({ cluster, stage, crowd, tally, random, limits, timing: options.timing })), crowd };
    } finally {
      over.abort();
    }
  });
}

/** Estimates from the rounds so far; the first ones say little. */
function startEstimate(total: number) {
  const beganMs = performance.now();
  let done = 0;
  return () => {
    done += 1;
    const leftMs = ((performance.now() - beganMs) / done) * (total - done);
    return done === total ? '' : `; about ${Math.max(1, Math.round(leftMs / 60_000))} min left`;
  };
}

async function playScenarios(show: Show, { scenarios }: Options): Promise<ScenarioOutcome[]> {
  const { crowd, tally } = show;
  const estimate = startEstimate(scenarios.reduce((sum, { rounds }) => sum + rounds, 0));
  const outcomes = scenarios.map(({ scenario, rounds }) => ({
    ...{ scenario, name: scenario.name, wantedRounds: rounds },
    rounds: [] as Round[],
  }));
  try {
    for (const { scenario, name, wantedRounds, rounds } of outcomes) {
      const stop = crowd.start();
      try {
        while (rounds.length < wantedRounds) {
          const round = await playRound(show, scenario);
          rounds.push(round);
          say(`${name} ${rounds.length}/${wantedRounds}: ${roundLine(round)}${findingsText(tally)}${estimate()}`);
        }
      } catch (error) {
        // Not awaited: the clients of a broken cluster would go on asking until their patience ends.
        void stop();
        throw error;
      }
      await stop();
      await checkAll(show);
      say(`${name}: books checked${findingsText(tally)}`);
    }
  } catch (error) {
    // The rounds that are missing are complaints of their own.
    tally.find(UNENDED, String(error instanceof Error ? error.message : error));
  }
  return outcomes.map(({ name, wantedRounds, rounds }) => ({ name, wantedRounds, rounds }));
}

function findingsText({ findings }: Tally): string {
  return findings.size === 0 ? '' : `; FOUND ${[...findings.keys()].join(', ')}`;
}

/** What it finds besides the loss belongs to the loss, and is not reported. */
async function playControl(options: Options, random: Random): Promise<Round | undefined> {
  say('control: asynchronous replication');
  const limits = limitsFor(options.ttl, options.isShort);
  const clusterOptions = { timing: timingFor(options.ttl), isSynchronous: false };
  const tally = createTally();
  try {
    const { round } = await onCluster(clusterOptions, { random, tally, limits }, async (show) => {
      const stop = show.crowd.start();
      const round = await playRound(show, findScenario(CONTROL_SCENARIO), true);
      // Not awaited: the clients of lost reports would ask for them until their patience ends.
      void stop();
      return { round };
    });
    say(`control: ${roundLine(round)}`);
    return round;
  } catch (error) {
    say(`control: ${error instanceof Error ? error.stack : error}`);
    return undefined;
  }
}

async function run(options: Options): Promise<Outcome> {
  const random = new Random(options.seed);
  const tally = createTally();
  const machine = watchMachine();
  const limits = limitsFor(options.ttl, options.isShort);
  say(`seed ${options.seed}, ttl ${options.ttl} s`);
  let scenarios: readonly ScenarioOutcome[] = [];
  let figures = { reports: 0, credits: 0, slowestAnswerMs: 0 };
  if (options.scenarios.length > 0) {
    const clusterOptions = { timing: timingFor(options.ttl), isSynchronous: true };
    const played = await onCluster(clusterOptions, { random, tally, limits }, async (show) => ({
      outcomes: await playScenarios(show, options),
    })).catch((error: unknown) => breakOff(tally, LIGHT, { error, say }));
    const { crowd } = played;
    scenarios = played.outcomes;
    figures = {
      ...{ reports: crowd.records.size, credits: crowd.credits.size },
      slowestAnswerMs: Math.round(crowd.heard.slowestMs),
    };
    const longestMs = Math.max(
      0,
      ...scenarios.flatMap(({ rounds }) => rounds.flatMap((each) => [each.gapMs, each.creditGapMs])),
    );
    if (tally.findings.size > 0 || longestMs > limits.gapMs * NEAR_LIMIT) keepLogs();
  }
  const control = options.hasControl ? await playControl(options, random) : undefined;
  const { findings, logErrors } = tally;
  const totalMs = Math.round(performance.now() - startedMs);
  const { ttl, seed, hasControl } = options;
  return {
    ...{ ttl, seed, scenarios, control, hasControl, findings, logErrors, figures, totalMs },
    machine: machine.stop(),
  };
}

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (!options) {
    console.log(HELP);
    return 0;
  }
  const obstacle = findObstacle();
  if (obstacle !== undefined) {
    console.log(`SKIPPED: no cluster is started, because ${obstacle}.`);
    return options.isShort ? 0 : 2;
  }
  const other = findOtherRun();
  if (other !== undefined) throw new UsageError(`Another run is in progress (process ${other}).`);
  // Also after a fault and Ctrl-C: what is left would disturb this machine, not only the next run.
  process.on('exit', sweep);
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      say('Stopping: the cluster and its servers are ended and removed.');
      process.exit(130);
    });
  }
  process.on('uncaughtException', (error) => {
    say(String(error.stack));
    // Not 1, which Node would choose and which says that something was lost.
    process.exit(2);
  });
  const outcome = await run(options);
  console.log(options.isJson ? outcomeJson(outcome) : outcomeTable(outcome));
  return exitCodeOf(outcome);
}

try {
  // Not process.exitCode: a connection to a machine that is cut off would keep the process.
  process.exit(await main());
} catch (error) {
  say(
    error instanceof UsageError
      ? `${error.message}\nnpm run ha -- --help explains the options.`
      : String(error instanceof Error ? error.stack : error),
  );
  process.exit(error instanceof BrokenOff ? 1 : 2);
}
