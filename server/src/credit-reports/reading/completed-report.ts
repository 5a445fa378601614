// A complete report with everything that its document and its evidence are made from.
import type { BureauResult } from '@trefoil/contract';
import type { Provenance, SearchedWith } from '../../merge/provenance.ts';

export type CompletedReport = {
  readonly creditReportId: string;
  readonly tenantId: string;
  readonly tenantName: string;
  readonly completedAt: Date;
  readonly isTest: boolean;
  readonly request: SearchedWith;
  /** The report exactly as it was stored and sent. */
  readonly reportText: string;
  readonly bureauResults: readonly BureauResult[];
  /** How the consumer was authenticated for this report. */
  readonly authentication: { readonly method: 'sms-code' | 'none'; readonly at: Date | null };
  /** Null for a report that was completed before provenance was kept. */
  readonly kept: {
    readonly provenance: Provenance;
    /** The provenance exactly as it was stored. */
    readonly provenanceText: string;
    /** Salt of the file `report.json`; the salt of `provenance.json` is in the provenance. */
    readonly reportSalt: string;
  } | null;
};
