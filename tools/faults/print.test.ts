// What a control adds to the exit code of a scenario.
import { expect, test } from 'vitest';
import { exitCodeOf } from './print.ts';

test.each([
  // of the scenario, its control failed, of both
  [0, true, 0],
  [0, false, 3],
  [1, true, 1],
  [1, false, 1],
  [4, true, 4],
  [4, false, 3],
] as const)('a scenario that ends with %i, and whose control failed (%s): %i', (code, failed, both) => {
  expect(exitCodeOf({ code, control: { failed, findings: [] } })).toBe(both);
  expect(exitCodeOf({ code, control: null })).toBe(code);
});
