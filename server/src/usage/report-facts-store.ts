// How many bureaus the charges of reports are for, as far as the reports' results and their holds tell it together.
import { rows, sql, type Tx } from '../lib/postgres/sql.ts';
import type { ReportFactsRow } from '../wallet/describe-lines.ts';

/** Of the reports whose bureaus were asked; for a page of lines. */
export function listReportFacts(
  tx: Tx,
  tenantId: string,
  creditReportIds: readonly string[],
): Promise<readonly ReportFactsRow[]> {
  return rows<ReportFactsRow>(
    tx,
    sql`
    select reports.id as "creditReportId", json_array_length(bureau_results) as asked,
           (select count(*) from json_array_elements(bureau_results) as each
             where each ->> 'outcome' <> 'unavailable') as answered,
           amount as "heldCredits", captured_amount as "chargedCredits", per_bureau as "perBureauCredits"
      from credit_reports as reports
      join holds on holds.tenant_id = reports.tenant_id and holds.kind = 'report' and holds.source_id = reports.id
     where reports.tenant_id = ${tenantId} and reports.id = any (${creditReportIds}::uuid[])
       and bureau_results is not null`,
  );
}
