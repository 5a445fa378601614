// Runs every test of the gate. Files that failed are run again by themselves, up to twice; what fails each time has failed, and so has
// what no repeat may clear. Decision: docs/decisions/0264-the-gate-and-the-proofs.md.
import { ROOT, runCommand } from '../machine/run-command.ts';
import { VERDICT_MARK } from './run-step.ts';
import { GRAVE, SEED } from './steps.ts';
import {
  describeFiles,
  describeRun,
  type FailedFile,
  type Next,
  nextOf,
  openTestRun,
  type TestRun,
} from './test-run.ts';

const PROJECTS = ['beside', 'journeys'];
const REPEATS_MAX = 2;
/** All repeats together: a change that breaks much is refused without a second run of everything. */
const REPEATS_MS_MAX = 180_000;
/** The list is written when the last test has ended. A browser or a worker that will not close must not hold up the rest. */
const CLOSING_MS = 60_000;

const say = (line: string) => process.stdout.write(`${line}\n`);
const tell = (lines: readonly string[]) => {
  for (const line of lines) say(`${VERDICT_MARK}${line}`);
};

const stopped = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stopped.abort());

type Ended = { readonly next: Next; readonly run: TestRun };

/** It is ended after `limitMs`. */
async function runTests(options: readonly string[], changes: Record<string, string>, limitMs?: number): Promise<Ended> {
  const opened = openTestRun();
  const environment = {
    ...{ NODE_COMPILE_CACHE: 'node_modules/.cache/compiled', TREFOIL_TEST_SEED: String(SEED) },
    ...opened.environment,
    ...changes,
  };
  const projects = PROJECTS.flatMap((name) => ['--project', name]);
  const closing = new AbortController();
  let listedAtMs: number | undefined;
  const watch = setInterval(() => {
    if (opened.read().list) listedAtMs ??= performance.now();
    if (listedAtMs !== undefined && performance.now() - listedAtMs > CLOSING_MS) closing.abort();
  }, 1_000);
  const limits = [
    stopped.signal,
    closing.signal,
    ...(limitMs === undefined ? [] : [AbortSignal.timeout(Math.ceil(limitMs))]),
  ];
  const { code } = await runCommand({
    command: [process.execPath, `${ROOT}node_modules/.bin/vitest`, 'run', ...projects, ...options],
    ...{ environment, hasOwnGroup: false, signal: AbortSignal.any(limits) },
    output: (chunk) => process.stdout.write(chunk),
  });
  clearInterval(watch);
  const run = opened.read();
  opened.close();
  if (!closing.signal.aborted) return { next: nextOf(code === 0, run), run };
  say(`\nThe tests had ended, but Vitest did not within ${CLOSING_MS / 1_000} s, and was ended.`);
  return { next: nextOf(true, run), run };
}

type Repeated = { readonly left: readonly FailedFile[]; readonly grave?: TestRun };

/** Runs these files again, by themselves, and returns those that failed each time. */
async function repeat(files: readonly FailedFile[]): Promise<Repeated> {
  const startedAtMs = performance.now();
  let left = files;
  for (let time = 1; time <= REPEATS_MAX && left.length > 0 && !stopped.signal.aborted; time += 1) {
    const leftMs = REPEATS_MS_MAX - (performance.now() - startedAtMs);
    if (leftMs <= 0) break;
    say(`\nonce more, by themselves (${time} of ${REPEATS_MAX}):`);
    for (const line of describeFiles(left)) say(`  ${line}`);
    const paths = left.map(({ path }) => path);
    const { next, run } = await runTests(paths, { TREFOIL_TEST_ALONE: '1' }, leftMs);
    if (next.kind === 'grave') return { left, grave: run };
    if (next.kind === 'passed') left = [];
    if (next.kind === 'files') left = next.files;
    // No list, or an error without a file: it clears none of them.
  }
  return { left };
}

async function main(options: readonly string[]): Promise<number> {
  let ended = await runTests(options, {});
  if (ended.next.kind === 'all' && !stopped.signal.aborted) {
    tell(['all tests were run again:', ...describeRun(ended.run).map((line) => `  ${line}`)]);
    ended = await runTests(options, {});
  }
  switch (ended.next.kind) {
    case 'passed':
      return 0;
    case 'grave':
      tell(describeRun(ended.run));
      return GRAVE;
    case 'all':
      tell(describeRun(ended.run));
      return 1;
    case 'files': {
      const { left, grave } = await repeat(ended.next.files);
      const failed = ended.next.files;
      const isLeft = (file: FailedFile) => left.some(({ path }) => path === file.path);
      if (grave) tell(describeRun(grave));
      tell(describeFiles(left));
      tell(describeFiles(failed.filter((file) => !isLeft(file))).map((line) => `needed a second try: ${line}`));
      if (grave) return GRAVE;
      return left.length > 0 ? 1 : 0;
    }
  }
}

process.exitCode = await main(process.argv.slice(2));
