// A database that silently stops answering, and what the service must do about it: answer every request in time,
// report that it is not ready, alert its operator, and recover by itself.
import { setTimeout as sleep } from 'node:timers/promises';
import { requestBytes } from './client.ts';
import { offer } from './load.ts';
import { isComplete, type Told } from './records.ts';
import type { Figures, Run } from './scenario.ts';
import { countLogged } from './servers.ts';

export type Silence = {
  begin(): void;
  end(): void;
  /** From the start of the silence until the database could answer new requests again. */
  readonly unreachableSeconds: number;
  readonly turns: number;
};

const RATE = 20;
const QUIET_SECONDS = 4;
const DEADLINE_MS = 20_000;
/** New requests must complete again this long after the database can answer them. */
const RECOVERY_MS = 10_000;
/** How long to watch after that. */
const TAIL_SECONDS = 3;
const LOOK_MS = 200;
const READY_MS_MAX = 3_000;
const READYZ = requestBytes({ method: 'GET', path: '/readyz', headers: {} });

/** Asks repeatedly whether the node is ready; returns the answers, oldest first. */
function watchReadiness({ client }: Run['stage']): { stop(): Promise<number[]> } {
  const statuses: number[] = [];
  let isStopped = false;
  const watching = (async () => {
    while (!isStopped) {
      statuses.push((await client.ask(READYZ, READY_MS_MAX)).status);
      await sleep(LOOK_MS);
    }
  })();
  return {
    async stop() {
      isStopped = true;
      await watching;
      return statuses;
    },
  };
}

function judgeAnswers({ tally }: Run, answers: readonly Told[]): void {
  for (const { status, ms, code } of answers) {
    if (status === 0 || ms > DEADLINE_MS) {
      tally.find('every request is answered within 20 s', status === 0 ? 'no answer' : `${Math.round(ms)} ms`);
    } else if (status !== 200 && status !== 503) {
      tally.find('every request is answered with 200 or 503', `${status} ${code}`);
    }
  }
}

/** From ten seconds after the database could answer again, every new generate completes. */
function judgeRecovery({ tally }: Run, answers: readonly Told[], reachableAtMs: number, nextFaultAtMs: number): number {
  const since = answers.filter(({ atMs }) => atMs >= reachableAtMs && atMs < nextFaultAtMs);
  const first = since.filter(isComplete).map(({ atMs, ms }) => atMs + ms - reachableAtMs);
  const firstMs = Math.round(Math.min(...first));
  if (!(firstMs <= RECOVERY_MS)) tally.find('a new generate completes within 10 s', `after ${firstMs} ms`);
  const late = since.filter((told) => told.atMs >= reachableAtMs + RECOVERY_MS && !isComplete(told));
  for (const { status, code } of late) tally.find('all new generates complete after 10 s', `${status} ${code ?? ''}`);
  return firstMs;
}

export async function playSilence(run: Run, { begin, end, unreachableSeconds, turns }: Silence): Promise<Figures> {
  const { client, tenantOf, api } = run.stage;
  const { tally } = run;
  const load = offer({ ratePerSecond: RATE, send: (number) => client.generate(tenantOf(number)) });
  const reachableAtMs: number[] = [];
  const endsAtMs: number[] = [];
  const notReady: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    client.window = 'quiet';
    await sleep(QUIET_SECONDS * 1_000);
    client.window = 'fault';
    run.say(`  silence ${turn + 1} of ${turns}`);
    const readiness = watchReadiness(run.stage);
    begin();
    await sleep(unreachableSeconds * 1_000);
    end();
    reachableAtMs.push(performance.now());
    await sleep(RECOVERY_MS + TAIL_SECONDS * 1_000);
    endsAtMs.push(performance.now());
    notReady.push((await readiness.stop()).filter((status) => status === 503).length);
  }
  await load.stop();
  const answers = client.operations.flatMap((operation) => operation.answers);
  judgeAnswers(run, answers);
  const recoveries = reachableAtMs.map((atMs, turn) => judgeRecovery(run, answers, atMs, endsAtMs[turn] ?? 0));
  if (notReady.some((times) => times === 0)) tally.find('/readyz says 503 during it', `${notReady} times`);
  const timeouts = await api.readMetric('trefoil_database_timeouts_total');
  if (timeouts === 0) tally.find('a metric tells', 'trefoil_database_timeouts_total is 0');
  const logged = countLogged(api, 'database silent');
  if (logged === 0) tally.find('a log line tells', 'there is no "database silent"');
  return {
    longestMs: Math.round(Math.max(...answers.map(({ ms }) => ms))),
    unanswered: answers.filter(({ status }) => status === 0).length,
    firstCompleteMs: recoveries,
    notReady,
    databaseTimeouts: timeouts,
    logged,
  };
}
