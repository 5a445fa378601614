// Hashes the people of reports that have ended, ahead of searches; finishes erasures that a crash cut off; and erases what carriers
// say of messages after the erasure of their reports.
import type { Job } from '../lib/jobs.ts';
import { listAllTenantIds } from '../tenants/list-tenants.ts';
import { type EraseDependencies, eraseLate, finishErasure } from './erase-subject.ts';
import { indexReports } from './index-reports.ts';
import { listRecent, listUnfinished } from './store.ts';

export { ERASURES } from './store.ts';

const INDEX_MS = 5 * 60_000;
const FINISH_MS = 60_000;
const LATE_MS = 3_600_000;
/** Of one tenant in one run: a company with a million older reports does not keep the others waiting. */
const TENANT_MS = 30_000;
const AT_A_TIME = 50;
const RECENT_MAX = 10_000;

/** The first failure, after everything else was tried: one tenant's missing key must not stop the others. */
async function tryEach<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) await work(item).catch((error) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

export function subjectJobs(dependencies: EraseDependencies): Job[] {
  const { database } = dependencies;
  return [
    {
      name: 'index-subjects',
      everyMs: INDEX_MS,
      firstAfterMs: FINISH_MS,
      async run(signal) {
        const tenantIds = await database.asSystem(listAllTenantIds);
        await tryEach(tenantIds, async (tenantId) => {
          if (signal?.aborted) return;
          await indexReports(dependencies, tenantId, { untilMs: performance.now() + TENANT_MS, signal });
        });
        return 0;
      },
    },
    {
      name: 'finish-erasures',
      everyMs: FINISH_MS,
      async run() {
        const unfinished = await database.asSystem((tx) => listUnfinished(tx, AT_A_TIME));
        await tryEach(unfinished, async (erasure) => {
          await finishErasure(dependencies, erasure);
        });
        return unfinished.length;
      },
    },
    {
      name: 'erase-late-receipts',
      everyMs: LATE_MS,
      async run(signal) {
        const recent = await database.asSystem((tx) => listRecent(tx, RECENT_MAX));
        await tryEach(recent, async (erasure) => {
          if (!signal?.aborted) await eraseLate(dependencies, erasure);
        });
        return 0;
      },
    },
  ];
}
