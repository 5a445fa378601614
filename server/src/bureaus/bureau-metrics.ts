// The metrics of bureaus.
import { Counter, Histogram, type Registry } from 'prom-client';

export type BureauMetrics = ReturnType<typeof createBureauMetrics>;

export function createBureauMetrics(registry: Registry) {
  const registers = [registry];
  return {
    bureauAnswers: new Histogram({
      name: 'trefoil_bureau_answer_seconds',
      help: 'Time a bureau took, by bureau, outcome and reason',
      labelNames: ['bureau', 'outcome', 'reason'],
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
      registers,
    }),
    bureauWarnings: new Counter({
      name: 'trefoil_bureau_warnings_total',
      help: 'New or odd values on a bureau wire, by bureau, field and kind',
      labelNames: ['bureau', 'field', 'kind'],
      registers,
    }),
  };
}
