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

/** Looks again and again, without moving the clock as Vitest's own `poll` and `waitFor` do. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let look = 0; look < 20_000; look++) {
    if (await isSo()) return;
    await turn();
  }
  throw new Error('it did not happen');
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
