import { expect, test } from 'vitest';
import { changeOf, formatShare, shareOf } from './shares.ts';

test('a share of none, and a part larger than its whole, is no figure', () => {
  expect(shareOf(1_712, 2_012)).toBeCloseTo(0.8509, 4);
  expect([shareOf(0, 5), shareOf(5, 5)]).toEqual([0, 1]);
  expect([shareOf(0, 0), shareOf(6, 5)]).toEqual([undefined, undefined]);
});

test('shares have one decimal, and never round to all or to nothing', () => {
  expect([0.8509, 0.968, 1, 0].map(formatShare)).toEqual(['85.1%', '96.8%', '100%', '0%']);
  expect([0.9999, 0.0004].map(formatShare)).toEqual(['over 99.9%', 'under 0.1%']);
});

test('a change is told against what was before, if there was anything', () => {
  expect(changeOf(4_029_600, 3_974_000)).toEqual({ direction: 'Up', by: '1.4%' });
  expect(changeOf(50, 100)).toEqual({ direction: 'Down', by: '50%' });
  expect(changeOf(300, 100)).toEqual({ direction: 'Up', by: '200%' });
  expect([changeOf(10, 0), changeOf(10, -5), changeOf(10, 10)]).toEqual([undefined, undefined, undefined]);
});
