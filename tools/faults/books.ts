// The final check of every scenario: the server's own reconciliation and audit verification over a direct connection,
// then every answer against the ledger, and the ledger against the logs of the bureaus.
import { setTimeout as sleep } from 'node:timers/promises';
import { verifyChains } from '../../server/src/audit/verify-chain.ts';
import { createKeyedHash } from '../../server/src/lib/crypto/keyed-hash.ts';
import { reconcile } from '../../server/src/reconciliation/reconcile.ts';
import { count, type Tally } from '../chaos/tally.ts';
import { countOpen } from '../chaos/watch.ts';
import { BUREAU_PARTS } from '../dev/ask-simulators.ts';
import { faultsOf, type ReportRow, reportAmong } from './judge.ts';
import type { Operation } from './records.ts';
import type { Stage } from './stage.ts';

type Row = ReportRow & { readonly tenantId: string; readonly reference: string };

const REPORTS = `
  select reports.tenant_id as "tenantId", reports.id, reports.status, reports.failure,
         encode(external_reference_hash, 'hex') as reference, money.*
    from credit_reports as reports
    cross join lateral (
      select count(*) filter (where kind = 'report-charge')::integer as charges,
             coalesce(sum(-amount) filter (where kind = 'report-charge'), 0)::integer as "chargedCredits",
             coalesce(sum(amount) filter (where kind = 'report-refund'), 0)::integer as "refundedCredits"
        from ledger_txs as txs
        join ledger_entries as entries on entries.tenant_id = txs.tenant_id and entries.seq = txs.seq
       where txs.tenant_id = reports.tenant_id and txs.source_id = reports.id and account = 'wallet') as money
   where external_reference_hash is not null`;

const KEYS_WITHOUT_REPORT = `
  select encode(key_hash, 'hex') as id from idempotency_keys as keys
   where answer is null
      or not exists (select from credit_reports as reports
                      where reports.tenant_id = keys.tenant_id and reports.id = keys.credit_report_id)`;

const LOOK_MS = 250;
/** What the simulators keep (simulators/WIRE.md, section 5); a longer run could not be checked. */
const LOG_MAX = 50_000;

/** Waits until nothing is open: a lease lasts thirty seconds, and a sweep runs every five. */
async function settle(stage: Stage, patienceMs: number, tally: Tally): Promise<number> {
  const startedMs = performance.now();
  const elapsedMs = () => performance.now() - startedMs;
  for (;;) {
    const open = Object.entries(await countOpen(stage)).filter(([, number]) => number > 0);
    if (open.length === 0) return elapsedMs();
    if (elapsedMs() > patienceMs) {
      for (const [what, number] of open) tally.find('nothing is open at the end', `${what}: ${number}`);
      return elapsedMs();
    }
    await sleep(LOOK_MS);
  }
}

async function checkBooks(stage: Stage, tally: Tally): Promise<void> {
  const { findings } = await reconcile(stage.database);
  for (const { check, subjectId, detail, isBreak } of findings) {
    if (isBreak) tally.find(`reconciliation: ${check}`, `${subjectId}: ${detail}`);
  }
  const options = { tenantId: undefined, anchors: [], onProgress: () => undefined };
  for (const finding of (await verifyChains(stage.database, options)).findings) {
    tally.find('the audit chain verifies', JSON.stringify(finding));
  }
  const [statistics] = await stage.query<{ deadlocks: number }>(
    'select deadlocks::integer from pg_stat_database where datname = current_database()',
  );
  if (statistics && statistics.deadlocks > 0) tally.find('no deadlock', `${statistics.deadlocks}`);
  for (const { id } of await stage.query<{ id: string }>(KEYS_WITHOUT_REPORT)) {
    tally.find('every idempotency key has its report and its answer', id);
  }
}

type Enquiry = { readonly enquiryId: string; readonly enquiries: number };

/** The ids of the reports about which each bureau was asked. */
async function listAsked({ providers }: Stage, rows: readonly Row[], tally: Tally): Promise<Map<string, Set<string>>> {
  const known = new Set(rows.map(({ id }) => id));
  const asked = new Map<string, Set<string>>();
  for (const [bureau, name] of [...Object.entries(BUREAU_PARTS), ['screening', 'screening'] as const]) {
    const response = await fetch(`${providers.addresses[name]}/control/enquiries`);
    const { enquiries } = (await response.json()) as { enquiries: Enquiry[] };
    if (enquiries.length >= LOG_MAX) tally.find('the simulators remember the whole run', name);
    for (const { enquiryId, enquiries: times } of enquiries) {
      if (times > 1) tally.find('each bureau is asked at most once about a report', `${name}: ${enquiryId} ${times}`);
      if (!known.has(enquiryId)) tally.find('no bureau is asked about a report that is not there', enquiryId);
    }
    asked.set(bureau, new Set(enquiries.map(({ enquiryId }) => enquiryId)));
  }
  return asked;
}

export type Checked = {
  readonly settledMs: number;
  /** Live reports of the run by status and failure. */
  readonly reports: Readonly<Record<string, number>>;
  /** Answers to generates, by status and content. */
  readonly answers: Readonly<Record<string, number>>;
  /** Reports that failed as interrupted although a bureau had been asked about them. */
  readonly interruptedAfterAsked: number;
  /** The report of each operation, where there is one, and whether all its bureaus were asked about it. */
  readonly reportOf: ReadonlyMap<Operation, ReportRow & { readonly isAsked: boolean }>;
};

function countAnswers(operations: readonly Operation[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { status, reportStatus, code, creditReportId } of operations.flatMap(({ answers }) => answers)) {
    const isNamed = status === 503 && creditReportId !== undefined;
    count(counts, [status || 'none', reportStatus ?? code, isNamed ? 'with its report' : ''].filter(Boolean).join(' '));
  }
  return Object.fromEntries(counts);
}

export async function check(stage: Stage, tally: Tally, patienceMs: number): Promise<Checked> {
  const { operations } = stage.client;
  const settledMs = Math.round(await settle(stage, patienceMs, tally));
  await checkBooks(stage, tally);
  const rows = await stage.query<Row>(REPORTS);
  const asked = await listAsked(stage, rows, tally);
  const hashReference = createKeyedHash(stage.config.hashKeys[0].key, 'external-reference');
  const rowsOf = Map.groupBy(rows, ({ reference }) => reference);
  const reportOf = new Map<Operation, ReportRow & { isAsked: boolean }>();
  for (const operation of operations) {
    const found = rowsOf.get(hashReference(operation.tenantId, operation.reference).toString('hex')) ?? [];
    for (const fault of faultsOf(operation, found)) tally.find('every answer agrees with the books', fault);
    const row = reportAmong(found, operation);
    if (!row) continue;
    reportOf.set(operation, { ...row, isAsked: operation.bureaus.every((bureau) => asked.get(bureau)?.has(row.id)) });
  }
  const reports = new Map<string, number>();
  for (const { status, failure } of rows) count(reports, failure === null ? status : `${status} ${failure}`);
  const interrupted = rows.filter(
    ({ id, failure }) =>
      failure === 'interrupted' && Object.keys(BUREAU_PARTS).some((bureau) => asked.get(bureau)?.has(id)),
  );
  return {
    settledMs,
    reports: Object.fromEntries(reports),
    answers: countAnswers(operations),
    interruptedAfterAsked: interrupted.length,
    reportOf,
  };
}
