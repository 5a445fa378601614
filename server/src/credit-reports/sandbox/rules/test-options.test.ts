import { type GenerateRequest, TEST_REASONS } from '@trefoil/contract';
import { expect, test } from 'vitest';
import { answersOf, failureBeforeBureaus, findContradictions } from './test-options.ts';

const base: GenerateRequest = {
  test: true,
  sessionId: 's',
  bureaus: ['equifax', 'transunion'],
  ipAddress: '192.0.2.10',
  searchType: 'pcp',
  firstName: 'Ada',
  lastName: 'Example',
  dateOfBirth: '1984-03-09',
  addresses: [],
};
type Options = NonNullable<GenerateRequest['testOptions']>;
const asks = (testOptions: Options, status?: 'allow' | 'challenge' | 'block'): GenerateRequest => ({
  ...base,
  testOptions,
  ...(status && { challengeOptions: { status } }),
});

const LATE = new Set(['no-bureau-answered', 'interrupted']);

test.each(TEST_REASONS)('%s fails at exactly one place: before the bureaus, or at them', (reason) => {
  const request = asks({ outcome: 'failed', reason });
  expect(failureBeforeBureaus(request) === undefined).toBe(LATE.has(reason));
  if (LATE.has(reason)) expect(answersOf(request)).toEqual({ kind: 'failed', failure: reason });
});

test.each(TEST_REASONS)('%s: the branches that it can happen in', (reason) => {
  const faults = (status?: 'allow' | 'challenge' | 'block') =>
    findContradictions(asks({ outcome: 'failed', reason }, status)).length;
  const isAnywhere = reason === 'screening-unavailable';
  expect([faults(), faults('challenge'), faults('allow'), faults('block')]).toEqual([
    0,
    0,
    isAnywhere || LATE.has(reason) ? 0 : 1,
    isAnywhere ? 0 : 1,
  ]);
});

test('without options nothing is in the way and every bureau is ok', () => {
  expect(findContradictions(base)).toEqual([]);
  expect(failureBeforeBureaus(base)).toBeUndefined();
  expect(answersOf(base)).toMatchObject({ kind: 'answered', found: ['equifax', 'transunion'], isChosen: false });
});

test.each([
  // outcome of equifax, of transunion, who found the person
  ['ok', 'ok', ['equifax', 'transunion']],
  ['no-trace', 'ok', ['transunion']],
  ['unavailable', 'ok', ['transunion']],
  ['no-trace', 'unavailable', []],
  ['no-trace', 'no-trace', []],
] as const)('equifax %s, transunion %s: found by %j', (equifax, transunion, found) => {
  const bureauResults: Options['bureauResults'] = [
    { bureau: 'transunion', outcome: transunion },
    { bureau: 'equifax', outcome: equifax },
  ];
  expect(answersOf(asks({ bureauResults }))).toEqual({
    kind: 'answered',
    results: [
      { bureau: 'equifax', outcome: equifax },
      { bureau: 'transunion', outcome: transunion },
    ],
    found,
    isChosen: true,
  });
});

test('nobody answers: failed', () => {
  const bureauResults = base.bureaus.map((bureau) => ({ bureau, outcome: 'unavailable' as const }));
  expect(answersOf(asks({ bureauResults }))).toEqual({ kind: 'failed', failure: 'no-bureau-answered' });
});
