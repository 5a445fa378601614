// Every metric of a process: the common ones and those of each feature.
import { createBureauMetrics } from './bureaus/bureau-metrics.ts';
import { createReportMetrics } from './credit-reports/report-metrics.ts';
import { createHttpMetrics } from './http/http-metrics.ts';
import { createMetrics } from './lib/metrics.ts';
import { createMailMetrics } from './mail/mail-metrics.ts';
import { createWebhookMetrics } from './webhooks/webhook-metrics.ts';

export function openMetrics() {
  const metrics = createMetrics();
  const { registry } = metrics;
  return {
    ...metrics,
    ...createHttpMetrics(registry),
    ...createReportMetrics(registry),
    ...createBureauMetrics(registry),
    ...createMailMetrics(registry),
    ...createWebhookMetrics(registry),
  };
}
