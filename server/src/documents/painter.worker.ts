// The worker thread of painter.ts: from a complete report, a month of a wallet, or what is held of a person, to the bytes of its document.
import type { CompletedReport } from '../credit-reports/reading/completed-report.ts';
import type { EvidenceFiles } from '../evidence/evidence-files.ts';
import type { WalletStatement } from '../wallet/read-statement.ts';
import { paintHtml } from './html/paint-html.ts';
import { forgetWords, keepWords } from './pdf/fonts.ts';
import { paintPdf } from './pdf/paint-pdf.ts';
import { SAMPLE } from './sample.ts';
import { buildView } from './view/build-view.ts';
import { buildStatementView } from './view/statement-view.ts';
import { buildSubjectView, type SubjectCopy } from './view/subject-view.ts';

export type ReportOrder = {
  readonly completed: CompletedReport;
  readonly evidence: EvidenceFiles | undefined;
  readonly format: 'html' | 'pdf';
};

export type StatementOrder = { readonly statement: WalletStatement; readonly format: 'pdf' };

export type SubjectOrder = { readonly subject: SubjectCopy; readonly format: 'pdf' };

export type PaintOrder = ReportOrder | StatementOrder | SubjectOrder;

/** A fault of the painting itself is a value: what rejects in the main thread is then the thread's end and nothing else. */
export type PaintOutcome = { readonly bytes: Uint8Array } | { readonly fault: unknown };

/** Pure: the same order gives the same bytes. */
export async function paint(order: PaintOrder): Promise<Uint8Array> {
  if ('statement' in order) return paintPdf(buildStatementView(order.statement));
  if ('subject' in order) return paintPdf(buildSubjectView(order.subject));
  const { completed, evidence, format } = order;
  if (format === 'html') return Buffer.from(paintHtml(buildView(completed, evidence, 'page')));
  return paintPdf(buildView(completed, evidence, 'pdf'), evidence?.files);
}

export async function paintInThread(order: PaintOrder): Promise<PaintOutcome> {
  try {
    return { bytes: await paint(order) };
  } catch (fault) {
    return { fault };
  }
}

/** Reads the fonts, compiles the code, and shapes the words that every document has. */
export async function warmUp(): Promise<void> {
  // The thread may have painted before: only words of the invented report may stay.
  forgetWords();
  for (const format of ['pdf', 'html'] as const) {
    // A fault shows again in each document and is told there.
    await paintInThread({ completed: SAMPLE, evidence: undefined, format });
  }
  keepWords();
}

export { forgetWords };
