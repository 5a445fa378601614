// How much of the machine a run had. On a host that other machines share, the processor is taken away for seconds; a time
// that was missed then says nothing about the service.
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

export type Machine = {
  /** Of the processor time that this machine's programs wanted. */
  readonly stolenShare: number;
  /** Of the run: the time for which an idle thread was not let run. */
  readonly pausedShare: number;
};

export const LOOK_MS = 50;
/** A shorter pause is what any busy machine has. */
export const LATE_MS_MIN = 50;
const STOLEN_SHARE_MAX = 0.1;
const PAUSED_SHARE_MAX = 0.05;

/** Processor time since the machine started, in ticks: used by programs, and taken by the host. */
function readTicks(): { used: number; stolen: number } {
  try {
    const line = /^cpu +(.+)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1] ?? '';
    const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, stolen = 0] = line.split(' ').map(Number);
    return { used: user + nice + system + irq + softirq, stolen };
  } catch {
    // Not Linux: only the pauses are known.
    return { used: 0, stolen: 0 };
  }
}

export function watchMachine(): { stop(): Machine } {
  const before = readTicks();
  const startedMs = performance.now();
  const late = new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT);
  const clock = new Worker(new URL('./machine-clock.ts', import.meta.url), { workerData: late });
  // Without it the run goes on, and counts as not paused.
  clock.on('error', () => undefined);
  clock.unref();
  return {
    stop() {
      void clock.terminate();
      const { used, stolen } = readTicks();
      const took = stolen - before.stolen;
      return {
        stolenShare: took / Math.max(1, took + used - before.used),
        pausedShare: (new Float64Array(late)[0] ?? 0) / (performance.now() - startedMs),
      };
    },
  };
}

export function isSlow({ stolenShare, pausedShare }: Machine): boolean {
  return stolenShare > STOLEN_SHARE_MAX || pausedShare > PAUSED_SHARE_MAX;
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

export function machineText({ stolenShare, pausedShare }: Machine): string {
  return `${percent(stolenShare)} of the processor taken by the host, paused for ${percent(pausedShare)} of the time`;
}
