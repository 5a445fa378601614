// npm run key-drill: rotating every ring under load, and moving into a key service, must cost no request and no report.
import { parseArgs } from 'node:util';
import { hasFound } from '../chaos/tally.ts';
import { runDrill } from './drill.ts';
import { drillJson, drillText, exitCodeOf } from './print.ts';
import { CONTROLS } from './settings.ts';

const HELP = `Usage: npm run key-drill [-- options]

Runs an installation under load: two API nodes behind HAProxy, a worker and simulators. Gives every node new vault, hash,
signing and evidence keys in steps, restarting node by node; runs "keys rotate"; takes the old vault key away; moves into a key
service (the simulator of Vault's Transit engine) and runs "keys rotate" again. Clients use the client library. No call may fail
beyond the 503s that the library repeats; a token or evidence of one node must be good at the other, whichever key signed; and in
the end every report is read and the books agree. The old signing key and the old hash key stay: to remove them, an operator
waits for fifteen minutes and for 25 hours, and this drill does not. Makes its own database and leaves nothing behind. Needs
PostgreSQL and Redis, as "npm run dev" does, and HAProxy.

  --seconds <n>  how long each state lasts between two changes (default 10; 1 to 600)
  --short        the same with 3 seconds
  --seed <n>     mix of the load; printed at the start (default: a fresh one)
  --control      instead: the drill once with each planted mistake, which it must find
  --json         one line of JSON for each drill instead of the table
  --help         this text

${CONTROLS.map(({ id, sentence }) => `  ${id.padEnd(15)}${sentence}`).join('\n')}

Exit code: 0 nothing was found (with --control: every mistake was), 1 otherwise, 2 the drill could not start, 3 a slow
machine explains all that was found: run it again.`;

const OPTIONS = {
  seconds: { type: 'string', default: '10' },
  short: { type: 'boolean', default: false },
  seed: { type: 'string' },
  control: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

const SEED_MAX = 2 ** 31;
const SECONDS_MAX = 600;
const SHORT_SECONDS = 3;
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
  const seconds = values.short ? SHORT_SECONDS : wholeNumber('seconds', values.seconds, SECONDS_MAX);
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
