// Files as evidence attaches them, with invented contents of an ordinary size: their contents do not change how a
// document is painted.
import { createHash } from 'node:crypto';
import type { CompletedReport } from '../../server/src/credit-reports/reading/completed-report.ts';
import type { EvidenceFile, EvidenceFiles } from '../../server/src/evidence/evidence-files.ts';

export function inventedEvidence({
  creditReportId,
  tenantName,
  reportText,
  kept,
  completedAt,
}: CompletedReport): EvidenceFiles | undefined {
  if (kept === null) return undefined;
  const statement = JSON.stringify({ type: 'trefoil/evidence/1', creditReportId });
  const statementSha256 = createHash('sha256').update(statement).digest('hex');
  const file = (name: EvidenceFile['name'], description: string, mediaType: string, text: string): EvidenceFile => ({
    ...{ name, description, mediaType, bytes: Buffer.from(text) },
  });
  const evidenceId = '019e83d2-8810-7e5a-a2c4-0d7b9f3e1c58';
  return {
    ...{ evidenceId, tenantName, kid: '1O4_v43qy_rU0d0FnoK1uqP3_OW65vIjCmCLBoy8sb4', statementSha256 },
    verifyUrl: `https://trefoil.example.com/v/${evidenceId}#${statementSha256.slice(0, 32)}`,
    issuedAt: completedAt,
    files: [
      file('statement.json', 'What was signed', 'application/json', statement),
      file('statement.sig', 'The signature of statement.json', 'application/octet-stream', 'x'.repeat(64)),
      file('report.json', 'The report as data', 'application/json', reportText),
      file('provenance.json', 'What each agency said', 'application/json', kept.provenanceText),
      file('VERIFY.txt', 'How to verify these files', 'text/plain', 'openssl pkeyutl -verify …\n'.repeat(20)),
    ],
  };
}
