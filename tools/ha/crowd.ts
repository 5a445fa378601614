// Everybody who uses the service during a run: the consumers of the chaos run, a teller who buys credits, and the watch. Records
// what each was told and when a write was acknowledged.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../bench/merge/random.ts';
import { isUnavailable } from '../../server/src/lib/postgres/unavailable.ts';
import { type Answer, createClient, type Heard, newKey, type Operation } from '../chaos/client.ts';
import { createFlow } from '../chaos/flows.ts';
import { startLoad } from '../chaos/load.ts';
import { meetPeople, meetSlowPeople } from '../chaos/people.ts';
import { createPhones } from '../chaos/phones.ts';
import type { Records } from '../chaos/records.ts';
import type { Stage } from '../chaos/stage.ts';
import type { Tally } from '../chaos/tally.ts';
import { startWatch } from '../chaos/watch.ts';
import { createTeller } from './teller.ts';

export type Crowd = {
  readonly records: Records;
  /** Sources of the credits whose purchase was acknowledged. */
  readonly credits: Set<string>;
  /** When writes were acknowledged to the API's clients, and to the teller. */
  readonly acknowledgedMs: { readonly reports: readonly number[]; readonly credits: readonly number[] };
  readonly heard: { unavailable: number; slowestMs: number };
  /** Starts load, teller and watch; the result stops them, when every flow has its answer. */
  start(): () => Promise<void>;
  /** Generates whose bureaus take seconds, so that a failure finds them asked and not yet answered. */
  generateSlow(): Promise<readonly (Answer | undefined)[]>;
  /** Resolves when the API and the teller were both acknowledged after this moment. */
  waitForWrites(afterMs: number, patienceMs: number): Promise<void>;
};

const FLOWS_PER_SECOND = 5;
/** docs/decisions/0139-deadlines.md, and what a busy machine adds. */
const DEADLINE_MS = 20_000 + 1_500;
const SLOW_PEOPLE = 6;
const SLOW_MS = 5_000;
const LOOK_MS = 50;
const PATIENCE_MS = 90_000;
/** Longer than the longest round: a client that gives up could not say what became of its report. */
const CLIENT_MS = 600_000;
const AGAIN_MS = 200;

/** Sent again while the database fails over: the looks and checks of a run must not end with it. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  const endMs = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error) || performance.now() > endMs) throw error;
      await sleep(AGAIN_MS);
    }
  }
}

/** The same stage, whose questions outlive a failover. */
export function makePatient(stage: Stage): Stage {
  return {
    ...stage,
    query: (text, values) => patiently(() => stage.query(text, values)),
    fund: (tenant, credits) => patiently(() => stage.fund(tenant, credits)),
    database: {
      ...stage.database,
      asSystem: (work, options) => patiently(() => stage.database.asSystem(work, options)),
    },
  };
}

/** Every answer, also those about tokens: a client that asks again would hide them. */
export function judge({ path, status, ms, hasRetryAfter }: Omit<Heard, 'isReplay'>, tally: Tally): void {
  const what = `${path.replace(/^\/[0-9a-f-]{36}/, '')}: ${status} after ${(ms / 1_000).toFixed(1)} s`;
  if (status === 0) tally.find('every request is answered', what);
  if (status >= 500 && status !== 503) tally.find('no answer is a 5xx but 503', what);
  if (status === 503 && !hasRetryAfter) tally.find('a 503 has Retry-After', what);
  if (ms > DEADLINE_MS) tally.find('every answer comes within its deadline', what);
}

export type CrowdOptions = {
  readonly stage: Stage;
  readonly random: Random;
  readonly tally: Tally;
  readonly signal: AbortSignal;
};

export async function gatherCrowd({ stage, random, tally, signal }: CrowdOptions): Promise<Crowd> {
  const { addresses } = stage.providers;
  const records: Records = new Map();
  const credits = new Set<string>();
  const acknowledgedMs = { reports: [] as number[], credits: [] as number[] };
  const heard: Crowd['heard'] = { unavailable: 0, slowestMs: 0 };
  const onHeard = (each: Heard) => {
    // The run itself ended it.
    if (signal.aborted) return;
    judge(each, tally);
    heard.slowestMs = Math.max(heard.slowestMs, each.ms);
    if (each.status === 503) heard.unavailable += 1;
    // A replay writes nothing, nor does a token.
    const isWrite = each.status === 200 && !each.isReplay && each.path.includes('/credit-reports');
    if (isWrite) acknowledgedMs.reports.push(performance.now());
  };
  const client = createClient(stage.fleet, tally, signal, { onHeard, patienceMs: CLIENT_MS });
  const phones = createPhones(addresses.carrier, random);
  const nextPerson = await meetPeople(addresses, random);
  const slowPeople = await meetSlowPeople(addresses, SLOW_PEOPLE, SLOW_MS);
  const [rich, poor] = stage.tenants;

  async function generate(person: (typeof slowPeople)[number]): Promise<Answer | undefined> {
    const key = newKey();
    const operation: Operation = {
      ...{ tenant: rich, path: '/v1/credit-reports', key, stretches: [] },
      body: {
        ...person,
        ...{ sessionId: stage.mintSession(), email: 'allow@example.com', ipAddress: '192.0.2.10', searchType: 'pcp' },
        ...{ bureaus: ['equifax', 'experian', 'transunion'], externalReference: key },
      },
    };
    const answer = await client(operation);
    const { creditReportId, status } = answer?.body.data ?? {};
    if (answer?.status !== 200 || creditReportId === undefined || status === undefined) return answer;
    records.set(creditReportId, {
      ...{ tenantId: rich.tenantId, creditReportId, status, challengeId: undefined, wrongCodes: 0, resends: 0 },
      ...{ cost: answer.body.meta?.wallet?.cost ?? Number.NaN, ends: new Set<string>() },
    });
    return answer;
  }

  return {
    ...{ records, credits, acknowledgedMs, heard },
    start() {
      const flow = createFlow({
        ...{ client, records, tally, random, phones, nextPerson, tenants: stage.tenants },
        mintSession: stage.mintSession,
        isEnding: () => load.isEnding(),
      });
      const load = startLoad(flow, FLOWS_PER_SECOND, (error) => tally.find('the load runs', String(error)));
      const watch = startWatch(stage, tally);
      const teller = createTeller(stage.database, poor.tenantId, (sourceId) => {
        credits.add(sourceId);
        acknowledgedMs.credits.push(performance.now());
      });
      return async () => {
        await Promise.all([load.stop(), teller.stop(), watch.stop()]);
      };
    },
    generateSlow: () => Promise.all(slowPeople.map(generate)),
    async waitForWrites(afterMs, patienceMs) {
      const endMs = performance.now() + patienceMs;
      const isLate = (times: readonly number[]) => (times.at(-1) ?? 0) <= afterMs;
      while (isLate(acknowledgedMs.reports) || isLate(acknowledgedMs.credits)) {
        if (performance.now() > endMs) throw new Error(`no write acknowledged for ${patienceMs / 1_000} s`);
        await sleep(LOOK_MS);
      }
    },
  };
}
