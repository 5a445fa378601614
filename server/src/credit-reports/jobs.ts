// What a crash, a silent carrier or an absent consumer leaves behind is finished here. The system role finds it; the
// same transactions as in a request settle it. No job ever asks a bureau or sends a message a second time.
import type { Job } from '../lib/jobs.ts';
import type { ReportDependencies } from './dependencies.ts';
import type { LiveDependencies } from './live.ts';
import { listAbandonedReports, listDueChallenges } from './live-store.ts';
import { purgeReports } from './purge-reports.ts';
import type { SmsDispatcher } from './send-sms.ts';
import type { Settled } from './settle-reports.ts';
import { settleSend } from './settle-send.ts';
import { listQueuedSends, listSilentSends, lockSend } from './sms-store.ts';

const SWEEP_MS = 5_000;
const HOUR_MS = 3_600_000;
const AT_A_TIME = 200;

/** Until there is no more: after the crash of a busy node there are more than fit into one look. */
async function sweep<Found>(list: () => Promise<Found[]>, settle: (found: Found) => Promise<boolean>): Promise<number> {
  let count = 0;
  for (;;) {
    const found = await list();
    const done = await Promise.all(found.map(settle));
    const settled = done.filter(Boolean).length;
    count += settled;
    // Somebody else settles the same ones: the next look, or the other node, takes the rest.
    if (found.length < AT_A_TIME || settled === 0) return count;
  }
}

const isSettled = ({ kind }: Settled) => kind === 'settled';

/** Reports whose worker is gone: nobody is asked again, the hold is given back. */
function settleAbandoned({ database }: ReportDependencies, live: LiveDependencies): Promise<number> {
  const outcome = { kind: 'failed', failure: 'interrupted' } as const;
  return sweep(
    () => database.asSystem((tx) => listAbandonedReports(tx, AT_A_TIME)),
    async (key) =>
      isSettled(await live.settle({ ...key, from: 'pending', actor: 'system', outcome, mayHaveKey: true })),
  );
}

/** Challenges whose five minutes are over, and fetches whose worker is gone. Both are refunded. */
function endDueChallenges({ database }: ReportDependencies, live: LiveDependencies): Promise<number> {
  const interrupted = { kind: 'failed', failure: 'interrupted' } as const;
  const actor = 'system';
  return sweep(
    () => database.asSystem((tx) => listDueChallenges(tx, AT_A_TIME)),
    async ({ tenantId, creditReportId, status }) =>
      isSettled(
        await live.settle(
          status === 'fetching'
            ? { tenantId, creditReportId, from: 'fetching', actor, outcome: interrupted, mayHaveKey: true }
            : { tenantId, creditReportId, from: 'challenged', actor, outcome: { kind: 'expired' }, mayHaveKey: false },
        ),
      ),
  );
}

/** A message is taken before it is submitted, so that two nodes that look at the same list submit it once. */
function submitQueued({ database }: ReportDependencies, dispatcher: SmsDispatcher): Promise<number> {
  return sweep(
    () => database.asSystem((tx) => listQueuedSends(tx, AT_A_TIME)),
    async ({ tenantId, id }) => {
      await dispatcher.submit(tenantId, id);
      return true;
    },
  );
}

function endSilent({ database }: ReportDependencies): Promise<number> {
  return sweep(
    () => database.asSystem((tx) => listSilentSends(tx, AT_A_TIME)),
    ({ tenantId, id }) =>
      database.forTenants([tenantId], async (tx) => {
        const send = await lockSend(tx, tenantId, id);
        if (send) await settleSend(tx, send, 'silent', { actor: 'system', carrierRef: null });
        return send !== undefined;
      }),
  );
}

export function reportJobs(
  dependencies: ReportDependencies,
  live: LiveDependencies | undefined,
  dispatcher: SmsDispatcher | undefined,
): Job[] {
  const jobs: Job[] = [{ name: 'purge-reports', everyMs: HOUR_MS, run: () => purgeReports(dependencies.database) }];
  if (live) {
    jobs.push(
      { name: 'settle-abandoned', everyMs: SWEEP_MS, run: () => settleAbandoned(dependencies, live) },
      { name: 'end-due-challenges', everyMs: SWEEP_MS, run: () => endDueChallenges(dependencies, live) },
      { name: 'end-silent-messages', everyMs: SWEEP_MS, run: () => endSilent(dependencies) },
    );
  }
  if (dispatcher) {
    jobs.push({ name: 'submit-messages', everyMs: SWEEP_MS, run: () => submitQueued(dependencies, dispatcher) });
  }
  return jobs;
}
