// A random day of operations on servers of its own, then every figure of the API against the ledger and the events.
import { parseArgs } from 'node:util';
import { Random } from '../../bench/merge/random.ts';
import { meetPeople } from '../chaos/people.ts';
import { onStage, type Stage } from '../chaos/stage.ts';
import { createTally, type Tally } from '../chaos/tally.ts';
import { exitCode, repeatLines } from '../chaos/verdict.ts';
import { startWatch } from '../chaos/watch.ts';
import { compareFigures } from './compare-figures.ts';
import { LIGHT } from './light.ts';
import { PLANTS, plant } from './plants.ts';
import { letCodesExpire, playDay } from './play-day.ts';
import type { Scene } from './scene.ts';
import { settle } from './settle.ts';

const HELP = `Usage: npm run random-day [-- options]

Plays a random day of two companies (live and test reports, blocked, failed, challenged with right and wrong codes, refunds, texts
with receipts, top-ups, corrections) and compares every figure of usage, months, wallet, counts, bureaus and activity with the ledger
and the events. Makes its own database, simulators and servers and leaves nothing behind. Needs PostgreSQL and Redis.

  --operations <n>   how many operations get an answer (default 5000)
  --seed <n>         mix of the day; printed at the start, so that a day can be repeated (default: a fresh one)
  --plant <id>       after the day, make one counted row wrong: ${PLANTS.map(({ id }) => id).join(', ')}. Its figure must be found
  --help             this text

Exit code: 0 every figure is equal (with --plant: the fault was found), 1 otherwise, 2 the run could not start,
3 a slow machine explains all that was found: run it again.`;

const SEED_MAX = 2 ** 31;
const AT_ONCE = 40;
const SETTLE_MS = 180_000;
const DIFFERENCES_MAX = 20;
const PROGRESS_MS = 10_000;

const say = (line: string) => process.stderr.write(`${line}\n`);

type Options = { readonly operations: number; readonly seed: number; readonly plantId: string | undefined };

async function sceneOf(stage: Stage, random: Random): Promise<Scene> {
  const { providers, fleet, tenants, database, mintSession, query } = stage;
  const nextPerson = await meetPeople(providers.addresses, random);
  return { nodes: fleet, addresses: providers.addresses, tenants, database, nextPerson, mintSession, query };
}

async function play(stage: Stage, { operations, plantId }: Options, random: Random, tally: Tally): Promise<number> {
  await stage.fleet.start(0);
  const scene = await sceneOf(stage, random);
  const startedMs = performance.now();
  const seconds = () => Math.round((performance.now() - startedMs) / 1_000);
  const watch = startWatch(stage, tally);
  const progress = setInterval(() => say(`${seconds()} s  ${tally.operations} of ${operations}`), PROGRESS_MS);
  const over = new AbortController();
  try {
    const played = await playDay(scene, random, tally, { operations, atOnce: AT_ONCE, signal: over.signal });
    say(`${tally.operations} operations in ${seconds()} s: ${JSON.stringify(played)}`);
  } finally {
    clearInterval(progress);
    over.abort();
    await watch.stop();
  }
  // After the watch: set back in time, these challenges are past their end at once, and it would call them stuck.
  await letCodesExpire(scene);
  if (!(await settle(scene, SETTLE_MS))) tally.find('the day comes to rest', `not within ${SETTLE_MS / 1_000} s`);
  say(`at rest after ${seconds()} s`);
  const fault = PLANTS.find(({ id }) => id === plantId);
  if (fault) await plant(scene, scene.tenants[0].tenantId, fault);
  let found = 0;
  for (const tenant of scene.tenants) {
    const { figures, differences } = await compareFigures(scene, tenant);
    found += differences.length;
    console.log(`${tenant.tenantId}: ${figures} figures, ${differences.length} differ`);
    for (const each of differences.slice(0, DIFFERENCES_MAX)) console.log(`  ${each}`);
  }
  const outcomes = await stage.query<{ line: string }>(
    `select concat_ws(' ', case when is_test then 'test' else 'live' end, status, failure, count(*)) as line
       from credit_reports group by is_test, status, failure order by 1`,
  );
  console.log(outcomes.map(({ line }) => line).join('; '));
  for (const [about, { count, examples }] of tally.findings) console.log(`${about}: ${count} (${examples[0]})`);
  if (fault) return found > 0 ? 0 : 1;
  // The day does not measure the machine: `npm run prove` does.
  const code = found > 0 ? 1 : exitCode(tally, LIGHT, false);
  for (const line of repeatLines(code)) console.log(line);
  return code;
}

function readOptions(): Options | undefined {
  const { values } = parseArgs({
    options: {
      operations: { type: 'string', default: '5000' },
      seed: { type: 'string', default: String(Math.floor(Math.random() * SEED_MAX)) },
      plant: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return undefined;
  const [operations, seed] = [Number(values.operations), Number(values.seed)];
  if (!Number.isSafeInteger(operations) || operations < 1) throw new Error('--operations takes a whole number from 1.');
  if (!Number.isSafeInteger(seed) || seed < 0) throw new Error('--seed takes a whole number.');
  if (values.plant !== undefined && !PLANTS.some(({ id }) => id === values.plant)) {
    throw new Error(`There is no fault called ${values.plant}.`);
  }
  return { operations, seed, plantId: values.plant };
}

try {
  const options = readOptions();
  if (!options) console.log(HELP);
  else {
    say(`seed ${options.seed}`);
    const random = new Random(options.seed);
    const tally = createTally();
    process.exitCode = await onStage({ random, tally, plant: undefined }, (stage) =>
      play(stage, options, random, tally),
    );
  }
} catch (error) {
  say(`${error instanceof Error ? error.stack : error}\nnpm run random-day -- --help explains the options.`);
  process.exitCode = 2;
}
