// The HTTP server's metrics.
import { Counter, Histogram, type Registry } from 'prom-client';
import { beginAtZero, watchGauge } from '../lib/metrics.ts';

export type HttpMetrics = ReturnType<typeof createHttpMetrics>;

export function createHttpMetrics(registry: Registry) {
  const registers = [registry];
  const connectionsClosed = new Counter({
    name: 'trefoil_connections_closed_total',
    help: 'Connections closed by a limit: of address or all the longest idle, the longest unread or the new one; of requests or time',
    labelNames: ['limit', 'closed'],
    registers,
  });
  beginAtZero(connectionsClosed, { limit: ['address', 'all'], closed: ['idle', 'unread', 'new'] });
  connectionsClosed.inc({ limit: 'time', closed: 'unread' }, 0);
  connectionsClosed.inc({ limit: 'requests', closed: 'busy' }, 0);
  return {
    watchConnections(count: () => number): void {
      watchGauge(registry, 'trefoil_connections', 'Connections to the API that are open on this node', count);
    },
    connectionsClosed,
    proxiesWithoutAddress: beginAtZero(
      new Counter({
        name: 'trefoil_proxies_without_address_total',
        help: 'Trusted proxies that told no address, noted once per process, by the setting that lists them',
        labelNames: ['setting'],
        registers,
      }),
      { setting: ['TREFOIL_TRUSTED_PROXIES', 'TREFOIL_FINGERPRINT_PROXIES'] },
    ),
    requests: new Histogram({
      name: 'trefoil_http_request_duration_seconds',
      help: 'Time to answer a request, by route pattern and status',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
      registers,
    }),
    refusals: beginAtZero(
      new Counter({
        name: 'trefoil_refusals_total',
        help: 'Live requests refused with 503 before anything was begun, by what was short',
        labelNames: ['reason'],
        registers,
      }),
      { reason: ['queue', 'places', 'reads'] },
    ),
  };
}
