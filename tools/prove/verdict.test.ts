import { expect, test } from 'vitest';
import { exitCodeOf, type Judges, judge, type Try, type Verdict } from './verdict.ts';

/** p passed, f failed; capitals in noise; ! found what is final. */
const TRIES: Readonly<Record<string, Try>> = {
  p: { isPassed: true, isFinal: false, isNoisy: false },
  P: { isPassed: true, isFinal: false, isNoisy: true },
  f: { isPassed: false, isFinal: false, isNoisy: false },
  F: { isPassed: false, isFinal: false, isNoisy: true },
  '!': { isPassed: false, isFinal: true, isNoisy: true },
};

const rows: readonly (readonly [string, Verdict | 'again', Verdict | 'again'])[] = [
  // tries, of a check that judges promises, of one that judges bars
  ['', 'again', 'again'],
  ['p', 'held', 'held'],
  ['P', 'held', 'held'],
  ['f', 'again', 'again'],
  ['fp', 'unsteady', 'unsteady'],
  ['fP', 'unsteady', 'unsteady'],
  ['ff', 'not held', 'not held'],
  ['fF', 'not held', 'not held'],
  ['F', 'again', 'again'],
  ['Fp', 'unsteady', 'held'],
  ['FP', 'unsteady', 'held'],
  ['FF', 'not held', 'again'],
  ['FFp', 'not held', 'held'],
  ['FFF', 'not held', 'machine too noisy'],
  // A failure in quiet after one in noise gets its own repeat.
  ['Ff', 'not held', 'again'],
  ['Ffp', 'not held', 'unsteady'],
  ['Fff', 'not held', 'not held'],
  ['FfF', 'not held', 'not held'],
  ['FFf', 'not held', 'again'],
  ['FFff', 'not held', 'not held'],
  ['!', 'not held', 'not held'],
  ['F!', 'not held', 'not held'],
  ['f!', 'not held', 'not held'],
];

/** As a run goes: the first verdict stays. */
function verdictOf(judges: Judges, letters: string): Verdict | 'again' {
  const tries: Try[] = [];
  for (const letter of letters) {
    const each = TRIES[letter];
    if (each) tries.push(each);
    const verdict = judge(judges, tries);
    if (verdict !== 'again') return verdict;
  }
  return 'again';
}

test.each(rows)('%j: promises %s, bars %s', (letters, ofPromises, ofBars) => {
  expect([verdictOf('promises', letters), verdictOf('bars', letters)]).toEqual([ofPromises, ofBars]);
});

test('no further try clears what is final', () => {
  for (const judges of ['promises', 'bars'] as const) {
    expect(
      judge(
        judges,
        [...'!p'].flatMap((letter) => TRIES[letter] ?? []),
      ),
    ).toBe('not held');
  }
});

test.each<[readonly Verdict[], number]>([
  [[], 0],
  [['held', 'unsteady'], 0],
  [['held', 'machine too noisy'], 75],
  [['machine too noisy', 'not held'], 1],
  [['held', 'not held'], 1],
])('%j ends with %i', (verdicts, code) => {
  expect(exitCodeOf(verdicts)).toBe(code);
});
