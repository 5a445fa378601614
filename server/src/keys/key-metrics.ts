// The metrics of the key service. No label names a key.
import { Counter, Gauge, type Registry } from 'prom-client';
import { beginAtZero } from '../lib/metrics.ts';

export type KeyMetrics = ReturnType<typeof createKeyMetrics>;

export function createKeyMetrics(registry: Registry) {
  const registers = [registry];
  return {
    keyCalls: beginAtZero(
      new Counter({
        name: 'trefoil_key_service_calls_total',
        help: 'Calls to the key service, by what became of them; gone: it has no usable key of the month',
        labelNames: ['call', 'outcome', 'reason'],
        registers,
      }),
      { call: ['create', 'unwrap'], outcome: ['done', 'gone', 'away'], reason: [''] },
    ),
    keysHeld: new Gauge({
      name: 'trefoil_working_keys_held',
      help: 'Working keys in memory that may be used; 0 where there is no key service, or where it has been away for too long',
      registers,
    }),
  };
}
