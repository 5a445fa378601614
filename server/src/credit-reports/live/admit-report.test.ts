// A held-back tenant is refused before its body is read, and its codes still work.

import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { createHttpMetrics } from '../../http/http-metrics.ts';
import { createPlaces } from '../../lib/limits/places.ts';
import { admitFetch, admitReport, isHopeless, NODE_PLACE } from './admit-report.ts';

const state = () => ({ items: 0, bytes: 0, oldestMs: 0, runMs: 0 });

function open() {
  const places = createPlaces({ counts: { [NODE_PLACE]: 100 }, waitingMax: 10, isAlone: () => false });
  places.limitGroup(NODE_PLACE, { count: 1, aloneMs: 1_000, waitingMax: 0, waitMs: 0 });
  return {
    live: { places, patience: 1 },
    queue: { state },
    metrics: createHttpMetrics(new Registry()),
  } as unknown as Parameters<typeof admitReport>[0];
}

test('503 for the next report of a tenant at its limit, at once; another tenant is admitted', async () => {
  const admission = open();
  await admitReport(admission, 'a', []);
  expect([isHopeless(admission, 'a'), isHopeless(admission, 'b')]).toEqual([true, false]);
  await expect(admitReport(admission, 'a', [])).rejects.toMatchObject({ code: 'service-unavailable' });
  expect(await admitReport(admission, 'b', [])).toBeDefined();
});

test('a code of that tenant takes its places: its report is charged already', async () => {
  const admission = open();
  await admitReport(admission, 'a', []);
  expect(admitFetch(admission, 'a', [])).toBeDefined();
});
