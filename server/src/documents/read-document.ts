// The document of a complete report. It costs nothing and asks no bureau; the audit row is committed before anything is
// painted.
import { createHash } from 'node:crypto';
import type { CompletedReport } from '../credit-reports/reading/completed-report.ts';
import type { ReadCompleted } from '../credit-reports/reading/read-completed.ts';
import type { EvidenceFiles } from '../evidence/evidence-files.ts';
import type { Caller } from '../http/authenticate.ts';
import type { Painter } from './painter.ts';
import type { ReportOrder } from './painter.worker.ts';

export type DocumentDependencies = {
  readonly readCompleted: ReadCompleted;
  readonly evidence: {
    /** What a document carries; undefined where there is nothing to sign. */
    readonly evidenceFor: (completed: CompletedReport) => Promise<EvidenceFiles | undefined>;
    readonly noteIssued: (tenantId: string, evidenceId: string, pdfSha256: string) => Promise<void>;
  };
  readonly painter: Pick<Painter, 'withPlace'>;
};

type Asked = {
  readonly creditReportId: string;
  readonly format: ReportOrder['format'];
  /** Painting waits for its turn: the place of a read is given back before. */
  readonly beforeWait: () => void;
};

export async function readDocument(
  { readCompleted, evidence, painter }: DocumentDependencies,
  caller: Caller,
  { creditReportId, format, beforeWait }: Asked,
): Promise<Buffer> {
  // The place first: a request without one costs no read and writes no audit row.
  return painter.withPlace(caller.tenantId, async (paint) => {
    const completed = await readCompleted(caller, creditReportId, 'report.document-read');
    const files = await evidence.evidenceFor(completed);
    beforeWait();
    // The name that was signed: a company that changed its name since would get other bytes for the same evidence.
    const source = files ? { ...completed, tenantName: files.tenantName } : completed;
    const painted = await paint({ completed: source, evidence: files, format });
    const bytes = Buffer.from(painted.buffer, painted.byteOffset, painted.byteLength);
    if (files && format === 'pdf') {
      // Before the file is sent: a file that we do not know would look like a forgery.
      await evidence.noteIssued(caller.tenantId, files.evidenceId, createHash('sha256').update(bytes).digest('hex'));
    }
    return bytes;
  });
}
