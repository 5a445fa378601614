// A held-back tenant is refused before its body is read, and its codes still work.

import { Registry } from 'prom-client';
import { afterEach, describe, expect, test } from 'vitest';
import { createHttpMetrics } from '../../http/http-metrics.ts';
import { createPlaces } from '../../lib/limits/places.ts';
import { endsAfter, startClock, stopClock } from '../../lib/testing/stopped-clock.ts';
import { admitFetch, admitReport, letIn, NODE_PLACE } from './admit-report.ts';

const MOVING = { items: 0, bytes: 0, oldestMs: 0, runMs: 0 };

function open(state = MOVING, patience = 1) {
  const places = createPlaces({ counts: { [NODE_PLACE]: 100 }, waitingMax: 10, isAlone: () => false });
  places.limitGroup(NODE_PLACE, { count: 1, aloneMs: 1_000, waitingMax: 0, waitMs: 0 });
  return {
    live: { places, patience },
    queue: { state: () => state },
    metrics: createHttpMetrics(new Registry()),
  } as unknown as Parameters<typeof admitReport>[0];
}

test('503 for the next report of a tenant at its limit, at once; another tenant is admitted', async () => {
  const admission = open();
  await admitReport(admission, 'a', []);
  expect([letIn(admission, 'a'), letIn(admission, 'b')]).toEqual([false, true]);
  await expect(admitReport(admission, 'a', [])).rejects.toMatchObject({ code: 'service-unavailable' });
  expect(await admitReport(admission, 'b', [])).toBeDefined();
});

test('a code of that tenant takes its places: its report is charged already', async () => {
  const admission = open();
  await admitReport(admission, 'a', []);
  expect(admitFetch(admission, 'a', [])).toBeDefined();
});

describe('a report is admitted only while the queue moves', () => {
  test.each([
    // oldest call, current run, patience, admitted
    [999, 1_499, 1, true],
    [1_000, 0, 1, false],
    [0, 1_500, 1, false],
    [4_999, 7_499, 5, true],
    [5_000, 0, 5, false],
    [0, 7_500, 5, false],
  ])('oldest call %i ms, run %i ms, patience %i: %s', async (oldestMs, runMs, patience, isAdmitted) => {
    const admitted = admitReport(open({ ...MOVING, oldestMs, runMs }, patience), 'a', []);
    expect(await admitted.then(Boolean, (error) => error.code)).toBe(isAdmitted || 'service-unavailable');
  });
});

describe('a burst waits for a place', () => {
  afterEach(startClock);

  test.each([
    [1, 150],
    [5, 750],
  ])('patience %i: 503 after %i ms', async (patience, ms) => {
    const places = createPlaces({ counts: { [NODE_PLACE]: 1 }, waitingMax: 10, isAlone: () => true });
    const admission = { ...open(), live: { places, patience } };
    await admitReport(admission, 'a', []);
    stopClock();
    const waiting = admitReport(admission, 'a', []).catch((error) => error.code);
    expect(await endsAfter(ms, waiting)).toBe('service-unavailable');
  });
});
