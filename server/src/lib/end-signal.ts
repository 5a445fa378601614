// When a process is asked to end. A supervisor signals the whole process group and npm forwards the same signal to its child, so one
// request to end arrives as two signals: those that come together are one. A later one means that a person will not wait.
const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
const TOGETHER_MS = 1_000;

/** Resolves with the first signal. A signal that comes `togetherMs` or more after it ends the process at once. */
export function firstEndSignal(
  say: (sentence: string) => void,
  togetherMs = TOGETHER_MS,
): Promise<(typeof SIGNALS)[number]> {
  return new Promise((resolve) => {
    let firstAtMs: number | undefined;
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        const nowMs = performance.now();
        firstAtMs ??= nowMs;
        resolve(signal);
        if (nowMs === firstAtMs || nowMs - firstAtMs < togetherMs) return;
        say(`${signal} arrived again: ended at once, without waiting for what was still running.`);
        process.exit(1);
      });
    }
  });
}
