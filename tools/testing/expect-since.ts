// Judges an instant by its order: something that happened in a test is not older than the test's own look at the clock before it,
// and not younger than now. A slow machine moves both.
import { expect } from 'vitest';

/** PostgreSQL rounds to a millisecond, Node cuts off. */
const ROUNDING_MS = 1;

export function expectSince(fromMs: number, at: string | number | Date | null | undefined): void {
  const atMs = new Date(at ?? Number.NaN).getTime();
  expect(atMs + ROUNDING_MS).toBeGreaterThanOrEqual(fromMs);
  expect(atMs - ROUNDING_MS).toBeLessThanOrEqual(Date.now());
}
