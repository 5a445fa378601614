// What no second run may clear: the books do not add up, a credit was lost or charged twice, a fourth guess was judged, another
// tenant's row was seen, an event was lost or doubled. A run of tests that meets one of these is final
// (docs/decisions/0264-the-gate-and-the-proofs.md).

import { expect } from 'vitest';

/** The runner knows it by its name (tools/steps/failure-list.ts): of an error, little else leaves the process of the tests. */
export class GraveFinding extends Error {
  override name = 'GraveFinding';
}

/**
 * An assertion that fails in `check` is a grave finding. Every other error is thrown as it is: a broken connection says nothing
 * about the books. Put in only what is true whatever the machine does: no wait, and no answer that a busy server may refuse.
 * Not inside a property of fast-check, which wraps what it catches.
 */
export async function grave(about: string, check: () => unknown): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (!(error instanceof Error && error.name === 'AssertionError')) throw error;
    throw new GraveFinding(`${about}: ${error.message}`, { cause: error });
  }
}

/** Of a challenge, from the answers to all guesses: two wrong ones may be told to try again, and the third is the last. */
export const expectThreeJudged = (answers: readonly unknown[]): Promise<void> =>
  grave('a fourth guess was judged', () =>
    expect(answers.filter((answer) => String(answer).startsWith('retry')).length).toBeLessThanOrEqual(2),
  );
