import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { isNoisy, isSlow, type Machine, machineText, shareOf, watchMachine } from './machine.ts';

const QUIET: Machine = { stolenShare: 0, pausedShare: 0, longestStopMs: 0, foreignShare: 0 };

/**
 * Stops this process with all its threads for two seconds, as a host does with a machine. Again and again: what stops and continues the
 * whole run meanwhile lets it go too early, and then there are two stops.
 */
function freeze(): void {
  execFileSync('sh', [
    '-c',
    `(for each in $(seq 20); do kill -STOP ${process.pid}; sleep 0.1; done; kill -CONT ${process.pid}) >/dev/null 2>&1`,
  ]);
}

test('a stopped machine is a slow and a noisy one, and says for how long it was stopped', async () => {
  const watch = watchMachine();
  await watch.started;
  freeze();
  const machine = watch.stop();
  expect(machine.longestStopMs).toBeGreaterThan(900);
  expect([isSlow(machine), isNoisy(machine)]).toEqual([true, true]);
});

test.each([
  // ticks of other programs, ticks of the machine, share
  [0, 0, 0],
  [3, 12, 0.25],
  [13, 13, 1],
  [14, 13, 1],
])('%i of %i ticks is a share of %f: never more than all', (ticks, allTicks, share) => {
  expect(shareOf(ticks, allTicks)).toBe(share);
});

test('a run that ends at once has shares', () => {
  const { stolenShare, foreignShare } = watchMachine().stop();
  for (const share of [stolenShare, foreignShare]) {
    expect(share).toBeGreaterThanOrEqual(0);
    expect(share).toBeLessThanOrEqual(1);
  }
});

const rows: readonly (readonly [string, Partial<Machine>, boolean, boolean])[] = [
  // what, figures, slow for a drill, too noisy for a bar
  ['quiet', {}, false, false],
  ['at the limits', { longestStopMs: 300, stolenShare: 0.01, foreignShare: 0.15 }, false, false],
  ['a stop over 300 ms', { longestStopMs: 301 }, false, true],
  ['stolen time over 1 %', { stolenShare: 0.011 }, false, true],
  ['foreign load over 15 %', { foreignShare: 0.151 }, false, true],
  ['much stolen', { stolenShare: 0.4 }, true, true],
  ['many short pauses', { pausedShare: 0.06, longestStopMs: 120 }, true, false],
];

test.each(rows)('%s', (_, figures, isSlowThen, isNoisyThen) => {
  const machine = { ...QUIET, ...figures };
  expect([isSlow(machine), isNoisy(machine)]).toEqual([isSlowThen, isNoisyThen]);
});

test('the machine in words', () => {
  expect(machineText({ stolenShare: 0.4, pausedShare: 0.01, longestStopMs: 120, foreignShare: 0.052 })).toBe(
    '40.0 % of the processor taken by the host, 5.2 % used by other programs, paused for 1.0 % of the time, for 120 ms at most',
  );
});
