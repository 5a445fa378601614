import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { isSlow, machineText, watchMachine } from './machine.ts';

/** Stops this process with all its threads, as a host does with a machine. */
function freeze(seconds: number): void {
  execFileSync('sh', [
    '-c',
    `(kill -STOP ${process.pid}; sleep ${seconds}; kill -CONT ${process.pid}) >/dev/null 2>&1`,
  ]);
}

test('a stopped machine is a slow one; a busy drill on it is not', async () => {
  const busy = watchMachine();
  await sleep(500);
  const untilMs = performance.now() + 1_000;
  while (performance.now() < untilMs);
  // Beside other tests the machine itself may be busy for a moment.
  expect(busy.stop().pausedShare).toBeLessThan(0.5);
  const stopped = watchMachine();
  await sleep(1_000);
  freeze(2);
  await sleep(200);
  const machine = stopped.stop();
  expect(machine.pausedShare).toBeGreaterThan(0.3);
  expect(isSlow(machine)).toBe(true);
});

test('what the host took is a share of what was wanted', () => {
  const { stolenShare } = watchMachine().stop();
  expect(stolenShare).toBeGreaterThanOrEqual(0);
  expect(stolenShare).toBeLessThanOrEqual(1);
  expect(isSlow({ stolenShare: 0.02, pausedShare: 0.01 })).toBe(false);
  expect(isSlow({ stolenShare: 0.4, pausedShare: 0.01 })).toBe(true);
  expect(machineText({ stolenShare: 0.4, pausedShare: 0.01 })).toBe(
    '40.0 % of the processor taken by the host, paused for 1.0 % of the time',
  );
});
