// What no second run may clear: the books do not add up, a credit was lost or charged twice, a fourth guess was judged, another
// tenant's row was seen, an event was lost or doubled. A run of tests that meets one of these is final
// (docs/decisions/0264-the-gate-and-the-proofs.md).
import { appendFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect } from 'vitest';
import { GRAVES_NAME, RUN_FOLDER } from '../../../tools/testing/run-folder.ts';

/** Not by the error alone: a `finally` that throws, a test that timed out and a process that dies would hide it. */
function note(sentence: string): void {
  const folder = process.env[RUN_FOLDER];
  if (folder === undefined) return;
  const path = relative(process.cwd(), expect.getState().testPath ?? '');
  appendFileSync(join(folder, GRAVES_NAME), `${path}: ${sentence.split('\n')[0]}\n`);
}

/**
 * An assertion that fails in `check` is a grave finding. Every other error is thrown as it is: a broken connection says nothing
 * about the books. Put in only what is true whatever the machine does: no wait, and no answer that a busy server may refuse.
 */
export async function grave(about: string, check: () => unknown): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (!(error instanceof Error && error.name === 'AssertionError')) throw error;
    const sentence = `${about}: ${error.message}`;
    note(sentence);
    throw new Error(sentence, { cause: error });
  }
}

/**
 * Of a challenge, from the answers to all guesses: two wrong ones may be told to try again, and the third is the last. Once it has
 * failed, no code is right.
 */
export const expectThreeJudged = (answers: readonly unknown[]): Promise<void> =>
  grave('a fourth guess was judged', () => {
    const count = (word: string) => answers.filter((answer) => String(answer).startsWith(word)).length;
    expect(count('retry'), 'told to try again').toBeLessThanOrEqual(2);
    if (count('failed') > 0) expect(count('complete'), 'right after three wrong ones').toBe(0);
  });
