// npm run upgrade-drill: an upgrade under load, and back again by one version, must cost no request and no credit.
import { parseArgs } from 'node:util';
import { hasFound } from '../chaos/tally.ts';
import { CONTROLS } from './controls.ts';
import { runDrill } from './drill.ts';
import { drillJson, drillText, exitCodeOf } from './print.ts';

const HELP = `Usage: npm run upgrade-drill [-- options]

Runs an installation of the previous version (tools/upgrade-drill/previous.json) under load: two API nodes behind HAProxy, a
worker and simulators. Migrates the schema beneath it, replaces process by process with this tree, and goes back. Clients use
the client library. No call may fail beyond the 503s that the library repeats, and the books must agree. Makes its own
database and leaves nothing behind. Needs PostgreSQL and Redis, as "npm run dev" does, HAProxy, and the history of git.

  --seconds <n>  how long each state lasts between two changes (default 10; 1 to 600)
  --seed <n>     mix of the load; printed at the start (default: a fresh one)
  --control      instead: the drill once with each planted mistake, which it must find
  --json         one line of JSON for each drill instead of the table
  --help         this text

${CONTROLS.map(({ id, sentence }) => `  ${id.padEnd(17)}${sentence}`).join('\n')}

Exit code: 0 nothing was found (with --control: every mistake was), 1 otherwise, 2 the drill could not start, 3 a slow
machine explains all that was found: run it again, 4 only times were missed, and the machine was measured as slow. A request that
failed for good is 1, unless the machine was measured as slow.`;

const OPTIONS = {
  seconds: { type: 'string', default: '10' },
  seed: { type: 'string' },
  control: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

const SEED_MAX = 2 ** 31;
const SECONDS_MAX = 600;
const say = (line: string) => process.stderr.write(`${line}\n`);

function wholeNumber(name: string, text: string, max: number): number {
  if (!/^\d+$/.test(text) || Number(text) < 1 || Number(text) > max) {
    throw new Error(`--${name} takes a number from 1 to ${max}.`);
  }
  return Number(text);
}

async function main(): Promise<number> {
  const values = parseArgs({ options: OPTIONS }).values;
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const seconds = wholeNumber('seconds', values.seconds, SECONDS_MAX);
  const seed = wholeNumber('seed', values.seed ?? String(1 + Math.floor(Math.random() * SEED_MAX)), SEED_MAX + 1);
  let isRight = true;
  for (const control of values.control ? CONTROLS : [undefined]) {
    say(`seed ${seed}${control ? `, with a planted mistake: ${control.sentence}` : ''}`);
    const drill = await runDrill({ seconds, seed, control, say });
    console.log(values.json ? drillJson(drill) : drillText(drill));
    if (!control) return exitCodeOf(drill);
    const isFound = hasFound(drill.tally, control.finding);
    say(`${isFound ? 'found' : 'NOT FOUND'}: ${control.sentence}`);
    isRight &&= isFound;
  }
  return isRight ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exitCode = 2;
}
