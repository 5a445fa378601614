// Periodic work: a job never overlaps itself, survives its own failure, and ends when the process stops.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Job, startJobs } from './jobs.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

let lines: string[];
let counts: string[];
beforeEach(() => {
  vi.useFakeTimers();
  lines = [];
  counts = [];
});
afterEach(() => {
  vi.useRealTimers();
});

const note = (level: string) => (text: string, fields?: object) =>
  lines.push(`${level} ${text} ${JSON.stringify(fields)}`);
const log = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') } as unknown as Log;
const metrics = {
  jobs: { inc: (labels: object, by = 1) => counts.push(`${by} ${JSON.stringify(labels)}`) },
} as unknown as Metrics;
const start = (...jobs: Job[]) => startJobs(jobs, { log, metrics });

test('runs after its rest, again and again, at most a fifth late', async () => {
  let runs = 0;
  const jobs = start({ name: 'sweep', everyMs: 1_000, run: async () => ++runs });
  await vi.advanceTimersByTimeAsync(999);
  expect(runs).toBe(0);
  await vi.advanceTimersByTimeAsync(201);
  expect(runs).toBe(1);
  await vi.advanceTimersByTimeAsync(10_800);
  expect(runs).toBeGreaterThanOrEqual(9);
  expect(runs).toBeLessThanOrEqual(12);
  await jobs.stop();
});

test('a slow run is never overtaken by the next: it rests only when it has ended', async () => {
  let [running, most, runs] = [0, 0, 0];
  const jobs = start({
    name: 'slow',
    everyMs: 100,
    async run() {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 5_000));
      running -= 1;
      return ++runs;
    },
  });
  await vi.advanceTimersByTimeAsync(20_000);
  expect(most).toBe(1);
  expect(runs).toBe(3);
  const stopped = jobs.stop();
  await vi.advanceTimersByTimeAsync(5_000);
  await stopped;
});

test('a run that fails is logged and counted, and the job goes on', async () => {
  let runs = 0;
  const jobs = start({
    name: 'broken',
    everyMs: 1_000,
    async run() {
      runs += 1;
      throw new Error('no luck');
    },
  });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(runs).toBeGreaterThanOrEqual(4);
  // Both outcomes begin at 0: Prometheus does not see the first value of a series as an increase.
  expect(counts.slice(0, 2)).toEqual([
    '0 {"name":"broken","outcome":"done"}',
    '0 {"name":"broken","outcome":"failed"}',
  ]);
  expect(counts.slice(2, 6)).toEqual(Array(4).fill('1 {"name":"broken","outcome":"failed"}'));
  expect(lines[0]).toMatch(/^error job failed .*"job":"broken"/);
  await jobs.stop();
});

test('one job’s failure or slowness does not hold up another', async () => {
  let runs = 0;
  const jobs = start(
    { name: 'stuck', everyMs: 100, run: () => new Promise((resolve) => setTimeout(resolve, 60_000, 0)) },
    { name: 'broken', everyMs: 100, run: () => Promise.reject(new Error('no luck')) },
    { name: 'fine', everyMs: 1_000, run: async () => ++runs },
  );
  await vi.advanceTimersByTimeAsync(12_500);
  expect(runs).toBeGreaterThanOrEqual(10);
  const stopped = jobs.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  await stopped;
});

test('a run that found nothing is counted and not logged; one that did is logged with how many', async () => {
  const found = [0, 3];
  const jobs = start({ name: 'sweep', everyMs: 1_000, run: async () => found.shift() ?? 0 });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(lines).toEqual(['info job {"job":"sweep","count":3}']);
  expect(counts.length).toBeGreaterThanOrEqual(4);
  await jobs.stop();
});

test('stop waits for the run under way and starts no other', async () => {
  let [started, ended] = [0, 0];
  const jobs = start({
    name: 'slow',
    everyMs: 100,
    async run() {
      started += 1;
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      return ++ended;
    },
  });
  await vi.advanceTimersByTimeAsync(150);
  expect([started, ended]).toEqual([1, 0]);
  let isStopped = false;
  const stopped = jobs.stop().then(() => {
    isStopped = true;
  });
  await vi.advanceTimersByTimeAsync(500);
  expect(isStopped).toBe(false);
  await vi.advanceTimersByTimeAsync(600);
  await stopped;
  expect([started, ended]).toEqual([1, 1]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(started).toBe(1);
});

test('stop is told to the run under way, which may end early', async () => {
  let steps = 0;
  const jobs = start({
    name: 'long',
    everyMs: 100,
    async run(signal) {
      for (; steps < 100 && !signal?.aborted; steps += 1) await new Promise((resolve) => setTimeout(resolve, 1_000));
      return steps;
    },
  });
  await vi.advanceTimersByTimeAsync(2_500);
  const stopped = jobs.stop();
  await vi.advanceTimersByTimeAsync(1_000);
  await stopped;
  expect(steps).toBe(3);
});

test('stop before anything ran: nothing ever runs', async () => {
  let runs = 0;
  await start({ name: 'sweep', everyMs: 1_000, run: async () => ++runs }).stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(runs).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});
