// Periodic work inside the process: each job runs, rests, runs again; never twice at once on a node. Jobs of several
// nodes may meet, so every job must be safe beside itself. The state of the work stands in the rows it looks for, so a
// crash loses nothing and there is no queue to keep (docs/decisions/0121).
import { describeError, type Log } from './log.ts';
import type { Metrics } from './metrics.ts';

export type Job = {
  readonly name: string;
  readonly everyMs: number;
  /** When it first runs after a start; after one rest unless told. */
  readonly firstAfterMs?: number;
  /** How many things it has dealt with. */
  run(): Promise<number>;
};

/** Up to a fifth more rest, so that nodes started together do not sweep together. */
const JITTER = 0.2;

export function startJobs(
  jobs: readonly Job[],
  { log, metrics }: { log: Log; metrics: Metrics },
): { stop(): Promise<void> } {
  let isStopped = false;
  const timers = new Set<NodeJS.Timeout>();
  const underWay = new Set<Promise<void>>();

  async function runOnce(job: Job): Promise<void> {
    try {
      const count = await job.run();
      metrics.jobs.inc({ job: job.name, outcome: 'done' });
      if (count > 0) log.info('job', { job: job.name, count });
    } catch (error) {
      metrics.jobs.inc({ job: job.name, outcome: 'failed' });
      log.error('job failed', { job: job.name, ...describeError(error) });
    }
  }

  function rest(job: Job, ms = job.everyMs): void {
    if (isStopped) return;
    const timer = setTimeout(
      () => {
        timers.delete(timer);
        const run = runOnce(job).finally(() => {
          underWay.delete(run);
          rest(job);
        });
        underWay.add(run);
      },
      ms * (1 + Math.random() * JITTER),
    );
    timers.add(timer);
  }

  for (const job of jobs) rest(job, job.firstAfterMs);
  return {
    async stop() {
      isStopped = true;
      for (const timer of timers) clearTimeout(timer);
      await Promise.all(underWay);
    },
  };
}
