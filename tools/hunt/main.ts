// `npm run hunt`: finds tests that depend on the machine, by running them while it is calm, busy, and standing still.
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { matchesGlob } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ROOT, runCommand } from '../machine/run-command.ts';
import { openOwnServices } from '../own-services/own-services.ts';
import { giveServers, WORKERS } from '../own-services/servers.ts';
import { gateFiles } from '../prove/find-tests.ts';
import { git } from '../prove/git.ts';
import { MEASURED } from '../prove/test-files.ts';
import { openTestRun } from '../steps/test-run.ts';
import { concludeHunt, type Found, partOf, ROUNDS, type Round, readPart } from './rounds.ts';

const HELP = `Usage: npm run hunt -- FILE…
       npm run hunt -- --changed
       npm run hunt -- --part N/M

Runs test files five times, each time in another order: on a calm machine, twice beside as many busy loops as there are processors, and
twice while everything stands still for 1.5 s in every 5 s. Names each file that failed, and in which rounds. At most five minutes in all,
so name few files; --changed takes the test files that differ from the branch main, and those not committed yet; --part 3/16 takes the
third of sixteen equal parts of the gate's files.
Files with a bar on time (tools/prove/test-files.ts) are left out: npm run prove judges them. Tests of the console need it built: run
"npm run console" first.

  --seed <n>   the order of files (default: a fresh one, which is printed)

Exit code: 0 passed in all five rounds, 1 a file failed in at least one, 2 wrong options or no test file, 3 nothing failed but not all
rounds were run.`;

const LIMIT_MS = 300_000;
const STOP_MS = 1_500;
const MOVES_MS = 3_500;

const say = (line: string) => process.stdout.write(`${line}\n`);

function changedFiles(): string[] {
  const since = git('merge-base', 'HEAD', 'main')?.trim() ?? 'HEAD';
  const lists = [
    git('diff', '--name-only', '--diff-filter=d', since),
    git('ls-files', '--others', '--exclude-standard'),
  ];
  return lists.flatMap((list) => list?.split('\n') ?? []).filter((path) => path.endsWith('.test.ts'));
}

async function standStill(processId: number, signal: AbortSignal): Promise<void> {
  const tell = (name: NodeJS.Signals) => {
    try {
      process.kill(-processId, name);
    } catch {
      // It has just ended.
    }
  };
  while (!signal.aborted) {
    await sleep(MOVES_MS, undefined, { signal }).catch(() => undefined);
    tell('SIGSTOP');
    await sleep(STOP_MS, undefined, { signal }).catch(() => undefined);
    tell('SIGCONT');
  }
}

async function runRound(round: Round, files: readonly string[], seed: number, limit: AbortSignal): Promise<Found> {
  const opened = openTestRun();
  const over = new AbortController();
  const loops = Array.from({ length: round.isBusy ? availableParallelism() : 0 }, () =>
    runCommand({
      command: [process.execPath, '--eval', 'for (;;);'],
      ...{ output: () => undefined, hasOwnGroup: true, signal: over.signal },
    }),
  );
  const ended = await runCommand({
    command: [process.execPath, `${ROOT}node_modules/.bin/vitest`, 'run', ...order(seed), ...files],
    environment: {
      ...{ NODE_COMPILE_CACHE: 'node_modules/.cache/compiled', TREFOIL_TEST_SEED: String(seed) },
      ...opened.environment,
    },
    output: (chunk) => process.stdout.write(chunk),
    ...{ hasOwnGroup: true, signal: limit },
    ...(round.hasStops && { onStart: (processId: number) => void standStill(processId, over.signal) }),
  });
  over.abort();
  await Promise.all(loops);
  const run = opened.read();
  opened.close();
  return { round: round.name, isPassed: ended.code === 0, run };
}

const order = (seed: number) => [
  ...['--project', 'beside', '--project', 'journeys', '--project', 'long'],
  ...['--sequence.shuffle.files', `--sequence.seed=${seed}`],
];

async function hunt(files: readonly string[], seed: number): Promise<number> {
  say(`${files.length} test files, ${ROUNDS.length} rounds, seed ${seed}`);
  const services = await openOwnServices(WORKERS);
  if (services) giveServers(services.servers);
  const stopped = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.abort());
  const limit = AbortSignal.any([AbortSignal.timeout(LIMIT_MS), stopped.signal]);
  const found: Found[] = [];
  for (const [index, round] of ROUNDS.entries()) {
    say(`\n== ${round.name} (${index + 1} of ${ROUNDS.length})`);
    const result = await runRound(round, files, seed + index, limit);
    if (limit.aborted) break;
    found.push(result);
  }
  await services?.close();
  if (stopped.signal.aborted) return 130;
  const { lines, code } = concludeHunt(found, ROUNDS.length);
  say(`\n== hunt: ${code === 1 ? 'found' : 'nothing found'} in ${found.length} rounds`);
  for (const line of lines) say(line);
  return code;
}

class UsageError extends Error {}

function readOptions(argv: readonly string[]) {
  const flag = { type: 'boolean', default: false } as const;
  const text = { type: 'string' } as const;
  const options = { changed: flag, help: { ...flag, short: 'h' }, seed: text, part: text } as const;
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true });
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function chosenFiles({ changed, part }: { changed: boolean; part?: string | undefined }, named: string[]): string[] {
  if (Number(changed) + Number(part !== undefined) + Number(named.length > 0) > 1)
    throw new UsageError('Files, --changed and --part exclude one another.');
  if (part === undefined) return changed ? changedFiles() : named;
  const read = readPart(part);
  if (!read) throw new UsageError('--part takes N/M: 1/16 to 16/16, for instance.');
  return partOf(gateFiles(), read.number, read.count);
}

async function main(argv: readonly string[]): Promise<number> {
  const { values, positionals } = readOptions(argv);
  if (values.help) {
    say(HELP);
    return 0;
  }
  const seed = Number(values.seed ?? 1 + Math.floor(Math.random() * 1_000_000));
  if (!Number.isSafeInteger(seed)) throw new UsageError('--seed takes a whole number.');
  const missing = positionals.find((path) => !existsSync(`${ROOT}${path}`));
  if (missing !== undefined) throw new UsageError(`There is no file or folder ${missing}.`);
  const isMeasured = (path: string) => MEASURED.some((pattern) => matchesGlob(path, pattern));
  const files = chosenFiles(values, positionals).filter((path) => !isMeasured(path));
  if (files.length === 0) throw new UsageError('No test files: name some, or change some. See --help.');
  return hunt(files, seed);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
