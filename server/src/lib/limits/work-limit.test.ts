// An overloaded node admits fewer reports, and more again when it keeps up; never fewer than group commit needs.
import { expect, test } from 'vitest';
import { openWorkLimit, WORK_MAX, WORK_MIN, WORK_START } from './work-limit.ts';

function open(taken: number, largest = 0) {
  const [sizes, groupSizes]: [number[], number[]] = [[], []];
  const load = { taken, largest, share: largest / taken, isAlone: false };
  const limit = openWorkLimit({
    taken: () => load.taken,
    largest: () => load.largest,
    largestShare: () => load.share,
    isAlone: () => load.isAlone,
    resize: (count) => void sizes.push(count),
    limitGroup: (count) => void groupSizes.push(count),
  });
  limit.close();
  return { limit, load, last: () => sizes.at(-1), lastOfGroup: () => groupSizes.at(-1) };
}

test('a late loop takes a fifth less than is open, down to the least', () => {
  const { limit, load, last } = open(500);
  expect(last()).toBe(WORK_START);
  expect(limit.isLate()).toBe(false);
  limit.adjust(100);
  expect(limit.isLate()).toBe(true);
  expect(last()).toBe(153);
  for (let turn = 0; turn < 20; turn += 1) {
    load.taken = last() ?? 0;
    limit.adjust(100);
  }
  expect(last()).toBe(WORK_MIN);
});

test('a loop that keeps up takes more where all is used, and changes nothing where it is not', () => {
  const { limit, load, last } = open(500);
  limit.adjust(500);
  // Very late: half, but not below the minimum.
  expect(last()).toBe(WORK_MIN);
  load.taken = 10;
  limit.adjust(0);
  expect(last()).toBe(WORK_MIN);
  load.taken = WORK_MIN;
  limit.adjust(0);
  expect(last()).toBe(141);
  for (let turn = 0; turn < 50; turn += 1) {
    load.taken = last() ?? 0;
    limit.adjust(0);
  }
  expect(last()).toBe(WORK_MAX);
});

test('a busy loop holds the large tenant back, down to two reports; a quiet one lets it have more', () => {
  const { limit, load, lastOfGroup } = open(50, 40);
  limit.adjustGroup(0.9);
  expect(lastOfGroup()).toBe(32);
  limit.adjustGroup(1);
  expect(lastOfGroup()).toBe(16);
  for (let turn = 0; turn < 20; turn += 1) limit.adjustGroup(1);
  expect(lastOfGroup()).toBe(2);
  load.largest = 2;
  limit.adjustGroup(0.3);
  limit.adjustGroup(0.3);
  // It holds two and may hold three: it does not need a fourth yet.
  expect(lastOfGroup()).toBe(3);
});

test('no tenant of many is held back, however busy the loop is', () => {
  const { limit, lastOfGroup } = open(200, 10);
  for (let turn = 0; turn < 20; turn += 1) limit.adjustGroup(1);
  expect(lastOfGroup()).toBeUndefined();
});

test('what was found about one large tenant is not held against many small ones, nor against one that is alone', () => {
  const { limit, load, lastOfGroup } = open(50, 40);
  for (let turn = 0; turn < 20; turn += 1) limit.adjustGroup(1);
  Object.assign(load, { taken: 200, largest: 3, share: 0.05 });
  limit.adjustGroup(1);
  expect(lastOfGroup()).toBe(3);
  Object.assign(load, { taken: 40, largest: 40, share: 1, isAlone: true });
  limit.adjustGroup(1);
  expect(lastOfGroup()).toBe(WORK_MAX);
});
