// A thread of its own: it is late for its timer only when the machine does not let it run, however busy the drill itself is.
import { workerData } from 'node:worker_threads';
import { LATE_MS_MIN, LOOK_MS } from './machine.ts';

const lateMs = new Float64Array(workerData as SharedArrayBuffer);

let lookedMs = performance.now();
setInterval(() => {
  const nowMs = performance.now();
  const pausedMs = nowMs - lookedMs - LOOK_MS;
  lookedMs = nowMs;
  if (pausedMs > LATE_MS_MIN) lateMs[0] = (lateMs[0] ?? 0) + pausedMs;
}, LOOK_MS);
