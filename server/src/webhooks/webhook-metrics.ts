// The metrics of webhooks. No label names a tenant, an endpoint or a host.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { beginAtZero } from '../lib/metrics.ts';

export type WebhookMetrics = ReturnType<typeof createWebhookMetrics>;

export function createWebhookMetrics(registry: Registry) {
  const registers = [registry];
  return {
    webhookAttempts: beginAtZero(
      new Counter({
        name: 'trefoil_webhook_attempts_total',
        help: 'Attempts to deliver an event to a webhook endpoint, by what became of them',
        labelNames: ['outcome'],
        registers,
      }),
      { outcome: ['delivered', 'failed', 'gone', 'held', 'overtaken'] },
    ),
    webhookAttemptSeconds: new Histogram({
      name: 'trefoil_webhook_attempt_seconds',
      help: 'How long attempts took, whatever became of them',
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
      registers,
    }),
    webhooksWaiting: new Gauge({
      name: 'trefoil_webhooks_waiting',
      help: 'Deliveries that are due, for endpoints that work',
      registers,
    }),
    webhooksOldest: new Gauge({
      name: 'trefoil_webhooks_oldest_seconds',
      help: 'How long the oldest of them has been due; workers are missing when it grows',
      registers,
    }),
    webhookTurnsMissed: new Counter({
      name: 'trefoil_webhook_turns_missed_total',
      help: 'Endpoints with something due that no claim would have looked at; 0 but during an upgrade',
      registers,
    }),
    webhooksNotHandedOut: new Gauge({
      name: 'trefoil_webhooks_not_handed_out_seconds',
      help: 'How long ago the first event was written that has not been handed out to endpoints',
      registers,
    }),
  };
}
