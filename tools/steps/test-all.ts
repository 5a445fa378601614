// Runs every test. A file that failed beside others is run once more, alone; what fails again has failed.
// Decision: docs/decisions/0212-a-failed-file-runs-once-more-alone.md.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  describeFailures,
  type FailedFile,
  LIST_PATH,
  type TestRun,
  timesAlone,
  whyNotRepeated,
} from './failed-files.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const list = new URL(`../../${LIST_PATH}`, import.meta.url);
const say = (line: string) => process.stdout.write(`${line}\n`);

function readList(processId: number | undefined): TestRun | undefined {
  try {
    const run = JSON.parse(readFileSync(list, 'utf8')) as TestRun;
    return run.processId === processId ? run : undefined;
  } catch {
    return undefined;
  }
}

/** The list is written when the last test has ended. A browser or a worker that will not close must not hold up the rest. */
const CLOSING_MS = 60_000;

/** One for the whole run: a file that is repeated meets the same chance again. */
const SEED = Date.now() % 2 ** 31;
const ENVIRONMENT = ['NODE_COMPILE_CACHE=node_modules/.cache/compiled', `TREFOIL_TEST_SEED=${SEED}`];

/** Whether the run passed, and its list of failures. */
async function runTests(...options: string[]): Promise<{ isPassed: boolean; run: TestRun | undefined }> {
  rmSync(list, { force: true });
  // As `npm test` does, but without npm between: a signal must reach Vitest itself.
  const child = spawn('env', [...ENVIRONMENT, 'vitest', 'run', ...options], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const forward = () => child.kill('SIGTERM');
  process.once('SIGTERM', forward);
  let listedAtMs: number | undefined;
  const watch = setInterval(() => {
    if (!readList(child.pid)) return;
    listedAtMs ??= performance.now();
    if (performance.now() - listedAtMs > CLOSING_MS) child.kill('SIGKILL');
  }, 1_000);
  const [code, signal] = await once(child, 'close');
  clearInterval(watch);
  process.off('SIGTERM', forward);
  const run = readList(child.pid);
  if (signal !== 'SIGKILL' || !run) return { isPassed: code === 0, run };
  say(`\nThe tests had ended, but Vitest did not within ${CLOSING_MS / 1_000} s, and was killed.`);
  return { isPassed: run.failed.length + run.withoutFile.length === 0, run };
}

/** The failures of the first file that fails again: one is enough. */
async function repeatAlone(files: readonly FailedFile[]): Promise<readonly FailedFile[]> {
  for (const file of files) {
    for (let time = 1; time <= timesAlone(file.path); time += 1) {
      say(`\nonce more, alone: ${file.project} ${file.path} (${time} of ${timesAlone(file.path)})`);
      const { isPassed, run } = await runTests('--project', file.project, file.path);
      if (!isPassed) return run?.failed.length ? run.failed : [{ ...file, failures: ['it failed again'] }];
    }
  }
  return [];
}

async function main(options: readonly string[]): Promise<number> {
  const { isPassed, run } = await runTests(...options);
  if (isPassed) return 0;
  const reason = whyNotRepeated(run);
  if (!run || reason !== undefined) {
    say(`\nNo failed file is run again: ${reason}`);
    for (const line of describeFailures(run?.failed ?? [])) say(line);
    return 1;
  }
  const again = await repeatAlone(run.failed);
  say('\nFailed beside other files:');
  for (const line of describeFailures(run.failed)) say(line);
  if (again.length === 0) {
    say('Each of these files passed alone. A file that is listed here often needs to be made steady.');
    return 0;
  }
  say('Failed again, alone:');
  for (const line of describeFailures(again)) say(line);
  return 1;
}

process.exitCode = await main(process.argv.slice(2));
