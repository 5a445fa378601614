import { Counter, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { openMetrics } from '../open-metrics.ts';
import { beginAtZero } from './metrics.ts';

test('every combination of labels has a series before its first event', async () => {
  const registry = new Registry();
  const counter = new Counter({ name: 'a_total', help: 'a', labelNames: ['mode', 'outcome'], registers: [registry] });
  beginAtZero(counter, { mode: ['live', 'test'], outcome: ['done', 'failed'] }).inc({ mode: 'live', outcome: 'done' });
  expect((await registry.metrics()).split('\n').filter((line) => line.startsWith('a_total'))).toEqual([
    'a_total{mode="live",outcome="done"} 1',
    'a_total{mode="live",outcome="failed"} 0',
    'a_total{mode="test",outcome="done"} 0',
    'a_total{mode="test",outcome="failed"} 0',
  ]);
});

test('the first 5xx of generate and the first silence of screening count: their series are there before', async () => {
  const metrics = openMetrics();
  const { requests } = metrics;
  // As the server observes it: the series of the start is the one that counts.
  requests.observe({ method: 'POST', route: '/:tenantId/v1/credit-reports', status: 503 }, 0.1);
  const lines = (await metrics.registry.metrics()).split('\n');
  const counts = lines.filter((line) => line.startsWith('trefoil_http_request_duration_seconds_count'));
  expect(counts).toEqual([
    'trefoil_http_request_duration_seconds_count{method="POST",route="/:tenantId/v1/credit-reports",status="500"} 0',
    'trefoil_http_request_duration_seconds_count{method="POST",route="/:tenantId/v1/credit-reports",status="503"} 1',
  ]);
  expect(lines).toContain('trefoil_screenings_total{outcome="unavailable",reason="timeout"} 0');
  expect(lines.filter((line) => line.startsWith('trefoil_screenings_total'))).toHaveLength(10);
});

test('no label has a name that Prometheus gives to the scrape: it would rename ours', async () => {
  const labels = openMetrics()
    .registry.getMetricsAsArray()
    .flatMap((metric) => ('labelNames' in metric ? (metric.labelNames as string[]) : []));
  expect(labels).toContain('outcome');
  expect(labels.filter((label) => label === 'job' || label === 'instance')).toEqual([]);
});
