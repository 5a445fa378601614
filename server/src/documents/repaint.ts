// Paints a document again from the files that are attached to it, to compare its pages with those that the signed data give.
import type { BureauResult } from '@trefoil/contract';
import { readReportFile } from '../credit-reports/provenance/report-files.ts';
import type { CompletedReport } from '../credit-reports/reading/completed-report.ts';
import { listFiles } from '../evidence/evidence-files.ts';
import type { Statement } from '../evidence/rules/statement.ts';
import type { Evidence } from '../evidence/verification/read-evidence.ts';
import { VERSION } from '../lib/version.ts';
import { readProvenance } from '../merge/provenance-text.ts';
import { paint } from './painter.worker.ts';

function toCompleted(statement: Statement, reportFile: string, provenanceText: string): CompletedReport | undefined {
  const read = readReportFile(reportFile);
  if (!read) return undefined;
  const { creditReportId, tenantId, tenantName, completedAt, isTest, authentication } = statement;
  const provenance = readProvenance(provenanceText);
  return {
    ...{ creditReportId, tenantId, tenantName, completedAt: new Date(completedAt), isTest },
    request: provenance.searched,
    reportText: read.reportText,
    bureauResults: provenance.bureaus.map(({ bureau, outcome }): BureauResult => ({ bureau, outcome })),
    authentication: {
      method: authentication.method === 'sms-code' ? 'sms-code' : 'none',
      at: authentication.at === null ? null : new Date(authentication.at),
    },
    kept: { provenance, provenanceText, reportSalt: read.reportSalt },
  };
}

async function paintAgain(evidence: Evidence, statement: Statement): Promise<Uint8Array | undefined> {
  if (statement.software.document !== VERSION) return undefined;
  const take = (name: string) => {
    const found = evidence.files.find((each) => each.name === name);
    return found && Buffer.from(found.bytes);
  };
  const [report, provenance] = [take('report.json'), take('provenance.json')];
  if (!report || !provenance) return undefined;
  const completed = toCompleted(statement, report.toString(), provenance.toString());
  if (!completed) return undefined;
  const { statement: signed, signature } = evidence;
  const files = listFiles(statement, {
    ...{ statement: Buffer.from(signed), signature: Buffer.from(signature), report, provenance },
  });
  return paint({ completed, evidence: files, format: 'pdf' });
}

/**
 * Undefined if this release cannot: another one has painted the document, or its files are not as this one writes them. Call it
 * only with files that were verified.
 */
export async function repaint(evidence: Evidence, statement: Statement): Promise<Uint8Array | undefined> {
  try {
    return await paintAgain(evidence, statement);
  } catch {
    // A signature vouches for the bytes of a file and not for its form.
    return undefined;
  }
}
