// How much of the machine a run had. On a host that other machines share, the processor is taken away for seconds, and other programs
// use it too; a time that was missed then says nothing about the service.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

export type Machine = {
  /** Of the processor time that this machine's programs wanted. */
  readonly stolenShare: number;
  /** Of the run: the time for which an idle thread was not let run. */
  readonly pausedShare: number;
  /** The longest time for which that thread was not let run. */
  readonly longestStopMs: number;
  /** Of the machine's processor time: what programs outside the run used. PostgreSQL and Redis work for the run. */
  readonly foreignShare: number;
};

export const LOOK_MS = 50;
/** A shorter pause is what any busy machine has. */
export const LATE_MS_MIN = 50;
/** The places of the figures that the clock's thread writes. */
export const FIGURES = { lateMs: 0, longestMs: 1, foreignTicks: 2, totalTicks: 3 } as const;
/** The states of that thread. */
export const RUNNING = 0;
export const ENDING = 1;
export const ENDED = 2;
/** The thread looks every LOOK_MS; one that could not start must not hold up the run. */
const ENDING_MS_MAX = 1_000;

/** A drill that only missed times is not judged above these (exit code 4). */
const SLOW = { stolenShare: 0.1, pausedShare: 0.05 };
/** A check that is judged by time, rate or ratio is not judged above these. */
const NOISY = { stopMs: 300, stolenShare: 0.01, foreignShare: 0.15 };

export type Ticks = { readonly used: number; readonly stolen: number; readonly total: number };

/** Processor time since the machine started, in ticks: used by programs, taken by the host, and all there was. */
export function readTicks(): Ticks {
  try {
    const line = /^cpu +(.+)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1] ?? '';
    // The fields after these are guests' time, which is in user and nice already.
    const fields = line.split(' ').slice(0, 8).map(Number);
    const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, stolen = 0] = fields;
    const total = fields.reduce((sum, each) => sum + each, 0);
    return { used: user + nice + system + irq + softirq, stolen, total };
  } catch {
    // Not Linux: only the pauses are known.
    return { used: 0, stolen: 0, total: 0 };
  }
}

export type Watch = {
  /** Before it, nothing is seen. A run need not wait for it. */
  readonly started: Promise<unknown>;
  stop(): Machine;
};

/** The kernel counts the time of a process and of the machine separately: in a short run a part can be a tick more than the whole. */
export const shareOf = (ticks: number, allTicks: number): number => Math.min(1, ticks / Math.max(1, allTicks));

/** The run is the process `rootId` with everything that it starts. */
export function watchMachine(rootId: number = process.pid): Watch {
  const before = readTicks();
  const startedMs = performance.now();
  const figures = new Float64Array(new SharedArrayBuffer(Object.keys(FIGURES).length * Float64Array.BYTES_PER_ELEMENT));
  const state = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const clock = new Worker(new URL('./machine-clock.ts', import.meta.url), {
    workerData: { figures: figures.buffer, state: state.buffer, rootId },
  });
  // Without the thread the run goes on, and counts as not paused.
  clock.on('error', () => undefined);
  const started = once(clock, 'message').catch(() => undefined);
  clock.unref();
  return {
    started,
    stop() {
      // A stop that has just ended, and the work of the last second, must be in the figures.
      Atomics.store(state, 0, ENDING);
      Atomics.wait(state, 0, ENDING, ENDING_MS_MAX);
      void clock.terminate();
      const { used, stolen } = readTicks();
      const took = stolen - before.stolen;
      const figure = (name: keyof typeof FIGURES) => figures[FIGURES[name]] ?? 0;
      return {
        stolenShare: took / Math.max(1, took + used - before.used),
        pausedShare: figure('lateMs') / (performance.now() - startedMs),
        longestStopMs: Math.round(figure('longestMs')),
        foreignShare: shareOf(figure('foreignTicks'), figure('totalTicks')),
      };
    },
  };
}

export function isSlow({ stolenShare, pausedShare }: Pick<Machine, 'stolenShare' | 'pausedShare'>): boolean {
  return stolenShare > SLOW.stolenShare || pausedShare > SLOW.pausedShare;
}

export function isNoisy({ longestStopMs, stolenShare, foreignShare }: Omit<Machine, 'pausedShare'>): boolean {
  return longestStopMs > NOISY.stopMs || stolenShare > NOISY.stolenShare || foreignShare > NOISY.foreignShare;
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

export function machineText({ stolenShare, pausedShare, longestStopMs, foreignShare }: Machine): string {
  return (
    `${percent(stolenShare)} of the processor taken by the host, ${percent(foreignShare)} used by other programs, ` +
    `paused for ${percent(pausedShare)} of the time, for ${longestStopMs} ms at most`
  );
}
