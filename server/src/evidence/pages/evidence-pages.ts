// The public page of a document, and the question whether a file with a digest was issued. Both are limited by network, need
// no sign-in and show nothing about a person.
import type { FastifyInstance } from 'fastify';
import { formOf, type PageOptions, registerPages, sendPage } from '../../identity/page-kit/page-scope.ts';
import { ServiceError } from '../../lib/errors.ts';
import { canonicalId } from '../../lib/ids.ts';
import type { PublicEvidence } from '../find-evidence.ts';
import type { PublishedKey } from '../verification/published-keys.ts';
import { evidenceView, UNKNOWN_EVIDENCE } from './evidence-views.ts';

export type EvidencePages = PageOptions & {
  readonly keys: readonly PublishedKey[];
  readonly find: (id: string) => Promise<PublicEvidence | undefined>;
  readonly isIssued: (id: string, sha256: string) => Promise<boolean | undefined>;
};

const idOf = (params: unknown) => canonicalId((params as { readonly evidenceId: string }).evidenceId);

export function registerEvidencePages(app: FastifyInstance, pages: EvidencePages): void {
  const { keys, find, isIssued } = pages;
  registerPages(app, { ...pages, errorLink: { path: '/', label: 'Go to the start page' } }, (scope) => {
    scope.get('/v/:evidenceId', async (request, reply) => {
      const evidence = await find(idOf(request.params));
      return evidence
        ? sendPage(reply, evidenceView(evidence, keys))
        : sendPage(reply, UNKNOWN_EVIDENCE, { status: 404 });
    });
    scope.post('/v/:evidenceId/digest', async (request, reply) => {
      const sha256 = formOf(request)('sha256');
      if (!/^[0-9a-f]{64}$/.test(sha256)) {
        throw new ServiceError('validation-error', 'sha256 must be 64 lower-case hexadecimal digits.');
      }
      const answer = await isIssued(idOf(request.params), sha256);
      if (answer === undefined) throw new ServiceError('not-found');
      return reply.send({ isIssued: answer });
    });
  });
}
