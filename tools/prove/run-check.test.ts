// With real child processes, which end by themselves or are ended.
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Machine } from '../machine/machine.ts';
import { eventually } from '../testing/eventually.ts';
import type { Check } from './check.ts';
import { type Outcome, runCheck, type Setting } from './run-check.ts';

const QUIET: Machine = { stolenShare: 0, pausedShare: 0, longestStopMs: 0, foreignShare: 0 };
const NOISY: Machine = { ...QUIET, longestStopMs: 900 };

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trefoil-prove-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A script may use `path`, a file that is there from the second try on, and `exit`. */
const check = (script: string, changes: Partial<Check> = {}): Check => {
  const head = `const fs = require("node:fs"), path = ${JSON.stringify(join(folder, 'seen'))}, seen = fs.existsSync(path);
    fs.appendFileSync(path, "ran "); const exit = (code) => { process.exitCode = code; };`;
  const command = [process.execPath, '-e', `${head} ${script}`] as const;
  return { name: 'small', title: 'a small one', command, judges: 'promises', limitMinutes: 5, asks: [], ...changes };
};

const run = (each: Check, machine = QUIET, setting: Partial<Setting> = {}): Promise<Outcome> =>
  runCheck(each, {
    ...{ size: each, seed: 42, folder, say: () => undefined, signal: new AbortController().signal },
    watch: () => ({ stop: () => machine }),
    ...setting,
  });

const runs = async () => (await readFile(join(folder, 'seen'), 'utf8')).trim().split(' ').length;

test('a check that passes is held, also in noise, and its figures are kept', async () => {
  const passing = check('console.log("much\\nfigures  7\\nmore")', {
    figures: (output) => output.split('\n')[1] ?? '',
  });
  expect(await run(passing)).toMatchObject({ verdict: 'held', figures: 'figures  7', tries: 1, seed: undefined });
  expect(await run({ ...passing, judges: 'bars' }, NOISY)).toMatchObject({ verdict: 'held', machine: NOISY });
});

test('one that fails and then passes is unsteady, and says what failed', async () => {
  const stumbling = check('if (!seen) { console.log("BROKEN: the books"); exit(3); }', { judges: 'bars' });
  const outcome = await run(stumbling);
  expect(outcome).toMatchObject({ verdict: 'unsteady', tries: 2 });
  expect(outcome.figures).toBe('failed: BROKEN: the books (exit code 3)');
});

test('a bar that fails in noise is tried three times and not judged', async () => {
  expect(await run(check('exit(1)', { judges: 'bars' }), NOISY)).toMatchObject({
    verdict: 'machine too noisy',
    tries: 3,
  });
});

test('noise excuses no check that could not start, was skipped, or whose preparation failed', async () => {
  const prepare = [[process.execPath, '-e', 'process.exitCode = 1']] as const;
  for (const each of [check('exit(2)'), check('console.log("SKIPPED: no root"); exit(1)'), check('', { prepare })]) {
    expect(await run({ ...each, judges: 'bars' }, NOISY)).toMatchObject({ verdict: 'not held', tries: 2 });
  }
});

test('a promise that fails in noise is tried twice and not held', async () => {
  expect(await run(check('exit(1)'), NOISY)).toMatchObject({ verdict: 'not held', tries: 2 });
});

test('an exit code that is final ends it at the first try, in noise too', async () => {
  const final = check('exit(1)', { judges: 'bars', finalCodes: [1] });
  expect(await run(final, NOISY)).toMatchObject({ verdict: 'not held', tries: 1 });
  expect(await runs()).toBe(1);
});

test('a text that is final does as well, but not in the output of a try that passed', async () => {
  const finalText = /lost [1-9]/;
  const losing = check('console.log("lost 3"); exit(1)', { judges: 'bars', finalText });
  expect(await run(losing, NOISY)).toMatchObject({ verdict: 'not held', tries: 1 });
  expect((await run(check('console.log("lost 3")', { finalText }))).verdict).toBe('held');
});

test('what prepares a check finds nothing final; if it fails the check does not run', async () => {
  const prepare = [[process.execPath, '-e', 'process.exitCode = 1']] as const;
  const outcome = await run(check('', { prepare, finalCodes: [1] }));
  expect(outcome).toMatchObject({ verdict: 'not held', tries: 2 });
  expect(existsSync(join(folder, 'seen'))).toBe(false);
});

test('a check that was skipped has shown nothing', async () => {
  const outcome = await run(check('console.log("SKIPPED: no cluster is started")'));
  expect(outcome).toMatchObject({ verdict: 'not held', figures: 'failed: SKIPPED: no cluster is started' });
});

test('a check that has not ended at its limit is ended, and has failed', async () => {
  const outcome = await run(check('setInterval(() => {}, 1000)', { limitMinutes: 0.002 }));
  expect(outcome).toMatchObject({ verdict: 'not held', tries: 2, figures: 'failed: it did not end in 0.002 minutes' });
});

test('an interrupted check is ended with everything that it started, and has no verdict', async () => {
  // The grandchild is in a group of its own, and does not end by itself.
  const hanging = `const child = require("node:child_process").spawn("sleep", ["600"], { detached: true, stdio: "ignore" });
    fs.writeFileSync(path + ".new", String(child.pid)); fs.renameSync(path + ".new", path + ".child"); setInterval(() => {}, 1000)`;
  const stopping = new AbortController();
  const running = run(check(hanging), QUIET, { signal: stopping.signal });
  const childPath = join(folder, 'seen.child');
  await eventually(() => expect(existsSync(childPath)).toBe(true));
  stopping.abort();
  expect(await running).toMatchObject({ verdict: 'interrupted', tries: 1, figures: '' });
  const child = await readFile(childPath, 'utf8');
  // Until its parent, or who adopted it, has asked for its end, a process that was killed is still listed.
  const state = async () => (await readFile(`/proc/${child}/stat`, 'utf8').catch(() => '')).split(' ')[2] ?? 'gone';
  await eventually(async () => expect(await state()).toMatch(/^(Z|gone)$/));
});

test('what a check had found counts, although it was interrupted', async () => {
  const finding = check(
    'process.on("SIGTERM", () => process.exit(1)); fs.writeFileSync(path + ".on", ""); setInterval(() => {}, 1000)',
    {
      finalCodes: [1],
    },
  );
  const stopping = new AbortController();
  const running = run(finding, QUIET, { signal: stopping.signal });
  await eventually(() => expect(existsSync(join(folder, 'seen.on'))).toBe(true));
  stopping.abort();
  expect(await running).toMatchObject({ verdict: 'not held', tries: 1 });
});

test('a repeat runs only the parts that failed, unless the try broke off', async () => {
  const parts = (code: number) =>
    check(
      `console.log("ran", process.argv.slice(1).join(" ")); if (!seen) { console.log("a: BROKEN"); exit(${code}); }`,
      {
        again: (output) => (/^a: BROKEN$/m.test(output) ? ['--', '--part', 'a'] : []),
        figures: (output) => (output.split('\n')[0] ?? '').trim(),
      },
    );
  expect(await run(parts(3))).toMatchObject({
    verdict: 'unsteady',
    figures: 'failed: a: BROKEN (exit code 3); ran; what failed again: ran --part a',
  });
  await rm(join(folder, 'seen'));
  expect((await run(parts(2))).figures).toBe('failed: a: BROKEN (exit code 2); ran');
});

test('every try has the same seed, as an option or in the environment', async () => {
  const option = check('console.log("seed", process.argv.slice(1).join(" ")); if (!seen) exit(1)', {
    ...{ seed: 'option', figures: (output: string) => output.trim() },
  });
  // Without the dashes Node would take the option for its own.
  const size = { command: [...option.command, '--'] as const };
  expect(await run(option, QUIET, { size })).toMatchObject({
    seed: 42,
    tries: 2,
    figures: expect.stringMatching(/--seed 42$/),
  });
  const environment = check('console.log(process.env.TREFOIL_TEST_SEED, process.env.SIZE)', {
    ...{ seed: 'environment', environment: { SIZE: '9' }, figures: (output: string) => output.trim() },
  });
  expect((await run(environment)).figures).toBe('42 9');
});
