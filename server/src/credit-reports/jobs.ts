// Finishes what a crash, a silent carrier or an absent consumer left behind. The system role finds the rows; the same
// transactions as in a request settle them. No job ever asks a bureau or sends a message a second time.
import { newId } from '../lib/ids.ts';
import { markJob } from '../lib/job-marks.ts';
import type { Job } from '../lib/jobs.ts';
import { settleEach } from '../lib/settle-each.ts';
import type { ReportDependencies } from './dependencies.ts';
import {
  type DueChallenge,
  getUnsettledSeconds,
  listAbandonedReports,
  listDueChallenges,
  upsertSweeper,
} from './live/live-store.ts';
import type { Settled, Settlement } from './live/settle-reports.ts';
import type { AskCarrier } from './messages/ask-carrier.ts';
import type { Receipts } from './messages/receive-receipt.ts';
import type { SmsDispatcher } from './messages/send-sms.ts';
import { listQueuedSends, listSilentSends } from './messages/sms-store.ts';
import { tallyReports } from './reading/tally-reports.ts';
import type { ReportMetrics } from './report-metrics.ts';
import { expireInSandbox } from './sandbox/expire-in-sandbox.ts';

const SWEEP_MS = 5_000;
/** Reports that wait for their tally are counted by each request for counts. */
const TALLY_MS = 5 * 60_000;
const WATCH_MS = 15_000;
const AT_A_TIME = 200;
/** If a settlement takes longer, the next sweep finds it again. */
const WITHIN_MS = 5_000;

/** Repeats until nothing is left: after the crash of a busy node there is more than one batch. */
async function sweep<Found>(list: () => Promise<Found[]>, settle: (found: Found) => Promise<boolean>): Promise<number> {
  let count = 0;
  for (;;) {
    const found = await list();
    const settled = await settleEach(found, async (each) => Number(await settle(each)));
    count += settled;
    // Another process settles the same rows: the next sweep, or the other node, takes the rest.
    if (found.length < AT_A_TIME || settled === 0) return count;
  }
}

const isSettled = ({ kind }: Settled) => kind === 'settled';

/** Reports whose worker is gone: no provider is asked again, and the hold is released. */
function settleAbandoned({ database, queue }: JobDependencies): Promise<number> {
  const outcome = { kind: 'failed', failure: 'interrupted' } as const;
  return sweep(
    () => database.asSystem((tx) => listAbandonedReports(tx, AT_A_TIME)),
    async (key) =>
      isSettled(await queue.settle({ ...key, from: 'pending', actor: 'system', outcome, mayHaveKey: true }, WITHIN_MS)),
  );
}

function endOf({ tenantId, creditReportId, status, failure }: DueChallenge): Settlement {
  const key = { tenantId, creditReportId, actor: 'system' };
  if (status === 'fetching')
    return { ...key, from: 'fetching', outcome: { kind: 'failed', failure: 'interrupted' }, mayHaveKey: true };
  // Its last code was wrong, and the request that submitted it could not refund the report.
  if (failure !== null) return { ...key, from: 'challenged', outcome: { kind: 'failed', failure }, mayHaveKey: true };
  return { ...key, from: 'challenged', outcome: { kind: 'expired' }, mayHaveKey: true };
}

/** Challenges that are over, and fetches whose worker is gone. All get a refund. */
function endDueChallenges({ database, queue }: JobDependencies, mayTakeLeases: () => boolean): Promise<number> {
  return sweep(
    async () => {
      const due = await database.asSystem((tx) => listDueChallenges(tx, AT_A_TIME));
      return due.filter(({ status }) => status !== 'fetching' || mayTakeLeases());
    },
    async (due) => isSettled(await queue.settle(endOf(due), WITHIN_MS)),
  );
}

/** A worker claims a message before it submits it, so that two nodes with the same list submit it once. */
function submitQueued({ database }: JobDependencies, dispatcher: SmsDispatcher): Promise<number> {
  return sweep(
    () => database.asSystem((tx) => listQueuedSends(tx, AT_A_TIME)),
    async ({ tenantId, id }) => {
      await dispatcher.submit(tenantId, id);
      return true;
    },
  );
}

function endSilent({ database, queue }: JobDependencies, canAsk: boolean): Promise<number> {
  return sweep(
    () => database.asSystem((tx) => listSilentSends(tx, AT_A_TIME, canAsk)),
    async ({ tenantId, id: sendId }) => {
      const proof = { tenantId, sendId, proof: 'silent', actor: 'system', carrierRef: null } as const;
      return (await queue.prove(proof)).kind === 'applied';
    },
  );
}

export type JobDependencies = Pick<ReportDependencies, 'database' | 'queue'> & {
  /** How long this process has been able to reach the database without interruption. */
  readonly reachableForMs: () => number;
  readonly metrics: Pick<ReportMetrics, 'unsettled'>;
};

/** Undefined while live mode is unavailable. */
export type LiveJobs =
  | {
      readonly dispatcher: SmsDispatcher;
      readonly receipts: Receipts;
      /** Undefined when the carrier offers no status query. */
      readonly askCarrier: AskCarrier | undefined;
    }
  | undefined;

/**
 * A worker that was cut off from the database settles its work as soon as it can. So a sweep takes over only leases
 * that ran out while the database was reachable for this long.
 */
const SEEN_MS = 10_000;

/** The sweep that every process with jobs makes, whatever its settings. */
export const TEST_SWEEP = 'expire-test-challenges';

export function reportJobs(dependencies: JobDependencies, live: LiveJobs, seenMs = SEEN_MS): Job[] {
  const { database, reachableForMs, metrics } = dependencies;
  const mayTakeLeases = () => reachableForMs() >= seenMs;
  const sweeperId = newId();
  async function settleIfTrusted(): Promise<number> {
    const reachableMs = reachableForMs();
    await database.asSystem((tx) => upsertSweeper(tx, sweeperId, reachableMs));
    return reachableMs >= seenMs ? settleAbandoned(dependencies) : 0;
  }
  async function watch(): Promise<number> {
    metrics.unsettled.set(await database.asSystem(getUnsettledSeconds));
    return 0;
  }
  const expireTests: Job = {
    name: TEST_SWEEP,
    everyMs: SWEEP_MS,
    async run() {
      const count = await expireInSandbox(database);
      await markJob(database, TEST_SWEEP);
      return count;
    },
  };
  const tally: Job = {
    name: 'tally-reports',
    everyMs: TALLY_MS,
    firstAfterMs: SWEEP_MS,
    run: (signal) => tallyReports(database, signal),
  };
  if (!live) return [expireTests, tally];
  const { dispatcher, receipts, askCarrier } = live;
  return [
    expireTests,
    tally,
    { name: 'settle-abandoned', everyMs: SWEEP_MS, run: settleIfTrusted },
    { name: 'watch-settlement', everyMs: WATCH_MS, firstAfterMs: SWEEP_MS, run: watch },
    { name: 'end-due-challenges', everyMs: SWEEP_MS, run: () => endDueChallenges(dependencies, mayTakeLeases) },
    { name: 'end-silent-messages', everyMs: SWEEP_MS, run: () => endSilent(dependencies, askCarrier !== undefined) },
    { name: 'submit-messages', everyMs: SWEEP_MS, run: () => submitQueued(dependencies, dispatcher) },
    { name: 'apply-receipts', everyMs: SWEEP_MS, run: () => receipts.applyPending() },
    ...(askCarrier ? [{ name: 'ask-carrier', everyMs: SWEEP_MS, run: askCarrier }] : []),
  ];
}
