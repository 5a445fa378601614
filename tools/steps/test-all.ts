// Runs every test of the gate. Files that failed are run again by themselves, up to twice; what fails each time has failed, and so has
// what no repeat may clear. Decision: docs/decisions/0264-the-gate-and-the-proofs.md.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { ROOT } from '../machine/run-command.ts';
import { describeFiles, type FailedFile, LIST_PATH, nextOf, readList, type TestRun } from './failed-files.ts';
import { VERDICT_MARK } from './run-step.ts';
import { GRAVE, SEED } from './steps.ts';

const PROJECTS = ['beside', 'journeys'];
const REPEATS_MAX = 2;
/** All repeats together: a change that breaks much is refused without a second run of everything. */
const REPEATS_MS_MAX = 180_000;
/** The list is written when the last test has ended. A browser or a worker that will not close must not hold up the rest. */
const CLOSING_MS = 60_000;

const list = `${ROOT}${LIST_PATH}`;
const say = (line: string) => process.stdout.write(`${line}\n`);
const tell = (lines: readonly string[]) => {
  for (const line of lines) say(`${VERDICT_MARK}${line}`);
};

type Ended = { readonly isPassed: boolean; readonly run: TestRun | undefined };

/** Whether the run passed, and its list of failures. It is killed after `limitMs`. */
async function runTests(options: readonly string[], environment: readonly string[], limitMs?: number): Promise<Ended> {
  rmSync(list, { force: true });
  const settings = ['NODE_COMPILE_CACHE=node_modules/.cache/compiled', `TREFOIL_TEST_SEED=${SEED}`, ...environment];
  const projects = PROJECTS.flatMap((name) => ['--project', name]);
  // As `npm test` does, but without npm between: a signal must reach Vitest itself.
  const child = spawn('env', [...settings, 'vitest', 'run', ...projects, ...options], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const forward = () => child.kill('SIGTERM');
  process.once('SIGTERM', forward);
  let listedAtMs: number | undefined;
  const startedAtMs = performance.now();
  const watch = setInterval(() => {
    if (readList(child.pid)) listedAtMs ??= performance.now();
    const isOver = limitMs !== undefined && performance.now() - startedAtMs > limitMs;
    const isHanging = listedAtMs !== undefined && performance.now() - listedAtMs > CLOSING_MS;
    if (isOver || isHanging) child.kill('SIGKILL');
  }, 1_000);
  const [code, signal] = await once(child, 'close');
  clearInterval(watch);
  process.off('SIGTERM', forward);
  const run = readList(child.pid);
  if (signal !== 'SIGKILL' || !run) return { isPassed: code === 0, run };
  say(`\nThe tests had ended, but Vitest did not within ${CLOSING_MS / 1_000} s, and was killed.`);
  return { isPassed: run.failed.length + run.withoutFile.length === 0, run };
}

/** Runs these files again, by themselves, and returns those that failed each time. */
async function repeat(files: readonly FailedFile[]): Promise<{ left: readonly FailedFile[]; isGrave: boolean }> {
  const startedAtMs = performance.now();
  let left = files;
  for (let time = 1; time <= REPEATS_MAX && left.length > 0; time += 1) {
    const leftMs = REPEATS_MS_MAX - (performance.now() - startedAtMs);
    if (leftMs <= 0) break;
    say(`\nonce more, by themselves (${time} of ${REPEATS_MAX}):`);
    for (const line of describeFiles(left)) say(`  ${line}`);
    const paths = left.map(({ path }) => path);
    const { isPassed, run } = await runTests(paths, ['TREFOIL_TEST_ALONE=1'], leftMs);
    const next = nextOf(isPassed, run);
    if (next.kind === 'grave') return { left: run?.failed ?? left, isGrave: true };
    if (next.kind === 'passed') left = [];
    if (next.kind === 'files') left = next.files;
    // No list, or an error without a file: it clears none of them.
  }
  return { left, isGrave: false };
}

async function main(options: readonly string[]): Promise<number> {
  let ended = await runTests(options, []);
  let next = nextOf(ended.isPassed, ended.run);
  if (next.kind === 'all') {
    const why = ended.run?.withoutFile[0] ?? 'it ended without a list of failures';
    tell([`all tests were run again, since an error belonged to no file: ${why}`]);
    ended = await runTests(options, []);
    next = nextOf(ended.isPassed, ended.run);
  }
  const failed = ended.run?.failed ?? [];
  switch (next.kind) {
    case 'passed':
      return 0;
    case 'grave':
      tell(describeFiles(failed));
      return GRAVE;
    case 'all':
      tell([
        ...describeFiles(failed),
        `an error without a file: ${ended.run?.withoutFile[0] ?? 'no list of failures'}`,
      ]);
      return 1;
    case 'files': {
      const { left, isGrave } = await repeat(next.files);
      const isLeft = (file: FailedFile) => left.some(({ path }) => path === file.path);
      tell(describeFiles(left));
      tell(describeFiles(failed.filter((file) => !isLeft(file))).map((line) => `needed a second try: ${line}`));
      if (isGrave) return GRAVE;
      return left.length > 0 ? 1 : 0;
    }
  }
}

process.exitCode = await main(process.argv.slice(2));
