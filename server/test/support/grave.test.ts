import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { GRAVES_NAME, RUN_FOLDER } from '../../../tools/testing/run-folder.ts';
import { expectThreeJudged, grave } from './grave.ts';

// What is found here belongs to no run.
const folder = mkdtempSync(join(tmpdir(), 'trefoil-grave-'));
beforeAll(() => void vi.stubEnv(RUN_FOLDER, folder));
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});
const noted = () => readFileSync(join(folder, GRAVES_NAME), 'utf8').trim().split('\n');

const failing = () => expect(2, 'charges').toBe(1);

test.each([
  ['a check', failing],
  ['an asynchronous check', async () => failing()],
])('an assertion that fails in %s is a grave finding, which names both', async (_name, check) => {
  const error = await grave('one report', check).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    message: expect.stringMatching(/^one report: charges: expected 2 to be 1/),
    cause: { name: 'AssertionError' },
  });
});

test('it is noted when it is made, with its file, whatever becomes of the error', async () => {
  await grave('one report', failing).catch(() => undefined);
  expect(noted().at(-1)).toMatch(/^server\/test\/support\/grave\.test\.ts: one report: charges: expected 2 to be 1/);
});

test.each([
  [['retry 2', 'retry 1', 'failed', 'failed'], true],
  [['retry 2', 'complete', 'complete'], true],
  [['retry 2', 'retry 1', 'retry 1', 'failed'], false],
  [['retry 2', 'retry 1', 'failed', 'complete'], false],
])('guesses that were answered %j', async (answers, isAllowed) => {
  const before = noted().length;
  await expectThreeJudged(answers).catch(() => undefined);
  expect(noted().length - before).toBe(isAllowed ? 0 : 1);
});

test('any other error is thrown as it is and noted nowhere, and a check that holds throws nothing', async () => {
  const [lost, before] = [new Error('connection terminated'), noted().length];
  for (const check of [
    () => Promise.reject(lost),
    () => {
      throw lost;
    },
  ])
    await expect(grave('one report', check)).rejects.toBe(lost);
  await grave('one report', async () => expect(1).toBe(1));
  expect(noted()).toHaveLength(before);
});
