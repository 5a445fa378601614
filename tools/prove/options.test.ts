import { expect, test } from 'vitest';
import { CHECKS } from './checks.ts';
import { readOptions, UsageError } from './options.ts';

const planned = (...argv: string[]) => readOptions(argv).planned;

test('all checks at full size, in the order of the list', () => {
  expect(planned().map(({ check }) => check)).toEqual(CHECKS);
  expect(planned().every(({ isFull }) => isFull)).toBe(true);
});

test('--quick leaves checks out, and only those at full size count as proved', () => {
  const quick = planned('--quick');
  expect(quick.length).toBeLessThan(CHECKS.length);
  for (const { check, isFull } of quick) expect(isFull, check.name).toBe(check.quick === 'full');
});

test('options and test files for one check', () => {
  const [measured] = planned('--only', 'measured', '--', 'server/src/lib/limits/places.test.ts');
  expect(measured?.size.command.join(' ')).toBe('vitest run --project measured server/src/lib/limits/places.test.ts');
  expect(measured?.isFull).toBe(false);
  const [chaos] = planned('--only', 'chaos', '--', '--plant', 'no-sweep');
  expect(chaos?.size.command.slice(-2)).toEqual(['--plant', 'no-sweep']);
});

test('a seed is kept, or a fresh one is chosen', () => {
  expect(readOptions(['--seed', '7']).seed).toBe(7);
  expect(readOptions([]).seed).toBeGreaterThan(0);
});

test.each([
  [['--only', 'nothing'], /There is no check nothing/],
  [['--only', 'chaos,faults', '--', '--short'], /exactly one/],
  [['--', '--short'], /exactly one/],
  [['--only', 'upgrade', '--quick'], /leaves these checks out/],
  [['--seed', '0'], /--seed takes/],
  [['--loud'], /Unknown option/],
])('%j is refused', (argv, message) => {
  expect(() => readOptions(argv)).toThrow(UsageError);
  expect(() => readOptions(argv)).toThrow(message);
});
