// Quiet and fault windows in turn, and the comparison between them: a machine that slows down for a while then slows
// down both. A p99 of fewer than a thousand samples is the worst of a few, and is not judged.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tally } from '../chaos/tally.ts';
import type { Client } from './client.ts';
import type { Told } from './records.ts';

export const SAMPLES_MIN = 1_000;
/** What a busy machine adds by itself: a bar of three times two milliseconds would judge the machine. */
const GRACE_MS = 50;

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** An answer, or whatever else takes its time. */
type Timed = Pick<Told, 'window' | 'ms'>;

export const p99 = (answers: readonly Timed[]) =>
  Math.round(
    quantile(
      answers.map(({ ms }) => ms),
      0.99,
    ) * 10,
  ) / 10;

/** At most `times` as long as in the quiet windows, or so little longer that a client does not notice. */
export function mayTake(quietMs: number, times: number, graceMs = GRACE_MS): number {
  return Math.max(times * quietMs, quietMs + graceMs);
}

export type Turns = {
  readonly turns: number;
  readonly seconds: number;
  /** Before each fault: nothing is measured. */
  readonly prepare?: () => unknown;
  readonly begin: () => unknown;
  readonly end: () => unknown;
  /** Between the end of a fault and the next quiet window: nothing is measured. */
  readonly restMs?: number;
};

export async function alternate(
  client: Client,
  { turns, seconds, prepare, begin, end, restMs = 1_000 }: Turns,
): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    client.window = 'quiet';
    await sleep(seconds * 1_000);
    client.window = 'rest';
    await prepare?.();
    client.window = 'fault';
    await begin();
    await sleep(seconds * 1_000);
    client.window = 'rest';
    await end();
    await sleep(restMs);
  }
}

export type Compared = { readonly quietP99Ms: number; readonly faultP99Ms: number; readonly samples: number };

export type Comparison = {
  readonly what: string;
  readonly times: number;
  /** So much longer is never too long; fifty milliseconds unless told. */
  readonly graceMs?: number;
  readonly answers: readonly Timed[];
  /** A short run has too few samples to judge a p99: it shows the figure and judges the rest. */
  readonly isShort: boolean;
};

/** Judged by time: a noisy machine explains the first, a slow one the second. */
export const LATE_IN_FAULT = 'p99 in the fault at most its multiple of quiet';
export const FEW_SAMPLES = 'a p99 has enough samples';

/** The p99 of the fault windows against the quiet windows'. */
export function compare(tally: Tally, { what, times, graceMs, answers, isShort }: Comparison): Compared {
  const of = (window: Told['window']) => answers.filter((told) => told.window === window);
  const [quiet, fault] = [of('quiet'), of('fault')];
  const [quietP99Ms, faultP99Ms] = [p99(quiet), p99(fault)];
  const samples = Math.min(quiet.length, fault.length);
  const barMs = mayTake(quietP99Ms, times, graceMs);
  if (samples < SAMPLES_MIN) {
    if (!isShort) tally.find(FEW_SAMPLES, `${what}: a p99 of ${samples} samples instead of ${SAMPLES_MIN}`);
  } else if (!(faultP99Ms <= barMs)) {
    const figures = `quiet ${quietP99Ms} ms, in the fault ${faultP99Ms} ms`;
    tally.find(LATE_IN_FAULT, `${what}: p99 at most ${times} × quiet: ${figures}`);
  }
  return { quietP99Ms, faultP99Ms, samples };
}
