// A consumer's rights over HTTP. Who the person is comes in the body, which no log and no trace shows.
import type { FastifyInstance } from 'fastify';
import type { Caller } from '../http/authenticate.ts';
import { envelope } from '../http/envelope.ts';
import { type Gate, registerOperation } from '../http/operations.ts';
import { type EraseDependencies, eraseSubject } from './erase-subject.ts';
import { type DocumentSurroundings, exportDocument } from './export-document.ts';
import { exportSubject } from './export-subject.ts';
import { type Asker, findSubject } from './find-subject.ts';

const askerOf = ({ tenantId, id, isTestOnly }: Caller): Asker => ({ tenantId, actor: id, isTestOnly });

export function registerSubjectRoutes(
  app: FastifyInstance,
  gate: Gate,
  dependencies: EraseDependencies & DocumentSurroundings,
): void {
  registerOperation(app, gate, 'findSubject', async ({ caller, body, startedAtMs }) =>
    envelope({ data: await findSubject(dependencies, askerOf(caller), body) }, startedAtMs),
  );
  registerOperation(app, gate, 'exportSubject', async ({ caller, body, startedAtMs }) =>
    envelope({ data: await exportSubject(dependencies, askerOf(caller), body, { format: 'json' }) }, startedAtMs),
  );
  registerOperation(app, gate, 'exportSubjectDocument', async ({ caller, body, reply }) => {
    const bytes = await exportDocument(dependencies, askerOf(caller), body);
    reply.type('application/pdf');
    // The name of a saved file travels with it: it has nothing about the person.
    reply.header('content-disposition', 'inline; filename="personal-data.pdf"');
    return bytes;
  });
  registerOperation(app, gate, 'eraseSubject', async ({ caller, body, startedAtMs }) =>
    envelope({ data: await eraseSubject(dependencies, askerOf(caller), body) }, startedAtMs),
  );
}
