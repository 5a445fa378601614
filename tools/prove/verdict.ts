// What follows from the tries of a check. Pure: no process, no clock. Decision: docs/decisions/0264-the-gate-and-the-proofs.md.

/** `bars` are times, rates and ratios, which a noisy machine changes. `promises` hold on any machine. */
export type Judges = 'promises' | 'bars';

export type Try = {
  readonly isPassed: boolean;
  /** It found that the books do not add up, a credit was lost or charged twice, a fourth guess was judged, and the like. */
  readonly isFinal: boolean;
  readonly isNoisy: boolean;
};

export const VERDICTS = ['held', 'unsteady', 'machine too noisy', 'not held'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** A bar that failed this often, each time in noise, is not judged. */
export const TRIES_IN_NOISE = 3;

/** The verdict, or `again`: the next try has the same seed. */
export function judge(judges: Judges, tries: readonly Try[]): Verdict | 'again' {
  const last = tries.at(-1);
  if (!last) return 'again';
  // In noise too: no noise loses a credit, and no repeat brings it back.
  if (tries.some(({ isFinal }) => isFinal)) return 'not held';
  const failed = tries.filter(({ isPassed }) => !isPassed);
  const counted = failed.filter(({ isNoisy }) => judges === 'promises' || !isNoisy);
  if (last.isPassed) return counted.length === 0 ? 'held' : 'unsteady';
  // Once more after the first failure that counts, and not again, however noisy the machine was meanwhile.
  if (counted.length > 1 || (counted.length === 1 && counted[0] !== last)) return 'not held';
  if (counted.length === 1) return 'again';
  return failed.length < TRIES_IN_NOISE ? 'again' : 'machine too noisy';
}

/** As `.ci/audit`: 75 says that nothing is known to be wrong, and not all is known. */
export function exitCodeOf(verdicts: readonly Verdict[]): 0 | 1 | 75 {
  if (verdicts.includes('not held')) return 1;
  return verdicts.includes('machine too noisy') ? 75 : 0;
}
