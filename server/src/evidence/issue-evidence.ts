// Makes the evidence of a complete report: signs a statement at the first request, and gives the same one ever after. It
// signs nothing unless the files are the ones whose digests the audit log fixed when the report was completed
// (docs/decisions/0220-evidence.md).
import { createHash, type KeyObject, sign } from 'node:crypto';
import { appendAudit } from '../audit/append-audit.ts';
import { findAuditRows } from '../audit/find-audit-rows.ts';
import { digestFiles, type FileDigests, reportFiles } from '../credit-reports/provenance/report-files.ts';
import type { CompletedReport } from '../credit-reports/reading/completed-report.ts';
import { newId } from '../lib/ids.ts';
import type { Database } from '../lib/postgres/database.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { type EvidenceFiles, listFiles } from './evidence-files.ts';
import type { EvidenceKey } from './evidence-keys.ts';
import { type Statement, statementText } from './rules/statement.ts';
import { findEvidenceOfReport, insertEvidence, readClock, type StoredEvidence } from './store.ts';

export type Signer = {
  readonly issuer: string;
  readonly key: Pick<EvidenceKey, 'kid' | 'validFrom' | 'validUntil'>;
  readonly privateKey: KeyObject;
  /** Versions of what merged the report and of what paints its document. */
  readonly software: Statement['software'];
};

type Kept = NonNullable<CompletedReport['kept']>;

/** Clocks of nodes differ. */
const CLOCK_MARGIN_MS = 60_000;
/** Test tools can move a test report's times back; an hour after its creation every test report is complete. */
const COMPLETED_WITHIN_MS = 3_600_000;
/** The id tells when the report was created. */
const bornAt = (id: string) => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);

/** What the audit log says of the report: which row fixed the digests of its files, and when the right code was given. */
async function findNoted(
  tx: Tx,
  { tenantId, creditReportId, completedAt, isTest }: CompletedReport,
  digests: FileDigests,
) {
  const born = bornAt(creditReportId);
  const completedMs = completedAt.getTime();
  const noted = await findAuditRows(tx, tenantId, {
    ...{ actions: ['report.completed', 'challenge.verified'], subjectId: creditReportId },
    since: new Date(born - CLOCK_MARGIN_MS),
    until: new Date((isTest ? Math.max(completedMs, born + COMPLETED_WITHIN_MS) : completedMs) + CLOCK_MARGIN_MS),
  });
  const fixed = noted.find(({ action }) => action === 'report.completed');
  const { reportSha256, provenanceSha256 } = fixed?.details ?? {};
  if (!fixed || reportSha256 !== digests.reportSha256 || provenanceSha256 !== digests.provenanceSha256) {
    throw new Error('the files of a report are not the ones whose digests are in the audit log: nothing was signed');
  }
  const verified = noted.find(({ action }) => action === 'challenge.verified');
  return { audit: { seq: fixed.seq, hash: fixed.hash }, verifiedAt: verified?.occurredAt };
}

const filesOf = ({ reportSha256, provenanceSha256 }: FileDigests): Statement['files'] => [
  { name: 'provenance.json', sha256: provenanceSha256 },
  { name: 'report.json', sha256: reportSha256 },
];

function requireValid({ validFrom, validUntil }: Signer['key'], at: string): void {
  if (at < validFrom || (validUntil !== null && at >= validUntil)) {
    throw new Error('the first key of TREFOIL_EVIDENCE_KEYS is not valid now: nothing was signed');
  }
}

async function issue(
  tx: Tx,
  { issuer, key, privateKey, software }: Signer,
  completed: CompletedReport & { readonly kept: Kept },
  digests: FileDigests,
): Promise<StoredEvidence> {
  const { tenantId, creditReportId, authentication } = completed;
  const { audit, verifiedAt } = await findNoted(tx, completed, digests);
  const now = await readClock(tx);
  const issuedAt = now.toISOString();
  requireValid(key, issuedAt);
  const id = newId();
  const statement = statementText({
    type: 'trefoil/evidence/1',
    ...{ issuer, evidenceId: id, creditReportId, tenantId, tenantName: completed.tenantName },
    completedAt: completed.completedAt.toISOString(),
    ...{ issuedAt, isTest: completed.isTest, kid: key.kid },
    files: filesOf(digests),
    bureauReplies: completed.kept.provenance.bureaus.map(({ bureau, outcome, replySha256 }) => ({
      ...{ bureau, outcome, sha256: replySha256 },
    })),
    authentication: {
      method: authentication.method,
      // In test mode the right code completes the report at once, so that moment is the code's.
      at: (verifiedAt ?? authentication.at)?.toISOString() ?? null,
    },
    audit,
    software,
  });
  const statementSha256 = createHash('sha256').update(statement).digest('hex');
  const signature = sign(null, Buffer.from(statement), privateKey);
  const evidence = { id, tenantId, creditReportId, statement, statementSha256, kid: key.kid, signature, issuedAt: now };
  if (await insertEvidence(tx, evidence)) {
    const details = { evidenceId: id, statementSha256 };
    await appendAudit(tx, [
      { tenantId, actor: 'system', action: 'evidence.issued', subjectId: creditReportId, details },
    ]);
    return evidence;
  }
  // Another node was first. Its transaction has ended, so its statement can be read now.
  const theirs = await findEvidenceOfReport(tx, tenantId, creditReportId);
  if (!theirs) throw new Error('a statement that another transaction wrote cannot be found');
  return theirs;
}

/** Undefined for a report that was completed before provenance was kept: nothing fixed its digests. */
export async function evidenceFor(
  database: Database,
  signer: Signer,
  completed: CompletedReport,
): Promise<EvidenceFiles | undefined> {
  const { tenantId, creditReportId, kept } = completed;
  if (!kept) return undefined;
  const texts = reportFiles({ ...kept, reportText: completed.reportText });
  const digests = digestFiles(texts);
  const evidence = await database.forTenants([tenantId], async (tx) => {
    const found = await findEvidenceOfReport(tx, tenantId, creditReportId);
    return found ?? issue(tx, signer, { ...completed, kept }, digests);
  });
  const statement = JSON.parse(evidence.statement) as Statement;
  if (JSON.stringify(statement.files) !== JSON.stringify(filesOf(digests))) {
    throw new Error('the files of a report are not the ones that its statement names: nothing was handed out');
  }
  return listFiles(statement, {
    ...{ statement: Buffer.from(evidence.statement), signature: evidence.signature },
    ...{ report: Buffer.from(texts.report), provenance: Buffer.from(texts.provenance) },
  });
}
