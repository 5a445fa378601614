// Periodic work inside the process: each job runs, rests and runs again, never twice at once on a node. Several nodes may
// run the same job, so every job must be safe to run concurrently. The rows themselves hold the state of the work, so a
// crash loses nothing and there is no queue to maintain (docs/decisions/0121-sweeps.md).
import { describeError, type Log } from './log.ts';
import { beginAtZero, type Metrics } from './metrics.ts';

export type Job = {
  readonly name: string;
  readonly everyMs: number;
  /** When it first runs after a start; the default is after one rest. */
  readonly firstAfterMs?: number;
  /** Returns how many items it processed. The signal aborts when the process stops: a long run ends at its next step. */
  run(signal?: AbortSignal): Promise<number>;
};

/** Up to a fifth more rest, so that nodes started together do not run together. */
const JITTER = 0.2;

export function startJobs(
  jobs: readonly Job[],
  { log, metrics }: { log: Log; metrics: Metrics },
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const timers = new Set<NodeJS.Timeout>();
  const underWay = new Set<Promise<void>>();

  async function runOnce(job: Job): Promise<void> {
    try {
      const count = await job.run(stopping.signal);
      metrics.jobs.inc({ name: job.name, outcome: 'done' });
      if (count > 0) log.info('job', { job: job.name, count });
    } catch (error) {
      metrics.jobs.inc({ name: job.name, outcome: 'failed' });
      log.error('job failed', { job: job.name, ...describeError(error) });
    }
  }

  function rest(job: Job, ms = job.everyMs): void {
    if (stopping.signal.aborted) return;
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

  beginAtZero(metrics.jobs, { name: jobs.map(({ name }) => name), outcome: ['done', 'failed'] });
  for (const job of jobs) rest(job, job.firstAfterMs);
  return {
    async stop() {
      stopping.abort();
      for (const timer of timers) clearTimeout(timer);
      await Promise.all(underWay);
    },
  };
}
