import { expect, test } from 'vitest';
import { faultOfReport, faultOfSend, type ReportShape, type SendShape } from './settled-money.ts';

const reports: [
  ReportShape['status'],
  ReportShape['hold'],
  ReportShape['charged'],
  ReportShape['refunded'],
  ReportShape['net'],
  boolean,
][] = [
  // status, hold, charged, refunded, net, in order
  ['pending', 'open', 'none', 'none', 'unknown', true],
  ['pending', 'voided', 'none', 'none', 'unknown', false],
  ['pending', 'none', 'none', 'none', 'unknown', false],
  ['pending', 'open', 'all', 'none', 'unknown', false],
  ['blocked', 'voided', 'none', 'none', 'unknown', true],
  ['blocked', 'voided', 'all', 'none', 'unknown', false],
  ['blocked', 'voided', 'all', 'all', 'unknown', false],
  ['blocked', 'open', 'none', 'none', 'unknown', false],
  ['challenged', 'captured', 'all', 'none', 'unknown', true],
  ['challenged', 'captured', 'none', 'none', 'unknown', false],
  ['challenged', 'captured', 'part', 'none', 'unknown', false],
  ['challenged', 'captured', 'all', 'all', 'unknown', false],
  ['challenged', 'open', 'none', 'none', 'unknown', false],
  ['fetching', 'captured', 'all', 'none', 'unknown', true],
  ['fetching', 'captured', 'all', 'part', 'unknown', false],
  ['complete', 'captured', 'all', 'none', 'right', true],
  ['complete', 'captured', 'part', 'none', 'right', true],
  ['complete', 'captured', 'all', 'part', 'right', true],
  ['complete', 'captured', 'all', 'none', 'unknown', true],
  ['complete', 'captured', 'all', 'all', 'unknown', false],
  ['complete', 'captured', 'all', 'none', 'wrong', false],
  ['complete', 'captured', 'all', 'part', 'wrong', false],
  ['complete', 'captured', 'none', 'none', 'wrong', false],
  ['complete', 'captured', 'other', 'none', 'wrong', false],
  ['complete', 'voided', 'all', 'none', 'right', false],
  ['failed', 'voided', 'none', 'none', 'unknown', true],
  ['failed', 'captured', 'all', 'all', 'unknown', true],
  ['failed', 'captured', 'all', 'none', 'unknown', false],
  ['failed', 'captured', 'all', 'part', 'unknown', false],
  ['failed', 'voided', 'all', 'all', 'unknown', false],
  ['failed', 'open', 'none', 'none', 'unknown', false],
  ['expired', 'captured', 'all', 'all', 'unknown', true],
  ['expired', 'captured', 'all', 'none', 'unknown', false],
  // Only a challenge expires, and a challenge was charged.
  ['expired', 'voided', 'none', 'none', 'unknown', false],
];
for (const [status, hold, charged, refunded, net, isSound] of reports) {
  test(`${status}, hold ${hold}, charged ${charged}, refunded ${refunded}, net ${net}: ${isSound ? 'sound' : 'a break'}`, () => {
    expect(faultOfReport({ status, hold, charged, refunded, net }) === undefined).toBe(isSound);
  });
}

const sends: [SendShape['state'], SendShape['hold'], SendShape['charged'], SendShape['writtenOff'], boolean][] = [
  // state, hold, charged, written off, in order
  ['queued', 'open', 'none', 'none', true],
  ['submitted', 'open', 'none', 'none', true],
  ['submitted', 'voided', 'none', 'none', false],
  ['submitted', 'open', 'all', 'none', false],
  ['delivered', 'captured', 'all', 'none', true],
  ['delivered', 'voided', 'all', 'none', true], // delivered late
  ['delivered', 'voided', 'none', 'all', true], // delivered late, without funds
  ['delivered', 'captured', 'none', 'all', false],
  ['delivered', 'captured', 'none', 'none', false],
  ['delivered', 'captured', 'all', 'all', false],
  ['delivered', 'captured', 'other', 'none', false],
  ['delivered', 'open', 'none', 'none', false],
  ['undelivered', 'voided', 'none', 'none', true],
  ['undelivered', 'voided', 'all', 'none', false],
  ['refused', 'voided', 'none', 'none', true],
  ['refused', 'open', 'none', 'none', false],
  ['silent', 'voided', 'none', 'none', true],
  ['silent', 'voided', 'none', 'all', false],
];
for (const [state, hold, charged, writtenOff, isSound] of sends) {
  test(`${state}, hold ${hold}, charged ${charged}, written off ${writtenOff}: ${isSound ? 'sound' : 'a break'}`, () => {
    expect(faultOfSend({ state, hold, charged, writtenOff }) === undefined).toBe(isSound);
  });
}
