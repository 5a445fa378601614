// A tenant is alone as long as no other tenant came within the given time.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPresence } from './presence.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('one tenant is alone, however often it comes', () => {
  const presence = createPresence();
  for (let time = 0; time < 5; time += 1) presence.note('a');
  expect(presence.isAlone(1_000)).toBe(true);
});

test('two in turn are not, until one has stayed away for a second', () => {
  const presence = createPresence();
  for (const tenantId of ['a', 'b', 'a', 'b']) presence.note(tenantId);
  expect(presence.isAlone(1_000)).toBe(false);
  vi.advanceTimersByTime(900);
  presence.note('b');
  expect(presence.isAlone(1_000)).toBe(false);
  vi.advanceTimersByTime(200);
  expect(presence.isAlone(1_000)).toBe(true);
});

test('whoever comes long after another is alone at once', () => {
  const presence = createPresence();
  presence.note('a');
  vi.advanceTimersByTime(1_100);
  presence.note('b');
  expect(presence.isAlone(1_000)).toBe(true);
});

test('how long another must have stayed away is the question’s', () => {
  const presence = createPresence();
  presence.note('a');
  presence.note('b');
  vi.advanceTimersByTime(5_000);
  expect([presence.isAlone(1_000), presence.isAlone(60_000)]).toEqual([true, false]);
});

test('the largest share is that of the tenant that came most, and is forgotten', () => {
  const presence = createPresence();
  expect(presence.largestShare()).toBe(0);
  for (const tenantId of ['a', 'b', 'b', 'b', 'c']) presence.note(tenantId);
  expect(presence.largestShare()).toBe(0.6);
  vi.advanceTimersByTime(1_100);
  for (const tenantId of ['a', 'a', 'a', 'a', 'a']) presence.note(tenantId);
  expect(presence.largestShare()).toBe(0.6);
  vi.advanceTimersByTime(1_100);
  presence.note('c');
  vi.advanceTimersByTime(1_100);
  expect(presence.largestShare()).toBe(1);
});

test('what came before a pause is not counted after it', () => {
  const presence = createPresence();
  for (let time = 0; time < 100; time += 1) presence.note('a');
  vi.advanceTimersByTime(5_000);
  for (const tenantId of ['b', 'c', 'd', 'e']) presence.note(tenantId);
  expect(presence.largestShare()).toBe(0.25);
});
