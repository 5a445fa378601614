// The front door of a person's rights: what a company holds of a consumer, found, exported and erased.
import type { FastifyInstance } from 'fastify';
import { createRequestHashes } from '../credit-reports/retention/erase-reports.ts';
import type { EvidenceRing } from '../evidence/evidence-keys.ts';
import type { Gate } from '../http/operations.ts';
import type { HashKey, HashRing } from '../lib/crypto/hash-ring.ts';
import type { Vault } from '../lib/crypto/vault.ts';
import type { Job } from '../lib/jobs.ts';
import type { Database, OpenDatabase } from '../lib/postgres/database.ts';
import type { EraseDependencies } from './erase-subject.ts';
import type { DocumentSurroundings } from './export-document.ts';
import { createSubjectHash } from './hash-subject.ts';
import { subjectJobs } from './jobs.ts';
import { createReceiptSigner } from './receipt.ts';
import { registerSubjectRoutes } from './routes.ts';

type SubjectSettings = {
  readonly baseUrl: string;
  readonly hashKeys: HashRing;
  readonly retiredHashKeys: readonly HashKey[];
  readonly evidenceKeys: EvidenceRing;
  readonly exceptions: readonly string[];
};

type Around<D> = { readonly database: D; readonly vault: Vault; readonly now: () => Date };

/** What the use-cases need; the command line has a database and a vault of its own. */
export function createSubjectDependencies(
  { baseUrl, hashKeys, retiredHashKeys, evidenceKeys, exceptions }: SubjectSettings,
  around: Around<Database>,
): EraseDependencies {
  return {
    ...around,
    isLossAccepted: exceptions.includes('missing-vault-keys'),
    runningHashes: new Map(),
    subjectHash: createSubjectHash(hashKeys, retiredHashKeys),
    requestHashes: createRequestHashes(hashKeys, retiredHashKeys),
    signer: createReceiptSigner(baseUrl, evidenceKeys),
  };
}

export function openSubjects(settings: SubjectSettings, around: Around<OpenDatabase> & DocumentSurroundings) {
  const { database, vault, now, paintSubject, findTenant } = around;
  // The look-ups of tokens have few connections: an erasure that waits for a lock must not hold one.
  const requests: Database = { forTenants: database.forTenants, asSystem: database.jobs.asSystem };
  const dependencies = createSubjectDependencies(settings, { database: requests, vault, now });
  return {
    jobs: (): Job[] => subjectJobs({ ...dependencies, database: database.jobs }),
    register(http: FastifyInstance, gate: Gate): void {
      registerSubjectRoutes(http, gate, { ...dependencies, paintSubject, findTenant });
    },
  };
}
