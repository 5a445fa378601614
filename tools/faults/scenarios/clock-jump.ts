// The clock of the node and the worker jumps ten minutes ahead and ten minutes back while they run. The database's clock
// decides money and codes, so the jump must have no effect on them.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Challenge, challenge, guess, WRONG_CODE } from '../challenges.ts';
import { requestBytes } from '../client.ts';
import { offer } from '../load.ts';
import { isComplete } from '../records.ts';
import type { Run, Scenario } from '../scenario.ts';

const RATE = 20;
const OFFSETS_SECONDS = [600, -600];
const NOTICED_MS_MAX = 5_000;
const LOOK_MS = 200;
const LIVEZ = requestBytes({ method: 'GET', path: '/livez', headers: {} });

/** How far the node's clock is from ours, by the Date header of its answers. */
async function readOffset({ stage }: Run): Promise<number> {
  const { head } = await stage.client.ask(LIVEZ);
  const date = /^date: (.+)$/im.exec(head)?.[1] ?? '';
  return Math.round((Date.parse(date) - Date.now()) / 1_000);
}

async function jump(run: Run, offsetSeconds: number): Promise<void> {
  await run.stage.clock?.setOffset(offsetSeconds);
  const startedMs = performance.now();
  while (Math.abs((await readOffset(run)) - offsetSeconds) > 2) {
    if (performance.now() - startedMs > NOTICED_MS_MAX) {
      run.tally.find('the clock jumped', `by ${await readOffset(run)} s instead of ${offsetSeconds} s`);
      return;
    }
    await sleep(LOOK_MS);
  }
}

/** As if its message had been sent six minutes ago, by the database's clock. */
async function makeOld({ stage }: Run, { creditReportId }: Challenge): Promise<void> {
  for (const column of ['challenges set last_sent_at', 'sms_sends set sent_at']) {
    const text = `update ${column} = clock_timestamp() - interval '6 minutes' where credit_report_id = $1`;
    await stage.query(text, [creditReportId]);
  }
}

async function expectSaid(run: Run, challenged: Challenge, code: string, expected: string): Promise<void> {
  const { status, says } = await guess(run.stage, challenged, code);
  const said = `${status} ${says}`;
  if (said !== expected) run.tally.find('the database’s clock decides about codes', `${said} instead of ${expected}`);
}

export const clockJump: Scenario = {
  name: 'clock-jump',
  promise: 'a clock that jumps ten minutes ahead or back changes no answer and no row',
  wish: { hasMovableClock: true },
  seconds: 6,
  async play(run) {
    const { stage, tally, seconds, say } = run;
    const { client, tenantOf, hot } = stage;
    const load = offer({ ratePerSecond: RATE, send: (number) => client.generate(tenantOf(number)) });
    for (const offsetSeconds of OFFSETS_SECONDS) {
      client.window = 'quiet';
      await sleep(seconds * 1_000);
      const [fresh, old] = [await challenge(stage, hot), await challenge(stage, hot)];
      client.window = 'fault';
      say(`  ${offsetSeconds} s`);
      await jump(run, offsetSeconds);
      await expectSaid(run, fresh, WRONG_CODE, '200 retry');
      await expectSaid(run, fresh, fresh.code, '200 complete');
      await makeOld(run, old);
      await expectSaid(run, old, old.code, '410 challenge-expired');
      await sleep(seconds * 1_000);
      client.window = 'rest';
      await jump(run, 0);
    }
    await load.stop();
    for (const { answers } of client.operations) {
      for (const told of answers) {
        const isRight = isComplete(told) || told.reportStatus === 'authentication-required';
        if (!isRight) tally.find('every generate is served', `${told.status} ${told.reportStatus ?? told.code ?? ''}`);
      }
    }
    return { generates: client.operations.length };
  },
};
