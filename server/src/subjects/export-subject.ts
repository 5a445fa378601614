// Everything that is held of a person in one company, a page of reports at a time: as data, and as the source of a document.
import {
  type HeldReport as ExportedReport,
  type ExportedSubject,
  type ExportSubjectRequest,
  SUBJECT_PAGE,
} from '@trefoil/contract';
import { type HeldReport, type HeldSend, listSendsOfReports, openHeld } from '../credit-reports/reading/open-held.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { listLinesOf, type StatementLine } from '../wallet/list-entries.ts';
import { type Asker, findMatches, noteSubject, toReport } from './find-subject.ts';
import type { IndexDependencies } from './index-reports.ts';

type Beside = { readonly sends: readonly HeldSend[]; readonly lines: readonly StatementLine[] };

function toExported(report: HeldReport, { sends, lines }: Beside): ExportedReport {
  const { id, source, request, bureauResults, creditReport, provenance } = report;
  return {
    ...toReport(report),
    source,
    request,
    bureauResults: bureauResults && [...bureauResults],
    creditReport,
    provenance: provenance as Record<string, unknown> | null,
    messages: sends
      .filter(({ creditReportId }) => creditReportId === id)
      .map(({ state, sentAt, settledAt }) => ({
        state,
        sentAt: sentAt.toISOString(),
        settledAt: settledAt?.toISOString() ?? null,
      })),
    statementLines: lines
      .filter(({ creditReportId }) => creditReportId === id)
      .map(({ seq, kind, amount, createdAt }) => ({
        ...{ id: String(seq), kind, amount, createdAt: createdAt.toISOString() },
      })),
  };
}

async function openPage(
  tx: Tx,
  { vault, isLossAccepted }: IndexDependencies,
  tenantId: string,
  ids: readonly string[],
) {
  const held = await openHeld(tx, vault, tenantId, { ids, withProvenance: true, isLossAccepted });
  const sends = await listSendsOfReports(tx, tenantId, ids);
  const lines = await listLinesOf(tx, tenantId, [...ids, ...sends.map(({ id }) => id)]);
  return held.reverse().map((report) => toExported(report, { sends, lines }));
}

export type ExportFormat = 'json' | 'pdf';

export async function exportSubject(
  dependencies: IndexDependencies,
  asker: Asker,
  { cursor, ...subject }: ExportSubjectRequest,
  { format, withinMs }: { readonly format: ExportFormat; readonly withinMs?: number },
): Promise<ExportedSubject> {
  const { database } = dependencies;
  const { tenantId } = asker;
  // Newest first: the next page has lower ids.
  const { matches, total } = await findMatches(dependencies, asker, subject, {
    ...{ withinMs, beforeId: cursor },
    limit: SUBJECT_PAGE + 1,
  });
  const ids = matches.slice(0, SUBJECT_PAGE).map(({ id }) => id);
  const reports = await database.forTenants([tenantId], (tx) => openPage(tx, dependencies, tenantId, ids));
  await noteSubject(database, asker, 'subject.exported', { reports: reports.length, format });
  return {
    total,
    reports,
    nextCursor: matches.length > SUBJECT_PAGE ? (ids.at(-1) ?? null) : null,
  };
}
