// Pauses by the global timers, so that a test in the same process can move the clock. No pause at all needs no clock.

/** Rejects when the signal is aborted. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    if (ms === 0) return resolve();
    const leave = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', leave);
      resolve();
    }, ms);
    signal.addEventListener('abort', leave, { once: true });
  });
}

export function runAfter(ms: number, run: () => void): void {
  if (ms === 0) run();
  else setTimeout(run, ms);
}
