// Runs the steps of tools/steps/steps.ts and prints how long each took. Ends at the first failure.
import { type Failure, type Outcome, type RunningGroup, startGroup, type Taken } from './run-group.ts';
import { GROUPS, planSteps, type Step, stepsOf, UsageError } from './steps.ts';

const HELP = `Usage: npm run steps [-- group …]

Runs the steps of these groups, or of all: ${GROUPS.join(', ')}. "verify" is short for static and tests.
The packages must be installed, and PostgreSQL and Redis run (.ci/services).

  --list    one line for each step instead
  --json    the names of the groups as a JSON list instead, for the workflow's jobs
  --help    this text

Exit code: 0 all passed, 1 one failed, 2 there is no such group.`;

const say = (line: string) => process.stdout.write(`${line}\n`);
const head = (title: string) => say(`\n== ${title} (${Math.round(performance.now() / 1_000)} s)`);

/** The output of a turn's first group is shown as it runs; the others' is shown when they have ended. */
function startTurn(turn: readonly (readonly Step[])[], isShown: boolean): RunningGroup[] {
  return turn.map((steps, at) => startGroup(steps, { begin: (title) => head(title), isShown: isShown && at === 0 }));
}

async function run(names: readonly string[]): Promise<number> {
  const { turns, besideAll } = planSteps(names);
  const taken: Taken[] = [];
  const running = new Set<RunningGroup>();
  const stop = () => {
    for (const group of running) group.stop();
  };
  // The steps are in process groups of their own: neither a terminal nor a machine that ends this process signals them.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);

  /** Undefined when all is well, otherwise the step that failed; the other groups are stopped at the first failure. */
  async function finish(groups: readonly RunningGroup[]): Promise<Failure | undefined> {
    let failed: Failure | undefined;
    const settle = async (group: RunningGroup): Promise<Outcome> => {
      const outcome = await group.ended;
      running.delete(group);
      failed ??= outcome.failed;
      if (outcome.failed !== undefined) stop();
      return outcome;
    };
    for (const { taken: each, output } of await Promise.all(groups.map(settle))) {
      taken.push(...each);
      if (output !== '') {
        head(`${each.map(({ title }) => title).join(', ')}: what it said`);
        process.stdout.write(output);
      }
    }
    return failed;
  }

  const beside = startTurn(besideAll, turns.length === 0);
  for (const group of beside) running.add(group);
  let failed: Failure | undefined;
  for (const turn of turns) {
    const groups = startTurn(turn, true);
    for (const group of groups) running.add(group);
    failed = await finish(groups);
    if (failed !== undefined) break;
  }
  const failedBeside = await finish(beside);
  failed ??= failedBeside;
  if (failed !== undefined) {
    // At the very end, where a reader of a long log looks first: the conformance kit's rows stand between it and its place.
    say(`\nFAILED: ${failed.title}. Its last lines:\n${failed.lastLines}`);
    return 1;
  }
  head('done');
  for (const { title, seconds } of taken) say(`${String(seconds).padStart(5)} s  ${title}`);
  return 0;
}

async function main(options: readonly string[]): Promise<number> {
  if (options.includes('--help')) say(HELP);
  else if (options.includes('--json')) say(JSON.stringify(GROUPS));
  else if (options.includes('--list')) {
    const steps = stepsOf(planSteps(options.filter((option) => option !== '--list')));
    for (const { group, title, command } of steps) say(`${group}: ${title}: ${command.join(' ')}`);
  } else return run(options);
  return 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
