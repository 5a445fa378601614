// Every metric of a process: the common ones and those of each feature.
import { createBureauMetrics } from './bureaus/bureau-metrics.ts';
import { beginFailedRequests, createReportMetrics } from './credit-reports/report-metrics.ts';
import { createDocumentMetrics } from './documents/document-metrics.ts';
import { createHttpMetrics } from './http/http-metrics.ts';
import { createKeyMetrics } from './keys/key-metrics.ts';
import { createMetrics } from './lib/metrics.ts';
import { createMailMetrics } from './mail/mail-metrics.ts';
import { createWalletMetrics } from './wallet/wallet-metrics.ts';
import { createWebhookMetrics } from './webhooks/webhook-metrics.ts';

export function openMetrics() {
  const metrics = createMetrics();
  const { registry } = metrics;
  const http = createHttpMetrics(registry);
  beginFailedRequests(http.requests);
  return {
    ...metrics,
    ...http,
    ...createReportMetrics(registry),
    ...createBureauMetrics(registry),
    ...createDocumentMetrics(registry),
    ...createKeyMetrics(registry),
    ...createMailMetrics(registry),
    ...createWalletMetrics(registry),
    ...createWebhookMetrics(registry),
  };
}
