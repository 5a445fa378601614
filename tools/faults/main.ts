// Proves how the service behaves when its dependencies fail: runs the scenarios one after another and prints each one's
// findings. Figures go to standard output, progress to standard error.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Breakage } from '../breakages/breakages.ts';
import { copyBroken, copyTree } from '../breakages/copy.ts';
import { helpText, type Options, readOptions, UsageError } from './options.ts';
import { PLANTS } from './plants.ts';
import { brokenText, exitCodeOf, type Outcome, outcomeJson, outcomeText } from './print.ts';
import { type Played, runScenario, type Setting } from './run-scenario.ts';
import type { Scenario } from './scenario.ts';
import { MISUSES, SCENARIOS } from './scenarios/index.ts';

/** Known also when the run breaks off. */
const outcomes: Outcome[] = [];

const say = (line: string) => process.stderr.write(`${line}\n`);

function choose({ scenarios: names, isShort, isMisuse }: Options): readonly Scenario[] {
  const all = isMisuse ? MISUSES : SCENARIOS;
  if (names === undefined) return isShort ? all.filter(({ shortSeconds }) => shortSeconds) : all;
  return names.map((name) => {
    const found = [...SCENARIOS, ...MISUSES].find((scenario) => scenario.name === name);
    if (!found) throw new UsageError(`There is no scenario called ${name}; --help lists them.`);
    return found;
  });
}

type Workshop = { readonly directory: string; readonly options: Options; readonly interrupted: Promise<never> };

/** On a copy of the tree with the scenario's own edits, and with the plant's if there is one. */
async function play(
  scenario: Scenario,
  plant: Breakage | undefined,
  { directory, options, interrupted }: Workshop,
): Promise<Played> {
  const { isShort } = options;
  const seconds = options.seconds ?? ((isShort && scenario.shortSeconds) || scenario.seconds);
  const setting: Omit<Setting, 'directory'> = { seconds, isShort, say, interrupted };
  const unbroken = join(directory, 'unbroken');
  const edits = [...(scenario.hasten ?? []), ...(plant?.edits ?? [])];
  if (edits.length === 0) return runScenario(scenario, { ...setting, directory: unbroken });
  const broken = join(directory, 'broken');
  const id = plant ? `the plant of ${scenario.name}` : scenario.name;
  await copyBroken(unbroken, broken, { id, edits, breaks: '', sentence: '', rows: /./ });
  try {
    return await runScenario(scenario, { ...setting, directory: broken });
  } finally {
    await rm(broken, { recursive: true, force: true });
  }
}

async function run(scenario: Scenario, workshop: Workshop): Promise<Outcome> {
  const { name } = scenario;
  say(`${name}: ${scenario.promise}`);
  const played = await play(scenario, undefined, workshop);
  const plant = PLANTS.get(name);
  if (!workshop.options.hasControl) return { scenario: name, ...played, control: null };
  if (!plant) {
    say(`${name} has no control: nothing is planted for it`);
    return { scenario: name, ...played, control: null };
  }
  say(`${name}, its control: ${plant.sentence}`);
  const { findings } = await play(scenario, plant, workshop);
  for (const finding of findings) say(`  control: ${finding}`);
  return { scenario: name, ...played, control: { failed: findings.some((each) => plant.rows.test(each)), findings } };
}

function watchSignals(): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  // There may be no listener yet, or none any more.
  promise.catch(() => undefined);
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      say('Stopping: the servers are ended and the database is dropped.');
      reject(new Error('interrupted'));
    });
  }
  return promise;
}

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (!options) {
    console.log(helpText([...SCENARIOS, ...MISUSES]));
    return 0;
  }
  const chosen = choose(options);
  const interrupted = watchSignals();
  let isInterrupted = false;
  interrupted.catch(() => {
    isInterrupted = true;
  });
  const directory = await mkdtemp(join(tmpdir(), 'trefoil-faults-'));
  try {
    await copyTree(join(directory, 'unbroken'));
    for (const scenario of chosen) {
      if (isInterrupted) break;
      const outcome = await run(scenario, { directory, options, interrupted });
      console.log(options.isJson ? outcomeJson(outcome) : outcomeText(outcome));
      outcomes.push(outcome);
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
  for (const line of brokenText(outcomes)) say(line);
  return worst(isInterrupted ? 2 : 0);
}

/** Something grave in one scenario counts more than a slow machine in another, and more than a run that broke off. */
function worst(besides: 0 | 2): number {
  const codes = new Set<number>([besides, ...outcomes.map(exitCodeOf)]);
  return [1, 2, 3, 4].find((code) => codes.has(code)) ?? 0;
}

// Work that an abandoned scenario still tries to do fails, and no code awaits it.
process.on('unhandledRejection', (error) => say(`  given up: ${error}`));
try {
  // An exit code alone is not enough: an abandoned scenario may still have timers.
  process.exit(await main());
} catch (error) {
  say(
    error instanceof UsageError
      ? `${error.message}\nnpm run faults -- --help explains the options.`
      : String(error instanceof Error ? error.stack : error),
  );
  process.exit(worst(2));
}
