// Everything that is held of a person in one company, a page of reports at a time: as data, and as the source of a document.
import {
  type HeldReport as ExportedReport,
  type ExportedSubject,
  type ExportSubjectRequest,
  SUBJECT_PAGE,
} from '@trefoil/contract';
import {
  type HeldChallenge,
  type HeldReport,
  type HeldSend,
  listSendsOfReports,
  openHeld,
  readScreeningReasons,
} from '../credit-reports/reading/open-held.ts';
import { listEvidenceOfReports, type StoredEvidence } from '../evidence/find-evidence.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { listLinesOf, type StatementLine } from '../wallet/list-entries.ts';
import { type Asker, findMatches, noteSubject, toReport } from './find-subject.ts';
import type { IndexDependencies } from './index-reports.ts';

type Beside = {
  readonly sends: readonly HeldSend[];
  readonly lines: readonly StatementLine[];
  readonly evidences: readonly StoredEvidence[];
  readonly reasons: readonly string[];
};

const toChallenge = ({ lastSentAt, completedAt, ...counts }: HeldChallenge): ExportedReport['challenge'] => ({
  ...counts,
  lastSentAt: lastSentAt.toISOString(),
  completedAt: completedAt?.toISOString() ?? null,
});

const toEvidence = ({ id, issuedAt, kid, statement, signature }: StoredEvidence): ExportedReport['evidence'] => ({
  evidenceId: id,
  issuedAt: issuedAt.toISOString(),
  ...{ kid, statement, signature: signature.toString('base64') },
});

function toExported(report: HeldReport, { sends, lines, evidences, reasons }: Beside): ExportedReport {
  const { id, source, settledAt, failureReason, challenge, request, bureauResults, creditReport, provenance } = report;
  const evidence = evidences.find(({ creditReportId }) => creditReportId === id);
  return {
    ...toReport(report),
    source,
    settledAt: settledAt?.toISOString() ?? null,
    failureReason,
    screeningReasons: [...reasons],
    challenge: challenge && toChallenge(challenge),
    evidence: evidence ? toEvidence(evidence) : null,
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
  const evidences = await listEvidenceOfReports(tx, tenantId, ids);
  const exported: ExportedReport[] = [];
  for (const report of held.reverse()) {
    const reasons = await readScreeningReasons(tx, tenantId, report);
    exported.push(toExported(report, { sends, lines, evidences, reasons }));
  }
  return exported;
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
