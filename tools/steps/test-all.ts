// Runs every test. A file that failed beside others is run once more, alone; what fails again has failed.
// Decision: docs/decisions/0212-a-failed-file-runs-once-more-alone.md.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describeFailures, type FailedFile, LIST_PATH, type TestRun, whyNotRepeated } from './failed-files.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const list = new URL(`../../${LIST_PATH}`, import.meta.url);
const say = (line: string) => process.stdout.write(`${line}\n`);

function readList(): TestRun | undefined {
  try {
    return JSON.parse(readFileSync(list, 'utf8')) as TestRun;
  } catch {
    return undefined;
  }
}

/** Whether the run passed, and its list of failures. */
async function runTests(...options: string[]): Promise<{ isPassed: boolean; run: TestRun | undefined }> {
  rmSync(list, { force: true });
  const child = spawn('npm', ['test', '--', ...options], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const forward = () => child.kill('SIGTERM');
  process.once('SIGTERM', forward);
  const [code] = await once(child, 'close');
  process.off('SIGTERM', forward);
  return { isPassed: code === 0, run: readList() };
}

/** The failures of the second run: of each file that failed again. */
async function repeatAlone(files: readonly FailedFile[]): Promise<FailedFile[]> {
  const again: FailedFile[] = [];
  for (const file of files) {
    say(`\nonce more, alone: ${file.project} ${file.path}`);
    const { isPassed, run } = await runTests('--project', file.project, file.path);
    if (!isPassed) again.push(...(run?.failed.length ? run.failed : [{ ...file, failures: ['it failed again'] }]));
  }
  return again;
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
