import { expect, test } from 'vitest';
import { nextLookMs } from './next-look.ts';

const NOW = Date.parse('2026-09-17T12:00:00Z');
const due = (seconds: number) => ({ nextAttemptAt: new Date(NOW + seconds * 1_000).toISOString() });

test.each([
  ['none', [], 30_000],
  ['settled', [{ nextAttemptAt: null }], 30_000],
  ['in an hour', [due(3_600)], 30_000],
  ['in ten seconds', [due(10), due(3_600)], 10_000],
  ['at once', [due(0), due(10)], 1_500],
  ['due for fifteen seconds', [due(-15)], 1_500],
  ['due for long: paused, or behind another', [due(-21)], 30_000],
])('deliveries, %s: looked at again after %j', (_, deliveries, ms) => {
  expect(nextLookMs(deliveries, NOW)).toBe(ms);
});
