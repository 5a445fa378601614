// For tests: the library's timers follow a clock that the test moves, so pauses and time limits are exact and take no time.
// The server's timers are Node's own and stay real. Not published.

/** What the test's clock replaces. */
export const TIMERS = ['setTimeout', 'clearTimeout', 'Date', 'performance'] as const;

/**
 * A hook `retry` that ends each pause. The last millisecond goes by itself: a pause that is shorter than the hook was told ends
 * before it. Timers take whole milliseconds.
 */
export const endPauseBy =
  (advance: (ms: number) => unknown) =>
  ({ waitMs }: { readonly waitMs: number }): void => {
    // Not at once: the hook is told before the pause begins.
    setImmediate(() => {
      advance(Math.max(0, Math.trunc(waitMs) - 1));
      setImmediate(() => advance(1));
    });
  };
