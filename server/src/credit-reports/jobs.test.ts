// When a sweep may take over the work of another worker: the figures of production, which journeys shorten.
import { expect, test } from 'vitest';
import { type JobDependencies, reportJobs } from './jobs.ts';

const DUE = { tenantId: 't', creditReportId: 'r', failure: null };

/** Runs the job once, in a process that has reached the database for so long. Returns the states whose work it took over. */
async function sweep(name: string, reachableMs: number): Promise<string[]> {
  const taken: string[] = [];
  const answers = {
    // The first statement notes the sweeper itself.
    'settle-abandoned': [undefined, [{ tenantId: 't', creditReportId: 'r' }]],
    'end-due-challenges': [
      [
        { ...DUE, status: 'fetching' },
        { ...DUE, status: 'challenged' },
      ],
    ],
  }[name]?.values();
  const dependencies = {
    database: { asSystem: async () => answers?.next().value },
    queue: {
      settle: async ({ from }: { from: string }) => {
        taken.push(from);
        return { kind: 'settled' };
      },
    },
    reachableForMs: () => reachableMs,
  } as unknown as JobDependencies;
  const live = {} as NonNullable<Parameters<typeof reportJobs>[1]>;
  await reportJobs(dependencies, live)
    .find((job) => job.name === name)
    ?.run(new AbortController().signal);
  return taken;
}

test.each([
  // job, for how long the database was reachable, taken over
  ['settle-abandoned', 9_999, []],
  ['settle-abandoned', 10_000, ['pending']],
  // A challenge that is over belongs to no worker.
  ['end-due-challenges', 9_999, ['challenged']],
  ['end-due-challenges', 10_000, ['fetching', 'challenged']],
])('%s, database reachable for %i ms: takes over %j', async (name, reachableMs, taken) => {
  expect(await sweep(name, reachableMs)).toEqual(taken);
});
