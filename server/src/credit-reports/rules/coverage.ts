// How many of the bureaus found the person of a complete report. No trace is not a clean file: the lists are empty in both
// cases, and nothing else in the report differs (docs/decisions/0160-coverage.md). Derived from the bureaus' results,
// never stored.
import type { Bureau, BureauResult, Coverage } from '@trefoil/contract';

/** Test mode asks no bureau: each bureau in the request counts as asked and found. */
export function resultsInTestMode(bureaus: readonly Bureau[]): BureauResult[] {
  return bureaus.map((bureau) => ({ bureau, outcome: 'ok' }));
}

const NOBODY_FOUND =
  'No bureau found this person, so the lists are empty and say nothing about the person: this is not a clean file. ' +
  'Check the name, the date of birth and the addresses, former ones too.';

function gaps(results: readonly BureauResult[]): string {
  const named = (wanted: BureauResult['outcome']) =>
    results.flatMap(({ bureau, outcome }) => (outcome === wanted ? [bureau] : [])).join(', ');
  const [untraced, silent] = [named('no-trace'), named('unavailable')];
  return `${untraced && ` Found nobody: ${untraced}.`}${silent && ` Did not answer: ${silent}.`}`;
}

export function coverageOf(results: readonly BureauResult[]): Coverage {
  const found = results.filter(({ outcome }) => outcome === 'ok').length;
  if (found === results.length) return { status: 'traced', message: 'Every bureau asked found this person.' };
  if (found === 0) return { status: 'not-traced', message: `${NOBODY_FOUND}${gaps(results)}` };
  return {
    status: 'partly-traced',
    message: `${found} of ${results.length} bureaus found this person, and the report holds what they know.${gaps(results)}`,
  };
}
