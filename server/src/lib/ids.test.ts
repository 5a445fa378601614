import { expect, test } from 'vitest';
import { firstIdAt, isUuid, newId } from './ids.ts';

test('ids are UUIDs of version 7 that sort by time', () => {
  const ids = [1, 2, 1_700_000_000_000, 1_700_000_000_001].map((ms) => newId(ms));
  for (const id of ids) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(isUuid(id)).toBe(true);
  }
  expect(ids.toSorted()).toEqual(ids);
  expect(newId(1_700_000_000_000).slice(0, 13)).toBe('018bcfe5-6800');
});

test('10,000 ids of one moment are all different', () => {
  expect(new Set(Array.from({ length: 10_000 }, () => newId(1))).size).toBe(10_000);
});

test('what only resembles a UUID is none', () => {
  for (const text of [
    '',
    'x',
    '018bcfe5-6800-7000-8000-00000000000',
    '018bcfe5-6800-7000-8000-0000000000000',
    "'; drop",
    '{018bcfe5-6800-7000-8000-000000000000}',
  ]) {
    expect(isUuid(text)).toBe(false);
  }
});

test('the first id of an instant is below every id made then and above every one made before', () => {
  const at = new Date(1_700_000_000_000);
  const first = firstIdAt(at);
  expect(isUuid(first)).toBe(true);
  for (let round = 0; round < 100; round++) {
    expect(newId(at.getTime()) > first).toBe(true);
    expect(newId(at.getTime() - 1) < first).toBe(true);
  }
  expect(firstIdAt(new Date(0))).toBe('00000000-0000-0000-0000-000000000000');
});
