import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { currentScope, inScope, keepContext, outsideScope, ownMs, REQUEST_MS, timeOutside } from './request-scope.ts';

test('a request’s own time is its age without the calls to other companies, whether they answer or fail', async () => {
  await inScope({ deadlineMs: performance.now() + REQUEST_MS }, async () => {
    await timeOutside(sleep(250));
    await timeOutside(sleep(250).then(() => Promise.reject(new Error('refused')))).catch(() => undefined);
    // A timer may fire a millisecond early.
    expect(ownMs()).toBeLessThan(400);
    await sleep(30);
    expect(ownMs()).toBeGreaterThan(25);
  });
});

test('the time in which the client sent the body is not the request’s own', () => {
  inScope({ deadlineMs: performance.now() - 500 + REQUEST_MS, uploadMs: 400 }, () => {
    expect(ownMs()).toBeGreaterThanOrEqual(100);
    expect(ownMs()).toBeLessThan(300);
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
