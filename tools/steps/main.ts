// Runs the steps of tools/steps/steps.ts, each to its end whatever the others found, and ends with a verdict.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { watchMachine } from '../machine/machine.ts';
import { openOwnServices } from '../own-services/own-services.ts';
import { giveServers, WORKERS } from '../own-services/servers.ts';
import { askedProofs } from '../prove/asked.ts';
import { createRunner, type StepRunner, type Taken } from './run-step.ts';
import { GROUPS, planSteps, type Step, UsageError } from './steps.ts';
import { isPassed, verdict } from './verdict.ts';

const LAST_RUN = 'node_modules/.cache/last-run.json';
const HELP = `Usage: npm run steps [-- group …]

Runs the steps of these groups, or of all: ${GROUPS.join(', ')}. "verify" is short for static and tests.
The packages must be installed, and PostgreSQL and Redis: the run starts servers of its own (.ci/services --programs).

  --list    one line for each step instead
  --json    the names of the groups as a JSON list instead, for the workflow's jobs
  --help    this text

Ends with a verdict of at most 60 lines, also written as JSON to ${LAST_RUN}. Exit code: 0 all passed, 1 one failed or the run was stopped,
2 there is no such group.`;

const say = (line: string) => process.stdout.write(`${line}\n`);
const now = () => Math.round(performance.now() / 1_000);
const head = (title: string) => say(`\n== ${title} (${now()} s)`);

async function run(names: readonly string[]): Promise<number> {
  const steps = planSteps(names);
  const watch = watchMachine();
  const runners = new Set<StepRunner>();
  let isStopped = false;
  const stop = () => {
    isStopped = true;
    for (const runner of runners) runner.stop();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  const services = await openOwnServices(WORKERS);
  if (services) giveServers(services.servers);
  else say('PostgreSQL is not installed here: tests use the servers of the environment, or of this machine.');
  const taken: Taken[] = [];
  async function take(step: Step, show: (text: string | Buffer) => void): Promise<void> {
    const runner = createRunner(show);
    runners.add(runner);
    const outcome = await runner.run(step);
    runners.delete(runner);
    taken.push(outcome);
    if (!outcome.isPassed) show(`\nFAILED: ${step.title}\n`);
  }
  const beside: Promise<void>[] = [];
  async function takeBeside(step: Step): Promise<void> {
    say(`\n== beside: ${step.title} (${now()} s)`);
    const held: (string | Buffer)[] = [];
    await take(step, (text) => held.push(text));
    head(step.title);
    for (const text of held) process.stdout.write(text);
  }
  for (const step of steps) {
    if (isStopped) break;
    if (step.isBeside) {
      beside.push(takeBeside(step));
      continue;
    }
    head(step.title);
    await take(step, (text) => process.stdout.write(text));
  }
  await Promise.all(beside);
  await services?.close();
  const result = { taken, planned: steps.length, seconds: now(), machine: watch.stop(), asked: askedProofs() };
  head('verdict');
  for (const line of verdict(result)) say(line);
  keep({ isPassed: isPassed(result), ...result });
  return isPassed(result) ? 0 : 1;
}

/** For a reader, or a program, that has no log. */
function keep(result: object): void {
  try {
    mkdirSync(dirname(LAST_RUN), { recursive: true });
    writeFileSync(LAST_RUN, `${JSON.stringify(result, null, 2)}\n`);
  } catch (error) {
    say(`${LAST_RUN} could not be written: ${error instanceof Error ? error.message : error}`);
  }
}

async function main(options: readonly string[]): Promise<number> {
  if (options.includes('--help')) say(HELP);
  else if (options.includes('--json')) say(JSON.stringify(GROUPS));
  else if (options.includes('--list')) {
    const steps = planSteps(options.filter((option) => option !== '--list'));
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
