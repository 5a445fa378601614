// How long a node goes on with what it knows of a credential or a person: the ages of production, on a clock that stands still.
// Tests of what follows from a change shorten them (server/test/support/rests.ts).
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import type { Database } from '../lib/postgres/database.ts';
import { startClock, stopClock } from '../lib/testing/stopped-clock.ts';
import { cachedClientFinder } from './credentials/find-client.ts';
import { cachedPersonFinder } from './sessions/find-person.ts';

const ID = '01998b50-3c20-7e52-9f63-7a8192a3b4c5';

beforeEach(stopClock);
afterEach(startClock);

/** A database that says how often it was asked. */
function countingDatabase<T>(answer: (times: number) => T): Database {
  let times = 0;
  return { asSystem: async () => answer(++times) } as unknown as Database;
}

test('a person with their roles is looked up anew after five seconds', async () => {
  const find = cachedPersonFinder(countingDatabase((times) => ({ times })));
  const seen = async (afterMs: number) => {
    vi.advanceTimersByTime(afterMs);
    return await find(ID);
  };
  expect([await seen(0), await seen(4_999), await seen(1)]).toEqual([{ times: 1 }, { times: 1 }, { times: 2 }]);
});

test('a credential is given for four seconds; no request gets one of eight seconds ago', async () => {
  const find = cachedClientFinder(countingDatabase((times) => [{ id: ID, times, allowedNetworks: null }]));
  const seen = async (afterMs: number) => {
    vi.advanceTimersByTime(afterMs);
    return await find(ID);
  };
  expect(await seen(0)).toMatchObject({ times: 1 });
  expect(await seen(3_999)).toMatchObject({ times: 1 });
  expect(await seen(4_001)).toMatchObject({ times: 2 });
  // Looked up beside the request, which gets the old one.
  expect(await seen(4_000)).toMatchObject({ times: 2 });
  await eventually(async () => expect(await seen(0)).toMatchObject({ times: 3 }));
});
