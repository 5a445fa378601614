// A thread of its own: it is late for its timer only when the machine does not let it run, however busy the run itself is. It also
// looks once a second at what other programs use.
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { ENDED, ENDING, FIGURES, LATE_MS_MIN, LOOK_MS, RUNNING, readTicks } from './machine.ts';
import { countForeign, listProcesses } from './processes.ts';

type Given = { readonly figures: SharedArrayBuffer; readonly state: SharedArrayBuffer; readonly rootId: number };

const given = workerData as Given;
const figures = new Float64Array(given.figures);
const state = new Int32Array(given.state);
const COUNT_EVERY = 20;
const HIGHEST = -20;

try {
  // Of this thread alone, on Linux. Otherwise the run's own load on all processors would look like a stop of the machine.
  setPriority(HIGHEST);
} catch {
  // Only root may.
}

const foreign = countForeign(given.rootId);
const ticksAtStart = readTicks().total;
function count(): void {
  foreign.look(listProcesses());
  figures[FIGURES.foreignTicks] = foreign.ticks();
  figures[FIGURES.totalTicks] = readTicks().total - ticksAtStart;
}

count();
let looks = 0;
let lookedMs = performance.now();
parentPort?.postMessage('started');
const timer = setInterval(() => {
  const nowMs = performance.now();
  const pausedMs = nowMs - lookedMs - LOOK_MS;
  if (pausedMs > LATE_MS_MIN) {
    figures[FIGURES.lateMs] = (figures[FIGURES.lateMs] ?? 0) + pausedMs;
    figures[FIGURES.longestMs] = Math.max(figures[FIGURES.longestMs] ?? 0, pausedMs);
  }
  looks += 1;
  const isEnding = Atomics.load(state, 0) !== RUNNING;
  if (isEnding || looks % COUNT_EVERY === 0) count();
  if (isEnding) {
    clearInterval(timer);
    Atomics.compareExchange(state, 0, ENDING, ENDED);
    Atomics.notify(state, 0);
  }
  lookedMs = performance.now();
}, LOOK_MS);
