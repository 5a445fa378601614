// What a slow machine explains and what it does not, for reports that failed, requests without an answer and repeated runs.
import { expect, test } from 'vitest';
import { createTally } from '../chaos/tally.ts';
import { exitCode } from '../chaos/verdict.ts';
import { PATIENCE_MS } from './client.ts';
import { findUnanswered } from './find-unanswered.ts';
import { type ReportRow, reportAmong } from './judge.ts';
import { failuresOf } from './judge-failures.ts';
import { LIGHT } from './light.ts';
import type { Told } from './records.ts';

const told = (changes: Partial<Told>): Told => ({
  ...{ status: 200, ms: 10, atMs: 0, window: 'quiet', hasRetryAfter: false },
  ...changes,
});
const failed = told({ reportStatus: 'failed' });
const refused = told({ status: 503, creditReportId: 'a' });
const of = (status: string, failure: string | null, isAsked: boolean) => ({ status, failure, isAsked });
const partly = (outcome: string) => told({ reportStatus: 'complete', outcomes: ['ok', outcome] });

/** The exit code of a run on a quiet and on a slow machine that found this. */
function codesOf(found: Iterable<readonly [string, string]>): number[] {
  const tally = createTally();
  for (const [about, what] of found) tally.find(about, what);
  return [exitCode(tally, LIGHT, false), exitCode(tally, LIGHT, true)];
}

const HELD = [0, 0];
const LATE = [3, 4];
const GRAVE = [1, 1];

test.each([
  ['complete', [told({ reportStatus: 'complete', outcomes: ['ok', 'ok'] })], of('complete', null, true), HELD],
  [
    'screening was late, and the client is told to try again',
    [refused],
    of('failed', 'screening-unavailable', false),
    HELD,
  ],
  ['given back, and the client is told to try again', [refused], of('failed', 'reservation-late', false), HELD],
  ['screening was late, and the client is told so', [failed], of('failed', 'screening-unavailable', false), LATE],
  ['all bureaus were asked, and late', [failed], of('failed', 'no-bureau-answered', true), LATE],
  ['bureaus that were not asked', [failed], of('failed', 'no-bureau-answered', false), GRAVE],
  ['the same, and the client is told to try again', [refused], of('failed', 'no-bureau-answered', false), GRAVE],
  ['interrupted', [failed], of('failed', 'interrupted', false), GRAVE],
  ['one bureau was late', [partly('unavailable')], of('complete', null, true), LATE],
  ['one bureau was not asked', [partly('unavailable')], of('complete', null, false), GRAVE],
  ['one bureau does not know a person it knows', [partly('no-trace')], of('complete', null, true), GRAVE],
] as const)('a report: %s', (_, answers, report, codes) => {
  expect(codesOf(failuresOf(answers, report))).toEqual(codes);
});

test('no answer for as long as a client waits is late; a connection that ends before was cut', () => {
  const codes = (ms: number) => {
    const tally = createTally();
    findUnanswered(tally, { ms }, 'a generate');
    return [exitCode(tally, LIGHT, false), exitCode(tally, LIGHT, true)];
  };
  expect(codes(PATIENCE_MS)).toEqual(LATE);
  expect(codes(2_000)).toEqual(GRAVE);
});

test('of several runs of one request the one that asked bureaus counts, else the one the client knows', () => {
  const row = (id: string, changes: Partial<ReportRow>): ReportRow => ({
    ...{ id, status: 'complete', failure: null, charges: 1, chargedCredits: 2_000, refundedCredits: 0 },
    ...changes,
  });
  const unasked = { status: 'failed', failure: 'screening-unavailable', charges: 0, chargedCredits: 0 };
  const operation = (answers: Told[]) => ({ tenantId: 't', reference: 'r', bureaus: [], answers });
  const knows = operation([told({ reportStatus: 'failed', creditReportId: 'b' })]);
  expect(reportAmong([row('a', unasked), row('b', {})], operation([]))?.id).toBe('b');
  expect(reportAmong([row('a', unasked), row('b', unasked)], knows)?.id).toBe('b');
  expect(reportAmong([row('a', unasked), row('b', unasked)], operation([refused]))?.id).toBe('a');
  expect(reportAmong([], knows)).toBeUndefined();
});
