// The answers that clients got, report by report: the other side of every check at the end.
export type ReportRecord = {
  readonly tenantId: string;
  readonly creditReportId: string;
  /** The status and cost of the answer to the generate. */
  readonly status: string;
  readonly cost: number;
  readonly challengeId: string | undefined;
  /** Wrong codes whose answer says that an attempt was used. */
  wrongCodes: number;
  /** Messages beyond the first that were answered as sent. */
  resends: number;
  /** The answers to the right code. */
  readonly ends: Set<string>;
};

export type Records = Map<string, ReportRecord>;
