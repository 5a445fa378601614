// One round after another: the load runs, a part fails and is mended, and what was acknowledged is compared with the database.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../bench/merge/random.ts';
import { reconcile } from '../../server/src/reconciliation/reconcile.ts';
import { check } from '../chaos/checks.ts';
import type { Answer } from '../chaos/client.ts';
import type { Stage } from '../chaos/stage.ts';
import type { Tally } from '../chaos/tally.ts';
import { aboutBooks, countOpen } from '../chaos/watch.ts';
import { BUREAU_PARTS } from '../dev/ask-simulators.ts';
import type { Cluster } from './cluster.ts';
import type { Crowd } from './crowd.ts';
import { longestGapMs } from './gaps.ts';
import type { Whole } from './health.ts';
import { startInsider } from './insider.ts';
import { findLosses } from './losses.ts';
import type { Scenario, Scene } from './scenarios.ts';
import { GAP, type Limits, memberOf, REJOIN, type Timing } from './settings.ts';

export type Show = {
  readonly cluster: Cluster;
  readonly stage: Stage;
  readonly crowd: Crowd;
  readonly tally: Tally;
  readonly random: Random;
  readonly timing: Timing;
  readonly limits: Limits;
};

export type Round = {
  /** By which a round is found in the logs of the cluster. */
  readonly failedAt: string;
  /** Before and after, as `pg1 → pg2`. */
  readonly primaries: string;
  /** The longest time without an acknowledged write: of the API's clients, and of the teller. */
  readonly gapMs: number;
  readonly creditGapMs: number;
  /** From the end of the mending until all members stream on one timeline. */
  readonly rejoinMs: number;
  /** Reports and credits that were acknowledged so far, over all rounds. */
  readonly reports: number;
  readonly credits: number;
  /** Of those, purchases on the primary's own machine, in this round. */
  readonly insideCredits: number;
  /** Slow reports whose bureaus were asked before the failure, and how many of them are complete. */
  readonly asked: number;
  readonly completed: number;
  /** Answers 503 in this round. */
  readonly unavailable: number;
  readonly lost: number;
  readonly doubled: number;
};

const WHOLE_MS_MAX = 180_000;
/** For waiting, beyond the gap that is allowed: a longer gap must be measured and not end the run. */
const PATIENCE_MS = 45_000;
const QUIET_MS = { least: 1_000, most: 3_000 };
/** The slow reports' bureaus are asked by then, and have not all answered. */
const LEAD_MS = 1_500;
/** By then no answer is on its way that was acknowledged before the failure. */
const AFTERWARDS_MS = 1_500;
const RECONCILED_MS = 120_000;
const SETTLE_MS_MAX = 180_000;
const SETTLE_LOOK_MS = 500;

const patienceMs = ({ gapMs }: Limits) => gapMs + PATIENCE_MS;

type Enquiry = { readonly enquiryId: string; readonly firstAt: string };

async function listEnquiries({ providers }: Stage, name: 'albion' | 'beacon' | 'cygnet'): Promise<Enquiry[]> {
  const response = await fetch(`${providers.addresses[name]}/control/enquiries`);
  return ((await response.json()) as { enquiries: Enquiry[] }).enquiries;
}

/** The slow bureau was asked before the failure: such a report must complete, whatever the database did meanwhile. */
async function judgeSlow({ stage, tally }: Show, answers: readonly (Answer | undefined)[], failedAt: number) {
  const before = new Set(
    (await listEnquiries(stage, 'cygnet'))
      .filter(({ firstAt }) => Date.parse(firstAt) < failedAt)
      .map(({ enquiryId }) => enquiryId),
  );
  const asked = answers.filter((answer) => before.has(answer?.body.data?.creditReportId ?? ''));
  const completed = asked.filter((answer) => answer?.body.data?.status === 'complete');
  if (asked.length === 0) tally.find('a failure finds reports whose bureaus were asked', 'none was');
  for (const answer of asked) {
    const { creditReportId, status } = answer?.body.data ?? {};
    if (status === 'complete') continue;
    tally.find('reports whose bureaus were asked before the failure complete', `${creditReportId}: ${status}`);
  }
  return { asked: asked.length, completed: completed.length };
}

function sceneOf({ cluster, crowd, timing, limits, random }: Show, before: Whole): Scene {
  return {
    ...{ cluster, timing, random, primary: before.primary },
    standby: before.synchronous ?? before.standbys[0] ?? before.primary,
    anyone: random.pick([before.primary, ...before.standbys]),
    waitForWrites: () => crowd.waitForWrites(performance.now() + AFTERWARDS_MS, patienceMs(limits)),
  };
}

function judgePrimary({ primaryAfter, name }: Scenario, before: Whole, after: Whole, tally: Tally): void {
  const isSame = before.primary === after.primary;
  if (primaryAfter === 'another' && isSame) tally.find('another machine becomes primary', `${name}: it did not`);
  if (primaryAfter === 'same' && !isSame) tally.find('the primary stays', `${name}: it did not`);
  if (!isSame && after.timeline <= before.timeline) {
    tally.find('a new primary starts a new timeline', `${before.timeline} and then ${after.timeline}`);
  }
}

async function judgeBooks({ stage, crowd, tally }: Show) {
  const { lost, doubled } = await findLosses(stage.query, crowd.records, crowd.credits);
  for (const what of lost) tally.find('nothing acknowledged is lost', what);
  for (const what of doubled) tally.find('nothing is charged or credited twice', what);
  const { findings } = await reconcile(stage.database, new Date(Date.now() - RECONCILED_MS));
  for (const { check: name, subjectId, detail, isBreak } of findings) {
    if (isBreak) tally.find(aboutBooks(name, 'after a round'), `${subjectId}: ${detail}`);
  }
  return { lost: lost.length, doubled: doubled.length };
}

async function enlistInsider({ stage, crowd }: Show, before: Whole) {
  const [row] = await stage.query<{ name: string }>('select current_database() as name');
  let acknowledged = 0;
  const insider = await startInsider({
    ...{ machine: before.primary, databaseName: row?.name ?? '', tenantId: stage.tenants[1].tenantId },
    onAcknowledged(sourceId) {
      acknowledged += 1;
      crowd.credits.add(sourceId);
    },
  });
  return { stop: insider.stop, acknowledged: () => acknowledged };
}

/** Fails once and ends with a whole cluster. The control ends when clients are acknowledged again. */
export async function playRound(show: Show, scenario: Scenario, isControl = false): Promise<Round> {
  const { cluster, crowd, tally, random, limits } = show;
  const before = await cluster.waitUntilWhole(WHOLE_MS_MAX);
  await crowd.waitForWrites(performance.now(), patienceMs(limits));
  await sleep(random.between(QUIET_MS.least, QUIET_MS.most));
  const insider = scenario.hasInsider && (await enlistInsider(show, before));
  const slow = crowd.generateSlow();
  await sleep(LEAD_MS);
  const [fromMs, failedAt, unavailable] = [performance.now(), Date.now(), crowd.heard.unavailable];
  const scene = sceneOf(show, before);
  await scenario.fail(scene);
  if (isControl) await scene.waitForWrites();
  else await scenario.mend(scene);
  const mendedMs = performance.now();
  const after = isControl ? before : await cluster.waitUntilWhole(WHOLE_MS_MAX);
  const rejoinMs = performance.now() - mendedMs;
  // Whole again, and the clients notice: the end of a gap is inside what is measured.
  await crowd.waitForWrites(performance.now(), patienceMs(limits));
  const toMs = performance.now();
  if (insider) await insider.stop();
  const gapMs = longestGapMs(crowd.acknowledgedMs.reports, fromMs, toMs);
  const creditGapMs = longestGapMs(crowd.acknowledgedMs.credits, fromMs, toMs);
  if (Math.max(gapMs, creditGapMs) > limits.gapMs) {
    const gaps = `${Math.round(gapMs)} ms, credits ${Math.round(creditGapMs)} ms`;
    tally.find(GAP, `${scenario.name}: ${gaps}, and the limit is ${limits.gapMs} ms`);
  }
  if (rejoinMs > limits.rejoinMs) {
    tally.find(REJOIN, `${scenario.name}: ${Math.round(rejoinMs)} ms, and the limit is ${limits.rejoinMs} ms`);
  }
  if (!isControl) judgePrimary(scenario, before, after, tally);
  // The control may have lost the slow reports too.
  const slowFigures = isControl ? { asked: 0, completed: 0 } : await judgeSlow(show, await slow, failedAt);
  const books = await judgeBooks(show);
  return {
    failedAt: new Date(failedAt).toISOString(),
    primaries: isControl ? memberOf(before.primary) : `${memberOf(before.primary)} → ${memberOf(after.primary)}`,
    ...{ gapMs, creditGapMs, rejoinMs, ...slowFigures, ...books },
    ...{ reports: crowd.records.size, credits: crowd.credits.size },
    insideCredits: insider ? insider.acknowledged() : 0,
    unavailable: crowd.heard.unavailable - unavailable,
  };
}

/** A lease lasts thirty seconds, and a sweep runs every five. */
async function settle(stage: Stage): Promise<void> {
  const endMs = performance.now() + SETTLE_MS_MAX;
  const isOpen = async () => Object.values(await countOpen(stage)).some((number) => number > 0);
  while ((stage.front.waiting() > 0 || (await isOpen())) && performance.now() < endMs) await sleep(SETTLE_LOOK_MS);
}

const INTERRUPTED = `select id::text from credit_reports where failure = 'interrupted' and not is_test`;

/** After the load: the whole check of the chaos run, and that no node gave up a report that bureaus were asked about. */
export async function checkAll({ stage, crowd, tally }: Show): Promise<void> {
  await settle(stage);
  await check(stage, crowd.records, tally);
  const asked = new Set<string>();
  for (const name of Object.values(BUREAU_PARTS)) {
    for (const { enquiryId } of await listEnquiries(stage, name)) asked.add(enquiryId);
  }
  for (const { id } of await stage.query<{ id: string }>(INTERRUPTED)) {
    if (asked.has(id)) tally.find('reports whose bureaus were asked before the failure complete', `${id} was given up`);
  }
}
