// Redis is down, or answers two seconds late. Each node then applies the limits alone: still limiting, never failing,
// and jointly again as soon as Redis is back.
import { setTimeout as sleep } from 'node:timers/promises';
import { tenantRequest } from '../client.ts';
import { findUnanswered } from '../find-unanswered.ts';
import { offer } from '../load.ts';
import { type Watched, watchGenerates } from '../others.ts';
import { isComplete, type Told, toTold } from '../records.ts';
import type { Figures, Run, Scenario } from '../scenario.ts';
import { alternate, mayTake, p99, SAMPLES_MIN } from '../windows.ts';

const TURNS = 2;
const DELAY_MS = 2_000;
const LIMIT = 10;
const OFFERED = 30;
/** A change between Redis and the node alone begins a new burst, and a lot that was taken together may be lost. */
const ROOM = 1.2;
/** TREFOIL_REDIS_TIMEOUT_MS, at the product's default. */
const REDIS_WAIT_MS = 100;
const BACK_MS = 4_000;
const BACK_TRIES = 4;
const FALLBACKS = 'trefoil_limit_fallbacks_total';

/** What the limited tenant got in the windows of one kind: about its rate, and a burst for each of them. */
function judgeLimit({ tally, seconds }: Run, answers: readonly Told[], turns: number): number {
  const taken = answers.filter(({ status }) => status === 200).length;
  const most = turns * (2 * LIMIT + LIMIT * seconds) * ROOM;
  const least = (turns * LIMIT * seconds) / ROOM / ROOM;
  const figures = `${taken} of ${least.toFixed()} to ${most}`;
  if (taken > most) tally.find('the rate limit holds', figures);
  // A machine that stops for a while takes fewer requests.
  if (taken < least) tally.find('the limited tenant gets its rate', figures);
  for (const told of answers) {
    const { status, code } = told;
    if (status === 0) findUnanswered(tally, told, 'a read');
    else if (status !== 200 && status !== 429)
      tally.find('the limited tenant hears 200 or 429', `${status} ${code ?? ''}`);
  }
  return taken;
}

const of = (answers: readonly Told[], window: Told['window']) => answers.filter((told) => told.window === window);

/** Three times as long as in the quiet windows, plus the time a limit may wait for Redis before the node decides alone. */
function judgeWait({ tally }: Run, answers: readonly Told[]): void {
  const [quiet, fault] = [of(answers, 'quiet'), of(answers, 'fault')];
  if (Math.min(quiet.length, fault.length) < SAMPLES_MIN) return;
  const barMs = mayTake(p99(quiet), 3) + REDIS_WAIT_MS;
  if (p99(fault) > barMs) tally.find('no request waits long for Redis', `p99 ${p99(fault)} ms, may be ${barMs} ms`);
}

/** The limited tenant reads its wallet: such reads cost little, and are limited like everything else. */
function watchReads({ stage: { client, hot } }: Run): Watched {
  const answers: Told[] = [];
  const request = tenantRequest(hot, '/v1/wallet');
  const offered = offer({
    ratePerSecond: OFFERED,
    send: async () => {
      const { window } = client;
      const atMs = performance.now();
      answers.push(toTold(await client.ask(request), atMs, window));
    },
  });
  return { answers, stop: () => offered.stop() };
}

/** A period without a fallback. A busy machine may delay a single command, so there are several tries. */
async function isUsedAgain(api: Run['stage']['api']): Promise<boolean> {
  for (let turn = 0; turn < BACK_TRIES; turn += 1) {
    const before = await api.readMetric(FALLBACKS);
    await sleep(BACK_MS / 2);
    if ((await api.readMetric(FALLBACKS)) === before) return true;
  }
  return false;
}

async function play(run: Run, fault: { begin(): unknown; end(): unknown }): Promise<Figures> {
  const { stage, tally, seconds, isShort } = run;
  const { client, tenantOf, api } = stage;
  const turns = isShort ? 1 : TURNS;
  const others = watchGenerates(run, tenantOf);
  const limited = watchReads(run);
  await alternate(client, { turns, seconds, ...fault, restMs: BACK_MS });
  const during = await api.readMetric(FALLBACKS);
  const isBack = await isUsedAgain(api);
  await Promise.all([others.stop(), limited.stop()]);
  if (during === 0) tally.find('the node noticed', `${FALLBACKS} is 0`);
  if (!isBack) tally.find('Redis is used again by itself', 'fallbacks go on');
  for (const told of others.answers) {
    if (!isComplete(told)) tally.find('no other tenant notices', `${told.status} ${told.code ?? told.reportStatus}`);
  }
  judgeWait(run, others.answers);
  return {
    othersQuietP99Ms: p99(of(others.answers, 'quiet')),
    othersFaultP99Ms: p99(of(others.answers, 'fault')),
    limitedQuiet: judgeLimit(run, of(limited.answers, 'quiet'), turns),
    limitedFault: judgeLimit(run, of(limited.answers, 'fault'), turns),
    fallbacks: during,
  };
}

export const redisGone: Scenario = {
  name: 'redis-gone',
  promise: 'without Redis every request is answered as before, and limits still limit',
  wish: { hasOwnRedis: true, hotRate: LIMIT },
  seconds: 13,
  play: (run) => play(run, { begin: () => run.stage.redis?.kill(), end: () => run.stage.redis?.start() }),
};

export const redisSlow: Scenario = {
  name: 'redis-slow',
  promise: 'with a Redis that answers two seconds late: the same',
  wish: { hasOwnRedis: true, hotRate: LIMIT },
  seconds: 13,
  play: (run) =>
    play(run, { begin: () => run.stage.redis?.proxy.delay(DELAY_MS), end: () => run.stage.redis?.proxy.delay(0) }),
};
