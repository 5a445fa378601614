import { FAILURE_REASONS } from '@trefoil/contract';
import { expect, test } from 'vitest';
import { LIFETIME_US } from './challenge.ts';
import type { Refusal } from './delivery.ts';
import { failureOf, failureReason } from './failure-reason.ts';
import type { Failure } from './settlement.ts';
import type { Standing } from './shown-status.ts';

/** Total on purpose: a failure or refusal without a row here does not compile. */
const FAILURES: Readonly<Record<Failure, string>> = {
  'screening-unavailable': 'screening-unavailable',
  'device-not-verified': 'device-not-verified',
  'not-deliverable': 'not-deliverable',
  'no-bureau-answered': 'no-bureau-answered',
  interrupted: 'interrupted',
  'reservation-late': 'reservation-late',
  'attempts-used': 'attempts-used',
  expired: 'expired',
};
const REFUSALS: Readonly<Record<Refusal, string>> = {
  'mobile-missing': 'mobile-missing',
  'not-a-mobile': 'not-a-mobile',
  'country-not-allowed': 'country-not-allowed',
  'company-number': 'company-number',
  'company-mistakes': 'company-mistakes',
  'company-day': 'company-day',
  'company-minute': 'company-minute',
  protection: 'not-deliverable',
};
const failures = Object.keys(FAILURES) as Failure[];
const refusals = Object.keys(REFUSALS) as Refusal[];

test('every failure and every refusal that is told has its word, and there are no other words', () => {
  const words = [
    ...failures.map((failure) => failureReason(failure, null)),
    ...refusals.map((because) => failureReason('not-deliverable', because)),
  ];
  expect(words).toEqual([...Object.values(FAILURES), ...Object.values(REFUSALS)]);
  expect([...new Set(words)].toSorted()).toEqual(FAILURE_REASONS.toSorted());
});

test('a refusal says nothing beside another failure', () => {
  for (const because of refusals) expect(failureReason('interrupted', because)).toBe('interrupted');
});

const standings: [Standing, Failure][] = [
  [{ status: 'failed', failure: 'interrupted', sinceLastSendUs: null }, 'interrupted'],
  [{ status: 'failed', failure: null, sinceLastSendUs: 1 }, 'attempts-used'],
  [{ status: 'expired', failure: null, sinceLastSendUs: 1 }, 'expired'],
  [{ status: 'challenged', failure: null, sinceLastSendUs: LIFETIME_US + 1 }, 'expired'],
  [{ status: 'challenged', failure: 'attempts-used', sinceLastSendUs: 1 }, 'attempts-used'],
  [{ status: 'challenged', failure: 'attempts-used', sinceLastSendUs: LIFETIME_US + 1 }, 'attempts-used'],
];
for (const [standing, failure] of standings) {
  test(`${standing.status} with ${standing.failure ?? 'no failure'} after ${standing.sinceLastSendUs} µs: ${failure}`, () => {
    expect(failureOf(standing)).toBe(failure);
  });
}
