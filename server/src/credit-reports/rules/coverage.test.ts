import { BUREAUS, type BureauResult } from '@trefoil/contract';
import { expect, test } from 'vitest';
import { coverageOf, resultsInTestMode } from './coverage.ts';

type Outcome = BureauResult['outcome'];
const resultsOf = (outcomes: readonly Outcome[]) =>
  outcomes.map((outcome, place) => ({ bureau: BUREAUS[place] as BureauResult['bureau'], outcome }));

const rows: [readonly Outcome[], string, RegExp][] = [
  [['ok'], 'traced', /^Every bureau asked found this person\.$/],
  [['ok', 'ok', 'ok'], 'traced', /^Every/],
  [['ok', 'no-trace'], 'partly-traced', /^1 of 2 bureaus .* Found nobody: experian\.$/],
  [['ok', 'unavailable', 'ok'], 'partly-traced', /^2 of 3 bureaus .* Did not answer: experian\.$/],
  [['no-trace', 'ok', 'unavailable'], 'partly-traced', /Found nobody: equifax\. Did not answer: transunion\.$/],
  [['no-trace'], 'not-traced', /not a clean file.* Found nobody: equifax\.$/],
  [['no-trace', 'unavailable', 'no-trace'], 'not-traced', /nobody: equifax, transunion\. Did not answer: experian\.$/],
];
test.each(rows)('%j: %s, and the message names the bureaus', (outcomes, status, message) => {
  expect(coverageOf(resultsOf(outcomes))).toEqual({ status, message: expect.stringMatching(message) });
});

test('test mode: the bureaus of the request in its order, all of them traced', () => {
  const results = resultsInTestMode(['transunion', 'equifax']);
  expect(results.map(({ bureau }) => bureau)).toEqual(['transunion', 'equifax']);
  expect(coverageOf(results).status).toBe('traced');
});
