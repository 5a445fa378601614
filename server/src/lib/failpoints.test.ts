// A failpoint kills the process at one place and one visit, and otherwise does nothing.
import { expect, test } from 'vitest';
import { FAILPOINTS, type FailpointName } from '../credit-reports/failpoints.ts';
import { type ArmedFailpoint, createFailpoint } from './failpoints.ts';

function visits(armed: ArmedFailpoint<FailpointName> | undefined, names: readonly FailpointName[]): number[] {
  const deaths: number[] = [];
  let visit = 0;
  const failpoint = createFailpoint(armed, () => deaths.push(visit));
  for (const name of names) {
    visit += 1;
    failpoint(name);
  }
  return deaths;
}

test('not armed: no place is fatal', () => {
  expect(visits(undefined, [...FAILPOINTS, ...FAILPOINTS])).toEqual([]);
});

for (const name of FAILPOINTS) {
  test(`${name}: armed for the first visit, fatal there and at no other place`, () => {
    expect(visits({ name, visit: 1 }, FAILPOINTS)).toEqual([FAILPOINTS.indexOf(name) + 1]);
  });
}

test('armed for the third visit: the first two pass, only the third is fatal', () => {
  const names = Array.from({ length: 6 }, () => 'after-reserve' as const);
  expect(visits({ name: 'after-reserve', visit: 3 }, names)).toEqual([3]);
});

test('visits of other places do not count', () => {
  const names = ['before-bureau-send', 'after-reserve', 'before-bureau-send', 'after-reserve'] as const;
  expect(visits({ name: 'after-reserve', visit: 2 }, names)).toEqual([4]);
});

test('names are unique and readable in an environment variable', () => {
  expect(new Set(FAILPOINTS).size).toBe(FAILPOINTS.length);
  for (const name of FAILPOINTS) expect(name).toMatch(/^[a-z]+(-[a-z]+)+$/);
});
