// Groups that are held up: which of them has the next run, and which calls go with it.
import { expect, test } from 'vitest';
import { createParking } from './batch-parking.ts';

type Call = { readonly group: string; readonly rank: number; readonly name: string };
const call = (name: string, rank = 1): Call => ({ group: name.slice(0, 1), rank, name });
const names = (calls: readonly Call[] | undefined) => calls?.map(({ name }) => name);

function park(runsMax: number, ...calls: readonly Call[]) {
  const parking = createParking<Call>(runsMax);
  for (const each of calls) parking.add(each);
  return parking;
}

test('ready → running: groups in the order they were parked, no more at once than there are runs', () => {
  const parking = park(2, call('a1'), call('b1'), call('a2'), call('c1'));
  expect(names(parking.start(10)?.calls)).toEqual(['a1', 'a2']);
  expect(names(parking.start(10)?.calls)).toEqual(['b1']);
  expect(parking.start(10)).toBeUndefined();
  parking.endFree('a');
  expect(names(parking.start(10)?.calls)).toEqual(['c1']);
});

test('running → ready: behind the groups that have not run yet', () => {
  const parking = park(1, call('a1'), call('b1'));
  const [first] = parking.start(10)?.calls ?? [];
  if (first) parking.putBack(first);
  parking.endHeld('a');
  expect(parking.start(10)?.group).toBe('b');
  parking.endFree('b');
  expect(names(parking.start(10)?.calls)).toEqual(['a1']);
});

test('running → free: the calls that came meanwhile leave, and the group is parked no more', () => {
  const parking = park(1, call('a1'));
  parking.start(10);
  parking.add(call('a2'));
  parking.add(call('a3'));
  expect(names(parking.endFree('a'))).toEqual(['a2', 'a3']);
  expect([parking.has('a'), parking.size]).toEqual([false, 0]);
});

test('a run takes at most so many calls, the lower rank first', () => {
  const parking = park(1, call('a1', 2), call('a2', 1), call('a3', 0));
  expect(names(parking.start(2)?.calls)).toEqual(['a3', 'a2']);
  expect(names(parking.endFree('a'))).toEqual(['a1']);
});

test('a group whose calls were all removed has no run, and is parked no more', () => {
  const parking = park(1, call('a1'), call('b1'));
  expect(names(parking.remove(({ group }) => group === 'a'))).toEqual(['a1']);
  expect(parking.start(10)?.group).toBe('b');
  expect(parking.has('a')).toBe(false);
});
