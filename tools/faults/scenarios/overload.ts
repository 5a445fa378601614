// More than one node can handle: three times its own measured rate, limited by its processor; and ten times what its places
// at slow bureaus allow. Admitted requests finish, the excess is refused at once, and afterwards all is as before.
import { setTimeout as sleep } from 'node:timers/promises';
import { findUnanswered } from '../find-unanswered.ts';
import { judgeFailures } from '../judge-failures.ts';
import { loop, offer } from '../load.ts';
import { isComplete, type Operation, type Told } from '../records.ts';
import type { Figures, Run, Scenario } from '../scenario.ts';
import { mayTake, p99, quantile } from '../windows.ts';

type Overload = {
  /** Clients of the closed loop that measures what one node can handle. */
  readonly clients: number;
  /** About as long as one request takes. */
  readonly spreadMs: number;
  readonly quietPerSecond: number;
  readonly offeredPerSecond: (ownPerSecond: number) => number;
};

const TURNS = 2;
const BUREAU_MS = 2_000;
/** The start of a window is not counted: a rate is valid only once the usual number of requests is in progress. */
const WARM_SHARE = 0.3;
const WARM_UP_MS = 4_000;
const RECOVERY_SECONDS = 10;
const TAIL_SECONDS = 12;
const BUCKET_MS = 2_000;
const REFUSAL_MS_MAX = 1_000;
const KEPT_SHARE = 0.8;
const MEGABYTES_MAX = 700;
const LOOK_MS = 250;
const RECOVERED_TIMES = 2;
/** Of the forty answers of two seconds all but two: a p99 of forty would be the single latest. */
const RECOVERED_SHARE = 0.95;

/** The operations of a period; their answers may still be pending. */
type Stretch = { readonly operations: readonly Operation[]; readonly fromMs: number; readonly toMs: number };

const answersOf = ({ operations }: Stretch) => operations.flatMap(({ answers }) => answers);

/** Counted by the time of the answer: answers to a period's requests may come after it. */
function completedPerSecond(stretch: Stretch): number {
  const { toMs } = stretch;
  const fromMs = stretch.fromMs + (toMs - stretch.fromMs) * WARM_SHARE;
  const isInside = ({ atMs, ms }: Told) => atMs + ms >= fromMs && atMs + ms <= toMs;
  return (answersOf(stretch).filter((told) => isComplete(told) && isInside(told)).length * 1_000) / (toMs - fromMs);
}

function watchMemory({ api }: Run['stage']): { stop(): number } {
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, api.residentMegabytes());
  }, LOOK_MS);
  return {
    stop() {
      clearInterval(timer);
      return Math.round(most);
    },
  };
}

type Turn = { readonly quiet: Stretch; readonly own: Stretch; readonly excess: Stretch; readonly tail: Stretch };

async function playTurn(run: Run, overload: Overload, waiting: Promise<void>[]): Promise<Turn> {
  const { client, tenantOf } = run.stage;
  const send = (number: number) => client.generate(tenantOf(number));
  const during = async (seconds: number, load: { stop(): Promise<void> }): Promise<Stretch> => {
    const from = client.operations.length;
    const fromMs = performance.now();
    await sleep(seconds * 1_000);
    waiting.push(load.stop());
    return { operations: client.operations.slice(from), fromMs, toMs: performance.now() };
  };
  const calm = () => offer({ ratePerSecond: overload.quietPerSecond, send });
  const quiet = await during(run.seconds, calm());
  // Nothing else runs while the node shows what it can handle, nor when it is offered more than that.
  await Promise.all(waiting.splice(0));
  const own = await during(run.seconds, loop(overload.clients, send, overload.spreadMs));
  await Promise.all(waiting.splice(0));
  const ratePerSecond = overload.offeredPerSecond(completedPerSecond(own));
  run.say(`  one node: ${completedPerSecond(own).toFixed(0)}/s; offered ${ratePerSecond.toFixed(0)}/s`);
  const excess = await during(run.seconds, offer({ ratePerSecond, send }));
  const tail = await during(run.isShort ? run.seconds : TAIL_SECONDS, calm());
  return { quiet, own, excess, tail };
}

/** After how many seconds of the tail the answers of every two seconds stayed below the bar, all but a few. */
function recoveredAfter(tail: Stretch, barMs: number): number {
  const p95 = (answers: readonly Told[]) =>
    quantile(
      answers.map(({ ms }) => ms),
      RECOVERED_SHARE,
    );
  const buckets = Map.groupBy(answersOf(tail), ({ atMs }) => Math.floor((atMs - tail.fromMs) / BUCKET_MS));
  const bad = [...buckets].filter(([, told]) => !(p95(told) <= barMs)).map(([place]) => place + 1);
  return (Math.max(0, ...bad) * BUCKET_MS) / 1_000;
}

function judgeTurn({ tally, isShort }: Run, { quiet, own, excess, tail }: Turn): Record<string, number> {
  for (const told of [...answersOf(excess), ...answersOf(tail)]) {
    const { status, reportStatus, code } = told;
    // Why reports failed is judged with the books.
    const isRight = status === 503 || (status === 200 && (reportStatus === 'complete' || reportStatus === 'failed'));
    if (status === 0) findUnanswered(tally, told, 'a generate');
    else if (!isRight)
      tally.find('what is not completed is refused with 503', `${status} ${reportStatus ?? code ?? ''}`);
  }
  // A short run shares its machine and lasts seconds: it judges the answers, not their speed.
  const refusalP99Ms = p99(answersOf(excess).filter(({ status }) => status !== 200));
  if (!isShort && refusalP99Ms > REFUSAL_MS_MAX)
    tally.find('the excess is refused within 1 s at p99', `${refusalP99Ms} ms`);
  const quietP99Ms = p99(answersOf(quiet));
  const recoveredSeconds = recoveredAfter(tail, mayTake(quietP99Ms, RECOVERED_TIMES));
  if (!isShort && recoveredSeconds > RECOVERY_SECONDS) {
    tally.find('answers are back to twice the quiet p99 within 10 s', `after ${recoveredSeconds} s`);
  }
  return {
    ownPerSecond: Math.round(completedPerSecond(own)),
    keptPerSecond: Math.round(completedPerSecond(excess)),
    refused: answersOf(excess).filter(({ status }) => status === 503).length,
    refusalP99Ms,
    quietP99Ms,
    recoveredSeconds,
  };
}

/** Over all turns: in one of a few seconds the rate of the same node differs by a fifth. */
function judgeCompletions({ tally, isShort }: Run, turns: readonly Turn[]): void {
  const sum = (rates: readonly number[]) => rates.reduce((left, right) => left + right, 0);
  const own = sum(turns.map((turn) => completedPerSecond(turn.own)));
  const kept = sum(turns.map((turn) => completedPerSecond(turn.excess)));
  if (isShort || kept >= KEPT_SHARE * own) return;
  tally.find('completions at least 80 % of its own rate', `${((100 * kept) / own).toFixed(1)} %`);
}

async function play(run: Run, overload: Overload): Promise<Figures> {
  const { client, tenantOf } = run.stage;
  // A node that has just started is slower than usual: three times that rate would be no overload.
  const warming = loop(overload.clients, (number) => client.generate(tenantOf(number)), overload.spreadMs);
  await sleep(WARM_UP_MS);
  await warming.stop();
  const memory = watchMemory(run.stage);
  const waiting: Promise<void>[] = [];
  const turns: Turn[] = [];
  for (let turn = 0; turn < (run.isShort ? 1 : TURNS); turn += 1) turns.push(await playTurn(run, overload, waiting));
  await Promise.all(waiting);
  const megabytes = memory.stop();
  if (megabytes > MEGABYTES_MAX) run.tally.find('memory at most 700 MB', `${megabytes} MB`);
  const figures = turns.map((turn) => judgeTurn(run, turn));
  judgeCompletions(run, turns);
  const names = Object.keys(figures[0] ?? {});
  return {
    ...Object.fromEntries(names.map((name) => [name, figures.map((each) => each[name] ?? Number.NaN)])),
    megabytes,
  };
}

export const overload3x: Scenario = {
  name: 'overload-3x',
  promise: 'three times what a node can do: what is taken is finished, the excess is refused at once',
  wish: { places: 400 },
  seconds: 6,
  shortSeconds: 5,
  play: (run) => play(run, { clients: 48, spreadMs: 500, quietPerSecond: 20, offeredPerSecond: (own) => 3 * own }),
  judge: judgeFailures,
};

export const overload10x: Scenario = {
  name: 'overload-10x',
  promise: 'ten times what its places at slow bureaus allow: the same',
  wish: { places: 100, bureauMs: BUREAU_MS },
  seconds: 6,
  play: (run) => play(run, { clients: 100, spreadMs: BUREAU_MS, quietPerSecond: 20, offeredPerSecond: () => 500 }),
  judge: judgeFailures,
};
