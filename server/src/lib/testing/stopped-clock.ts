// Tests only: a clock that stands still until a test moves it. Deadlines of outside calls are then exact, and a slow machine
// cannot make an answer come too late. Real: the network, and what runs in other processes.
import { expect, vi } from 'vitest';

export function stopClock(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
  // Node's own makes a timer that nothing outside Node can move.
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new DOMException('The operation timed out.', 'TimeoutError')), ms);
    return controller.signal;
  });
}

export function startClock(): void {
  vi.useRealTimers();
  vi.restoreAllMocks();
}

/** The outcome of work that ends with its deadline, not a millisecond before it. */
export async function endsAfter<T>(ms: number, work: Promise<T>): Promise<T> {
  let isOver = false;
  const watched = work.finally(() => {
    isOver = true;
  });
  vi.advanceTimersByTime(ms - 1);
  await turn();
  expect(isOver).toBe(false);
  vi.advanceTimersByTime(1);
  return watched;
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
