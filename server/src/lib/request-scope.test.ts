import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { currentScope, inScope, keepContext, outsideScope, ownMs, timeOutside } from './request-scope.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const arriving = () => ({ arrivedMs: performance.now(), deadlineMs: Number.POSITIVE_INFINITY });
const after = (ms: number, error?: Error) =>
  new Promise<void>((resolve, reject) => setTimeout(() => (error ? reject(error) : resolve()), ms));

test('a request’s own time is its age without the calls to other companies, whether they answer or fail', async () => {
  await inScope(arriving(), async () => {
    const asking = timeOutside(after(250));
    await vi.advanceTimersByTimeAsync(250);
    await asking;
    const refused = timeOutside(after(250, new Error('refused'))).catch(() => undefined);
    await vi.advanceTimersByTimeAsync(250);
    await refused;
    await vi.advanceTimersByTimeAsync(30);
    expect(ownMs()).toBe(30);
  });
});

test('the time in which the client sent the body is not the request’s own', () => {
  inScope({ ...arriving(), uploadMs: 400 }, () => {
    vi.advanceTimersByTime(500);
    expect(ownMs()).toBe(100);
  });
});

test('a kept context is that of the caller, and none if the caller has none', () => {
  const [first, second] = [{ deadlineMs: 1 }, { deadlineMs: 2 }];
  const ofFirst = inScope(first, () => keepContext(currentScope));
  const ofNone = outsideScope(() => keepContext(currentScope));
  inScope(second, () => {
    expect(ofFirst()).toBe(first);
    expect(ofNone()).toBeUndefined();
    expect(currentScope()).toBe(second);
  });
});

test('outside a request there is no own time', () => {
  expect(ownMs()).toBeUndefined();
});
