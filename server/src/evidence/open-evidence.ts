// The front door of evidence: signed statements about reports, the published keys and the page where a reader verifies a
// document. Documents ask it for what they attach, and tell it which files they hand out.
import type { FastifyInstance } from 'fastify';
import type { CompletedReport } from '../credit-reports/reading/completed-report.ts';
import type { ReadCompleted } from '../credit-reports/reading/read-completed.ts';
import type { Gate } from '../http/operations.ts';
import { createAddressLimit, EVIDENCE_PAGES } from '../http/rate-limit.ts';
import type { Limits } from '../lib/limits/limits.ts';
import { describeError, type Log } from '../lib/log.ts';
import type { Database } from '../lib/postgres/database.ts';
import { type EvidenceRing, privateKeyOf, publish } from './evidence-keys.ts';
import { findPublicEvidence, isIssued, listMissingKeys, noteIssued } from './find-evidence.ts';
import { evidenceFor, type Signer } from './issue-evidence.ts';
import { registerEvidencePages } from './pages/evidence-pages.ts';
import { registerEvidenceRoutes, registerKeyRoutes } from './routes.ts';

type EvidenceSettings = { readonly baseUrl: string; readonly evidenceKeys: EvidenceRing };

type Surroundings = {
  readonly database: Database;
  readonly log: Log;
  readonly readCompleted: ReadCompleted;
  readonly software: Signer['software'];
};

export function openEvidence({ baseUrl, evidenceKeys }: EvidenceSettings, around: Surroundings) {
  const { database, log, readCompleted, software } = around;
  const [key] = evidenceKeys;
  const signer: Signer = { issuer: baseUrl, key, privateKey: privateKeyOf(key), software };
  const forReport = (completed: CompletedReport) => evidenceFor(database, signer, completed);
  return {
    /** What a document attaches. Undefined for a report that was completed before provenance was kept. */
    evidenceFor: forReport,
    /** Call it before the document is handed out: a file that we do not know of looks like a forgery. */
    noteIssued: (tenantId: string, evidenceId: string, pdfSha256: string) =>
      noteIssued(database, tenantId, evidenceId, pdfSha256),
    /**
     * Says in the log which keys have signed and are not in the ring: what they signed cannot be verified. It stops nothing, since
     * reports must not wait for the keys of old documents.
     */
    async checkRing(): Promise<void> {
      try {
        const missing = await listMissingKeys(database, evidenceKeys);
        for (const kid of missing) log.error('a key that signed evidence is not in TREFOIL_EVIDENCE_KEYS', { kid });
      } catch (error) {
        log.error(
          'it was not checked whether TREFOIL_EVIDENCE_KEYS has every key that signed evidence',
          describeError(error),
        );
      }
    },
    register(http: FastifyInstance, gate: Gate, limits: Limits): void {
      registerEvidenceRoutes(http, gate, {
        readCompleted: (caller, creditReportId) => readCompleted(caller, creditReportId, 'report.evidence-read'),
        evidenceFor: forReport,
      });
      const limit = createAddressLimit(limits, EVIDENCE_PAGES);
      registerKeyRoutes(http, { ring: evidenceKeys, limit });
      registerEvidencePages(http, {
        ...{ baseUrl, log, limitPages: limit, keys: publish(evidenceKeys) },
        find: (id) => findPublicEvidence(database, id),
        isIssued: (id, sha256) => isIssued(database, id, sha256),
      });
    },
  };
}
