// Reads a complete report with everything that its document and its evidence are made from. It costs nothing and asks
// no bureau; the audit row is committed before anything is shown.
import type { Vault } from '../../lib/crypto/vault.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import { mayOpen } from '../rules/reader.ts';
import { shownStatus } from '../rules/shown-status.ts';
import { openWhole } from '../seal-report.ts';
import type { CompletedReport } from './completed-report.ts';
import { getReadableReport, inProgress, type ReadDependencies, type Reader } from './read-report.ts';
import { findCompletedFacts } from './reading-store.ts';

/** What the audit log calls it. */
export type ReadingAction = 'report.document-read' | 'report.evidence-read';

export type ReadCompleted = (caller: Reader, creditReportId: string, action: ReadingAction) => Promise<CompletedReport>;

const NO_BODY = 'Your role shows what became of a report, and nothing about the consumer.';

async function open(tx: Tx, vault: Vault, tenantId: string, creditReportId: string): Promise<CompletedReport> {
  const facts = await findCompletedFacts(tx, tenantId, creditReportId);
  if (!facts) throw new Error('a complete report no longer exists');
  const { tenantName, completedAt, authenticatedAt, sealedProvenance } = facts;
  // After the facts: if the report is erased in between, this says so.
  const { isTest, ...opened } = await openWhole(tx, vault, tenantId, { creditReportId, sealedProvenance });
  return {
    ...{ creditReportId, tenantId, tenantName, completedAt, isTest },
    ...opened,
    authentication: { method: authenticatedAt ? 'sms-code' : 'none', at: authenticatedAt },
  };
}

export async function readCompletedReport(
  { database, vault, queue }: ReadDependencies,
  caller: Reader,
  creditReportId: string,
  action: ReadingAction,
): Promise<CompletedReport> {
  const { tenantId, id: actor } = caller;
  if (!mayOpen(caller)) throw new ServiceError('forbidden', NO_BODY);
  const completed = await database.forTenants([tenantId], async (tx) => {
    const report = await getReadableReport(tx, caller, creditReportId);
    const status = shownStatus(report);
    if (status === 'in-progress') throw inProgress();
    if (status !== 'complete') {
      throw new ServiceError('conflict', `Only a complete report has a document and evidence. This one is ${status}.`);
    }
    return open(tx, vault, tenantId, creditReportId);
  });
  await queue.note({ tenantId, actor, action, subjectId: creditReportId, details: { status: 'complete' } });
  return completed;
}
