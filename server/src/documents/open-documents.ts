// The entry point of documents: their routes, and the thread that paints them.
import type { FastifyInstance } from 'fastify';
import type { Gate } from '../http/operations.ts';
import { createPaintSubject } from './paint-subject.ts';
import { createPainter, type PainterOptions } from './painter.ts';
import type { DocumentDependencies } from './read-document.ts';
import type { StatementDependencies } from './read-statement-document.ts';
import { registerDocumentRoutes } from './routes.ts';

type Surroundings = Pick<PainterOptions, 'log' | 'metrics'> &
  Omit<DocumentDependencies & StatementDependencies, 'painter'>;

export function openDocuments({ log, metrics, ...surroundings }: Surroundings) {
  const painter = createPainter({ log, metrics });
  return {
    /** Before the first reader asks; without it the first document takes about a second longer. */
    warmUp: () => painter.warmUp(),
    /** What is held of a person, as a PDF. */
    paintSubject: createPaintSubject(painter),
    register: (http: FastifyInstance, gate: Gate) => registerDocumentRoutes(http, gate, { ...surroundings, painter }),
    close: () => painter.close(),
  };
}
