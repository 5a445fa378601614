// Evidence over HTTP: the operation for tenants, and the public keys for everybody.
import type { EvidenceResponse } from '@trefoil/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { CompletedReport } from '../credit-reports/reading/completed-report.ts';
import type { Caller } from '../http/authenticate.ts';
import { envelope } from '../http/envelope.ts';
import { type Gate, registerOperation } from '../http/operations.ts';
import { ServiceError } from '../lib/errors.ts';
import type { EvidenceFiles } from './evidence-files.ts';
import { type EvidenceKey, pemOf, publish } from './evidence-keys.ts';
import type { Statement } from './rules/statement.ts';

export type EvidenceRoutes = {
  /** Refuses a caller who may not open the report, and notes the reading in the audit log. */
  readonly readCompleted: (caller: Caller, creditReportId: string) => Promise<CompletedReport>;
  readonly evidenceFor: (completed: CompletedReport) => Promise<EvidenceFiles | undefined>;
};

const NONE = 'This report was completed before evidence was kept, so it has none. Its document has no attachments.';

function toData({ evidenceId, kid, verifyUrl, issuedAt, files }: EvidenceFiles): EvidenceResponse['data'] {
  const bytesOf = (name: string) => files.find((file) => file.name === name)?.bytes ?? Buffer.alloc(0);
  const statement = bytesOf('statement.json').toString();
  return {
    ...{ evidenceId, issuedAt: issuedAt.toISOString(), kid, statement },
    signature: bytesOf('statement.sig').toString('base64'),
    files: (JSON.parse(statement) as Statement).files.map(({ name, sha256 }) => ({
      ...{ name, text: bytesOf(name).toString(), sha256 },
    })),
    verifyUrl,
  };
}

export function registerEvidenceRoutes(app: FastifyInstance, gate: Gate, routes: EvidenceRoutes): void {
  registerOperation(app, gate, 'getEvidence', async ({ caller, params, startedAtMs }) => {
    const completed = await routes.readCompleted(caller, params['creditReportId'] ?? '');
    const evidence = await routes.evidenceFor(completed);
    if (!evidence) throw new ServiceError('conflict', NONE);
    return envelope({ data: toData(evidence) }, startedAtMs);
  });
}

/** Short, so that a revoked key is known everywhere within minutes. */
const CACHED = { 'cache-control': 'public, max-age=300', 'access-control-allow-origin': '*' };

export type KeyRoutes = {
  readonly ring: readonly EvidenceKey[];
  readonly limit: (request: FastifyRequest) => Promise<void>;
};

export function registerKeyRoutes(app: FastifyInstance, { ring, limit }: KeyRoutes): void {
  const keys = publish(ring);
  const pems = new Map(keys.map((key) => [`${key.kid}.pem`, pemOf(key)]));
  app.get('/.well-known/trefoil-evidence-keys.json', { onRequest: limit }, async (_request, reply) =>
    reply.headers(CACHED).send({ keys }),
  );
  app.get('/.well-known/trefoil-evidence/:file', { onRequest: limit }, async (request, reply) => {
    const pem = pems.get((request.params as { readonly file: string }).file);
    if (pem === undefined) throw new ServiceError('not-found');
    return reply.headers(CACHED).type('application/x-pem-file').send(pem);
  });
}
