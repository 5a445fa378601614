import { expect, test } from 'vitest';
import { answerAlways, selectorsOf, shorten } from './expressions.ts';

test('windows, offsets and Grafana’s interval get one length', () => {
  expect(shorten('rate(a_b[3d]) / rate(a_b[$__rate_interval] offset 1d)', 20)).toBe(
    'rate(a_b[20s]) / rate(a_b[20s] offset 10s)',
  );
});

test('comparisons answer always, and only once', () => {
  expect(answerAlways('max(a) > 60 and b{x=~"1|2"} >= 0 or c > bool 1')).toBe(
    'max(a) > bool 60 and b{x=~"1|2"} >= bool 0 or c > bool 1',
  );
});

test.each([
  ['sum by (le, route) (rate(a_bucket{x="y (z)"}[5m])) > 0.1', ['a_bucket{x="y (z)"}']],
  ['histogram_quantile(0.99, sum by (le) (rate(a_bucket[5m])))', ['a_bucket']],
  ['trefoil:bad:ratio_1h{objective="own-time"} / 0.01', ['trefoil:bad:ratio_1h{objective="own-time"}']],
  ['(sum(a_total{s=~"5.."}) or vector(0)) / sum(a_total)', ['a_total{s=~"5.."}', 'a_total']],
  ['absent(a_total) or up{job="trefoil"} == 0', ['a_total', 'up{job="trefoil"}']],
])('the series of %s', (expr, selectors) => {
  expect(selectorsOf(expr)).toEqual(selectors);
});
