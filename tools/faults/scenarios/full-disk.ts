// The database's disk is full for a while. Nothing can be written, so nothing is promised; as soon as there is space
// again the service continues by itself.
import { setTimeout as sleep } from 'node:timers/promises';
import { findUnanswered } from '../find-unanswered.ts';
import { offer } from '../load.ts';
import { isComplete } from '../records.ts';
import type { Scenario } from '../scenario.ts';

const RATE = 20;
const TURNS = 2;
const RECOVERY_MS = 10_000;
const TAIL_MS = 2_000;

export const fullDisk: Scenario = {
  name: 'full-disk',
  promise: 'on a full disk every answer is true, and with room again the service goes on by itself',
  wish: { hasSmallDisk: true },
  seconds: 6,
  async play({ stage, tally, seconds, say }) {
    const { client, tenantOf, postgres } = stage;
    const load = offer({ ratePerSecond: RATE, send: (number) => client.generate(tenantOf(number)) });
    const freeAtMs: number[] = [];
    for (let turn = 0; turn < TURNS; turn += 1) {
      client.window = 'quiet';
      await sleep(seconds * 1_000);
      client.window = 'fault';
      say(`  full, ${turn + 1} of ${TURNS}`);
      await postgres?.fillDisk();
      await sleep(seconds * 1_000);
      await postgres?.freeDisk();
      client.window = 'rest';
      freeAtMs.push(performance.now());
      await sleep(RECOVERY_MS + TAIL_MS);
    }
    await load.stop();
    const answers = client.operations.flatMap((operation) => operation.answers);
    for (const told of answers) {
      const { status, code, window } = told;
      if (status === 0) findUnanswered(tally, told, 'a generate');
      else if (status !== 200 && status !== 503) tally.find('every answer is 200 or 503', `${status} ${code ?? ''}`);
      if (status !== 200 && window === 'quiet') tally.find('with room every generate is served', `${status} ${code}`);
    }
    const refused = answers.filter(({ status, window }) => window === 'fault' && status === 503).length;
    if (refused === 0) tally.find('the disk was full', 'nothing was refused');
    for (const fromMs of freeAtMs) {
      const isLate = ({ atMs }: { atMs: number }) =>
        atMs >= fromMs + RECOVERY_MS && atMs < fromMs + RECOVERY_MS + TAIL_MS;
      const late = answers.filter((told) => isLate(told) && !isComplete(told));
      for (const { status, code } of late)
        tally.find('all is well 10 s after there is room', `${status} ${code ?? ''}`);
    }
    return { refused };
  },
};
