// Prometheus metrics. Labels are closed lists (method, route pattern, status, outcome): no id and nothing personal.
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    requests: new Histogram({
      name: 'trefoil_http_request_duration_seconds',
      help: 'Time to answer a request, by route pattern and status',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
      registers,
    }),
    reports: new Counter({
      name: 'trefoil_reports_total',
      help: 'Reports generated, by mode and status',
      labelNames: ['mode', 'status'],
      registers,
    }),
    codes: new Counter({
      name: 'trefoil_otp_codes_total',
      help: 'Codes submitted, by what became of them',
      labelNames: ['mode', 'outcome'],
      registers,
    }),
    limitFallbacks: new Counter({
      name: 'trefoil_limit_fallbacks_total',
      help: 'Times Redis could not judge a limit and this node judged alone',
      registers,
    }),
  };
}
