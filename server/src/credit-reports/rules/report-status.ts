// Where a report stands, as its row says it.

export type ReportStatus = 'pending' | 'challenged' | 'fetching' | 'complete' | 'failed' | 'blocked' | 'expired';
