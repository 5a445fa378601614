// npm run restore-drill: backups are proved by a restore. Decision: docs/decisions/0257-restores-are-drilled.md.
import { parseArgs } from 'node:util';
import { hasFound } from '../chaos/tally.ts';
import { BrokenOff } from '../chaos/verdict.ts';
import { CONTROLS } from './controls.ts';
import { runDrill } from './drill.ts';
import { drillJson, drillText, exitCodeOf } from './print.ts';

const HELP = `Usage: npm run restore-drill [-- options]

Makes a PostgreSQL cluster of its own that archives through pgBackRest, runs Trefoil on it under load, makes a full and an
incremental backup, kills the cluster and deletes it, restores it to a chosen second, and compares what came back with what
clients were told. Then kills it again and restores all that was archived: what is missing is the recovery point. Leaves
nothing behind. Needs PostgreSQL's programs, pgbackrest, and Redis as "npm run dev" does.

  --short                a second of load at a time, and only the restore to a second; what prove --quick runs
  --seconds <n>          how long the load runs between two events (default 10; with --short 1; 1 to 600)
  --archive-timeout <n>  PostgreSQL's archive_timeout in seconds (default 10; with --short 2; 1 to 600)
  --fill <n>             megabytes of other data in the cluster (default none; up to 100000)
  --seed <n>             mix of the load; printed at the start (default: a fresh one)
  --control              instead: the drill once with each planted mistake, which it must find
  --only <id>            with --control: this mistake alone
  --json                 one line of JSON for each drill instead of the table
  --help                 this text

${CONTROLS.map(({ id, sentence }) => `  ${id.padEnd(19)}${sentence}`).join('\n')}

Exit code: 0 nothing was found (with --control: every mistake was), 1 otherwise, 2 the drill could not run or broke off, 3 too
little happened during it to prove anything, or it was only late: repeat it, 4 it was only late, and the drill measured that the
machine was slow.`;

const OPTIONS = {
  short: { type: 'boolean', default: false },
  seconds: { type: 'string' },
  'archive-timeout': { type: 'string' },
  fill: { type: 'string' },
  seed: { type: 'string' },
  control: { type: 'boolean', default: false },
  only: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

const SEED_MAX = 2 ** 31;
const SECONDS_MAX = 600;
const FILL_MAX = 100_000;
const startedMs = performance.now();
const say = (line: string) =>
  process.stderr.write(`${String(Math.round((performance.now() - startedMs) / 1_000)).padStart(4)} s  ${line}\n`);

function wholeNumber(name: string, text: string, max: number): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < 1 || number > max) throw new Error(`--${name} must be a number from 1 to ${max}`);
  return number;
}

async function main(): Promise<number> {
  const values = parseArgs({ options: OPTIONS }).values;
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  // The mistakes are found by the restore to a second: a long drill would find no more.
  const isShort = values.short || values.control;
  const seconds = wholeNumber('seconds', values.seconds ?? (isShort ? '1' : '10'), SECONDS_MAX);
  const timeout = wholeNumber('archive-timeout', values['archive-timeout'] ?? (isShort ? '2' : '10'), SECONDS_MAX);
  const fillMegabytes = values.fill === undefined ? 0 : wholeNumber('fill', values.fill, FILL_MAX);
  const seed = wholeNumber('seed', values.seed ?? String(1 + Math.floor(Math.random() * SEED_MAX)), SEED_MAX + 1);
  const controls = CONTROLS.filter(({ id }) => values.only === undefined || values.only === id);
  if (controls.length === 0) throw new Error(`there is no mistake called ${values.only}`);
  let code = 0;
  for (const control of values.control ? controls : [undefined]) {
    say(`seed ${seed}${control ? `, with a planted mistake: ${control.sentence}` : ''}`);
    const drill = await runDrill({
      seconds,
      archiveTimeoutSeconds: timeout,
      isShort,
      fillMegabytes,
      seed,
      control,
      say,
    });
    console.log(values.json ? drillJson(drill) : drillText(drill));
    if (!control) return exitCodeOf(drill);
    const isFound = hasFound(drill.tally, control.finding);
    say(`${isFound ? 'found' : 'NOT FOUND'}: ${control.sentence}`);
    if (!isFound) code = 1;
  }
  return code;
}

try {
  process.exitCode = await main();
} catch (error) {
  if (error instanceof BrokenOff) say(error.message);
  else say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exitCode = error instanceof BrokenOff ? 1 : 2;
}
