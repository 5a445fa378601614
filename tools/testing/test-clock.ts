// For tests: the library's timers follow a clock that the test moves, so pauses and time limits are exact and take no time.
// The server's timers are Node's own and stay real.
import { vi } from 'vitest';

export function useTestClock(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
}

/**
 * The hook `retry` that ends each pause. The last millisecond goes by itself: a pause that is shorter than the hook was told
 * ends before it. Timers take whole milliseconds.
 */
export function endPause({ waitMs }: { readonly waitMs: number }): void {
  // Not at once: the hook is told before the pause begins.
  setImmediate(() => {
    vi.advanceTimersByTime(Math.max(0, Math.trunc(waitMs) - 1));
    setImmediate(() => vi.advanceTimersByTime(1));
  });
}
