// The metrics of documents. No label names a tenant or a report.
import { Counter, Histogram, type Registry } from 'prom-client';

export type DocumentMetrics = ReturnType<typeof createDocumentMetrics>;

export function createDocumentMetrics(registry: Registry) {
  const registers = [registry];
  return {
    documentSeconds: new Histogram({
      name: 'trefoil_document_seconds',
      help: 'How long painting a document took in its thread, by format',
      labelNames: ['format'],
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    }),
    documentsNotPainted: new Counter({
      name: 'trefoil_documents_not_painted_total',
      help: 'Documents whose thread died or ended at its time limit; their requests got 503',
      labelNames: ['format'],
      registers,
    }),
  };
}
